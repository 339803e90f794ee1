"""What a trial set out to show: that a treatment is better, no worse or the same. Pure."""

import re

from sheaf.rules.answers import Answer, agreed
from sheaf.rules.kinds import signs
from sheaf.rules.text import Reading

FRAMEWORKS = (
    ("noninferiority", re.compile(r"\bnon-?inferiority\b", re.I)),
    ("equivalence", re.compile(r"\bequivalence (?:trial|study|margin|design|bounds?|limits?)\b", re.I)),
    ("superiority", re.compile(r"\bsuperiority (?:trial|study|design|hypothesis|margin|framework|of)\b", re.I)),
    ("exploratory", re.compile(r"\b(?:exploratory|hypothesis[- ]generating) (?:\w+[- ]){0,3}(?:trial|study)\b|\bexploratory,? (?:randomi|phase)", re.I)),
)  # fmt: skip


def framework(reading: Reading) -> Answer:
    """What the trial set out to show, where it says so in these words."""
    found = [
        each
        for kind, pattern in FRAMEWORKS
        for each in signs((*reading.opening, *reading.within("methods")), kind, pattern)
    ]
    named = [
        each
        for each in found
        if re.search(
            r"trial|study|design|margin|hypothesis",
            each.spot.text + each.spot.sentence.text[each.spot.end : each.spot.end + 40],
            re.I,
        )
    ]
    return agreed(reading, named)
