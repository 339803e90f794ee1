"""Whether a rule's value is what gold says, by the field's kind. Pure."""

import re
from collections.abc import Callable
from typing import Any

MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()  # noqa: SIM905 - read best as they are said
HALF_A_PERCENT = 0.5
UNITS = {"d": "day", "mo": "month", "yr": "year", "wk": "week", "h": "hour", "min": "minute"}
WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905 - likewise
Fit = Callable[[Any, Any], bool]


def any_of(told: Any, gold: Any) -> bool:
    """Gold may say that either of two will do."""
    return told in (gold if isinstance(gold, list) else [gold])


def near(told: float, gold: Any) -> bool:
    return any(abs(told - each) <= HALF_A_PERCENT for each in (gold if isinstance(gold, list) else [gold]))


def as_sets(told: list[str], gold: list[str]) -> bool:
    return {_plain(each) for each in told} == {_plain(each) for each in gold}


def same_doi(told: str, gold: str) -> bool:
    return told.lower() == gold.lower()


def same_ratio(told: str, gold: str) -> bool:
    return re.findall(r"\d+", told) == re.findall(r"\d+", gold)


def same_month(told: str, gold: str) -> bool:
    """Gold is 2012-06; of a paper's own words the month and the year have to be that."""
    year, month = gold.split("-")[:2]
    named = re.search(rf"\b{MONTHS[int(month) - 1]}", told, re.I) or re.search(rf"\b0?{int(month)}\b", told)
    return year in told and bool(named)


def has_number(told: str, gold: float) -> bool:
    return any(float(each) == gold for each in re.findall(r"\d+(?:\.\d+)?", str(told).replace("·", ".")))


def same_length(told: str, gold: list[str]) -> bool:
    """A number and a unit of time, either in figures or in words."""
    return any(_length(each) in _lengths(told) for each in gold)


def says_one(told: Any, gold: list[str]) -> bool:
    return any(each.lower() in str(told).lower() for each in gold)


def same_sizes(told: list[dict[str, Any]], gold: list[int]) -> bool:
    return sorted(each.get("n_randomised") or 0 for each in told) == sorted(gold)


def _length(words: str) -> tuple[float, str]:
    number, unit = words.split()
    return float(WORDS.index(number) if number in WORDS else number), UNITS.get(unit, unit)[:3]


def _lengths(told: str) -> set[tuple[float, str]]:
    named = rf"(\d+(?:\.\d+)?|{'|'.join(WORDS)})[\s-]*(d|mo|yr|wk|h|min|days?|weeks?|months?|years?|hours?|minutes?)\b"
    return {_length(f"{number} {unit.removesuffix('s')}") for number, unit in re.findall(named, told.lower())}


def _plain(said: str) -> str:
    return "".join(letter for letter in said.upper() if letter.isalnum())


TYPED: dict[str, Fit] = {
    "doi": same_doi, "year": any_of, "registration_ids": as_sets, "report_type": any_of, "design": any_of, "framework": any_of,
    "allocation_ratio": same_ratio, "recruitment_start": same_month, "recruitment_end": same_month, "countries": as_sets,
    "n_sites": any_of, "n_screened": any_of, "n_randomised": any_of, "n_analysed": any_of, "n_planned": any_of,
    "n_clusters": any_of, "age_mean_or_median": has_number, "female_percent": near, "sequence_generation": any_of,
    "restriction": any_of, "allocation_concealment": any_of, "masking": any_of, "masked_roles": as_sets,
    "analysis_population": any_of, "follow_up": same_length, "arms": same_sizes,
}  # fmt: skip
"""Fields whose value is a number, a choice, an id, a date, or what is measured by one."""
SAID = "condition primary_outcomes funding inclusion exclusion secondary_outcomes statistical_method setting".split()  # noqa: SIM905 - likewise
TEXTS: dict[str, Fit] = dict.fromkeys(SAID, says_one)
"""Fields of words where gold speaks."""
CALLED = {"age_mean_or_median": "age", "arms": "arm_sizes", "primary_outcomes": "primary_outcome"}
"""What gold calls a field where that is not its name."""
