"""How many entered a trial, where it follows from a sentence, sums or a crossover that they were randomised. Pure."""

from collections.abc import Iterable, Iterator

from clinical.evidence.quantities.people_counts import count, is_count
from clinical.patterns import Pattern, one_may_be_in
from clinical.rules.answers import Found, Spot, first_place
from clinical.rules.study.study_design import allocates_order, divides_data, report_type, study_type
from clinical.rules.text import Reading, Sentence, once, words_of
from clinical.rules.trial import randomised_words
from clinical.rules.trial.randomised_words import adds_up, is_broken, is_of_some, unbracketed

WORDS = words_of(__file__)
ENTERED_MIN, NEAR, ARM_MAX = 4, 2, 60


def entered(reading: Reading) -> list[Found]:
    """Those who entered, where it follows that they were randomised; the surest signs alone, and of a paper that says it."""
    if not any(WORDS.CHANCE.search(sentence.text) for sentence in reading.study):
        return []
    trial = study_type(reading)["value"] == "rct" and report_type(reading)["value"] != "secondary_analysis"
    ways = (_randomised, _summed, _of_arms, _of_trial) if trial else (_randomised,)
    if every := first_place(way(reading) for way in ways):
        # A total that is worked out from less than others say entered may be of some of them.
        most, said = max(each.value for each in every), _unfound(reading.study, WORDS.several["ENTERED"])
        return [*every, *(each for each in said if each.value > most)]
    return (_only(reading) or _joined(reading)) if trial else []


def _randomised(reading: Reading) -> Iterator[Found]:
    adding_up = _made(reading)
    crossing = allocates_order(reading)
    for index, sentence in enumerate(reading.study):
        for found in _those(sentence, WORDS.several["ENTERED"]):
            follows = crossing or any(_goes_on(sentence, near) for near in reading.study[index + 1 : index + 1 + NEAR])
            if found.value in adding_up or (follows and not _is_later(found)):
                yield found


def _is_later(found: Found) -> bool:
    return WORDS.LATER.match(found.spot.sentence.text, found.spot.end) is not None


def _goes_on(sentence: Sentence, near: Sentence) -> bool:
    says = near.page == sentence.page and WORDS.NEXT.search(near.text)
    return bool(says) and not randomised_words.WORDS.PASSING.search(near.text)


def _summed(reading: Reading) -> Iterator[Found]:
    for sentence in reading.study:
        if WORDS.GROUPED.search(sentence.text) and not _is_of_fewer(sentence):
            for found in _those(sentence, (WORDS.SO_MANY,)):
                later = sentence.text[found.spot.end :]
                if WORDS.GROUPED.search(later) and adds_up(later, found.value):
                    yield found


def _of_arms(reading: Reading) -> Iterator[Found]:
    adding_up = _made(reading)
    own = (each for each in reading.study if adding_up and not _is_of_fewer(each))
    return (each for each in _unfound(own, (WORDS.SO_MANY, WORDS.IN_BRACKETS)) if each.value in adding_up)


def _is_of_fewer(sentence: Sentence) -> bool:
    return bool(WORDS.ENDED.search(sentence.text) or WORDS.GONE.search(sentence.text))


def _of_trial(reading: Reading) -> Iterator[Found]:
    return (each for each in _unfound(reading.study, WORDS.several["OF_TRIAL"]) if not _is_later(each))


def _unfound(sentences: Iterable[Sentence], patterns: tuple[Pattern, ...]) -> Iterator[Found]:
    every = (each for sentence in sentences for each in _those(sentence, patterns))
    return (each for each in every if not WORDS.FOUND.search(each.spot.sentence.text))


def _only(reading: Reading) -> list[Found]:
    patterns = WORDS.several["ENTERED"] + (WORDS.several["GIVEN"] if allocates_order(reading) else ())
    found = [each for sentence in reading.abstract for each in _those(sentence, patterns)]
    sure = [each for each in found if not WORDS.FOUND.search(each.spot.sentence.text) and not _is_later(each)]
    return sure if len({each.value for each in found}) == 1 else []


def _joined(reading: Reading) -> list[Found]:
    body = reading.within("methods", "results", "other")
    every = _unfound(body, WORDS.several["ENTERED"])
    found = [each for each in every if WORDS.INTO.match(each.spot.sentence.text, each.spot.end)]
    return found if len({each.value for each in found}) == 1 else []


def _those(sentence: Sentence, patterns: tuple[Pattern, ...]) -> Iterator[Found]:
    text = sentence.text
    passing = not one_may_be_in(patterns, text) or randomised_words.WORDS.PASSING.search(text)
    if passing or divides_data(text) or WORDS.FROM_TRIAL.search(text) or WORDS.BY_CHOICE.search(text):
        return
    for pattern in patterns:
        for match in pattern.finditer(text):
            number = count(match["n"])
            after = text[match.end("n") :]
            parted = is_broken(after[: match.end() - match.end("n")]) or WORDS.MORE.match(unbracketed(after))
            of_arm = WORDS.OF_ARM.search(text[: match.start()][-ARM_MAX:])
            of_some = parted or of_arm or any(is_of_some(text[: match.start(group)], "", "") for group in (0, "n"))
            if not of_some and number >= ENTERED_MIN and is_count(text, *match.span("n")):
                yield Found(number, Spot.of(sentence, match))


@once
def _made(reading: Reading) -> set[int]:
    told = (*reading.opening, *reading.within("methods", "results"))
    every = [each for each in told if not WORDS.ENDED.search(each.text)]
    sizes = [[count(match["n"]) for match in WORDS.SIZE.finditer(each.text)] for each in every]
    assigning = [each for each in every if WORDS.ASSIGNED.search(each.text)]
    sizes += [[count(match["n"]) for match in WORDS.SO_MANY_TO.finditer(each.text)] for each in assigning]
    return {sum(each) for each in sizes if len(each) > 1}
