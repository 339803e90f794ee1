"""The quantities that a text says, in digits or in words, with their units and comparisons. Pure.

A number that stands in a name (NCT01234567, IL-6, SpO2, 1st, Table 2, [12]) is no quantity. A comma is a decimal one only
where it can be nothing else, so that 1,234 is never 1.234.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from clinical.evidence.letters import DASHES, GROUPING, fold, is_raised
from clinical.evidence.normal_form import normal
from clinical.evidence.quantities.number_words import claimed, spelled
from clinical.evidence.quantities.units import TIMES, named, unit_at

RUN = re.compile(r"[.·]?\d(?:[\d.,·' ]*\d)?")
"""Digits and what may join them."""
PLAIN = re.compile(r"\d*[.·]\d+|\d+")
GROUPED = re.compile(r"(?<!\d)\d{1,3}(?:,\d{3})+(?:[.·]\d+)?(?!\d)|(?<!\d)\d{1,3}(?:[ ']\d{3})+(?:[.,·]\d+)?(?!\d)")
COMMA = re.compile(r"(?<!\d)(?<!\d,)\d+,\d+(?!,?\d)")
GROUPED_POINT = re.compile(r"(?<!\d)\d{1,3}(?:\.\d{3})+(?:,\d+)?(?!\d)")
DECIMAL_COMMA = re.compile(r"(?<![\d,.\[])(?:0,\d+|\d+,(?:\d{1,2}|\d{4,}))(?![\d,\]]|\.\d)")
IN_A_GROUP = re.compile(r"(?<!\d)\d{1,3}(?:[,']\d{3}){0,3}[,']$")
NAME_BEFORE = re.compile(rf"(?:[A-Za-zÀ-ɏ][{re.escape(DASHES)}-]?|\^)$")
LABEL_BEFORE = re.compile(r"\b(?:tables?|fig(?:ures?|s)?\.?|refs?\.?|references?|appendix|box|section|chapter) ?$")
CITED = re.compile(r"(?<=[a-z.;)]) ?\[\d{1,3}(?: ?[,;-] ?\d{1,3})*\]")
ORDINAL = re.compile(r"(?:st|nd|rd|th)\b", re.I)
SIGN = re.compile(r"(?:^|[\s(=<>±\[,;:~/])-$")
COMPARED = re.compile(r"([<>]=?) ?[-+]?$")
MORE, LESS = r"(?:more|greater|higher|larger)", r"(?:less|fewer|lower|smaller)"
SAID_BEFORE = {
    "<=": re.compile(rf"(?:at most|up to|(?:no|not) {MORE} than|not exceeding|a maximum of|不超过) ?$"),
    ">=": re.compile(rf"(?:at least|(?:no|not) {LESS} than|minimum of|不少于) ?$"),
    "<": re.compile(rf"(?:\b{LESS} than|\bunder|\bbelow|少于|小于|低于|不足) ?$"),
    ">": re.compile(rf"(?:\b{MORE} than|\bover|\babove|\bexceed(?:ing|ed|s)?|超过|多于|大于|高于) ?$"),
}
SAID_BEHIND = {
    "<=": re.compile(r"[^\d.,;]{0,12}?(?:or (?:younger|less|fewer|below|lower)|及?以下|以内)"),
    ">=": re.compile(r"[^\d.,;]{0,12}?(?:(?:or|and) (?:older|more|above|over|greater|higher|longer)|及?以上)"),
}
"""A comparison in words: before the number, or after it and its unit."""
SCALE = re.compile(r"\s{0,99}+(?:(million|thousand)\b|x\s{0,99}+10\^?(\d{1,2})(?!\d))", re.I)
SCALES = {"million": 10**6, "thousand": 10**3}
JOINED = re.compile(r" ?(?:-|,|;|/|±|\+/-|to|and|or|vs\.?|versus|至|和|~) ?[-+]?\d[\d.·]*")
JOINS_MAX = 6
STRICT = {"<", ">"}


@dataclass(frozen=True)
class Quantity:
    """A number that a text says, and where. `direct`: its unit stands right after it, not after the other end of a range."""

    number: Decimal
    start: int
    end: int
    unit: str | None = None
    direct: bool = False
    compared: str = ""
    loose: bool = False
    """Whether its comparison may be none."""

    @property
    def is_strict(self) -> bool:
        """Whether the text says that the thing is not this number, but less or more."""
        return self.compared in STRICT and not self.loose


class Said:
    """A quote, and what was found in it: each is looked for once, and goes with it."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def folded(self) -> str:
        return folded(self.text)

    @cached_property
    def normal(self) -> str:
        return normal(self.text).text

    @cached_property
    def quantities(self) -> frozenset[Quantity]:
        return quantities_in(self.text)

    @cached_property
    def units(self) -> frozenset[str]:
        return named(self.folded)


