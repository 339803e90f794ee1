"""The arms and their sizes, where one sentence says both. Pure."""

import re
from collections.abc import Iterable, Iterator

from clinical.evidence.quantities.people_counts import PEOPLE, count
from clinical.rules.answers import Answer, Found, Spot, not_found, tabled
from clinical.rules.study.other_studies import is_of_data
from clinical.rules.text import Reading, Sentence, any_case

NUMBER = r"\d{1,3}(?:[, ]\d{3}){1,5}|\d{1,6}"
SIZE = any_case(
    rf"(?P<name>[^()\[\]=;:]{{3,90}}?) ?[(\[](?:[^()\[\]=]{{1,40}}[,;:] ?)? ?n ?= ?(?P<n>{NUMBER})(?=[\s;,)\]])[^()]{{0,60}}[)\]]"
)
SO_MANY_TO = any_case(
    rf"(?<![\w.,/])(?P<n>{NUMBER}) (?:{PEOPLE} )?(?:\(\d{{1,2}}(?:\.\d+)? ?%\) )?(?:were |was )?(?:randomi[sz]ed |randomly |assigned |allocated ){{0,2}}to "
    r"(?:receive )?(?P<name>[^,;:.()]{3,80}?)(?=,? and \d|, \d|, and|,|;|\.|$| \()"
)
ASSIGNED = any_case(r"\b(?:randomi[sz]ed|randomi[sz]ation|randomly|assigned|allocated)\b")
BEFORE_NAME = any_case(
    r"^.*\b(?:assigned|allocated|randomi[sz]ed|randomly|receive|received|receiving|either|to|into|groups?:|divided)\b (?=\S)|^[ ,.]{0,3}(?:(?:and|or|versus|vs\.?|,|either|to|with) ){0,4}"
)
LEADING = any_case(
    r"^(?:(?:and|or|to|the|a|an|either|receive|received|into|in|as|with|by|undergo|have|get|one|of|two|three|groups?|arms?|,|versus|vs\.?|for|,)\b[ ,]*)+"
)
NOT_AN_ARM = any_case(
    r"\b(?:excluded|withdrew|lost|died|patients with|women with|reasons?|sites?|male|female|declined|refused|discontinued|screened|eligible|because|due to|missing|participants|patients|subjects|total)\b|\d$|^\W*$"
)
CONTROL = any_case(r"\b(?:placebo|sham|dummy)\b")
NAME_MAX = 80


def arms(reading: Reading) -> Answer:
    """Names and sizes, where one sentence on the assignment has them for two arms or more."""
    for sentence in reading.study:
        found = _arms(sentence)
        if found and len({each.value["name"].lower() for each in found}) == len(found):
            return tabled(reading, found)
    return not_found()


def sizes(reading: Reading, unlike: re.Pattern[str]) -> Iterator[tuple[int, ...]]:
    """The sizes that sentences of the abstract, the methods and the results give for two groups or more."""
    for sentence in (*reading.opening, *reading.within("methods", "results")):
        if unlike.search(sentence.text):
            continue
        for pattern in (SIZE, SO_MANY_TO) if ASSIGNED.search(sentence.text) else (SIZE,):
            found = tuple(count(match["n"]) for match in _said(pattern, sentence.text))
            if len(found) > 1:
                yield found


def _arms(sentence: Sentence) -> list[Found]:
    """The arms of a sentence on the assignment, in the first of two forms that gives more than one."""
    assigned = ASSIGNED.search(sentence.text)
    if not assigned or is_of_data(sentence.text) or sentence.has("cluster", "village", " will ", "et al"):
        return []
    every = (list(_named(sentence, pattern, start)) for pattern, start in ((SO_MANY_TO, 0), (SIZE, assigned.end())))
    return next((found for found in every if len(found) > 1), [])


def _named(sentence: Sentence, pattern: re.Pattern[str], start: int) -> Iterator[Found]:
    for match in _said(pattern, sentence.text, start):
        name = LEADING.sub("", BEFORE_NAME.sub("", match["name"]).strip(" ,.-")).strip(" ,.-")
        if name and len(name) <= NAME_MAX and not NOT_AN_ARM.search(name):
            told: dict[str, object] = {"name": name, "n_randomised": count(match["n"])}
            role = {"role": "placebo"} if CONTROL.search(name) else {}
            yield Found({**told, **role}, Spot.of(sentence, match))


def _said(pattern: re.Pattern[str], text: str, start: int = 0) -> Iterable[re.Match[str]]:
    """Not looked for where the sign that every match needs is not there: most sentences have none."""
    return () if pattern is SIZE and "=" not in text else pattern.finditer(text, start)


def _number(match: re.Match[str]) -> int:
    return int(re.sub(r"[, ]", "", match["n"]))
