"""SECURITY.md says of every wall which test shows it, and each of those is there."""

import ast
import re

import pytest

from tests.attacks.__main__ import NAMES
from tests.support.stack_file import ROOT

TEXT = (ROOT / "SECURITY.md").read_text()
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in TEXT.splitlines()
    if line.startswith("|") and not line.startswith(("| wants |", "|---"))
]
TEST, ATTACK, NONE = (
    re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`"),
    re.compile(r"`make attack ONLY=(\w+)`"),
    "no test yet",
)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0][:50])
def test_a_wall_is_shown_by_tests_that_exist_when_the_page_names_it(row):
    """Mutation caught: a test that was renamed or taken away, a line without one, a name that is none."""
    _, _, shown = row
    rest = ATTACK.sub("", TEST.sub("", shown)).strip(" ,")
    assert rest in ({"", NONE} if shown == NONE else {""})
    for path, name in TEST.findall(shown):
        told = ast.parse((ROOT / path).read_text()).body
        assert name in {each.name for each in told if isinstance(each, ast.FunctionDef)}, path
    assert set(ATTACK.findall(shown)) <= set(NAMES)


def test_every_attack_is_on_the_page_when_there_is_one():
    assert set(ATTACK.findall(TEXT)) == set(NAMES)


def test_every_table_of_the_page_is_looked_at():
    assert len(ROWS) >= 35
    assert TEXT.count("### ") == TEXT.count("| wants | is stopped by | shown by |")


@pytest.mark.parametrize("lock", sorted((*ROOT.glob("requirements/*.txt"), *ROOT.glob("layers/*/requirements.txt"))))
def test_every_package_has_a_hash_when_it_is_locked(lock):
    packages = re.findall(r"^[a-z][\w.\[\]-]*==", lock.read_text(), re.M | re.I)
    entries = re.split(r"\n(?=\S)", lock.read_text().strip())
    assert packages
    assert all("--hash=sha256:" in entry for entry in entries if "==" in entry)
