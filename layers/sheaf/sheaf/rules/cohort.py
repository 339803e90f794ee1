"""What rules can read of a cohort study beyond what it has in common with a trial. Pure."""

import re
from collections.abc import Iterable, Iterator

from sheaf.rules.answers import Answer, Found, Spot, agreed, not_reported, reported, whole
from sheaf.rules.numbers import ADJECTIVES, COUNT, GROUP, PEOPLE, is_year, value
from sheaf.rules.text import Reading, Sentence

SOURCE = re.compile(
    r"\bdata (?:\w+ ){0,4}?(?:were|was|are|is)? ?(?:\w+ )?(?:obtained|derived|extracted|collected|retrieved|drawn|taken|gathered|come|came|abstracted) (?:\w+ )?(?:from|using|through|by)\b|\b(?:we|study) (?:used|analy[sz]ed|using) (?:\w+ ){0,3}?data (?:from|of) (?:the )?[A-Z]|\b(?:medical|health|hospital|electronic|patient) (?:\w+ )?records (?:were|was) (?:\w+ )?(?:reviewed|searched|examined|used)|\bbased on (?:the |data from )[^.;]{0,60}(?:registry|register|database|cohort|biobank)",
    re.I,
)
MATCHED = re.compile(
    r"\bpropensity[- ]score[- ]match|\bmatched (?:\w+ ){0,3}?(?:1 ?: ?\d|by age|for age|on age)|\b1 ?: ?\d(?: \w+){0,3} match",
    re.I,
)
ADJUSTED = re.compile(
    r"\b(?:adjust\w+ for|multivaria(?:ble|te)|cox (?:proportional|regression)|propensity score|inverse probability)\b",
    re.I,
)
MISSING = re.compile(
    r"\bmissing (?:data|values?|outcome|covariates?|observations?|information)\b|\bmultiple imputation\b|\bcomplete[- ]case\b|\blast observation carried forward\b|\bimput(?:ed|ation)\b",
    re.I,
)
INCLUDED = (
    re.compile(rf"\b(?:included|enrol+ed|recruited|comprised|consisted of|leaving|involving|followed) (?:a total of |up )?(?:data (?:from|on) )?{GROUP}", re.I),
    re.compile(rf"{GROUP}(?:[^.;:,()]{{0,60}}?(?:\([^)]{{0,30}}\) ?)?) (?:were|was) (?:\w+ )?(?:included|enrol+ed|recruited)(?! in the (?:\w+ )?(?:group|arm))", re.I),
)  # fmt: skip
ELIGIBLE = re.compile(
    rf"{GROUP}(?:[^.;:,()]{{0,40}}?) (?:were|was) (?:\w+ )?eligible|\b(?P<m>{COUNT}) eligible {ADJECTIVES}{PEOPLE}",
    re.I,
)
LOST = re.compile(
    rf"(?P<n>{COUNT}) ?(?:\([^)]{{1,20}}\) ?)?(?:{ADJECTIVES}{PEOPLE} ?)?(?:\([^)]{{1,20}}\) ?)?(?:were|was|had been) lost to follow-?up",
    re.I,
)
BROKEN = re.compile(r"\b(?:exclu\w+|not|of (?:whom|which|these)|without|lost|group|each|per|controls?)\b", re.I)
FOREIGN = re.compile(r"et al\b|previous|other stud|will\b|sample size|trials?\b", re.I)


def data_source(reading: Reading) -> Answer:
    """The sentence that says where the data came from."""
    return _sentence(reading, reading.within("methods"), SOURCE)


def matching(reading: Reading) -> Answer:
    return _sentence(reading, (*reading.abstract, *reading.within("methods")), MATCHED)


def adjustment_method(reading: Reading) -> Answer:
    """The first sentence of the methods on adjustment."""
    return _sentence(reading, reading.within("methods"), ADJUSTED)


def missing_data(reading: Reading) -> Answer:
    return _sentence(reading, reading.within("methods"), MISSING)


def n_included(reading: Reading) -> Answer:
    """How many were included, where the abstract, or else the results, say one number."""
    for sentences in (reading.abstract, tuple(reading.within("results")), tuple(reading.within("methods"))):
        found = list(_counts(sentences, INCLUDED))
        if found:
            return agreed(reading, found)
    return not_reported()


def n_eligible(reading: Reading) -> Answer:
    return agreed(reading, list(_counts((*reading.abstract, *reading.within("results", "methods")), (ELIGIBLE,))))


def n_lost(reading: Reading) -> Answer:
    """How many were lost, where one number is said."""
    return agreed(
        reading, list(_counts((*reading.abstract, *reading.within("results", "methods")), (LOST,), lost=True))
    )


def _counts(
    sentences: Iterable[Sentence], patterns: tuple[re.Pattern[str], ...], *, lost: bool = False
) -> Iterator[Found]:
    for sentence in sentences:
        if FOREIGN.search(sentence.text) or (lost and "lost" not in sentence.low):
            continue
        for pattern in patterns:
            for match in pattern.finditer(sentence.text):
                name = match.lastgroup or "n"
                number = value(match[name])
                if (
                    number
                    and number > 1
                    and not is_year(sentence.text, *match.span(name))
                    and (lost or not BROKEN.search(match.group()))
                ):
                    yield Found(number, Spot(sentence, match.start(), match.end()))


def _sentence(reading: Reading, sentences: Iterable[Sentence], pattern: re.Pattern[str]) -> Answer:
    for sentence in sentences:
        if pattern.search(sentence.text) and "et al" not in sentence.low:
            answer = reported(reading, None, whole(sentence))
            return {**answer, "value": " ".join(str(answer["quote"]).split())}
    return not_reported()
