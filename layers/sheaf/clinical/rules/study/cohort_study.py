"""What rules can read of a cohort study beyond what it has in common with a trial. Pure."""

from collections.abc import Callable, Iterable

from clinical.patterns import Pattern
from clinical.rules.answers import Answer, Found, agreed, first_place, in_full, not_found
from clinical.rules.study.participant_flow import counts
from clinical.rules.text import Reading, Sentence
from clinical.rules.wording import words_of
from clinical.templates.choice_words import cues

WORDS = words_of(__file__)


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


def _sentence(pattern: Pattern) -> Callable[[Reading], Answer]:
    def rule(reading: Reading) -> Answer:
        own = (each for each in reading.within("methods") if pattern.search(each.text) and "et al" not in each.low)
        sentence = next(own, None)
        return in_full(reading, sentence) if sentence else not_found()

    return rule


SENTENCES = {
    "data_source": _sentence(WORDS.SOURCE), "adjustment_method": _sentence(WORDS.ADJUSTED), "missing_data": _sentence(cues("reports_missing_data")["true"][0]),
}  # fmt: skip