def numbers_in(text: str) -> frozenset[Decimal]:
    """Every number that this text says."""
    return frozenset(each.number for each in quantities_in(text))


def quantities_in(text: str, *, own_words: bool = False) -> frozenset[Quantity]:
    """Every quantity that this text says; `own_words`: it is an engine's, so that "one" and 一般 count nothing."""
    told = folded(text)
    commas = DECIMAL_COMMA.search(told) is not None
    found = {_measured(told, *word) for word in (claimed if own_words else spelled)(told)}
    for run in RUN.finditer(told):
        for start, end, written in _readings(told, *run.span(), commas=commas):
            found.update(_told(told, start, end, written))
    return frozenset(found)


def folded(text: str) -> str:
    """As it is read for numbers: a raised digit beside another is an exponent, a fixed space groups, others are one."""
    out = [""]
    for at, character in enumerate(text):
        digit = out[-1][-1:].isdigit()
        if digit and character in GROUPING and re.match(r"\d{3}(?!\d)", text[at + 1 : at + 5]):
            out.append("'")
        else:
            out.append(f"^{fold(character)}" if digit and is_raised(character) else fold(character))
    plain = re.sub(r" +", " ", "".join(out)).lower().replace("per cent", "percent")
    return CITED.sub(lambda mark: " " * len(mark.group()), plain)


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
    return bool(rest_of_group or re.match(r"[,']\d{3}(?!\d)", after))


def _told(text: str, start: int, end: int, written: str) -> Iterator[Quantity]:
    """The number, with its sign, scale, unit and comparison; nothing where it is part of a name."""
    before = text[max(0, start - 14) : start]
    if NAME_BEFORE.search(before[-2:]) or ORDINAL.match(text, end) or LABEL_BEFORE.search(before):
        return
    number = Decimal(written if written[0].isdigit() else f"0{written}")
    scale = SCALE.match(text, end)
    if scale:
        larger = number * (10 ** int(scale[2]) if scale[2] else SCALES[scale[1].lower()])
        yield _measured(text, larger, start, scale.end())
    yield _measured(text, -number if SIGN.search(before) else number, start, end)


def _measured(text: str, number: Decimal, start: int, end: int) -> Quantity:
    """With the unit right after it, or after the numbers that it is joined with: 5 to 10 mg."""
    unit, joined = unit_at(text, end), JOINED.match(text, end)
    direct, last = unit is not None, end
    for _ in range(JOINS_MAX):
        if unit or not joined:
            break
        last = joined.end()
        unit, joined = unit_at(text, last), JOINED.match(text, last)
    compared, loose = _comparison(text, start, end)
    return Quantity(number, start, end, unit, direct=direct, compared=compared, loose=loose)


def _comparison(text: str, start: int, end: int) -> tuple[str, bool]:
    """Its sign, or what words say; of words before a time, that they may say nothing: "over 12 weeks"."""
    before = text[max(0, start - 24) : start]
    sign = COMPARED.search(before)
    if sign:
        return sign[1], False
    words = [each for each, said in SAID_BEFORE.items() if said.search(before)]
    words += [each for each, said in SAID_BEHIND.items() if said.match(text, end)]
    return (words[0], unit_at(text, end) in TIMES) if words else ("", False)
