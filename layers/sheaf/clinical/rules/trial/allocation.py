"""How participants were allocated: sequence, restriction, concealment, ratio; and to show what. Pure."""

import re

from clinical.rules.answers import Answer, Found, Spot, agreed, contradictory, first, in_full, not_found, printed, said
from clinical.rules.study.other_studies import is_review
from clinical.rules.text import Reading, Sentence, any_case, once

ABOUT = any_case(r"random|alloca|assign|sequence|minimi[sz]ation|conceal|envelope|随机|分配|信封|隐藏|最小化")
BY_CHANCE = any_case(
    r"random(?:ly)? (?:selected|chosen|sampl|effects?|intercept|slope)|order of (?:questions|stimuli)|随机(?:抽样|抽取|选取)"
)
"""What is by chance too, and no allocation."""
OTHER_USE = any_case(
    r"computer\w{0,20}[- ](?:tailored|task|training|interven|program|game|test|screen|display|drug|version|monitor|tomograph|assisted)"
    r"|\b(?:analys[ei]s|analy[sz]ed|compar(?:ing|ed|ison))\b"
)
"""Computers that treat, test or count, and do not allocate."""
NAMED = any_case(r"trial|study|design|margin|hypothesis|试验|研究|设计|界值|假设")
NEAR = 40
RATIO = any_case(
    r"(?<![\d:.])(?P<ratio>\d{1,2} ?: ?\d{1,2}(?: ?: ?\d{1,2}){0,4}|(?:one|two|three)[- ]to[- ](?:one|two|three))(?![\d:])"
)
RATIO_SIGNS = any_case(r"random|alloca|assigned|\bratio\b")
RATIO_TRAPS = any_case(
    r"match|titer|titre|dilut|light|dark cycle|\d ?: ?\d\d ?(?:am|pm|h)\b|odds|hazard|risk ratio|waist|solution|v/v|protein"
)


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
    """What the trial set out to show, where it says so in these words."""
    cues = reading.cues("framework")
    sentences = (*reading.opening, *reading.within("methods"))
    found = [each for sentence in sentences for each in said(sentence, "framework", cues)]
    named = [each for each in found if NAMED.search(each.spot.sentence.text, each.spot.start, each.spot.end + NEAR)]
    return agreed(reading, named)


def allocation_ratio(reading: Reading) -> Answer:
    """The ratio as printed, where a sentence on the allocation has one."""
    found = []
    for sentence in reading.study:
        if ":" not in sentence.text and "-to-" not in sentence.low and " to " not in sentence.low:
            continue
        if RATIO_SIGNS.search(sentence.text) and not RATIO_TRAPS.search(sentence.text):
            spots = [Spot.of(sentence, match) for match in RATIO.finditer(sentence.text)]
            found += [Found(re.sub(r" ?: ?", ":", printed(reading, spot)), spot) for spot in spots]
    return agreed(reading, found)


@once
def _found(reading: Reading, name: str) -> list[Found]:
    cues = reading.cues(name)
    if is_review(reading):
        return []
    return [each for sentence in reading.study if _tells(sentence, name) for each in said(sentence, name, cues)]


def _tells(sentence: Sentence, name: str) -> bool:
    """Whether the sentence is on an allocation."""
    if name == "sequence_generation" and OTHER_USE.search(sentence.text):
        return False
    if not ABOUT.search(sentence.text) or BY_CHANCE.search(sentence.text):
        return False
    return _hides(sentence) if name == "allocation_concealment" else sentence.has("random", "minimi", "随机", "最小化")


def _hides(sentence: Sentence) -> bool:
    return sentence.has("envelope", "conceal", "central", "random", "alloc", "信封", "隐藏", "随机") and sentence.has(
        "random", "alloc", "assign", "sequence", "group", "code", "conceal", "随机", "分配", "隐藏"
    )


def _one(found: list[Found], reading: Reading, *, ahead: tuple[str, ...]) -> Answer:
    """The first kind in `ahead` that was found goes before those that are merely part of it."""
    for kind in ahead:
        same = [each for each in found if each.value == kind]
        others = {each.value for each in found} - {kind}
        if same and "nonrandom" in others | {kind} and others:
            return contradictory(reading, found)
        if same:
            return first(reading, same)
    return agreed(reading, found)


def detail(reading: Reading, name: str) -> Answer:
    """The first sentence that says of it."""
    found = _found(reading, name)
    return in_full(reading, found[0].spot.sentence) if found else not_found()
