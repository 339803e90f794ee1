"""Whether a piece of a page may stand for itself: not cut out of a word, of a number, or from behind a "not". Pure."""

import re

from sheaf.evidence.folding import DASHES, is_wide

HYPHENS = "-" + DASHES
NEGATION = re.compile(
    r"(?:\b(?:not|no|never|without|neither|nor|non|cannot|lack of|absence of|free of|fail(?:s|ed)? to)|n['’]t)"
    rf"[{re.escape(HYPHENS)}]?[^\S\n]*\n?[^\S\n]*$",
    re.I,
)
NEGATION_WIDE = re.compile(r"[不未无無没沒非]有?$")
NEGATIVE_PREFIX = re.compile(rf"\b(?:non|un|dis|anti|not)[{re.escape(HYPHENS)}]\s*$", re.I)
BROKEN_WORD = re.compile(rf"[^\W\d_][{re.escape(HYPHENS)}\u00ad\ufffe\x02]\s*\n\s*$|[\u00ad\ufffe\x02]\s*$")
BROKEN_AFTER = re.compile(rf"(?:[{re.escape(HYPHENS)}]\s*\n\s*|[\u00ad\ufffe\x02]\s*)[a-z]")
MINUS = re.compile(rf"(?:^|[\s(=<>±\[,;:~])[{re.escape(HYPHENS)}]$")
INSIDE_NUMBER = re.compile(r"\d[.,·]?\Z|(?:^|[\s(=<>±\[~])[.·]\Z")
NUMBER_GOES_ON = re.compile(r"[.,·]?\d|\s?[%％]")
UNIT_AT_END = re.compile(r"\d\s*[a-zA-Zµμ]{1,8}$")
UNIT_GOES_ON = re.compile(r"\s?/\s?[a-zA-Zµμ]")
REACH = 24


def stands_alone(text: str, start: int, end: int) -> bool:
    """Whether text[start:end] begins and ends where a word and a number do, and nothing before it denies it."""
    return _begins_well(text, start) and _ends_well(text, start, end)


def _begins_well(text: str, start: int) -> bool:
    first, before = text[start], text[max(0, start - REACH) : start]
    if first.isdigit():
        # "No 5" is a number's name, no denial.
        return not (INSIDE_NUMBER.search(before) or MINUS.search(before) or _joined(before[-1:], first))
    if first in ".·":
        return not before[-1:].isdigit()
    if not first.isalpha():
        return True
    if is_wide(first):
        return not NEGATION_WIDE.search(before)
    if _joined(before[-1:], first) or BROKEN_WORD.search(before) or NEGATIVE_PREFIX.search(before):
        return False
    return first.isupper() or not NEGATION.search(before)


def _joined(before: str, after: str) -> bool:
    """Whether two characters are of one word. A capital after a small letter begins another: lines run together."""
    if not before or not before.isalnum() or is_wide(before) or is_wide(after):
        return False
    return not (before.islower() and after.isupper())


def _ends_well(text: str, start: int, end: int) -> bool:
    last, after = text[end - 1], text[end : end + REACH]
    if last.isdigit():
        return not (NUMBER_GOES_ON.match(after) or (after[:1].isalpha() and not is_wide(after[0])))
    if not last.isalpha() or is_wide(last):
        return True
    if after[:1].isalpha() and _joined(last, after[0]):
        return False
    if BROKEN_AFTER.match(after):
        return False
    return not (UNIT_GOES_ON.match(after) and UNIT_AT_END.search(text[max(start, end - REACH) : end]))
