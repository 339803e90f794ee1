"""What authors declare: conflicts, limitations, an early end; and how the size and the analysis were chosen. Pure."""

import re
from itertools import takewhile

from clinical.evidence.disclaimed import disclaimed
from clinical.rules.answers import QUOTE_MAX, Answer, Found, agreed, best, in_words, is_heading, not_found, said, whole
from clinical.rules.report import funding
from clinical.rules.text import Reading, Sentence
from clinical.rules.wording import words_of

WORDS = words_of(__file__)
OF_OTHERS = ("terms of the", "conflict of interest policies")
ENDINGS = ("stopp", "terminat", "halt", "discontinu", "clos", "ended", "suspend", "early", "premature")
ABOVE_MAX, GENERAL_MAX = 6, 120


def conflicts(reading: Reading) -> Answer:
    """What the authors declare, or that they declare nothing; what "the other authors" do is only the end of that."""
    declared = [each for each in reading.sentences if _declares(each) and WORDS.CONFLICT.search(each.text)]
    for sentence in (*declared, *filter(_declares, reading.within("conflicts"))):
        told = _with_the_first(reading, sentence) if WORDS.OF_THE_REST.search(sentence.text) else sentence
        if told:
            return in_words(reading, whole(told))
    return not_found()


def _declares(sentence: Sentence) -> bool:
    """Whether it may be a declaration; outside a section on conflicts it has to say of what."""
    if sentence.section in {"introduction", "methods"} or sentence.has(*OF_OTHERS) or sentence.text.endswith(":"):
        return False
    told = WORDS.DECLARES.search(sentence.text) and not WORDS.CONFLICT_LABEL.match(sentence.text)
    if sentence.section == "conflicts":
        return bool(told or funding.WORDS.NONE_SAID.match(sentence.text))
    return bool(told and WORDS.CONFLICT.search(sentence.text))


def _with_the_first(reading: Reading, sentence: Sentence) -> Sentence | None:
    """The sentence with those above it on what some of the authors have; None where they are not there."""
    above = reading.sentences[: reading.sentences.index(sentence)][-ABOVE_MAX:]
    some = list(takewhile(lambda each: each.title == sentence.title and _is_of_some(each), reversed(above)))
    return reading.joined(some[-1], sentence) if some else None


def _is_of_some(sentence: Sentence) -> bool:
    own = sentence.section == "conflicts" and not is_heading(sentence)
    return bool(own or funding.WORDS.PERSONAL.search(sentence.text) or WORDS.PAID.search(sentence.text))


def early_stopping(reading: Reading) -> Answer:
    """The sentence that says that the trial ended early."""
    for sentence in (*reading.study, *reading.within("discussion")):
        ended = sentence.has(*ENDINGS) and not WORDS.CONDITIONAL.search(sentence.text)
        match = WORDS.STOPPED.search(sentence.text) if ended else None
        if match and not disclaimed(sentence.text, *match.span()):
            return in_words(reading, whole(sentence))
    return not_found()


def limitations(reading: Reading) -> Answer:
    """The sentence in which the discussion names limitations, or the first below that heading, with what it points at."""
    sentences = (*reading.within("discussion", "conclusion"), *reading.within("other"))
    for before, sentence, following in zip((None, *sentences), sentences, (*sentences[1:], None), strict=False):
        headed = before is not None and WORDS.LIMITS_HEAD.fullmatch(before.text)
        names = sentence.has("limit") and _limits(sentence)
        if is_heading(sentence) or not (headed or names):
            continue
        points = before and not headed and WORDS.POINTS.match(sentence.text)
        both = reading.joined(before, sentence) if before and points else reading.joined(sentence, following)
        fits = (points or (names and len(sentence.text) <= GENERAL_MAX)) and len(both.text) <= QUOTE_MAX
        return in_words(reading, whole(both if fits else sentence))
    return not_found()


def _limits(sentence: Sentence) -> bool:
    """Whether it names limitations of this study, and not strengths before them."""
    match = None if sentence.has("strength", "et al") else WORDS.LIMITATION.search(sentence.text)
    return match is not None and disclaimed(sentence.text, *match.span()) != "other_study"


def analysis_population(reading: Reading) -> Answer:
    """Whom the main analysis counts; where the paper has two such analyses, the one that it calls primary."""
    found: list[Found] = []
    cues = reading.cues("analysis_population")
    for sentence in (*reading.abstract, *reading.within("methods", "results", "other")):
        if sentence.has("treat", "protocol", "itt", "意向", "方案"):
            found += said(sentence, "analysis_population", cues)
    primary = [each for each in found if each.spot.sentence.has("primary", "main analys", "principal")]
    if {each.value for each in found} == {"itt", "per_protocol"} and len({each.value for each in primary}) != 1:
        primary = []
    return agreed(reading, primary or found)


def sample_size_calculation(reading: Reading) -> Answer:
    """The sentence on how the size came about that says the most of it."""
    found = [
        sentence
        for sentence in reading.within("methods", "other")
        if WORDS.SIZE.search(sentence.text)
        and WORDS.CALCULATED.search(sentence.text)
        and not (is_heading(sentence) or sentence.text.startswith("where ") or sentence.has("et al", "small sample"))
    ]
    return best(reading, found, lambda each: (len(re.findall(r"\d+", each.text)) > 1, each.has("power"), -each.start))


def statistical_method(reading: Reading) -> Answer:
    """The sentence of the methods on the main analysis; failing that, the first on how groups were compared."""
    found = [
        each
        for each in reading.within("methods", "other")
        if WORDS.METHOD.search(each.text) and WORDS.TESTED.search(each.text)
    ]
    ours = [each for each in found if not WORDS.NO_METHOD.search(each.text)]
    return best(
        reading,
        ours,
        lambda each: (each.has("primary"), WORDS.BETWEEN.search(each.text) is not None, -each.page, -each.start),
    )
