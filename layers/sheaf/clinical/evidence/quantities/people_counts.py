"""What a count is, as papers write one, and what none is: a year, a time, a dose, an age, a range, the number of a table. Pure."""

import re

from clinical.evidence.quantities.number_words import NAMES, spelled
from clinical.evidence.quantities.units import unit_at
from clinical.patterns import words_of

DIGITS = r"\d{1,3}(?:[, ]\d{3}){1,3}(?![\d.])|\d{1,8}(?![\d]|[.,]\d)"
COUNT = rf"(?<![\w.,/=<>:±%+-])(?:{DIGITS}|(?:{NAMES})(?:(?:(?<=hundred) and |(?<=thousand) and |(?<=hundred)-and-|- |[ -])(?:{NAMES})){{0,7}}(?![\w-]))"
"""A whole number that stands for itself. It is no part of a decimal, a ratio, a range or a comparison."""
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
WORDS = words_of(__file__, {"MONTHS": "|".join(MONTHS)})
PEOPLE = WORDS.PEOPLE.pattern
ADJECTIVES = r"(?:(?!(?:of|were|was|and|per|in|at|from|for|with|to|or|by|on|years?|months?|weeks?|days?|hours?|mg|ml|kg)\b)[^\W\d_][\w/'()-]*,? ){0,6}?"
CLASS = r"(?:(?:ASA|American Society of Ana?esthesi\w+)\b[^.;:()]{0,60}? )?"  # an anaesthetist's class has "of" in it
GROUP = rf"(?P<n>{COUNT}) {CLASS}{ADJECTIVES}{PEOPLE}"
YEAR = re.compile(r"(?:19|20)\d\d")
LEFT_OPEN = re.compile(r"(?<![\d.,])(\d{1,8}) ?(?:-|to|至|~) ?$")
RIGHT_OPEN = re.compile(r" ?(?:-|to|至|~) ?(\d{1,8})(?![\d.,]*\d)")
PEOPLES_LETTERS = {None, "u", "m"}  # what stands behind a count: units of a hospital, M for men
OF_A_PART, ONE_ARM, SEVERAL = WORDS.OF_A_PART, WORDS.ONE_ARM, WORDS.SEVERAL
BEFORE_MAX, BEHIND_MAX, CHOICE_MAX = 120, 24, 250


def count(text: str) -> int:
    """The number that a count says; 0 for words that are none, or several."""
    if text[0].isdigit():
        return int(re.sub(r"[, ]", "", text))
    said = [number for number, *_ in spelled(text)]
    return int(said[0]) if len(said) == 1 else 0


def is_count(text: str, start: int, end: int) -> bool:
    before, behind = text[max(0, start - BEHIND_MAX) : start], text[end : end + BEHIND_MAX].lower()
    dated = YEAR.fullmatch(text, start, end) and WORDS.DATED.search(before)
    if dated or WORDS.NAMED_BY.search(before) or WORDS.NO_PEOPLE.match(behind):
        return False
    if WORDS.BETWEEN.search(before) or (before.endswith("between ") and re.match(r" and \d", behind)):
        return False
    lower, upper = LEFT_OPEN.search(before), RIGHT_OPEN.match(behind)
    if lower or upper:
        number = count(text[start:end])
        if (lower and int(lower[1]) < number) or (upper and number < int(upper[1])):
            return False
    return unit_at(behind, 0) in PEOPLES_LETTERS


def is_of_one_arm(text: str, start: int, end: int) -> bool:
    """Whether a count, by what stands beside it, is of one arm or part: "in the tea group, 40", "40 were assigned to tea"."""
    if WORDS.OF_A_PART.search(text[max(0, start - BEFORE_MAX) : start]):
        return True
    verb = WORDS.TO_ARM.match(text, end)
    if not verb or not (verb["verb"] or text.startswith("in ", verb.end()) or WORDS.EACH_TO.search(text)):
        return False
    after = text[verb.end() :][:CHOICE_MAX]
    return bool(WORDS.ONE_ARM.match(after)) and not WORDS.SEVERAL.search(after)
