"""The words that a rule's module looks for: its table in `words.toml` of its room. Pure."""

from clinical import patterns
from clinical.evidence.quantities.number_words import NAMES
from clinical.evidence.quantities.people_counts import ADJECTIVES, COUNT, GROUP, PEOPLE
from clinical.evidence.quantities.units import WORDS
from clinical.patterns import Patterns

PARTS = {
    "ADJECTIVES": ADJECTIVES,
    "BARE": COUNT.replace("/=<", "/<"),
    "COUNT": COUNT,
    "GROUP": GROUP,
    "NAMES": NAMES,
    "OTHERS": GROUP.replace("?P<n>", "?:"),
    "PEOPLE": PEOPLE,
    "UNITS": WORDS,
}


def words_of(module: str, **parts: str) -> Patterns:
    return patterns.words_of(module, PARTS | parts)
