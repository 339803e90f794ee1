"""The words by which papers say that people were randomised, all or some of them, and those by which they say otherwise. Pure."""

import re
from collections.abc import Iterator

from clinical.evidence.quantities.people_counts import OF_A_PART, count
from clinical.patterns import Pattern, one_may_be_in
from clinical.rules.text import words_of

WORDS = words_of(__file__)
GROUP_MIN, NEAR = 3, 120


def counted(text: str) -> Iterator[re.Match[str]]:
    """Every match, also those that begin within another: of two counts before a verb it may be the second's."""
    for pattern in WORDS.several["TOTAL"] if one_may_be_in(WORDS.several["TOTAL"], text) else ():
        match = pattern.search(text)
        while match:
            yield match
            match = pattern.search(text, match.end("n"))


def is_passing(text: str, start: int, end: int) -> bool:
    after = text.find(";", end)
    return WORDS.PASSING.search(text, text.rfind(";", 0, start) + 1, after if after >= 0 else len(text)) is not None


def is_broken(between: str) -> bool:
    return WORDS.BROKEN.search(unbracketed(between)) is not None


def is_of_some(before: str, between: str, after: str) -> bool:
    near = before[-NEAR:]
    if WORDS.OF_ANALYSIS.search(near) and not WORDS.ALL.search(near):
        return True
    some = (*WORDS.several["BEFORE"], OF_A_PART)
    told = ((near, some), (after, WORDS.several["AFTER"]), (between, WORDS.several["BETWEEN"]))
    return any(pattern.search(text) for text, patterns in told for pattern in patterns)


def unbracketed(text: str) -> str:
    return WORDS.BRACKETS.sub("", text)


def adds_up(text: str, total: int) -> bool:
    return _sums(WORDS.SIZE, text, total) or _sums(WORDS.EACH, text, total)


def _sums(pattern: Pattern, text: str, total: int) -> bool:
    made, counts = 0, 0
    for each in pattern.finditer(text):
        number = count(each.group())
        if number < GROUP_MIN:
            continue
        made, counts = made + number, counts + 1
        if made >= total:
            return made == total and counts > 1
    return False
