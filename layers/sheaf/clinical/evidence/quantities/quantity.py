"""The quantities that a text says, in digits or in words: none in a name (IL-6, [12]); 1,234 is not 1.234. Pure."""

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple

from clinical.evidence.letters import DASHES, GROUPING, fold, is_raised
from clinical.evidence.normal_form import normal
from clinical.evidence.quantities.number_words import claimed, spelled
from clinical.evidence.quantities.units import TIMES, named, unit_at
from clinical.patterns import words_of

WORDS = words_of(__file__)
NAME_BEFORE = re.compile(rf"(?:[A-Za-zÀ-ɏ][{re.escape(DASHES)}-]?|\^)$")
SAID_BEFORE = {"<=": WORDS.AT_MOST, ">=": WORDS.AT_LEAST, "<": WORDS.LESS_THAN, ">": WORDS.MORE_THAN}
SAID_BEHIND = {"<=": WORDS.OR_LESS, ">=": WORDS.OR_MORE}  # in words: before the number, or after its unit
ASCII = {letter: fold(chr(letter)) for letter in range(128)}
SCALES = {"million": 10**6, "thousand": 10**3}
JOINS_MAX = 6


class Quantity(NamedTuple):
    """A number that a text says, and where. `direct`: its unit stands right after it, not after the other end of a range."""

    number: Decimal
    start: int
    end: int
    unit: str | None = None
    direct: bool = False
    compared: str = ""
    loose: bool = False  # whether its comparison may be none

    @property
    def is_strict(self) -> bool:
        return self.compared in {"<", ">"} and not self.loose


class Said:
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
    return frozenset(each.number for each in quantities_in(text))


def quantities_in(text: str, *, own_words: bool = False) -> frozenset[Quantity]:
    """Every quantity that this text says; `own_words`: it is an engine's, so that "one" and 一般 count nothing."""
    told = folded(text)
    commas = WORDS.DECIMAL_COMMA.search(told) is not None
    found = {_measured(told, *word) for word in (claimed if own_words else spelled)(told)}
    for run in WORDS.RUN.finditer(told):
        for start, end, written in _readings(told, *run.span(), commas=commas):
            found.update(_told(told, start, end, written))
    return frozenset(found)


def folded(text: str) -> str:
    """As it is read for numbers: a raised digit beside another is an exponent, a fixed space groups, others are one."""
    out = [text.translate(ASCII) if text.isascii() else ""]
    for at, character in enumerate(() if text.isascii() else text):
        digit = out[-1][-1:].isdigit()
        if digit and character in GROUPING and re.match(r"\d{3}(?!\d)", text[at + 1 : at + 5]):
            out.append("'")
        else:
            out.append(f"^{fold(character)}" if digit and is_raised(character) else fold(character))
    plain = re.sub(r" +", " ", "".join(out)).lower().replace("per cent", "percent")
    return WORDS.CITED.sub(lambda mark: " " * len(mark.group()), plain)


def _readings(text: str, start: int, end: int, *, commas: bool) -> Iterator[tuple[int, int, str]]:
    for found in WORDS.PLAIN.finditer(text, start, end):
        if not _is_a_piece(text, *found.span(), commas=commas):
            yield *found.span(), found.group().replace("·", ".")
    for found in WORDS.GROUPED.finditer(text, start, end):
        grouped = re.sub(r"[ ']|,(?=\d{3}(?!\d))" if "," in found.group() else r"[ ']", "", found.group())
        yield *found.span(), grouped.replace("·", ".").replace(",", ".")
    for pattern in (WORDS.COMMA, WORDS.GROUPED_POINT) if commas else ():
        for found in pattern.finditer(text, start, end):
            yield *found.span(), found.group().replace(".", "").replace(",", ".")


def _is_a_piece(text: str, start: int, end: int, *, commas: bool) -> bool:
    before, after = text[max(0, start - 16) : start], text[end : end + 5]
    if re.search(r"\d[.·]$", before) or re.match(r"[.·]\d", after):
        return True
    if commas:
        return bool(re.search(r"\d,$", before) or re.match(r",\d", after))
    rest_of_group = end - start >= 3 and text[start : start + 3].isdigit() and WORDS.IN_A_GROUP.search(before)  # noqa: PLR2004
    return bool(rest_of_group or re.match(r"[,']\d{3}(?!\d)", after))


def _told(text: str, start: int, end: int, written: str) -> Iterator[Quantity]:
    before = text[max(0, start - 14) : start]
    if NAME_BEFORE.search(before[-2:]) or WORDS.ORDINAL.match(text, end) or WORDS.LABEL_BEFORE.search(before):
        return
    number = Decimal(written if written[0].isdigit() else f"0{written}")
    scale = WORDS.SCALE.match(text, end)
    if scale:
        larger = number * (10 ** int(scale[2]) if scale[2] else SCALES[scale[1].lower()])
        yield _measured(text, larger, start, scale.end())
    yield _measured(text, -number if WORDS.SIGN.search(before) else number, start, end)


def _measured(text: str, number: Decimal, start: int, end: int) -> Quantity:
    unit, joined = unit_at(text, end), WORDS.JOINED.match(text, end)
    direct, last = unit is not None, end
    for _ in range(JOINS_MAX):
        if unit or not joined:
            break
        last = joined.end()
        unit, joined = unit_at(text, last), WORDS.JOINED.match(text, last)
    compared, loose = _comparison(text, start, end)
    return Quantity(number, start, end, unit, direct=direct, compared=compared, loose=loose)


def _comparison(text: str, start: int, end: int) -> tuple[str, bool]:
    """Its sign, or what words say; of words before a time, that they may say nothing: "over 12 weeks"."""
    before = text[max(0, start - 24) : start]
    sign = WORDS.COMPARED.search(before)
    if sign:
        return sign[1], False
    words = [each for each, said in SAID_BEFORE.items() if said.search(before)]
    words += [each for each, said in SAID_BEHIND.items() if said.match(text, end)]
    return (words[0], unit_at(text, end) in TIMES) if words else ("", False)
