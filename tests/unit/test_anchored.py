"""Edits of the product for planted bugs: found by function and syntax, wherever the file lies."""

import pytest

from tests.support import anchored
from tests.support.anchored import Edit, Gone, Text

CODE = """\
LIMIT = 3


def claim(row, now):
    may = (row.tries
           < LIMIT)
    if row.sent:
        row.stamp(now)
        return [row.one(at=now), row.two()]
    return may


class Other:
    def claim(self, row):
        return row.tries
"""


@pytest.fixture
def product(tmp_path):
    for place in ("layers/a/deep", "functions"):
        (tmp_path / place).mkdir(parents=True)
    (tmp_path / "layers/a/deep/rows.py").write_text(CODE)
    return tmp_path


@pytest.mark.parametrize(
    ("edit", "right", "wrong"),
    [
        (Edit("claim", "row.tries < LIMIT", "True"), "(row.tries\n           < LIMIT)", "(True)"),
        (Edit("claim", "if row.sent:", "if not row.sent:"), "if row.sent", "if not row.sent"),
        (Edit("claim", "row.stamp(now)", ""), "        row.stamp(now)\n", "        pass\n"),
        (Edit("claim", "row.stamp(now)", "row.a()\nrow.b()"), "  row.stamp(now)\n", "  row.a()\n        row.b()\n"),
        (Edit("claim", "row.two()", "*[]"), "row.two()", "*[]"),
        (Edit("claim", "at=now", "at=0"), "at=now", "at=0"),
        (Edit("LIMIT", "3", "4"), "LIMIT = 3", "LIMIT = 4"),
        (Edit("Other.claim", "row.tries", "0"), "return row.tries", "return 0"),
        (Text("layers/a/deep/rows.py", "LIMIT = 3", "LIMIT = 5"), "LIMIT = 3", "LIMIT = 5"),
    ],
)
def test_code_is_changed_in_its_own_place_alone_when_it_stands_there_once(product, edit, right, wrong):
    changed = anchored.apply(edit, product)
    assert changed.read_text() == CODE.replace(right, wrong)


@pytest.mark.parametrize(
    ("edit", "times"),
    [
        (Edit("claim", "row.tries", "0"), 2),
        (Edit("claim", "row.three()", "0"), 0),
        (Edit("release", "row.tries < LIMIT", "True"), 0),
        (Text("layers/a/deep/rows.py", "claim", "x"), 2),
    ],
)
def test_an_edit_is_gone_when_its_code_does_not_stand_once(product, edit, times):
    with pytest.raises(Gone, match=f"^{times} times"):
        anchored.apply(edit, product)
    assert (product / "layers/a/deep/rows.py").read_text() == CODE


def test_an_edit_is_found_when_its_file_has_moved(product):
    (product / "layers/b").mkdir()
    (product / "layers/a/deep/rows.py").rename(product / "layers/b/claims.py")
    assert anchored.apply(Edit("claim", "row.sent", "0"), product) == product / "layers/b/claims.py"
