"""What a trial set out to show: that a treatment is better, no worse or the same. Pure."""

from clinical.rules.answers import Answer, agreed
from clinical.rules.study.study_design import signs
from clinical.rules.text import Reading, any_case

FRAMEWORKS = (
    ("noninferiority", any_case(r"\bnon-?inferiority\b")),
    ("equivalence", any_case(r"\bequivalence (?:trial|study|margin|design|bounds?|limits?)\b")),
    ("superiority", any_case(r"\bsuperiority (?:trial|study|design|hypothesis|margin|framework|of)\b")),
    ("exploratory", any_case(r"\b(?:exploratory|hypothesis[- ]generating) (?:\w+[- ]){0,3}(?:trial|study)\b|\bexploratory,? (?:randomi|phase)")),
)  # fmt: skip
NAMED = any_case(r"trial|study|design|margin|hypothesis")
NEAR = 40


def framework(reading: Reading) -> Answer:
    """What the trial set out to show, where it says so in these words."""
    found = [
        each
        for kind, pattern in FRAMEWORKS
        for each in signs((*reading.opening, *reading.within("methods")), kind, pattern)
    ]
    named = [each for each in found if NAMED.search(each.spot.sentence.text, each.spot.start, each.spot.end + NEAR)]
    return agreed(reading, named)
