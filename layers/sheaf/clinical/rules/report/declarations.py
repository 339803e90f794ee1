"""What authors declare: who paid, conflicts, limitations, an early end; and how size and analysis were chosen. Pure."""

import re
from collections.abc import Callable
from itertools import takewhile

from clinical.evidence.disclaimed import OTHERS, disclaimed
from clinical.patterns import Pattern
from clinical.rules import answers
from clinical.rules.answers import QUOTE_MAX, Answer, Spot, agreed, best, in_words, is_heading, not_found, said, whole
from clinical.rules.text import Reading, Sentence, words_of
from clinical.templates.choice_words import cues

WORDS = words_of(__file__)
OF_OTHERS = ("terms of the", "conflict of interest policies")
ABOVE_MAX, GENERAL_MAX, LABEL_MAX = 6, 120, 25


def funding(reading: Reading) -> Answer:
    funded = [whole(each) for each in reading.sentences if _pays(each) and not _is_personal(each.text)]
    for found in (_in_section(reading.within("funding")), _labelled(reading), funded):
        if found:
            return in_words(reading, found[0])
    return not_found()


def _in_section(every: tuple[Sentence, ...]) -> list[Spot]:
    sentences = [sentence for sentence in every if not _is_personal(sentence.text)]
    told = [each for each in sentences if WORDS.NONE_SAID.match(each.text) or WORDS.FUNDED.search(each.text)]
    first = [each for each in every[:1] if len(each.text) > LABEL_MAX and not WORDS.ABOUT_ROLE.search(each.text)]
    return [whole(sentence) for sentence in told or first if sentence in sentences]


def _labelled(reading: Reading) -> list[Spot]:
    found = []
    sentences = [each for each in reading.sentences if each.section not in {"introduction", "methods", "results"}]
    for sentence, following in zip(sentences, (*sentences[1:], None), strict=False):
        match = WORDS.LABELLED.match(sentence.text)
        if WORDS.HEADING.fullmatch(sentence.low):
            if following and not _is_personal(following.text):
                found.append(whole(following))
        elif match and not _is_personal(sentence.text):
            found.append(Spot(sentence, match.start("said"), len(sentence.text)))
    return found


def _pays(sentence: Sentence) -> bool:
    if sentence.section == "introduction":
        return False
    if sentence.section in {"results", "discussion"}:
        return WORDS.OURS.search(sentence.text) is not None
    if sentence.section == "methods":
        return WORDS.IN_METHODS.search(sentence.text) is not None
    paid = WORDS.FUNDED.search(sentence.text) and WORDS.STUDY.search(sentence.text)
    return bool((paid and _is_ours(sentence.text)) or WORDS.BEGINS.search(sentence.text))


def _is_ours(text: str) -> bool:
    """Whether it is on this study: that nobody paid is so only where it says of what."""
    return bool(WORDS.OURS_NAMED.search(text)) or not (WORDS.SILENT.search(text) or OTHERS.search(text))


def _is_personal(text: str) -> bool:
    role = WORDS.ROLE.search(text)
    late = role and not WORDS.FUNDED.search(text, 0, role.start())
    return bool(late or WORDS.PERSONAL.search(text) or WORDS.NOT_BY.search(text))


def conflicts(reading: Reading) -> Answer:
    declared = [each for each in reading.sentences if WORDS.CONFLICT.search(each.text) and _declares(each)]
    for sentence in (*declared, *filter(_declares, reading.within("conflicts"))):
        told = _with_the_first(reading, sentence) if WORDS.OF_THE_REST.search(sentence.text) else sentence
        if told:
            return in_words(reading, whole(told))
    return not_found()


def _declares(sentence: Sentence) -> bool:
    if sentence.section in {"introduction", "methods"} or sentence.has(*OF_OTHERS) or sentence.text.endswith(":"):
        return False
    told = WORDS.DECLARES.search(sentence.text) and not WORDS.CONFLICT_LABEL.match(sentence.text)
    if sentence.section == "conflicts":
        return bool(told or WORDS.NONE_SAID.match(sentence.text))
    return bool(told and WORDS.CONFLICT.search(sentence.text))


