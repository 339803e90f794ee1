"""Who took part and when: age and sex of all, dates of recruitment, how long they were followed. Pure."""

import re
from collections.abc import Iterable, Iterator

from clinical.evidence.quantities.number_words import english
from clinical.evidence.quantities.units import CANONICAL
from clinical.patterns import Pattern
from clinical.rules.answers import Answer, Found, Spot, agreed, early, not_found, printed, reported, tables
from clinical.rules.study.study_design import study_type
from clinical.rules.text import Reading, Sentence, once, words_of

WORDS = words_of(__file__)
OF_COURSE = ("random", "treat", "receiv", "interven", "baseline", "assess", "measur", "outcome", "evaluat", "trial")
OF_OUTCOMES = ("outcome", "assess", "measured", "evaluated", "collected")
DAYS = {"hour": 1 / 24, "h": 1 / 24, "day": 1, "week": 7, "month": 365 / 12, "year": 365}
ALIKE = 1.02  # a year is twelve months, and 52 weeks


def age(reading: Reading) -> Answer:
    found = early(_overall(reading, WORDS.AGE))
    return agreed(reading, found or list(_of_total(reading, WORDS.AGE_LINE, WORDS.AGE_CELL)))


def female_percent(reading: Reading) -> Answer:
    told = [each for each in early(_overall(reading, WORDS.FEMALE)) if _is_of_all(each.spot)]
    found = told or _of_total(reading, WORDS.FEMALE_LINE, WORDS.FEMALE_CELL)
    return agreed(reading, [Found(float(each.value), each.spot) for each in found])


def _of_total(reading: Reading, line: Pattern, cell: Pattern) -> Iterator[Found]:
    for heads, *rows in tables(reading):
        column = next((at for at, head in enumerate(heads) if WORDS.TOTAL.match(head.text)), 0)
        for row in rows if column else ():
            match = line.match(row[0].text) and len(row) == len(heads) and cell.match(row[column].text)
            if match and (cell is WORDS.AGE_CELL or "%" in row[0].sentence.text):
                spot = Spot(row[0].sentence, row[column].start + match.start("n"), row[column].start + match.end("n"))
                yield Found(spot.text, spot)


def _is_of_all(spot: Spot) -> bool:
    text = spot.sentence.text
    after = text[spot.end :].lstrip(" %)")
    row = after[:1].isdigit()
    return not row and (WORDS.SEXES.search(text) is not None or after.startswith(("wom", "fem", "of", "were", "girl")))


def follow_up(reading: Reading) -> Answer:
    told = _followed(reading, WORDS.FOLLOW_UP, (*reading.within("methods"), *reading.within("results")), longest=True)
    return _lasted(reading) if told["state"] == "not_found" and study_type(reading)["value"] == "rct" else told


def _lasted(reading: Reading) -> Answer:
    for sentences, words in ((reading.opening, OF_COURSE), (reading.within("methods"), OF_OUTCOMES)):
        own = (each for each in sentences if each.has(*words) and not WORDS.NO_COURSE.search(each.text))
        spots = [Spot.of(each, at, at.lastgroup or 0) for each in own for at in WORDS.LASTED.finditer(each.text)]
        if spots:
            longest = max(spots, key=lambda spot: _days(spot.text))
            return reported(reading, printed(reading, longest), longest)
    return not_found()


def follow_up_median(reading: Reading) -> Answer:
    return _followed(reading, WORDS.MEDIAN_FOLLOW_UP, reading.within("results", "methods"))


def _overall(reading: Reading, pattern: Pattern) -> list[Found]:
    found = []
    for sentence in (*reading.opening, *reading.within("results", "methods")):
        match = pattern.search(sentence.text)
        if not match or WORDS.PER_GROUP.search(sentence.text) or WORDS.NOT_FOLLOW_UP.search(sentence.text):
            continue
        male = WORDS.MALE.search(sentence.text[max(0, match.start() - 30) : match.start()])
        if not male and not WORDS.TWO.match(sentence.text, match.end()):
            spot = Spot.of(sentence, match, match.lastgroup or 0)
            found.append(Found(printed(reading, spot).strip(" ,"), spot))
    return found


def recruited(reading: Reading, first: str, last: str) -> Answer:
    every = _periods(reading)
    strong = [(sentence, match) for sentence, match in every if WORDS.RECRUITED_STRONG.search(sentence.text)]
    found = []
    for sentence, match in strong or every:
        spot = Spot(sentence, match.start(first), match.end(last))
        said = printed(reading, spot)
        # "June to July 2005": a beginning without a year has that of the end.
        found.append(Found(said if WORDS.YEAR.search(said) else f"{said} {match['last'][-4:]}", spot))
    alike = {each.value.lower().replace(",", "") for each in found}
    return reported(reading, found[0].value, found[0].spot) if len(alike) == 1 else agreed(reading, found)


@once
def _periods(reading: Reading) -> list[tuple[Sentence, re.Match[str]]]:
    dated = (each for each in reading.study if WORDS.PERIOD.may_be_in(each.text) and WORDS.RECRUITED.search(each.text))
    own = (each for each in dated if not WORDS.NOT_DATES.search(each.text))
    return [(sentence, match) for sentence in own for match in WORDS.PERIOD.finditer(sentence.text)]


def _followed(reading: Reading, pattern: Pattern, later: Iterable[Sentence], *, longest: bool = False) -> Answer:
    for sentences in (reading.opening, later):
        found = [each for sentence in sentences for each in _lengths(reading, sentence, pattern, longest=longest)]
        days = [_days(each.value) for each in found]
        if found and (longest or max(days) <= ALIKE * min(days)):
            most = found[days.index(max(days))]
            return reported(reading, most.value, most.spot)
        if found:
            return agreed(reading, found)
    return not_found()


def _days(said: str) -> float:
    *words, unit = re.findall(r"\d+(?:\.\d+)?|[a-z]+", said.lower())
    number = float(words[0]) if words[0][0].isdigit() else float(next(english(" ".join(words))))
    return number * DAYS[CANONICAL[unit]]


def _lengths(reading: Reading, sentence: Sentence, pattern: Pattern, *, longest: bool) -> Iterator[Found]:
    match = pattern.search(sentence.text)
    if not match or WORDS.NOT_FOLLOW_UP.search(sentence.text):
        return
    spot = Spot.of(sentence, match, match.lastgroup or 0)
    more = WORDS.AND_MORE.match(sentence.text, spot.end) if longest else None
    while more:
        spot = Spot.of(sentence, more, "last")
        more = WORDS.AND_MORE.match(sentence.text, spot.end)
    if not re.match(r",? (?:and|or|,) ?\d", sentence.text[spot.end :]):
        yield Found(printed(reading, spot), spot)
