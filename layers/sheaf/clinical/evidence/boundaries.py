"""Whether a piece of a page may stand for itself: not cut out of a word, of a number, or from behind a "not". Pure."""

import re

from clinical.evidence.letters import DASHES, GROUPING, is_raised, is_wide
from clinical.patterns import words_of

WORDS = words_of(__file__, {"GROUPING": GROUPING, "HYPHENS": re.escape("-" + DASHES)})
REACH = 40


def stands_alone(text: str, start: int, end: int) -> bool:
    return _begins_well(text, start) and _ends_well(text, start, end)


def _begins_well(text: str, start: int) -> bool:
    first, before = text[start], text[max(0, start - REACH) : start]
    if first.isdigit():
        # "No 5" is a number's name, no denial.
        return not (WORDS.CUT_NUMBER.search(before) or _joined(before[-1:], first))
    if first in ".·":
        return not (before[-1:].isdigit() or WORDS.COMPARED.search(before))
    if not first.isalpha():
        return True
    if is_wide(first):
        return not WORDS.NEGATION_WIDE.search(before)
    if _joined(before[-1:], first) or WORDS.BROKEN_WORD.search(before) or WORDS.COMPOUND.search(before):
        return False
    return not (WORDS.NEGATION_IN_LINE if first.isupper() else WORDS.NEGATION).search(before)


def _joined(before: str, after: str) -> bool:
    """A capital after a small letter begins another word: lines run together."""
    if not before or not before.isalnum() or is_wide(before) or is_wide(after):
        return False
    return not (before.islower() and after.isupper())


def _ends_well(text: str, start: int, end: int) -> bool:
    last, after = text[end - 1], text[end : end + REACH]
    if last.isdigit():
        goes_on = WORDS.NUMBER_GOES_ON.match(after) or WORDS.RANGE_AFTER.match(after)
        return not (goes_on or (after[:1].isalpha() and not is_wide(after[0])))
    if not last.isalpha() or is_wide(last):
        return True
    if after[:1].isalnum() and _joined(last, after[0]):
        return is_raised(after[0]) and WORDS.RAISED_WORD.search(text[start:end]) is not None
    if WORDS.BROKEN_AFTER.match(after) or WORDS.COMPOUND_AFTER.match(after):
        return False
    return not (WORDS.UNIT_GOES_ON.match(after) and WORDS.UNIT_AT_END.search(text[max(start, end - REACH) : end]))
