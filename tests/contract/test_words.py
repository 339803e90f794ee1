"""The words for what is known of a value: the same in code and docs."""

import re
from typing import get_args

from clinical.answered import STATES, Reason, State
from tests.support.stack_file import ROOT

DOC = (ROOT / "docs" / "evidence.md").read_text(encoding="utf-8")


def first_column(head: str) -> list[str]:
    """The words of a table, in its order."""
    table = DOC.partition(f"\n| {head} | means |\n|---|---|\n")[2].partition("\n\n")[0]
    return re.findall(r"^\| `(\w+)` \|", table, re.M)


def test_each_state_has_its_sentence_when_the_docs_are_read():
    assert first_column("state") == [*STATES] == [*get_args(State)]


def test_each_reason_has_its_sentence_when_the_docs_are_read():
    """The page's are held to the same list by its compiler: `reason_` and each word, in both languages."""
    assert first_column("reason") == [*get_args(Reason)]
