"""How sentences give the sizes of groups: "(n = 40)" behind a name, "40 to tea". Pure."""

import re
from collections.abc import Iterable, Iterator

from clinical.evidence.quantities.people_counts import PEOPLE, count
from clinical.rules.text import Reading, any_case

NUMBER = r"\d{1,3}(?:[, ]\d{3}){1,5}|\d{1,6}"
SIZE = any_case(
    rf"(?P<name>[^()\[\]=;:]{{3,90}}?) ?[(\[](?:[^()\[\]=]{{1,40}}[,;:] ?)? ?n ?= ?(?P<n>{NUMBER})(?=[\s;,)\]])[^()]{{0,60}}[)\]]"
)
SO_MANY_TO = any_case(
    rf"(?<![\w.,/])(?P<n>{NUMBER}) (?:{PEOPLE} )?(?:\(\d{{1,2}}(?:\.\d+)? ?%\) )?(?:were |was )?(?:randomi[sz]ed |randomly |assigned |allocated ){{0,2}}to "
    r"(?:receive )?(?P<name>[^,;:.()]{3,80}?)(?=,? and \d|, \d|, and|,|;|\.|$| \()"
)
ASSIGNED = any_case(r"\b(?:randomi[sz]ed|randomi[sz]ation|randomly|assigned|allocated|divided)\b")


def sizes(reading: Reading, unlike: re.Pattern[str]) -> Iterator[tuple[int, ...]]:
    """The sizes that sentences of the abstract, the methods and the results give for two groups or more."""
    for sentence in (*reading.opening, *reading.within("methods", "results")):
        if unlike.search(sentence.text):
            continue
        for pattern in (SIZE, SO_MANY_TO) if ASSIGNED.search(sentence.text) else (SIZE,):
            found = tuple(count(match["n"]) for match in sized(pattern, sentence.text))
            if len(found) > 1:
                yield found


def sized(pattern: re.Pattern[str], text: str, start: int = 0) -> Iterable[re.Match[str]]:
    """Not looked for where the sign that every match needs is not there: most sentences have none."""
    return () if pattern is SIZE and "=" not in text else pattern.finditer(text, start)
