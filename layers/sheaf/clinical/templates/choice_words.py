"""By which words a paper says a choice: `built_in/cues.toml`, which is no part of a version (docs/adr/0042). Pure."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from clinical import patterns
from clinical.patterns import Pattern
from clinical.templates.fields import FILES

Words = tuple[Pattern, ...]
Cues = dict[str, Words]
FILE = FILES / "cues.toml"
MAY_BE_UNSAID = {"role", "direction", "type"}  # parts of entries whose choice a sentence may leave unsaid
ASKED_OF = {"rob_2_1": "participant", "rob_2_2": "provider", "rob_4_3": "assessor"}  # who is masked did not know


def cues(field: str) -> Cues:
    """For each choice of a field of this name its words; a flag's choice is `true`. All are compiled when the first is asked for."""
    return _every().get(field, {})


@cache
def _every() -> dict[str, Cues]:
    file = patterns.written(FILE)
    fields = file.keys() - {"AS_SAID", "PARTS"}
    return {field: {choice: _words(file, field, choice) for choice in file[field]} for field in fields}


def _words(file: Mapping[str, Any], field: str, choice: str) -> Words:
    found = list[Pattern]()
    for text in file[field][choice]:
        found += _words(file, *text[1:].split(".")) if text.startswith("@") else [patterns.made(text, file["PARTS"])]
    return tuple(found)


def places() -> str:
    return patterns.whole("{PLACES}", patterns.written(FILE)["PARTS"])


@cache
def as_said() -> frozenset[str]:
    """Choices of which a denial is no other, each as `field.choice`: that there were no harms, that nobody paid, that nothing differed."""
    return frozenset(patterns.written(FILE)["AS_SAID"])
