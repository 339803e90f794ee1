"""Rooms and names: packages that can be overlooked, a name for each module, and a row of CONTRIBUTING for each room."""

import ast
import re
from collections import Counter

import pytest

from tests.support import syntax
from tests.support.stack_file import ROOT
from tests.support.syntax import CLINICAL, LAYER, PACKAGE, PRODUCT, tree

AT_MOST = 12
LOCAL, CLIENT = ROOT / "local", ROOT / "client"
ROOMS = sorted(path.parent for package in (PACKAGE, CLINICAL, LOCAL, CLIENT) for path in package.rglob("__init__.py"))
ROWS = re.findall(r"^\| .*$", (ROOT / "CONTRIBUTING.md").read_text(), re.M)
SENTENCES = {"rules", "evidence", "extract_paper"}
"""Rooms that still call by it what was read, until they are changed next."""
FILES = sorted({file for row in ROWS for file in re.findall(r"`([\w./-]*(?:/|\.\w+))`", row)})


def name(room):
    return f"{room.relative_to(LAYER if room.is_relative_to(LAYER) else ROOT)}/"


def modules(room):
    return [path for path in sorted(room.glob("*.py")) if path.name != "__init__.py"]


def test_at_most_twelve_modules_lie_directly_in_a_package():
    crowded = {name(room): len(modules(room)) for room in ROOMS if len(modules(room)) > AT_MOST}
    assert not crowded, "make a room in it, or put a module where it belongs"


def test_a_module_s_name_is_its_own():
    """Two of one name cannot be told apart in a stack trace, an import or an editor's tab."""
    times = Counter(path.stem for room in ROOMS if room.is_relative_to(LAYER) for path in modules(room))
    assert not [stem for stem, many in times.items() if many > 1]


@pytest.mark.parametrize("path", [path for path in PRODUCT if not SENTENCES & set(path.parts)], ids=syntax.name)
def test_no_variable_is_called_told_when_it_can_be_named_by_what_it_holds(path):
    """The word stood for replies, requests, texts, counts and settings."""
    names = (getattr(node, "id", None) or getattr(node, "arg", None) for node in ast.walk(tree(path)))
    assert "told" not in names


def test_every_room_has_a_row_that_says_what_is_in_it():
    named = " ".join(ROWS)
    missing = [name(room) for room in ROOMS if f"`{name(room)}`" not in named]
    assert not missing, "CONTRIBUTING.md: Where things are"


@pytest.mark.parametrize("file", FILES)
def test_a_row_opens_what_is_there(file):
    assert any((root / file).exists() for root in (ROOT, LAYER)), "CONTRIBUTING.md names what is not there"


def test_the_rows_are_read_when_there_are_any():
    assert len(FILES) > len(ROOMS) / 2
