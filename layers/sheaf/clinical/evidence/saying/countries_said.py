"""Whether a quote says that the study was held in a country: no maker, name, people, guideline or other study is from there. Pure."""

import re

from clinical.answered import Reason
from clinical.evidence.cues import SENTENCE
from clinical.evidence.disclaimed import clauses, disclaimed
from clinical.evidence.saying.text_words import flat
from clinical.papers.stretches import is_makers
from clinical.patterns import words_of
from clinical.templates.country_names import ELSEWHERE, NAMES, PEOPLES

WORDS = words_of(__file__)
NEAR = 90  # characters before a bracket, in which an institution is named that is there


def elsewhere(country: str, quote: str) -> Reason | None:
    reason: Reason = "words_not_in_quote"
    for text in SENTENCE.split(flat(quote)):
        for found in _named(NAMES.get(country, country)).finditer(text):
            why_not = disclaimed(text, *found.span()) or _why_not(text, *found.span(), of_people=found["people"])
            if why_not is None:
                return None
            reason = why_not
    return reason


def _why_not(text: str, start: int, end: int, *, of_people: str | None) -> Reason | None:
    goes_on = (WORDS.OF_PEOPLE if of_people else WORDS.GOES_ON).match(text, end)
    is_name = any(found.start() <= start < found.end() for found in ELSEWHERE.finditer(text))
    if of_people and WORDS.REGISTER.match(text, end):
        return None
    if is_name or not goes_on or is_makers(text, start):
        return "wrong_place"
    first, last = next(part for part in clauses(text) if part[1] >= end)
    if WORDS.BOARD.search(text):
        return None
    opened = text.rfind("(", first, start)
    is_aside = opened > text.rfind(")", first, start) and "," in text[opened:start]
    if is_aside and not WORDS.INSTITUTIONS.search(text, max(first, opened - NEAR), end):
        return "wrong_place"
    return None if _is_held(text, first, start, end, last) else "wrong_place"


def _is_held(text: str, first: int, start: int, end: int, last: int) -> bool:
    abroad, held = ([at.start() for at in each.finditer(text, first, start)] for each in (WORDS.ABROAD, WORDS.HELD))
    if abroad or held:
        return max(abroad, default=-1) <= max(held, default=-1)
    foreign, here = WORDS.ABROAD.search(text, end, last), WORDS.HELD.search(text, end, last)
    if foreign and (here is None or foreign.start() < here.start()):
        return False
    return bool(here or (WORDS.IN.search(text[:start]) and not WORDS.VERB.search(text)))


def _named(country: str) -> re.Pattern[str]:
    names = {country, *(name for name, meant in NAMES.items() if meant == country)}
    peoples = [name for name, meant in PEOPLES.items() if meant == country]
    called, theirs = ("|".join(map(re.escape, sorted(each, key=len, reverse=True))) for each in (names, peoples))
    return re.compile(rf"(?<!\w)(?:(?P<name>{called})|(?P<people>{theirs or '(?!)'}))(?!\w)")
