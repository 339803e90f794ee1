"""What papers say stands in TOML files: each pattern that is looked for is there, and each that is there is looked for."""

import re

import pytest

from clinical.patterns import written
from tests.support.syntax import CLINICAL

ROOMS = sorted(path for path in CLINICAL.rglob("words.toml") if path.parent.parent.name != "rules")
LOOKED_FOR = re.compile(r"(?:\b(\w+)\.)?\bWORDS\.(\w+)")
PART = re.compile(r"\{([A-Z_]+)\}")


def test_every_word_that_is_looked_for_is_in_its_file_and_no_other_when_the_rooms_are_read():
    """mypy does not see into these files. Mutations caught: a name misspelt, a pattern that nobody uses any more."""
    looked_for = {
        (other or path.stem, name)
        for room in ROOMS
        for path in room.parent.glob("*.py")
        for other, name in LOOKED_FOR.findall(path.read_text())
    }
    rooms = [written(room) for room in ROOMS]
    there = {(module, name) for room in rooms for module in room.keys() - {"PARTS"} for name in room[module]}
    assert looked_for == there


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.parent.name)
def test_every_part_is_named_when_the_file_has_it(room):
    assert written(room).get("PARTS", {}).keys() <= {*PART.findall(room.read_text())}
