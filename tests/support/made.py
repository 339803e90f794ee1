"""Words made from a regular expression: every alternative of it, and every two together. For tests of what stands before it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from re import _constants as kinds  # type: ignore[attr-defined]  # there is no public way to a pattern's parts
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

from clinical.patterns import Pattern

REPEATED = {kinds.MAX_REPEAT, kinds.MIN_REPEAT, kinds.POSSESSIVE_REPEAT}
CATEGORIES = {kinds.CATEGORY_DIGIT: "7", kinds.CATEGORY_WORD: "x", kinds.CATEGORY_SPACE: " "}
MARKS_MAX = 8
ALIKE_MAX = 4_000


def words(pattern: re.Pattern[str] | Pattern) -> Iterator[str]:
    """Texts that the pattern matches, each of its alternatives in at least one of them."""
    flags = pattern.flags if isinstance(pattern, re.Pattern) else re.I
    made = dict.fromkeys(_sequence(parser.parse(pattern.pattern, flags)))
    return (each for each in made if pattern.search(each))


def _sequence(parts: Iterable[Any]) -> list[str]:
    """The first way of each part, and all ways of any two parts beside it."""
    ways = [_ways(*part) for part in parts]
    usual = [each[0] for each in ways]
    made = ["".join(usual)]
    for places in [*combinations(range(len(ways)), 1), *combinations(range(len(ways)), 2)]:
        for chosen in product(*(ways[place][1:] for place in places)):
            put = dict(zip(places, chosen, strict=True))
            made.append("".join(put.get(at, each) for at, each in enumerate(usual)))
            if len(made) > ALIKE_MAX:
                return made
    return made


def _ways(kind: Any, told: Any) -> Sequence[str]:
    """The texts of one part of a pattern; what only looks around is no text."""
    if kind in REPEATED:
        least, most, inner = told
        once = _sequence(inner)
        few = [each * least for each in once] if least else [""]
        return [*few, *([each * (least + 1) for each in once] if most > least else [])]
    ways: Sequence[str] = [""]
    if kind is kinds.LITERAL:
        ways = [chr(told)]
    elif kind is kinds.BRANCH:
        ways = [each for branch in told[1] for each in _sequence(branch)]
    elif kind is kinds.SUBPATTERN:
        ways = _sequence(told[3])
    elif kind is kinds.IN:
        ways = _one_of(told)
    elif kind in {kinds.NOT_LITERAL, kinds.ANY}:
        ways = ["x"]
    return ways


def _one_of(told: Sequence[tuple[Any, Any]]) -> Sequence[str]:
    if told[0][0] is kinds.NEGATE:
        return ["x"]
    marks = [chr(each) for kind, each in told if kind is kinds.LITERAL]
    marks += [chr(each[0]) for kind, each in told if kind is kinds.RANGE]
    marks += [CATEGORIES[each] for kind, each in told if kind is kinds.CATEGORY and each in CATEGORIES]
    return marks[:MARKS_MAX] or ["x"]
