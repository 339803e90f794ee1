"""How many were randomised in all. Pure.

A number counts only where its sentence says so. It is not one arm's number, nor a part of the randomised ("12 of the 95"),
nor what was planned, nor what another trial had. Where two totals are said and none prevails, the rule abstains.
"""

import re
from collections.abc import Iterator

from clinical.evidence.quantities.people_counts import (
    ADJECTIVES,
    CHOICE_MAX,
    COUNT,
    ONE_ARM,
    PEOPLE,
    SEVERAL,
    count,
    is_count,
)
from clinical.rules.answers import Answer, Found, Spot, agreed, contradictory, not_found, prevailing
from clinical.rules.study.other_studies import OF_DATA, is_review
from clinical.rules.study.study_design import protocol
from clinical.rules.text import Reading, Sentence, any_case, once
from clinical.rules.trial.count_scope import is_of_some
from clinical.rules.trial.enrolled import entered
from clinical.rules.trial.randomised_words import BRACKETS, UNIT, adds_up, counted, is_broken, is_passing

LISTED = any_case(
    rf"(?:{COUNT})(?: {ADJECTIVES}{PEOPLE})? +(?:and|or) $|\d (?:in|to|on|received) [^.;]{{1,60}}, (?:and )?$"
)
"""Before a count: another one in the same list."""
PART = any_case(
    r"(?:(?<!total )(?<!number )(?<!sample )(?<!comprised )(?<!consisted )(?<!consisting )\bof "
    r"(?:the |these |all |our )?(?:\d[\d,]* )?|\b(?:group|arm)s? |\b(?:planned|intended|expected|target(?:ed)?|required) )$"
)
A_PEOPLE = any_case(rf" {ADJECTIVES}{PEOPLE}")
ARM_AND_ARM = any_case(
    rf"^[^.;]{{0,120}}?(?:\band\b|,|;|\bwhile\b|\bwhereas\b) (?:the (?:other|remaining) )?(?:{COUNT}) "
    rf"(?:(?!(?:{UNIT}|includ\w+|analy\w+|complet\w+|screen\w+|exclu\w+|evaluat\w+|withdr\w+|lost)\b)\w+ ){{0,3}}?(?:to\b|(?:were |was )?(?:randomi|allocated|assigned|in|received|into)\b)(?! (?:each|every|both)\b)"
)
LEFT = any_case(
    rf" {ADJECTIVES}{PEOPLE} (?:\([^()]*\) )?(?:never|did not|withdr\w+|dropp\w+|discontinu\w+|died|failed|missed|refused|left|(?:was|were) (?:excluded|lost|not|withdrawn))\b"
)
"""Behind "seven randomised": what only some of them did."""
DIVIDED = any_case(r"divided|split|separated|distributed|grouped|classified")
"""What is divided makes more than one group."""
OF_BRACKET = any_case(r" ?[,;] ?[^()]{0,40}\b(?:group|arm)s?\)")
"""Behind the count in "(n = 40, tea group)"."""
OBJECT = any_case(rf"^ (?:a total of )?(?:{COUNT})(?! ?[:/]| ?{UNIT}(?!\w))")
"""Behind the verb, in "we saw 436 patients and randomised 335": those whom it is about."""
COUNT_MIN = 4
OF_ALL = any_case(r"\b(?:of|among) (?:the |all |our )?$")
LISTED_MAX, PART_MAX = 100, 20
"""Characters before a count, another one or what it is a part of."""


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
    if not sentence.has("random", "assigned", "allocated") or OF_DATA.search(text):
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
    if ARM_AND_ARM.match(after) and not OF_ALL.search(text[: match.start("n")]):
        return False
    to_one = ONE_ARM.match(after) or match["verb"].lower().endswith(" to")
    return DIVIDED.search(match["verb"]) is not None or not (to_one and not SEVERAL.search(after[:CHOICE_MAX]))


def _is_part(text: str, match: re.Match[str]) -> bool:
    """Whether the count is a part of those randomised, or one of a list; "of the 95 randomised" are all."""
    before, after = text[: match.start("n")], text[match.end("verb") :]
    if LISTED.search(BRACKETS.sub("", before)[-LISTED_MAX:]):
        return True
    another = match.start("n") < match.start("verb") and OBJECT.match(after)
    if another or LEFT.match(after) or OF_BRACKET.match(text, match.end("n")):
        return True
    people = A_PEOPLE.match(text, match.end("n"))
    between = text[people.end() if people else match.end("n") : match.start("verb")]
    of_all = OF_ALL.search(before) and people and between.strip() in {"", "who were", "that were"}
    whole = of_all or A_PEOPLE.match(after)
    return PART.search(before[-PART_MAX:]) is not None and not whole
