"""docs/mission.md: what was asked, clause by clause, and what answers it. Whatever a row names is there."""

import ast
import re
from functools import cache

from tests.support.stack_file import ROOT

DOCS = ROOT / "docs"
PAGE = (DOCS / "mission.md").read_text(encoding="utf-8")
FOUND = re.findall(r"^\| (\w+)\.(\d+) \| ([^|]+) \| ([^|]+ \| [^|]+) \|$", PAGE, re.M)
ROWS = {f"{table}.{number}": answer for table, number, _, answer in FOUND}
ASKED = ["U", "000", "001", "002", "003", "004"]
TARGETS = re.findall(r"^([a-z-]+):(?!=)", (ROOT / "Makefile").read_text(), re.M)


@cache
def functions(file):
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def is_there(name):
    """A test, a command, a file or a folder."""
    file, _, test = name.partition("::")
    if name.startswith("make "):
        return name.removeprefix("make ") in TARGETS
    return (ROOT / file).exists() and (not test or (test.startswith("test_") and test in functions(file)))


def named(answer):
    """What it says in code, the decisions that it links to and the rows that it leads to: each with whether it is there."""
    yield from ((name, is_there(name)) for name in re.findall(r"`([^`]+)`", answer))
    yield from ((link, (DOCS / link).is_file()) for link in re.findall(r"\]\(([^)#]+)", answer))
    for row in re.findall(r"\bas (\w{3}\.\d+)", answer):
        yield row, row in ROWS and not ROWS[row].startswith("as ")


def test_every_word_of_the_user_is_a_row_of_its_table():
    words = " ".join(re.findall(r"^> (.+)$", PAGE, re.M))
    assert " ".join(asked[1:-1] for table, _, asked, _ in FOUND if table == "U") == words


def test_rows_are_numbered_without_a_gap_and_quote_what_they_answer():
    numbers = {table: [int(number) for each, number, *_ in FOUND if each == table] for table in ASKED}
    assert all(found and found == list(range(1, len(found) + 1)) for found in numbers.values())
    assert len(FOUND) == len(ROWS) == len(re.findall(r"^\| (?!\| )(?!-)", PAGE, re.M))
    assert [asked for table, _, asked, _ in FOUND if table != "U" and not re.match("「.+」 .", asked)] == []


def test_a_row_names_what_is_there():
    assert {(row, name) for row, answer in ROWS.items() for name, there in named(answer) if not there} == set()


def test_a_row_has_an_answer_or_says_that_it_is_not_built():
    assert [row for row, answer in ROWS.items() if not [*named(answer)] and "not built" not in answer.lower()] == []


def test_what_is_not_there_is_found():
    assert not any(map(is_there, ("make nothing", "tests/none.py", "tests/conftest.py::test_none")))
