"""Whether a quote says a value's numbers: all of them, as large, with the same comparison and in the same unit. Pure."""

import re
from decimal import Decimal
from typing import Any

from sheaf.evidence.normal import normal
from sheaf.evidence.quantities import numbers_in
from sheaf.evidence.units import units_in, units_named

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTH = re.compile(rf"\b({'|'.join(MONTHS)})[a-z]*\b", re.I)
DATE = re.compile(r"\d{4}-\d{2}(?:-\d{2})?")
WORD_WITH_DIGIT = re.compile(r"[^\s;]*\d[^\s;]*")
COMPARED = re.compile(r"[<>≤≥]")
WRAPPED = "()[]{},.:\"'“”‘’"


def says_number(value: float, quote: str) -> bool:
    """Whether the quote says this number."""
    return Decimal(str(value)) in numbers_in(quote)


def says_numbers_of(value: str, quote: str) -> bool:
    """Whether every number of a text stands in its quote, with its comparison sign and unit."""
    return all(_says(word.strip(WRAPPED), quote) for word in WORD_WITH_DIGIT.findall(value)) and units_in(
        value
    ) <= units_named(quote)


def _says(word: str, quote: str) -> bool:
    compared = normal(word).text
    if compared and _stands_in(compared, normal(quote).text):
        return True
    if DATE.fullmatch(word):
        return _says_date(word, quote)
    if COMPARED.search(word):
        return False
    return all(number in numbers_in(quote) for number in numbers_in(word)) and bool(numbers_in(word))


def _stands_in(word: str, text: str) -> bool:
    """As a whole: no more digits or decimals on either side."""
    before = r"(?<!\d)(?<!\d[.,])" if word[0].isdigit() else ""
    after = r"(?!\d|[.,]\d)" if word[-1].isdigit() else ""
    return re.search(f"{before}{re.escape(word)}{after}", text) is not None


def _says_date(date: str, quote: str) -> bool:
    said = set(numbers_in(quote)) | {Decimal(MONTHS.index(found.lower()) + 1) for found in MONTH.findall(quote)}
    return all(Decimal(part) in said for part in date.split("-"))


def as_number(value: Any) -> Decimal | None:
    """A number that an engine wrote as text, if it is nothing but one."""
    if not isinstance(value, str):
        return None
    said = numbers_in(value.strip().rstrip("%").strip())
    return next(iter(said)) if len(said) == 1 and re.fullmatch(r"[\s\d.,'·-]+%?", value.strip()) else None
