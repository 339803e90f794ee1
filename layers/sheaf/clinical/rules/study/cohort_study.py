"""What rules can read of a cohort study beyond what it has in common with a trial. Pure."""

import re
from collections.abc import Callable, Iterable

from clinical.evidence.quantities.people_counts import ADJECTIVES, COUNT, GROUP, PEOPLE
from clinical.rules.answers import Answer, Found, agreed, in_full, not_found
from clinical.rules.study.participant_flow import counts
from clinical.rules.text import Reading, Sentence, any_case, any_cases
from clinical.templates.report_cues import MISSING

SOURCE = any_case(
    r"\bdata (?:\w+ ){0,4}?(?:were|was|are|is)? ?(?:\w+ )?(?:obtained|derived|extracted|collected|retrieved|drawn|taken|gathered|come|came|abstracted) (?:\w+ )?(?:from|using|through|by)\b|\b(?:we|study) (?:used|analy[sz]ed|using) (?:\w+ ){0,3}?data (?:from|of) (?:the )?[A-Z]|\b(?:medical|health|hospital|electronic|patient) (?:\w+ )?records (?:were|was) (?:\w+ )?(?:reviewed|searched|examined|used)|\bbased on (?:the |data from )[^.;]{0,60}(?:registry|register|database|cohort|biobank)"
)
ADJUSTED = any_case(
    r"\b(?:adjust\w+ for|multivaria(?:ble|te)|cox (?:proportional|regression)|propensity score|inverse probability)\b"
)
INCLUDED = any_cases(
    rf"\b(?:included|enrol+ed|recruited|comprised|consisted of|leaving|involving|followed) (?:a total of |up )?(?:data (?:from|on) )?{GROUP}",
    rf"{GROUP}(?:[^.;:,()]{{0,60}}?(?:\([^)]{{0,30}}\) ?)?) (?:were|was) (?:\w+ )?(?:included|enrol+ed|recruited)(?! in the (?:\w+ )?(?:group|arm))",
)
ELIGIBLE = any_case(
    rf"{GROUP}(?:[^.;:,()]{{0,40}}?) (?:were|was) (?:\w+ )?eligible|\b(?P<m>{COUNT}) eligible {ADJECTIVES}{PEOPLE}"
)
LOST = any_case(
    rf"(?P<n>{COUNT}) ?(?:\([^)]{{1,20}}\) ?)?(?:{ADJECTIVES}{PEOPLE} ?)?(?:\([^)]{{1,20}}\) ?)?(?:were|was|had been) lost to follow-?up"
)
BROKEN = any_case(r"\b(?:exclu\w+|not|of (?:whom|which|these)|without|lost|group|each|per|controls?)\b")


def n_included(reading: Reading) -> Answer:
    """How many were included, where the abstract, or else the results, say one number."""
    places = (reading.abstract, reading.within("results"), reading.within("methods"))
    return agreed(reading, next(filter(None, (_counts(each, INCLUDED) for each in places)), []))


def n_eligible(reading: Reading) -> Answer:
    sentences = [each for each in (*reading.abstract, *reading.within("results", "methods")) if each.has("eligible")]
    return agreed(reading, _counts(sentences, (ELIGIBLE,)))


def n_lost(reading: Reading) -> Answer:
    """How many were lost, where one number is said."""
    sentences = [each for each in (*reading.abstract, *reading.within("results", "methods")) if "lost" in each.low]
    return agreed(reading, _counts(sentences, (LOST,), lost=True))


def _counts(sentences: Iterable[Sentence], patterns: tuple[re.Pattern[str], ...], *, lost: bool = False) -> list[Found]:
    own = (sentence for sentence in sentences if not sentence.has(" will ", "sample size", "trial"))
    found = (each for sentence in own for each in counts(sentence, patterns))
    return [each for each in found if lost or not BROKEN.search(each.spot.text)]


def _sentence(pattern: re.Pattern[str]) -> Callable[[Reading], Answer]:
    """The first sentence of the methods with these words."""

    def rule(reading: Reading) -> Answer:
        own = (each for each in reading.within("methods") if pattern.search(each.text) and "et al" not in each.low)
        sentence = next(own, None)
        return in_full(reading, sentence) if sentence else not_found()

    return rule


SENTENCES = {
    "data_source": _sentence(SOURCE), "adjustment_method": _sentence(ADJUSTED), "missing_data": _sentence(MISSING),
}  # fmt: skip
