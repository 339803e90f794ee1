"""Tables as rules see them: lines of cells, one below the other. Pure."""

import re
from itertools import groupby, pairwise

from clinical.rules.answers import Spot
from clinical.rules.text import Reading, Sentence, once

Row = tuple[Spot, ...]
"""The cells of a line; one with nothing in it has no letters."""


@once
def tables(reading: Reading) -> tuple[tuple[Row, ...], ...]:
    """The tables of methods and results, each as its lines; a line of text between two ends the first."""
    lines = groupby(reading.within("methods", "results", "other"), key=lambda each: "|" in each.text)
    return tuple(tuple(map(_cells, rows)) for barred, rows in lines if barred)


def _cells(line: Sentence) -> Row:
    ends = [-1, *(found.start() for found in re.finditer(r"\|", line.text)), len(line.text)]
    return tuple(_trimmed(line, start + 1, end) for start, end in pairwise(ends))


def _trimmed(line: Sentence, start: int, end: int) -> Spot:
    text = line.text[start:end]
    first = start + len(text) - len(text.lstrip())
    return Spot(line, first, first + len(text.strip()))
