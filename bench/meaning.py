"""Whether evidence is taken for what it says: forged pairs that must be caught, and pairs of human annotators that must not.

The forged pairs are made by `bench/semantic`, which knows nothing of `clinical`; here they are put before it.
"""

import json
import math
from collections import Counter
from functools import cache
from typing import Any

from bench import papers, states
from bench.quoting import seed
from bench.report import Line
from bench.semantic.forged import Forged, forged
from clinical.answered import Answer, Value
from clinical.evidence import Pages, check
from clinical.papers import Page, Paper, reader
from clinical.templates import Field, find
from sheaf.work_budget import Budget

PAIRS = 2_200
CAUGHT_MIN, MANNERS_MIN, PAIRS_MIN = 0.97, 40, 2_000
ACCEPTED_MIN, VALUES_MIN = 0.85, 200


def semantic() -> Line:
    """The share of forged pairs that are not stored as found, and of each manner how many were made and how many passed."""
    made: Counter[str] = Counter()
    passed: Counter[str] = Counter()
    for pair in forged(PAIRS, seed()):
        made[pair.manner] += 1
        passed[pair.manner] += states.is_found(_checked(pair))
    pairs = made.total()
    more = {"pairs": pairs, "manners": len(made), "passed": dict(passed.most_common()), "made": dict(made)}
    return Line(1 - passed.total() / pairs, "share caught", more=more)


def is_caught(line: Line) -> bool:
    return line.value >= CAUGHT_MIN and line.more["manners"] >= MANNERS_MIN and line.more["pairs"] >= PAIRS_MIN


def meaning() -> Line:
    """The share of true choices and numbers, each with a sentence that an annotator chose, that are stored as found."""
    told = _told()
    made, missed = (
        Counter(field for field, *_ in each) for each in (told, [each for each in told if not _is_accepted(*each)])
    )
    more = {"values": len(told), "made": dict(made), "missed": dict(missed)}
    return Line(1 - missed.total() / len(told), "share accepted", more=more)


def is_accepted(line: Line) -> bool:
    return line.value >= ACCEPTED_MIN and line.more["values"] >= VALUES_MIN


@cache
def fields() -> dict[str, Field]:
    """The fields of a trial by name, and the parts of a result by the name that they have in one."""
    rct = {field.name: field for field in find("rct").fields}
    return {f"results.{part.name}": part for part in rct["results"].fields} | rct


def value_of(field: str, value: Any, quote: str, paper: Paper) -> Value:
    """What is stored where an engine gives this value with this quote."""
    answer: Answer = {"status": "reported", "value": value, "quote": quote, "page": None}
    return check(fields()[field], answer, Pages(paper, Budget(math.inf)))


def _checked(pair: Forged) -> Value:
    return value_of(pair.field, pair.value, pair.quote, reader.read(pair.document.encode(), "forged.txt"))


def _told() -> list[tuple[str, Any, str]]:
    """Field, value and sentence: directions as annotators noted them, and the counts and numbers of the same sentences."""
    directions, numbers = (
        [json.loads(line) for line in (papers.GOLD / f"{name}.jsonl").read_text().splitlines()]
        for name in ("directions", "numbers")
    )
    chosen = [("results.direction", each["direction"], each["quote"]) for each in directions]
    return [*chosen, *((each["field"], each["value"], each["quote"]) for each in numbers)]


def _is_accepted(field: str, value: Any, quote: str) -> bool:
    """The sentence alone is the paper: that it is found there is not the question."""
    return states.is_found(value_of(field, value, quote, Paper("text", (Page(1, quote),))))
