"""How participants were allocated: sequence, restriction, concealment, ratio; and to show what. Pure."""

import re

from clinical.rules.answers import Answer, Found, Spot, agreed, contradictory, first, in_full, not_found, printed, said
from clinical.rules.study.study_design import is_review
from clinical.rules.text import Reading, Sentence, once, words_of

WORDS = words_of(__file__)
NEAR = 40
CONCEALING = ("envelope", "conceal", "central", "random", "alloc", "信封", "隐藏", "随机")
OF_GROUPS = ("random", "alloc", "assign", "sequence", "group", "code", "conceal", "随机", "分配", "隐藏")


def sequence_generation(reading: Reading) -> Answer:
    """How the sequence was made; minimisation by computer is minimisation."""
    return _one(_found(reading, "sequence_generation"), reading, ahead=("minimisation", "nonrandom", "table", "coin"))


def restriction(reading: Reading) -> Answer:
    """Blocks within strata are stratified; minimisation stands for itself."""
    return _one(_found(reading, "restriction"), reading, ahead=("minimisation", "stratified", "block"))


def allocation_concealment(reading: Reading) -> Answer:
    """How the next allocation was hidden; two ways that differ are left to a reader."""
    return agreed(reading, _found(reading, "allocation_concealment"))


def framework(reading: Reading) -> Answer:
    found = said((*reading.opening, *reading.within("methods")), "framework", reading.cues("framework"))
    told = ((each, each.spot) for each in found)
    named = WORDS.NAMED.search
    return agreed(reading, [each for each, at in told if named(at.sentence.text, at.start, at.end + NEAR)])


def allocation_ratio(reading: Reading) -> Answer:
    found = []
    for sentence in reading.study:
        if WORDS.RATIO_SIGNS.search(sentence.text) and not WORDS.RATIO_TRAPS.search(sentence.text):
            spots = [Spot.of(sentence, match) for match in WORDS.RATIO.finditer(sentence.text)]
            found += [Found(re.sub(r" ?: ?", ":", printed(reading, spot)), spot) for spot in spots]
    return agreed(reading, found)


@once
def _found(reading: Reading, name: str) -> list[Found]:
    if is_review(reading):
        return []
    return list(said((each for each in _of_allocation(reading) if _tells(each, name)), name, reading.cues(name)))


@once
def _of_allocation(reading: Reading) -> list[Sentence]:
    return [each for each in reading.study if WORDS.ABOUT.search(each.text) and not WORDS.BY_CHANCE.search(each.text)]


def _tells(sentence: Sentence, name: str) -> bool:
    if name == "allocation_concealment":
        return sentence.has(*CONCEALING) and sentence.has(*OF_GROUPS)
    other = name == "sequence_generation" and WORDS.OTHER_USE.search(sentence.text)
    return not other and sentence.has("random", "minimi", "随机", "最小化")


def _one(found: list[Found], reading: Reading, *, ahead: tuple[str, ...]) -> Answer:
    """The first kind in `ahead` that was found goes before those that are merely part of it."""
    for kind in ahead:
        same = [each for each in found if each.value == kind]
        others = {each.value for each in found} - {kind}
        if same:
            differ = others and "nonrandom" in others | {kind}
            return contradictory(reading, found) if differ else first(reading, same)
    return agreed(reading, found)


def detail(reading: Reading, name: str) -> Answer:
    found = _found(reading, name)
    return in_full(reading, found[0].spot.sentence) if found else not_found()
