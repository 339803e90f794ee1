"""Whether a quote says a value's numbers: all of them, as large, with the same comparison and in the same unit. Pure."""

import re
from decimal import Decimal
from enum import StrEnum

from clinical.answered import Reason
from clinical.evidence.normal_form import normal
from clinical.evidence.quantities import number_words
from clinical.evidence.quantities.people_counts import MONTHS, is_count, is_of_one_arm
from clinical.evidence.quantities.quantity import Quantity, Said, folded, numbers_in, quantities_in
from clinical.evidence.quantities.units import speaks_of_shares
from clinical.patterns import words_of
from sheaf.plain_json import Json

SMALL = [*number_words.SMALL]
MONTH = re.compile(rf"\b({'|'.join(MONTHS)})[a-z]*\b", re.I)
WORDS = words_of(__file__)
WRAPPED = "()[]{},.:\"'“”‘’"


class Measure(StrEnum):
    SHARE = "share"
    WHOLE = "whole"  # a whole number that is no percentage: a year, days
    COUNT = "count"
    TOTAL = "total"  # of all, not of one arm or of a part
    ANY = "any"


def said_as(value: float, quote: Said, measure: Measure = Measure.ANY) -> tuple[list[Quantity], Reason]:
    number = Decimal(str(value))
    there = [each for each in quote.quantities if each.number == number]
    said = [each for each in there if not each.is_strict]
    if measure == Measure.SHARE:
        shares = [each for each in said if each.unit == "%" or (not each.unit and speaks_of_shares(quote.folded))]
        return shares, "number_not_in_quote"
    if measure == Measure.WHOLE:
        return [each for each in said if each.unit != "%" or not each.direct], "number_not_in_quote"
    if measure == Measure.ANY:
        return said, "number_not_in_quote"
    counts = [each for each in said if is_count(quote.folded, each.start, each.end)]
    if measure == Measure.COUNT or not counts:
        return counts, "not_a_count" if there else "number_not_in_quote"
    return [each for each in counts if not is_of_one_arm(quote.folded, each.start, each.end)], "other_group"


def says_numbers_of(value: str, quote: Said) -> bool:
    rest = value
    for pattern, says in ((WORDS.DATE, _says_date), (WORDS.IDENTIFIER, _names), (WORDS.RATIO, _says_ratio)):
        if not all(says(found, quote) for found in pattern.findall(rest)):
            return False
        rest = pattern.sub(" ", rest)
    words = (word.strip(WRAPPED) for word in WORDS.WORD_WITH_DIGIT.findall(rest))
    names = (word for word in words if any(map(str.isdigit, word)) and not numbers_in(word))
    if not all(_names(name, quote) for name in names):
        return False
    closed = WORDS.SPACED.sub(lambda number: number.group().replace(" ", ""), rest)
    return any(_says_quantities(reading, quote) for reading in dict.fromkeys((rest, closed)))


def _says_quantities(value: str, quote: Said) -> bool:
    bare = WORDS.BARE.fullmatch(folded(value).strip()) is not None
    for wanted in quantities_in(value, own_words=True):
        alike = (said for said in quote.quantities if said.number == wanted.number)
        same = (said for said in alike if _same_unit(wanted, said, quote, bare=bare))
        if not any(_as_compared(wanted, said, bare=bare) for said in same):
            return False
    return True


def _names(word: str, quote: Said) -> bool:
    name = normal(word).text
    if not name:
        return False
    before = r"(?<!\d)(?<!\d[.,])" if name[0].isdigit() else ""
    after = r"(?!\d|[.,]\d)" if name[-1].isdigit() else ""
    return re.search(f"{before}{re.escape(name)}{after}", quote.normal) is not None


def _same_unit(wanted: Quantity, said: Quantity, quote: Said, *, bare: bool) -> bool:
    """A unit may be left out of a value, or stand elsewhere in the quote; another one is another quantity."""
    if not wanted.direct:
        return bare or wanted.unit == "%" or not (said.direct and said.unit == "%")
    if said.unit == wanted.unit or wanted.unit is None:
        return True
    if said.unit is not None:
        return False
    if wanted.unit == "%":
        return speaks_of_shares(quote.folded)
    return set(wanted.unit.split("/")) <= quote.units


def _as_compared(wanted: Quantity, said: Quantity, *, bare: bool) -> bool:
    if wanted.compared and not wanted.loose:
        return said.compared == wanted.compared
    return not (bare and said.is_strict)


def _says_ratio(ratio: str, quote: Said) -> bool:
    parts = [re.escape(part) for part in re.findall(r"\d+", ratio)]
    said = [rf"(?:{part}|{SMALL[int(part)]})" if int(part) < len(SMALL) else part for part in parts]
    joined = r" ?(?::|∶|-?to-?|比) ?".join(said)
    return re.search(rf"(?<![\d.:\w]){joined}(?![\d.:]\d|\d)", quote.folded) is not None


def _says_date(date: str, quote: Said) -> bool:
    year, month, *day = (Decimal(part) for part in date.split("-"))
    numbers = {each.number for each in quote.quantities}
    months = {Decimal(MONTHS.index(found.lower()) + 1) for found in MONTH.findall(quote.text)}
    return year in numbers and month in (months or numbers) and all(each in numbers for each in day)


def as_number(value: Json) -> Decimal | None:
    if not isinstance(value, str):
        return None
    said = numbers_in(value.strip().rstrip("%").strip())
    return next(iter(said)) if len(said) == 1 and re.fullmatch(r"[\s\d.,'·-]+%?", value.strip()) else None
