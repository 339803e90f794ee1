"""How many were randomised in all: no arm, part, plan or other trial; of two totals neither. Pure."""

import re
from collections.abc import Iterator

from clinical.evidence.quantities.people_counts import CHOICE_MAX, ONE_ARM, SEVERAL, count, is_count
from clinical.rules.answers import Answer, Found, Spot, agreed, contradictory, not_found, prevailing
from clinical.rules.study.study_design import divides_data, is_review, protocol
from clinical.rules.text import Reading, Sentence, once, words_of
from clinical.rules.trial.enrolled import entered
from clinical.rules.trial.randomised_words import adds_up, counted, is_broken, is_of_some, is_passing, unbracketed

WORDS = words_of(__file__)
COUNT_MIN = 4
LISTED_MAX, PART_MAX = 100, 20  # characters before a count, another one or what it is a part of


@once
def n_randomised(reading: Reading) -> Answer:
    """How many were randomised in all; nothing of a protocol or a review."""
    if protocol(reading) or is_review(reading):
        return not_found()
    said = [found for sentence in reading.study for found in _totals(sentence)]
    early = [found for found in said if found.spot.sentence.is_early]
    if len({found.value for found in early}) == 1:
        # Where the paper's body says that more were, an abstract's number may be of those analysed.
        more = any(found.value > early[0].value for found in said)
        return contradictory(reading, said) if more else prevailing(reading, early)
    return agreed(reading, said) if said else prevailing(reading, entered(reading))


def _totals(sentence: Sentence) -> Iterator[Found]:
    text = sentence.text
    if not sentence.has("random", "assigned", "allocated") or divides_data(text):
        return
    for match in counted(text):
        number = count(match["n"])
        counts = number >= COUNT_MIN and is_count(text, *match.span("n"))
        if counts and _is_total(text, match) and not is_passing(text, match.start(), match.end()):
            yield Found(number, Spot(sentence, match.start("n"), match.end()))


def _is_total(text: str, match: re.Match[str]) -> bool:
    number, after = count(match["n"]), text[match.end("verb") :]
    between = text[match.end("n") : match.start("verb")]
    if is_broken(between) or is_of_some(text[: match.start("n")], between, after) or _is_part(text, match):
        return False
    if adds_up(after, number) or "summed" in match.groupdict():
        return adds_up(after, number)
    if WORDS.ARM_AND_ARM.match(after) and not WORDS.OF_ALL.search(text[: match.start("n")]):
        return False
    to_one = ONE_ARM.match(after) or match["verb"].lower().endswith(" to")
    return WORDS.DIVIDED.search(match["verb"]) is not None or not (to_one and not SEVERAL.search(after[:CHOICE_MAX]))


def _is_part(text: str, match: re.Match[str]) -> bool:
    before, after = text[: match.start("n")], text[match.end("verb") :]
    if WORDS.LISTED.search(unbracketed(before)[-LISTED_MAX:]):
        return True
    another = match.start("n") < match.start("verb") and WORDS.OBJECT.match(after)
    if another or WORDS.LEFT.match(after) or WORDS.OF_BRACKET.match(text, match.end("n")):
        return True
    people = WORDS.A_PEOPLE.match(text, match.end("n"))
    between = text[people.end() if people else match.end("n") : match.start("verb")]
    of_all = WORDS.OF_ALL.search(before) and people and between.strip() in {"", "who were", "that were"}
    whole = of_all or WORDS.A_PEOPLE.match(after)
    return WORDS.PART.search(before[-PART_MAX:]) is not None and not whole
