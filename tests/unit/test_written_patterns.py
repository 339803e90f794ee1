"""Patterns that stand in TOML files: how they are read, and that each is looked for by somebody."""

import re

import pytest

from clinical.patterns import Patterns, made, written
from clinical.templates import choice_words
from tests.support.syntax import CLINICAL

ROOMS = sorted(CLINICAL.glob("rules/*/words.toml"))
LOOKED_FOR = re.compile(r"(?:\b(\w+)\.)?\bWORDS\.(?:several\[\"?)?(\w+)")
PART = re.compile(r"\{([A-Z_]+)\}")


@pytest.mark.parametrize("text", ["tea|coffee", "tea\n  |coffee", "\n    tea\n  |coffee"])
def test_a_pattern_is_the_same_when_it_goes_on_in_the_next_line(text):
    assert made(text, {}).pattern == "tea|coffee"


def test_a_space_counts_when_it_stands_within_a_line_or_at_its_end():
    assert made(" of \n  tea", {}).pattern == " of tea"


def test_a_part_is_put_in_whole_when_a_pattern_or_another_part_names_it():
    assert made("{CUPS}{0,2} of tea", {"CUPS": "(?:{SMALL} cups)", "SMALL": "(?:tiny|wee)"}).fullmatch(
        "WEE cups of tea"
    )


def test_capitals_matter_when_the_pattern_says_so():
    assert not made("(?-i:Tea)", {}).search("tea")


def test_a_name_is_asked_for_in_vain_when_the_file_does_not_have_it():
    words = Patterns({"TEA": "tea", "DRINKS": ["tea", "coffee"]}, {})
    assert words.TEA.search("Tea")
    assert [each.pattern for each in words.several["DRINKS"]] == ["tea", "coffee"]
    with pytest.raises(AttributeError, match="COFFEE"):
        _ = words.COFFEE


def asked() -> set[tuple[str, str]]:
    """The words that modules of rules look for: whose they are, and their names."""
    files = [path for room in ROOMS for path in room.parent.glob("*.py")]
    found = [(path.stem, *each) for path in files for each in LOOKED_FOR.findall(path.read_text())]
    return {(other or module, name) for module, other, name in found}


def test_every_word_that_is_looked_for_is_in_its_file_and_no_other_when_the_rules_are_read():
    """mypy does not see into these files. Mutations caught: a name misspelt, a pattern that nobody uses any more."""
    rooms = [written(path) for path in ROOMS]
    looked_for = {(module, name) for room in rooms for module in room.keys() - {"PARTS"} for name in room[module]}
    ranks = {("outcomes", "rank"), ("outcomes", "primary"), ("outcomes", "secondary")}
    assert asked() - ranks == looked_for - ranks


@pytest.mark.parametrize("path", [*ROOMS, choice_words.FILE], ids=lambda path: path.parent.name)
def test_every_part_is_named_when_the_file_has_it(path):
    text = path.read_text()
    assert written(path)["PARTS"].keys() <= set(PART.findall(text)) | {"PLACES"}
