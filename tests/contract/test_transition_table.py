"""The tables of transitions that people read: the tests of the writes are held to them.

Their column "who" is held by the tests of the roles alone (tests/contract/test_policies.py, tests/emulator/test_roles.py).
"""

import re

import pytest

from sheaf.protocol.lifecycle import TERMINAL, RowStatus
from tests.support.stack_file import ROOT

HEADING = "Row transitions"
HEADER = ["transition", "from", "to", "who"]


def documented(heading: str = HEADING) -> dict[str, tuple[set[str], set[str], str]]:
    """The first table below the heading."""
    text = (ROOT / "docs" / "DESIGN.md").read_text()
    section = re.split(rf"^#+ {heading}$", text, flags=re.M)[1]
    (table, *_) = re.findall(r"(?:^\|.*\n)+", section, re.M)
    header, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines())
    assert header == HEADER
    return {name: (names(before), names(after), who) for name, before, after, who in rows}


def names(cell: str) -> set[str]:
    return {name.strip() for name in cell.split(",")}


def test_nothing_leaves_an_end_when_the_table_is_read():
    """completed, error and cancelled absorb."""
    for name, (before, after, _) in documented().items():
        assert not before & TERMINAL, name
        assert after <= set(RowStatus), name


def test_every_status_can_be_reached_and_every_one_that_is_no_end_can_be_left():
    reached = set().union(*(after for _, after, _ in documented().values()))
    left = set().union(*(before for before, _, _ in documented().values()))
    assert reached == set(RowStatus)
    assert left - {"none"} == set(RowStatus) - TERMINAL


@pytest.mark.parametrize("who", ["worker", "aggregator", "API, aggregator"])
def test_each_writer_has_its_transitions_when_the_table_is_read(who):
    assert [name for name, (_, _, writer) in documented().items() if writer == who]
