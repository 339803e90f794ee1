"""Whom a study was of: the condition, and what let people in or kept them out. Pure."""

from collections.abc import Iterator, Sequence

from clinical.evidence.disclaimed import disclaimed, is_denied
from clinical.patterns import Pattern
from clinical.rules import answers
from clinical.rules.answers import Answer, Found, Spot, distinct, first, listed, not_found, printed, whole
from clinical.rules.text import Reading, Sentence, once, words_of

WORDS = words_of(__file__)
PART_MIN, CRITERIA_MAX = 4, 40


def condition(reading: Reading) -> Answer:
    titles = [reading.joined(reading.titles[0], reading.titles[-1])] if reading.titles else []
    who = _criteria(reading, WORDS.INCLUSION) or _criteria(reading, WORDS.TAKEN)
    told = (*reading.abstract, *(each.spot.sentence for each in who))
    for sentences, patterns in (
        (titles, (WORDS.WITH, WORDS.OF, WORDS.KIND, WORDS.IN, WORDS.BEGINS, WORDS.HEALTHY)),
        (told, (WORDS.WITH, WORDS.KIND, WORDS.HEALTHY, WORDS.OF)),
    ):
        for pattern in patterns:
            found = [each for sentence in sentences for each in _conditions(reading, sentence, pattern)]
            if found:
                return first(reading, [each for each in found if not WORDS.SHORT.fullmatch(each.value)] or found)
    return not_found()


def inclusion(reading: Reading) -> Answer:
    return listed(reading, distinct(_criteria(reading, WORDS.INCLUSION) or _criteria(reading, WORDS.TAKEN)))


def exclusion(reading: Reading) -> Answer:
    return listed(reading, distinct(_criteria(reading, WORDS.EXCLUSION)))


def _conditions(reading: Reading, sentence: Sentence, pattern: Pattern) -> Iterator[Found]:
    for match in pattern.finditer(sentence.text):
        spot = Spot.of(sentence, match, "name")
        told = printed(reading, spot)
        sure = pattern in {WORDS.WITH, WORDS.HEALTHY} or (WORDS.DISEASE.search(told) and " of " not in told)
        is_none = not sure or WORDS.NO_NAME.search(told) or WORDS.EXCLUDED.search(sentence.text)
        if not is_none and not disclaimed(sentence.text, spot.start, spot.end):
            yield Found(told, spot)


@once
def _criteria(reading: Reading, pattern: Pattern) -> list[Found]:
    places = (reading.within("methods", "other"), reading.opening)
    told = ((each for at in range(len(place)) for each in _told(reading, place, at, pattern)) for place in places)
    return answers.first_place(told)[:CRITERIA_MAX]


def _told(reading: Reading, sentences: Sequence[Sentence], number: int, pattern: Pattern) -> Iterator[Found]:
    sentence = sentences[number]
    heads = WORDS.LISTED.fullmatch(sentence.text)
    if heads:
        is_out = heads["what"].lower() == "exclusion"
        for spot in answers.items_below(sentences[number + 1 :]) if is_out == (pattern is WORDS.EXCLUSION) else ():
            yield Found(printed(reading, spot), spot)
        return
    match, other = pattern.search(sentence.text), WORDS.LATER if pattern is WORDS.TAKEN else WORDS.FLOW
    of_others = match and (other.search(sentence.text) or "et al" in sentence.low)
    if match and not of_others and not is_denied(sentence.text, *match.span()):
        yield from _parts(reading, sentence, match.end())


def _parts(reading: Reading, sentence: Sentence, start: int) -> Iterator[Found]:
    cuts = [(start, start), *(match.span() for match in WORDS.PARTS.finditer(sentence.text, start))]
    if len(cuts) > 1 and ")" in sentence.text[slice(*cuts[1])]:
        cuts = cuts[1:]
    ends = [*(first for first, _ in cuts[1:]), len(sentence.text)]
    spots = [Spot(sentence, last, end) for (_, last), end in zip(cuts, ends, strict=True) if end - last >= PART_MIN]
    for spot in spots if len(spots) > 1 else [whole(sentence)]:
        yield Found(printed(reading, spot).strip(".;:, "), spot)
