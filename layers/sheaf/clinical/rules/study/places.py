"""In which countries the study was done, in how many places and of what kind; not where authors are. Pure."""

import re
from collections.abc import Iterable, Iterator

from clinical.evidence.disclaimed import disclaimed
from clinical.evidence.quantities.number_words import SINGLE
from clinical.evidence.quantities.people_counts import count, is_count
from clinical.papers.stretches import is_makers
from clinical.patterns import Pattern
from clinical.rules import answers
from clinical.rules.answers import Answer, Found, Spot, agreed, distinct, listed, not_found, printed, reported, unclear
from clinical.rules.text import Reading, Sentence, words_of
from clinical.templates.country_names import ELSEWHERE, NAMES, PEOPLES

WORDS = words_of(
    __file__,
    COUNTRY_NAMES="|".join(re.escape(name) for name in sorted(NAMES, key=len, reverse=True)),
    PEOPLES="|".join(sorted(PEOPLES, key=len, reverse=True)),
)
HOLDING = ("conducted", "carried out", "performed", "recruit", "enrol", "undertaken", "took place", "setting",
           "located", "attending", "admitted", "from ", "sites in", "sites across", "referred", "treated", "lives ", "live in", "resid")  # fmt: skip
TITLE_MIN = 20  # characters; a shorter sentence of the front page may be part of the title by chance
SETTING_SIGNS = ("conducted", "carried out", "performed", "recruit", "enrol", "undertaken", "took place", "setting",
                 "screened", "invited", "admitted", "attending", "referred")  # fmt: skip
ETHICS_SIGNS = ("ethic", "review board", "irb", "approved by")


def countries(reading: Reading) -> Answer:
    own = (*reading.opening, *reading.within("methods", "results", "conclusion", "other", "back"))
    titles = [each for each in reading.titles if len(each.low) > TITLE_MIN] if reading.title else []
    if said := distinct(found for each in titles for found in _named(each)) or _held(reading):
        return unclear() if _more(reading, len(said)) else listed(reading, said)
    for signs, patterns in (ETHICS_SIGNS, (WORDS.COUNTRY, WORDS.APPROVED_BY)), (("regist",), (WORDS.REGISTERED_IN,)):
        sentences = (each for each in own if each.has(*signs))
        found = distinct(found for sentence in sentences for found in _named(sentence, patterns))
        if found:
            return unclear() if len(found) > 1 or _more(reading, 1) else listed(reading, found)
    return not_found()


def _more(reading: Reading, told: int) -> bool:
    for sentence in (*reading.opening, *(each for each in reading.within("methods", "results") if _is_held(each))):
        more = any(count(match["n"]) > told for match in WORDS.COUNTRIES.finditer(sentence.text))
        if more or (told == 1 and WORDS.ABROAD.search(sentence.text)):
            return True
    return False


def _held(reading: Reading) -> list[Found]:
    places = (reading.abstract, reading.within("methods"), reading.within("other", "results"))
    told = ((found for each in place if _is_held(each) for found in _there(each)) for place in places)
    return distinct(answers.first_place(told))


def _is_held(sentence: Sentence) -> bool:
    text = sentence.text
    if not sentence.has(*HOLDING) or not WORDS.HELD.search(text) or WORDS.ETHICS.search(text[:60]):
        return False
    return not (WORDS.MAKERS.search(text) or WORDS.ABOUT_OTHERS.search(text))


def _named(sentence: Sentence, patterns: Iterable[Pattern] = (WORDS.COUNTRY,)) -> Iterator[Found]:
    places = [(match, match.lastgroup or 0) for pattern in patterns for match in pattern.finditer(sentence.text)]
    own_name = WORDS.REGISTERED_IN not in patterns
    elsewhere = [match.span() for match in ELSEWHERE.finditer(sentence.text) if own_name]
    for match, group in sorted(places, key=lambda place: place[0].start()):
        country = NAMES.get(match[group]) or PEOPLES[match[group]]
        if not any(start <= match.start(group) < end for start, end in elsewhere):
            yield Found(country, Spot.of(sentence, match))


def _there(sentence: Sentence) -> Iterator[Found]:
    text, held = sentence.text, WORDS.HELD.search(sentence.text)
    start = held.start() if held else len(text)
    for found in _named(sentence, (WORDS.COUNTRY, WORDS.PEOPLE_OF)) if held else ():
        at = found.spot.start
        made = is_makers(text, at) or WORDS.MADE_IN.search(text, 0, at)
        own = not disclaimed(text, at, found.spot.end) and not WORDS.RULES.search(text, start, at)
        if own and not made and WORDS.PLACE.search(text, start, at):
            yield found


def n_sites(reading: Reading) -> Answer:
    found = []
    for sentence in reading.study:
        singles = [Found(1, Spot.of(sentence, match)) for match in SINGLE.finditer(sentence.text)]
        every = [*singles, *_sites(sentence)]
        found += every if every and not WORDS.NO_SITES.search(sentence.text) else []
    return agreed(reading, answers.early(found))


def setting(reading: Reading) -> Answer:
    for sentence in (*reading.opening, *reading.within("methods")):
        other = any(each.search(sentence.text) for each in (WORDS.OF_OTHERS, WORDS.MAKERS, WORDS.ETHICS))
        held = WORDS.HELD.search(sentence.text) if sentence.has(*SETTING_SIGNS) and not other else None
        match = WORDS.SETTING.search(sentence.text, held.start()) if held else None
        if match and WORDS.PLACE.search(sentence.text[max(0, match.start() - 60) : match.start()]):
            spot = Spot.of(sentence, match)
            return reported(reading, printed(reading, spot), spot)
    return not_found()


def _sites(sentence: Sentence) -> Iterator[Found]:
    matches = list(WORDS.SITES.finditer(sentence.text))
    one = len(matches) == 1 and WORDS.SITE_SIGNS.search(sentence.text)
    if one and not re.search(r"\d[\w ,-]{0,40}\band $", sentence.text[: matches[0].start()]):
        number = count(matches[0]["n"])
        if number and is_count(sentence.text, *matches[0].span("n")):
            yield Found(number, Spot.of(sentence, matches[0]))
