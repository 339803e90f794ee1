"""What was found: primary outcomes, and each estimate, interval and p value with its sentence. Pure."""

import re
from collections.abc import Iterator, Sequence

from clinical.rules.answers import Answer, Found, Spot, first_place, items_below, printed, tabled
from clinical.rules.text import Reading, Sentence, words_of

WORDS = words_of(__file__)
REACH, RESULTS_MAX = 90, 80
NAME_MIN, NAME_MAX = 4, 400


def primary_outcomes(reading: Reading) -> Answer:
    later = reading.within("front", "other", "introduction")
    found = (_named(reading, each, "primary") for each in (*reading.abstract, *reading.within("methods"), *later))
    return tabled(reading, [*filter(None, found)][:1])


def secondary_outcomes(reading: Reading) -> Answer:
    places = (reading.within("methods", "other"), reading.opening)
    told = ((each for number in range(len(place)) for each in _secondary(reading, place, number)) for place in places)
    return tabled(reading, first_place(told))


def _secondary(reading: Reading, sentences: Sequence[Sentence], number: int) -> Iterator[Found]:
    if WORDS.SECONDARIES.search(sentences[number].text):
        for spot in items_below(sentences[number + 1 :]):
            yield Found({"name": printed(reading, spot)[:NAME_MAX].rstrip(" .,;")}, spot)
    elif found := _named(reading, sentences[number], "secondary"):
        yield found


def results(reading: Reading) -> Answer:
    found: list[Found] = []
    for sentence in (*reading.abstract, *reading.within("results")):
        values = list(_values(sentence))
        found += [] if values and WORDS.THRESHOLD.search(sentence.text) else values
    return tabled(reading, found[:RESULTS_MAX])


def _named(reading: Reading, sentence: Sentence, rank: str) -> Found | None:
    *patterns, cut = WORDS.several[rank]
    match = next(filter(None, (pattern.search(sentence.text) for pattern in patterns)), None)
    if not match or WORDS.NOT_PRIMARY.search(sentence.text[: match.end()]):
        return None
    words = cut.split(match["name"], maxsplit=1)[0]
    words = words if len(words) <= NAME_MAX else words[:NAME_MAX].rpartition(" ")[0]
    spot = Spot(sentence, match.start("name"), match.start("name") + len(words))
    name = printed(reading, spot).strip(" .,:")
    if len(name) < NAME_MIN or WORDS.STARTS_BADLY.search(name):
        return None
    return Found({"name": name}, spot)


def _values(sentence: Sentence) -> Iterator[Found]:
    taken = 0
    for interval in WORDS.CI.finditer(sentence.text):
        told: dict[str, str | float] = {"ci_low": float(interval["low"]), "ci_high": float(interval["high"])}
        before = list(WORDS.MEASURE.finditer(sentence.text, max(taken, interval.start() - REACH), interval.start()))
        if before:
            told |= {"effect_measure": before[-1]["measure"], "estimate": float(before[-1]["estimate"])}
        after = WORDS.P_VALUE.search(sentence.text, interval.end(), interval.end() + REACH // 2)
        if after:
            told["p_value"] = _p(after)
        start, taken = before[-1].start() if before else interval.start(), after.end() if after else interval.end()
        yield Found(told, Spot(sentence, start, taken))
    for p_value in WORDS.P_VALUE.finditer(sentence.text, taken):
        yield Found({"p_value": _p(p_value)}, Spot.of(sentence, p_value))


def _p(match: re.Match[str]) -> str:
    return re.sub(r"(?<!\d)\.", "0.", match["p"].replace(" ", "")).removeprefix("=")
