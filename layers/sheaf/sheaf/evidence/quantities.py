"""The quantities that a text says, in digits or in words. Pure.

A number that stands in a name (NCT01234567, IL-6, SpO2, 1st) is no quantity. A comma is a decimal one only where it can be
nothing else, so that 1,234 is never 1.234.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache

from sheaf.evidence.folding import DASHES, fold, is_raised
from sheaf.evidence.numerals import in_words

RUN = re.compile(r"[.·]?\d(?:[\d.,·' ]*\d)?")
"""Digits and what may join them."""
PLAIN = re.compile(r"\d*[.·]\d+|\d+")
GROUPED = re.compile(r"(?<!\d)\d{1,3}(?:,\d{3})+(?:[.·]\d+)?(?!\d)|(?<!\d)\d{1,3}(?:[ ']\d{3})+(?:[.,·]\d+)?(?!\d)")
COMMA = re.compile(r"(?<!\d)(?<!\d,)\d+,\d+(?!,?\d)")
GROUPED_POINT = re.compile(r"(?<!\d)\d{1,3}(?:\.\d{3})+(?:,\d+)?(?!\d)")
DECIMAL_COMMA = re.compile(r"(?<![\d,.\[])(?:0,\d+|\d+,(?:\d{1,2}|\d{4,}))(?![\d,\]]|\.\d)")
IN_A_GROUP = re.compile(r"(?<!\d)\d{1,3}(?:,\d{3})*,$")
NAME_BEFORE = re.compile(rf"(?:[A-Za-zÀ-ɏ][{re.escape(DASHES)}-]?|\^)$")
ORDINAL = re.compile(r"(?:st|nd|rd|th)\b", re.I)
SIGN = re.compile(r"(?:^|[\s(=<>±\[,;:~/])-$")
SCALE = re.compile(r"\s*(million|thousand)\b|\s*x\s*10\^?(\d{1,2})(?!\d)", re.I)
SCALES = {"million": 10**6, "thousand": 10**3}


@lru_cache(maxsize=512)
def numbers_in(text: str) -> frozenset[Decimal]:
    """Every quantity that this text says."""
    folded = _folded(text)
    commas = DECIMAL_COMMA.search(folded) is not None
    found = set(in_words(folded))
    for run in RUN.finditer(folded):
        for start, end, written in _readings(folded, *run.span(), commas=commas):
            found.update(_told(folded, start, end, written))
    return frozenset(found)


def _folded(text: str) -> str:
    """As it is read for numbers: a raised digit beside another is an exponent, thin spaces are spaces."""
    out = [""]
    for character in text:
        raised = is_raised(character) and out[-1][-1:].isdigit()
        out.append(f"^{fold(character)}" if raised else fold(character))
    return re.sub(r" +", " ", "".join(out))


def _readings(text: str, start: int, end: int, *, commas: bool) -> Iterator[tuple[int, int, str]]:
    """The numbers of a run, in each way that it can be read: where they stand, and as Python writes them."""
    for found in PLAIN.finditer(text, start, end):
        if not _is_a_piece(text, *found.span(), commas=commas):
            yield *found.span(), found.group().replace("·", ".")
    for found in GROUPED.finditer(text, start, end):
        grouped = re.sub(r"[ ']|,(?=\d{3}(?!\d))" if "," in found.group() else r"[ ']", "", found.group())
        yield *found.span(), grouped.replace("·", ".").replace(",", ".")
    for pattern in (COMMA, GROUPED_POINT) if commas else ():
        for found in pattern.finditer(text, start, end):
            yield *found.span(), found.group().replace(".", "").replace(",", ".")


def _is_a_piece(text: str, start: int, end: int, *, commas: bool) -> bool:
    """Whether a number as it stands is only part of one: of 1.2.3, of 1,234 or, where commas are decimal, of 12,5."""
    before, after = text[max(0, start - 16) : start], text[end : end + 5]
    if re.search(r"\d[.·]$", before) or re.match(r"[.·]\d", after):
        return True
    if commas:
        return bool(re.search(r"\d,$", before) or re.match(r",\d", after))
    rest_of_group = end - start >= 3 and text[start : start + 3].isdigit() and IN_A_GROUP.search(before)  # noqa: PLR2004
    return bool(rest_of_group or re.match(r",\d{3}(?!\d)", after))


def _told(text: str, start: int, end: int, written: str) -> Iterator[Decimal]:
    """The number, with its sign and its scale; nothing where it is part of a name."""
    before = text[max(0, start - 2) : start]
    if NAME_BEFORE.search(before) or ORDINAL.match(text, end):
        return
    number = Decimal(written if written[0].isdigit() else f"0{written}")
    scale = SCALE.match(text, end)
    if scale:
        yield number * (10 ** int(scale[2]) if scale[2] else SCALES[scale[1].lower()])
    yield -number if SIGN.search(before) else number
