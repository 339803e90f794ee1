"""Whom a count of the randomised is about: all of them, or some: those of a centre, a stage, an analysis, or a bracket's arm. Pure."""

from clinical.evidence.quantities.people_counts import OF_A_PART
from clinical.rules.wording import words_of

WORDS = words_of(__file__)
NEAR = 120


def is_of_some(before: str, between: str, after: str) -> bool:
    """Whether a count, by what stands before it, between it and its verb, and behind the verb, is of some of the randomised."""
    near = before[-NEAR:]
    if WORDS.OF_ANALYSIS.search(near) and not WORDS.ALL.search(near):
        return True
    told = (
        (near, (*WORDS.several["BEFORE"], OF_A_PART)),
        (after, WORDS.several["AFTER"]),
        (between, WORDS.several["BETWEEN"]),
    )
    return any(pattern.search(text) for text, patterns in told for pattern in patterns)
