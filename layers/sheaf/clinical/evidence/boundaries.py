"""Whether a piece of a page may stand for itself: not cut out of a word, of a number, or from behind a "not". Pure."""

import re

from clinical.evidence.letters import DASHES, GROUPING, is_raised, is_wide

HYPHENS = "-" + DASHES
DENIAL = r"\b(?:not|no|never|without|neither|nor|non|cannot|hardly|lack of|absence of|free of|fail(?:s|ed)? to)|n['’]t"
LIGHT = r"an?|any|the|be|been|being|have|had|show|shown|find|found|yet|\w+ly"
"""Words that a denial reaches over: no statistically significant difference, did not find a difference."""
NEGATION = re.compile(rf"(?:{DENIAL})[{re.escape(HYPHENS)}]?(?:\s+(?:{LIGHT})){{0,3}}[^\S\n]*+(?:\n[^\S\n]*+)?$", re.I)
NEGATION_IN_LINE = re.compile(rf"(?:{DENIAL})[^\S\n]+$", re.I)
NEGATION_WIDE = re.compile(
    r"[不未无無没沒非](?:有|具有?|见|見|能|会|會|是|被|再|需|发生|發生|出现|出現|发现|發現|显示|顯示|观察到|存在|达到|明显|明顯|显著|顯著){0,2}$"
)
BROKEN_WORD = re.compile(rf"[^\W\d_][{re.escape(HYPHENS)}\u00ad\ufffe\x02][^\S\n]*+\n\s*+$|[\u00ad\ufffe\x02]\s*+$")
BROKEN_AFTER = re.compile(rf"(?:[{re.escape(HYPHENS)}][^\S\n]*+\n|[\u00ad\ufffe\x02])\s*+[a-z]")
COMPOUND = re.compile(r"[^\W\d_][-‐‑]$|\b(?:non|un|dis|anti|not)[-‐‑–]\s*$", re.I)
COMPOUND_AFTER = re.compile(r"[-‐‑][^\W\d_]")
MINUS = re.compile(rf"(?:^|[\s(=<>±\[,;:~])[{re.escape(HYPHENS)}]$")
RANGE = re.compile(rf"\d[{re.escape(HYPHENS)}]$")
RANGE_AFTER = re.compile(rf"[{re.escape(HYPHENS)}]\d")
COMPARED = re.compile(r"[<>≤≥≦≧⩽⩾＜＞]\s?$|\b(?:less|fewer|more|greater|higher|lower) than\s$", re.I)
GROUPED = re.compile(rf"\d[{GROUPING}]$")
INSIDE_NUMBER = re.compile(r"\d[.,·]?\Z|(?:^|[\s(=<>±\[~])[.·]\Z")
NUMBER_GOES_ON = re.compile(
    rf"[.,·]?\d|\s?[%％‰]|\s?(?:per\s?cent|percent|million|thousand|billion)\b|[{GROUPING}]\d{{3}}(?!\d)|[万萬亿億千百]"
)
UNIT_AT_END = re.compile(r"\d\s*[a-zA-Zµμ]{1,8}$")
UNIT_GOES_ON = re.compile(
    r"\s?/\s?[a-zA-Zµμ]|\s?per (?:kg|kilo|m2|m²|square|ml|l|litre|liter|dl)\b|\s?[·⋅]?(?:kg|m|l|ml)[-−⁻][1¹]"
)
RAISED_WORD = re.compile(r"[^\W\d_]{4}$")
REACH = 40


def stands_alone(text: str, start: int, end: int) -> bool:
    """Whether text[start:end] begins and ends where a word and a number do, and nothing before it denies it."""
    return _begins_well(text, start) and _ends_well(text, start, end)


def _begins_well(text: str, start: int) -> bool:
    first, before = text[start], text[max(0, start - REACH) : start]
    if first.isdigit():
        # "No 5" is a number's name, no denial.
        is_cut = any(part.search(before) for part in (INSIDE_NUMBER, MINUS, RANGE, COMPARED, GROUPED))
        return not (is_cut or _joined(before[-1:], first))
    if first in ".·":
        return not (before[-1:].isdigit() or COMPARED.search(before))
    if not first.isalpha():
        return True
    if is_wide(first):
        return not NEGATION_WIDE.search(before)
    if _joined(before[-1:], first) or BROKEN_WORD.search(before) or COMPOUND.search(before):
        return False
    return not (NEGATION_IN_LINE if first.isupper() else NEGATION).search(before)


def _joined(before: str, after: str) -> bool:
    """Whether two characters are of one word. A capital after a small letter begins another: lines run together."""
    if not before or not before.isalnum() or is_wide(before) or is_wide(after):
        return False
    return not (before.islower() and after.isupper())


def _ends_well(text: str, start: int, end: int) -> bool:
    last, after = text[end - 1], text[end : end + REACH]
    if last.isdigit():
        goes_on = NUMBER_GOES_ON.match(after) or RANGE_AFTER.match(after)
        return not (goes_on or (after[:1].isalpha() and not is_wide(after[0])))
    if not last.isalpha() or is_wide(last):
        return True
    if after[:1].isalnum() and _joined(last, after[0]):
        return is_raised(after[0]) and RAISED_WORD.search(text[start:end]) is not None
    if BROKEN_AFTER.match(after) or COMPOUND_AFTER.match(after):
        return False
    return not (UNIT_GOES_ON.match(after) and UNIT_AT_END.search(text[max(start, end - REACH) : end]))