def _with_the_first(reading: Reading, sentence: Sentence) -> Sentence | None:
    above = reading.sentences[: reading.sentences.index(sentence)][-ABOVE_MAX:]
    some = list(takewhile(lambda each: each.title == sentence.title and _is_of_some(each), reversed(above)))
    return reading.joined(some[-1], sentence) if some else None


def _is_of_some(sentence: Sentence) -> bool:
    own = sentence.section == "conflicts" and not is_heading(sentence)
    return bool(own or WORDS.PERSONAL.search(sentence.text) or WORDS.PAID.search(sentence.text))


def early_stopping(reading: Reading) -> Answer:
    for sentence in (*reading.study, *reading.within("discussion")):
        match = WORDS.STOPPED.search(sentence.text)
        conditional = match and WORDS.CONDITIONAL.search(sentence.text)
        if match and not conditional and not disclaimed(sentence.text, *match.span()):
            return in_words(reading, whole(sentence))
    return not_found()


def limitations(reading: Reading) -> Answer:
    sentences = (*reading.within("discussion", "conclusion"), *reading.within("other"))
    for before, sentence, following in zip((None, *sentences), sentences, (*sentences[1:], None), strict=False):
        headed = before is not None and WORDS.LIMITS_HEAD.fullmatch(before.text)
        names = _limits(sentence)
        if is_heading(sentence) or not (headed or names):
            continue
        points = before and not headed and WORDS.POINTS.match(sentence.text)
        both = reading.joined(before, sentence) if before and points else reading.joined(sentence, following)
        fits = (points or (names and len(sentence.text) <= GENERAL_MAX)) and len(both.text) <= QUOTE_MAX
        return in_words(reading, whole(both if fits else sentence))
    return not_found()


def _limits(sentence: Sentence) -> bool:
    match = WORDS.LIMITATION.search(sentence.text)
    if match is None or sentence.has("strength", "et al"):
        return False
    return disclaimed(sentence.text, *match.span()) != "other_study"


def analysis_population(reading: Reading) -> Answer:
    sentences = (*reading.abstract, *reading.within("methods", "results", "other"))
    found = list(said(sentences, "analysis_population", reading.cues("analysis_population")))
    primary = [each for each in found if each.spot.sentence.has("primary", "main analys", "principal")]
    if {each.value for each in found} == {"itt", "per_protocol"} and len({each.value for each in primary}) != 1:
        primary = []
    return agreed(reading, primary or found)


def sample_size_calculation(reading: Reading) -> Answer:
    sized = (each for each in reading.within("methods", "other") if WORDS.SIZE.search(each.text))
    told = (each for each in sized if WORDS.CALCULATED.search(each.text) and not is_heading(each))
    found = [each for each in told if not (each.text.startswith("where ") or each.has("et al", "small sample"))]
    return best(reading, found, lambda each: (len(re.findall(r"\d+", each.text)) > 1, each.has("power"), -each.start))


def statistical_method(reading: Reading) -> Answer:
    told = (each for each in reading.within("methods", "other") if WORDS.METHOD.search(each.text))
    ours = [each for each in told if WORDS.TESTED.search(each.text) and not WORDS.NO_METHOD.search(each.text)]

    def worth(each: Sentence) -> tuple[float, ...]:
        return each.has("primary"), WORDS.BETWEEN.search(each.text) is not None, -each.page, -each.start

    return best(reading, ours, worth)


def _sentence(pattern: Pattern) -> Callable[[Reading], Answer]:
    def rule(reading: Reading) -> Answer:
        own = (each for each in reading.within("methods") if pattern.search(each.text) and "et al" not in each.low)
        sentence = next(own, None)
        return answers.in_full(reading, sentence) if sentence else not_found()

    return rule


SENTENCES = {
    "data_source": _sentence(WORDS.SOURCE), "adjustment_method": _sentence(WORDS.ADJUSTED),
    "missing_data": _sentence(cues("reports_missing_data")["true"][0]),
}  # fmt: skip
