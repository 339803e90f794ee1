"""Tables as rules see them: lines of cells, one below the other. Pure."""

import re
from itertools import groupby

from clinical.rules.answers import Spot
from clinical.rules.text import Reading, Sentence, once

CELL = re.compile(r"(?:^|\|)\s*+(?P<said>(?:[^|]*[^|\s])?+)\s*+(?=\||$)")
Row = tuple[Spot, ...]
"""The cells of a line; one with nothing in it has no letters."""


@once
def tables(reading: Reading) -> tuple[tuple[Row, ...], ...]:
    """The tables of methods and results, each as its lines; a line of text between two ends the first."""
    lines = groupby(reading.within("methods", "results", "other"), key=lambda each: "|" in each.text)
    return tuple(tuple(map(_cells, rows)) for barred, rows in lines if barred)


def _cells(line: Sentence) -> Row:
    return tuple(Spot.of(line, cell, "said") for cell in CELL.finditer(line.text))
