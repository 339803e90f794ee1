"""A version of a built-in template never changes: tasks have pinned it, and their tables keep its columns."""

import hashlib
import json
from dataclasses import asdict, replace

import pytest

from clinical import templates
from clinical.templates import Template

DIGESTS = {
    "cohort@1": "9b93a0bf0c6d7ecf",
    "qc@1": "955b5797f6e40fe5",
    "rct@1": "1830e7c6c1ff5053",
}
"""Of every version that there ever was. An entry is written once, with the version; none is changed or taken out."""
HOW = """
A version never changes: tasks have pinned {pin}, and their tables keep its columns and its words.
Put it back as it was. What is new goes into a version of its own, after it, in a file with the next number in clinical/templates/built_in/."""


def digest(template: Template) -> str:
    """Of everything that a reader or a model is told by it: fields, their order, types, choices, labels, descriptions.

    Without what is empty: an attribute that fields get one day changes none of the old versions.
    """
    said = asdict(template, dict_factory=lambda pairs: {name: value for name, value in pairs if value})
    return hashlib.sha256(json.dumps(said, ensure_ascii=False).encode()).hexdigest()[:16]


def flaws(built_in: dict[str, Template]) -> list[str]:
    """What is wrong with these versions, by their pins, in words that say what to do."""
    changed = [pin for pin in DIGESTS.keys() & built_in.keys() if digest(built_in[pin]) != DIGESTS[pin]]
    gone = DIGESTS.keys() - built_in.keys()
    new = [
        f'{pin} is new. Add to DIGESTS: "{pin}": "{digest(built_in[pin])}",' for pin in built_in.keys() - DIGESTS.keys()
    ]
    return sorted([HOW.format(pin=pin, id=pin.partition("@")[0]) for pin in [*changed, *gone]] + new)


@pytest.fixture
def built_in():
    return {each.pin: each for name in templates.BUILT_IN for each in templates.versions(name)}


def test_a_version_never_changes(built_in):
    assert not flaws(built_in), "\n".join(flaws(built_in))


@pytest.mark.parametrize(
    "change",
    [
        lambda was: replace(was, fields=was.fields[:-1]),
        lambda was: replace(was, fields=was.fields[::-1]),
        lambda was: replace(was, fields=(replace(was.fields[0], description="Another."), *was.fields[1:])),
        lambda was: replace(was, fields=(*was.fields, replace(was.fields[0], name="more"))),
    ],
    ids=["a field gone", "another order", "other words", "a field more"],
)
def test_a_version_is_told_from_another_when_it_changed_in_place(built_in, change):
    (said,) = flaws({**built_in, "rct@1": change(built_in["rct@1"])})
    assert "A version never changes" in said
    assert "rct@1" in said


def test_a_version_is_missed_when_it_was_taken_out(built_in):
    del built_in["cohort@1"]
    (said,) = flaws(built_in)
    assert "cohort@1" in said


def test_a_version_asks_for_its_digest_when_it_is_new(built_in):
    new = replace(built_in["rct@1"], version=99)
    (said,) = flaws({**built_in, new.pin: new})
    assert f'"rct@99": "{digest(new)}"' in said
