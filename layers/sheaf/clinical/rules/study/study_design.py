"""What kind of study, and what kind of report of it. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from clinical.evidence.disclaimed import RETRACTION
from clinical.patterns import Pattern
from clinical.rules.answers import Answer, Found, Spot, agreed, first, not_found, reported, said, unclear, whole
from clinical.rules.text import Reading, Sentence, once, words_of
from clinical.templates.choice_words import cues

WORDS = words_of(__file__)
OF_THIS_STUDY = ("this ", "our ", "present", "we conducted", "we performed", "designed as", "current")
FUTURE_MIN = 3
TRIAL_KINDS = ("stepped_wedge", "cluster", "factorial", "crossover", "parallel")
COHORT_KINDS = tuple(kind for kind in cues("design") if kind not in TRIAL_KINDS)
CROSSOVER, PROTOCOL = cues("design")["crossover"][0], cues("report_type")["protocol"][0]
PLANNED, WITHIN = cues("SHARED")["planned"][0], cues("SHARED")["within"]


def divides_data(text: str) -> bool:
    """Whether a sentence divides data, to make a model with one part and try it on the other."""
    return WORDS.OF_DATA.search(text) is not None


@once
def is_review(reading: Reading) -> bool:
    """Whether a paper is on other studies, or on having been in one: its title says so, or its abstract names two libraries or more."""
    for title in (each.text for each in reading.titles):
        if WORDS.ON_A_TRIAL.search(title) or (WORDS.REVIEW.search(title) and not WORDS.A_TRIAL.search(title)):
            return True
    libraries = (WORDS.LIBRARY.findall(sentence.text) for sentence in reading.abstract)
    return any(len({each.lower() for each in found}) > 1 for found in libraries)


def report_type(reading: Reading) -> Answer:
    if any(RETRACTION.match(each.text) for each in reading.titles):
        return not_found()
    if spot := protocol(reading):
        return reported(reading, "protocol", spot)
    if found := _of_kind(reading):
        return first(reading, found)
    if results := _results(reading):
        return reported(reading, "results", whole(results))
    return unclear() if any(PLANNED.search(sentence.text) for sentence in reading.abstract) else not_found()


def _of_kind(reading: Reading) -> list[Found]:
    cues = reading.cues("report_type")
    ours = [sentence for sentence in reading.abstract if sentence.has(*OF_THIS_STUDY)]
    for kind in ("secondary_analysis", "pilot"):
        found = list(signs(reading.titles, kind, cues[kind]))
        if not found and (kind != "pilot" or study_type(reading)["value"] == "rct"):
            found = list(signs(ours, kind, cues[kind]))
        if found:
            return found
    return []


def _results(reading: Reading) -> Sentence | None:
    told = (sentence for sentence in reading.within("results") if re.search(r"\d", sentence.text))
    results = (sentence for sentence in told if sentence.has(" was ", " were ", " had ", " showed "))
    tested = (sentence for sentence in reading.abstract if sentence.has("p <", "p<", "p =", "p=", "95% ci"))
    return next(chain(results, tested), None)


@once
def design(reading: Reading) -> Answer:
    kind = study_type(reading)
    if kind["value"] == "rct":
        return _trial_design(reading)
    if kind["value"] == "cohort":
        return _cohort_design(reading)
    if kind["state"] != "not_found" or is_review(reading):
        return kind
    # A paper that never says "random" may call its design a crossover.
    crossing = signs((*reading.abstract, *reading.within("methods")), "crossover", (CROSSOVER,))
    return first(reading, [each for each in crossing if WORDS.CALLED_SO.match(each.spot.sentence.text, each.spot.end)])


@once
def study_type(reading: Reading) -> Answer:
    """By the title and abstract, then the methods; unclear where they say both. A review of such studies is neither."""
    if is_review(reading):
        return not_found()
    cues = reading.cues("study_type_detected")
    for sentences in (reading.titles, reading.abstract, reading.within("methods")):
        others = [each for each in sentences if not WORDS.NOT_RANDOMISED.search(each.text)]
        trial = next(signs((each for each in others if not _calls(each)), "rct", cues["rct"]), None)
        cohort = list(signs(sentences, "cohort", cues["cohort"]))
        if trial:
            return unclear() if _observes(cohort, others) else reported(reading, "rct", trial.spot)
        if len(others) < len(sentences):
            return unclear()
        if cohort and not (sentences is reading.titles and _assigns(reading, cohort)):
            return reported(reading, "cohort", cohort[0].spot)
    return not_found()


def _observes(cohort: Sequence[Found], sentences: Iterable[Sentence]) -> bool:
    named = any(WORDS.OBSERVED.search(each.spot.sentence.text) for each in cohort)
    return named and not any(WORDS.ASSIGNED.search(each.text) for each in sentences)


def _calls(sentence: Sentence) -> bool:
    return WORDS.CALL.search(sentence.text) is not None and not sentence.has("this ", "our ", " we ", "were ")


def _assigns(reading: Reading, titled: list[Found]) -> bool:
    named = any(each.spot.sentence.has("cohort", "regist", "retrospective") for each in titled)
    return not named and any(signs(reading.abstract, "rct", (WORDS.ASSIGNED,)))


@once
def allocates_order(reading: Reading) -> bool:
    sentences = (*reading.opening, *reading.within("methods"))
    said_so = any(True for _ in signs(sentences, "crossover", (CROSSOVER,)))
    return said_so or any(WITHIN[0].search(each.text) for each in reading.abstract)


@once
def protocol(reading: Reading) -> Spot | None:
    titled = (Spot.of(each, match) for each in reading.titles for match in PROTOCOL.finditer(each.text))
    if spot := next(titled, None):
        return spot
    future = [sentence for sentence in reading.abstract if PLANNED.search(sentence.text)]
    if len(future) > 1 and not any(WORDS.PAST.search(sentence.text) for sentence in reading.abstract):
        later = [sentence for sentence in reading.within("methods", "other") if PLANNED.search(sentence.text)]
        return whole(future[0]) if len(later) >= FUTURE_MIN else None
    # Protocols call it "Methods/Design".
    methods = (each for each in reading.sentences if WORDS.METHODS_DESIGN.match(each.title))
    planned = next((each for each in methods if PLANNED.search(each.text)), None)
    return whole(planned) if planned and not reading.within("results") else None


def signs(sentences: Iterable[Sentence], kind: str, patterns: tuple[Pattern, ...]) -> Iterator[Found]:
    """Where sentences say that it is of this kind; not of tests, and not of data that chance divides."""
    for found in said(sentences, "design", {kind: patterns}):
        text = found.spot.sentence.text
        divided = kind in {"rct", "parallel"} and divides_data(text)
        if not divided and not (kind == "factorial" and WORDS.STATISTICS.search(text)):
            yield found


def _trial_design(reading: Reading) -> Answer:
    sentences = (*reading.opening, *reading.within("methods", "other"))
    cues = reading.cues("design")
    for kind in TRIAL_KINDS[:-1]:
        found = list(signs(sentences, kind, tuple(each for each in cues[kind] if each not in WITHIN)))
        early = [each for each in found if each.spot.sentence.is_early]
        if early or len(found) > 1 or any(each.spot.sentence.has("design", "study", "trial") for each in found):
            if kind != "factorial" and any(signs(sentences, "parallel", cues["parallel"][:2])) and not early:
                return unclear()
            return first(reading, early or found)
    found = [
        *signs(sentences, "parallel", cues["parallel"][:2]),
        *signs((*sentences, *reading.within("other", "results")), "parallel", cues["parallel"][2:]),
    ]
    orders = any(WITHIN[0].search(sentence.text) or WORDS.CARERS.search(sentence.text) for sentence in sentences)
    return unclear() if orders else first(reading, found)


def _cohort_design(reading: Reading) -> Answer:
    if any(WORDS.CASES.search(sentence.text) for sentence in reading.titles):
        return unclear()
    for sentences in (reading.titles, reading.abstract, reading.within("methods")):
        found = [each for kind in COHORT_KINDS for each in signs(sentences, kind, reading.cues("design")[kind])]
        if any(WORDS.CASES.search(each.spot.sentence.text) for each in found):
            return unclear()
        specific = [each for each in found if each.value in {"nested_case_control", "ambispective"}]
        if found:
            return first(reading, specific) if specific else agreed(reading, found)
    return not_found()
