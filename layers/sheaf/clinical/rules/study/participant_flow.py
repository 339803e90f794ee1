"""How many people were screened, analysed and planned, or of a cohort eligible, included and lost; never one for the other. Pure."""

from collections.abc import Iterable, Iterator

from clinical.evidence.disclaimed import disclaimed
from clinical.evidence.quantities.people_counts import count, is_count
from clinical.patterns import Pattern, one_may_be_in
from clinical.rules.answers import Answer, Found, Spot, agreed, first_place, prevailing
from clinical.rules.text import Reading, Sentence, words_of
from clinical.rules.trial.randomised_words import unbracketed

WORDS = words_of(__file__)
PLANS = ("sample", "plan", "to be ", "requir", "need", "target",
         "aim", "intend", "will", "necess", "calculat", "estimat")  # fmt: skip
PLANNED_MIN = 4


def n_screened(reading: Reading) -> Answer:
    return _counted(reading, WORDS.several["SCREENED"])


def n_analysed(reading: Reading) -> Answer:
    return _counted(reading, WORDS.several["ANALYSED"], "analys", "analyz", "analyt", "sample")


def n_planned(reading: Reading) -> Answer:
    own = (each for each in reading.study if each.has(*PLANS) and _is_of_size(each.text))
    every = (each for sentence in own for each in counts(sentence, WORDS.several["PLANNED"]))
    in_all = (each for each in every if not WORDS.PER_ARM.search(unbracketed(near(each.spot, 60))))
    found = [each for each in in_all if each.value >= PLANNED_MIN]
    aimed = [each for each in found if WORDS.WITH_LOSSES.search(each.spot.sentence.text)]
    most = max((each.value for each in found), default=0)
    return prevailing(reading, [each for each in aimed if each.value == most] or found)


def n_included(reading: Reading) -> Answer:
    places = (reading.abstract, reading.within("results"), reading.within("methods"))
    return agreed(reading, first_place(_counts(each, WORDS.several["INCLUDED"]) for each in places))


def n_eligible(reading: Reading) -> Answer:
    return agreed(reading, _counts((*reading.abstract, *reading.within("results", "methods")), (WORDS.ELIGIBLE,)))


def n_lost(reading: Reading) -> Answer:
    sentences = (*reading.abstract, *reading.within("results", "methods"))
    return agreed(reading, _counts(sentences, (WORDS.LOST,), lost=True))


def _counts(sentences: Iterable[Sentence], patterns: tuple[Pattern, ...], *, lost: bool = False) -> list[Found]:
    found = (each for sentence in sentences for each in counts(sentence, patterns))
    own = (each for each in found if not each.spot.sentence.has(" will ", "sample size", "trial"))
    return [each for each in own if lost or not WORDS.BROKEN.search(each.spot.text)]


def _is_of_size(text: str) -> bool:
    sized = WORDS.OF_SIZE.search(text) or WORDS.PLANNED_TO.search(text)
    return bool(sized) and not WORDS.AFTERWARDS.search(text) and not WORDS.NO_SIZE.search(text)


def _counted(reading: Reading, patterns: tuple[Pattern, ...], *signs: str) -> Answer:
    study = (each for each in reading.study if each.has(*signs)) if signs else reading.study
    found = (each for sentence in study for each in counts(sentence, patterns))
    own = (each for each in found if not WORDS.OF_SOME.search(each.spot.sentence.text))
    return prevailing(reading, [each for each in own if not WORDS.OF_ONE_ARM.search(near(each.spot, 30))])


def near(spot: Spot, reach: int) -> str:
    """The spot, and so many letters behind it."""
    return spot.sentence.text[spot.start : spot.end + reach]


def counts(sentence: Sentence, patterns: tuple[Pattern, ...]) -> Iterator[Found]:
    for pattern in patterns if one_may_be_in(patterns, sentence.text) else ():
        for match in pattern.finditer(sentence.text):
            name = match.lastgroup or "n"
            number = count(match[name])
            counts_ours = number > 1 and is_count(sentence.text, *match.span(name))
            if counts_ours and disclaimed(sentence.text, *match.span()) != "other_study":
                yield Found(number, Spot.of(sentence, match))
