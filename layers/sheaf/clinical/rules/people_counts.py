"""Counts of people, as papers write them: in digits, with separators, or in words. Pure."""

import re

from clinical.evidence.quantities.number_words import SMALL, TENS
from clinical.rules.text import any_case

NUMBERS = SMALL | TENS | {"fourty": 40}
SIZES = {"hundred": 100, "thousand": 1_000}
WORD = "|".join([*sorted(NUMBERS, key=len, reverse=True), *SIZES])
DIGITS = r"\d{1,3}(?:[, ]\d{3}){1,3}(?![\d.])|\d{1,8}(?![\d]|[.,]\d)"
COUNT = rf"(?<![\w.,/=<>:±%+-])(?:{DIGITS}|(?:{WORD})(?:(?:(?<=hundred) and |(?<=thousand) and |(?<=hundred)-and-|- |[ -])(?:{WORD})){{0,7}}(?![\w-]))"
"""A whole number that stands for itself. It is no part of a decimal, a ratio, a range or a comparison."""
PEOPLE = (
    r"(?:patients?|participants?|subjects?|volunteers?|wom[ae]n|m[ae]n|males?|females?|adults?|children|adolescents?|"
    r"infants?|newborns?|neonates?|boys?|girls?|mothers?|individuals?|persons?|people|students?|pupils?|residents?|"
    r"couples?|parents?|players?|athletes?|nurses?|veterans?|smokers?|workers?|parturients?|pregnancies|cases|controls|"
    r"respondents?|employees|eyes|teeth|knees|hips|households|families|dyads|candidates|recruits|outpatients?|inpatients?|survivors?|caregivers?|users|"
    r"physicians|recipients?|donors?|men and women|runners|cyclists|soldiers|toddlers|"
    r"animals|rats|mice|rabbits|dogs|pigs|piglets|sheep|goats|cows|calves|horses|cats)\b"
)
ADJECTIVES = r"(?:(?!(?:of|were|was|and|per|in|at|from|for|with|to|or|by|on|years?|months?|weeks?|days?|hours?|mg|ml|kg)\b)[^\W\d_][\w/'()-]*,? ){0,6}?"
CLASS = r"(?:(?:ASA|American Society of Ana?esthesi\w+)\b[^.;:()]{0,60}? )?"
"""An anaesthetist's class of patients, which has "of" and "and" in it."""
GROUP = rf"(?P<n>{COUNT}) {CLASS}{ADJECTIVES}{PEOPLE}"
"""So many patients."""
DATED = any_case(
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|\b(?:in|since|until|during|"
    r"year|years|from|between|of|and|to|[-/]))[ ,.]{1,2}$"
)
NAMED_BY = re.compile(
    r"\b(?:phase|stage|grade|type|class|age|aged|level|scores?|table|figure|fig\.?|day|week|month|visit|version|step)s? $"
    r"|[<>≥≤⩾⩽~×] ?$|\d ?[xX] ?$|\b[A-Z]{3,}[A-RT-Z] $"
)


def is_name(text: str, start: int) -> bool:
    """Whether what begins at `start` is no count but names something: "phase 3", "2 x 4", "HORIZON 25"."""
    return NAMED_BY.search(text[max(0, start - 12) : start]) is not None


def is_year(text: str, start: int, end: int) -> bool:
    """Whether text[start:end] is a year that a date ends with, and not a count."""
    return (
        re.fullmatch(r"(?:19|20)\d\d", text[start:end]) is not None
        and DATED.search(text[max(0, start - 12) : start]) is not None
    )


def value(text: str) -> int | None:
    """The number that a count says; None for words that are none."""
    if text[0].isdigit():
        return int(re.sub(r"[, ]", "", text))
    total = current = 0
    for word in re.split(r"[ -]+", text.lower()):
        if word == "and":
            continue
        if word == "hundred":
            current = max(current, 1) * 100
        elif word == "thousand":
            total, current = total + max(current, 1) * 1_000, 0
        else:
            current += NUMBERS.get(word, 0)
    return total + current
