"""A table that somebody changed: what is read from it again, and the workbook that is made of it."""

import pytest
from python_calamine import CalamineWorkbook

from sheaf.errors import Permanent
from sheets import saved_table, tables

ROWS = [
    ["000", "2023-12-31", None],
    ["001", "2024-01-09", 0.5],
    ["002", "2024-02-01", 0.25],
    ["003", "2024-02-30", None],
]


def table(name="S", percents=(2,)):
    return tables.table(
        name, ["Id", "Seen (day)", "Share"], [list(column) for column in zip(*ROWS, strict=True)], percents
    )


def opened(*made):
    book = CalamineWorkbook.from_filelike(saved_table.workbook(made))
    return {name: book.get_sheet_by_name(name).to_python() for name in book.sheet_names}


def test_a_change_is_read_like_a_file_and_the_other_sheets_stay_the_same():
    before = [table("A"), table("B")._replace(header_row=3, notes=({"code": "blank_rows", "count": 1},))]
    change = {"sheet": 1, "cells": [{"row": 2, "column": 2, "value": "n/a"}], "removedRows": [1, 77]}
    first, second = saved_table.changed(before, change)
    assert first is before[0]
    assert second.rows == [["000", "2023-12-31", None], ["002", "2024-02-01", None], ["003", "2024-02-30", None]]
    assert (second.header_row, second.notes) == (before[1].header_row, before[1].notes)
    assert [column["header"] for column in second.columns] == ["Id", "Seen (day)", "Share"]
    assert (second.columns[2]["missingTokens"], before[1].rows) == ({"n/a": 1}, ROWS)


def test_a_share_is_a_share_still_when_other_cells_were_changed():
    (after,) = saved_table.changed([table()], {"sheet": 0, "cells": [{"row": 2, "column": 0, "value": "x"}]})
    assert [column["type"] for column in after.columns] == ["id", "date", "percent"]


def test_every_row_may_be_taken_out():
    (after,) = saved_table.changed([table()], {"sheet": 0, "removedRows": [0, 1, 2, 3]})
    assert (after.rows, {column["type"] for column in after.columns}) == ([], {"empty"})
    assert opened(after) == {"S": [["Id", "Seen (day)", "Share"]]}


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({"sheet": 2}, "no_such_sheet"),
        ({"sheet": 1}, "no_such_sheet"),
        ({"sheet": 0, "cells": [{"row": 4, "column": 0, "value": 1}]}, "no_such_cell"),
        ({"sheet": 0, "cells": [{"row": 0, "column": 3, "value": 1}]}, "no_such_cell"),
        ({"sheet": 0, "columns": ["a", "b"], "rows": [[1, 2], [1]]}, "uneven_rows"),
    ],
)
def test_a_change_that_does_not_fit_the_table_is_refused(change, kind):
    with pytest.raises(Permanent) as refused:
        saved_table.changed([table(), tables.Table("bad", [], [], problem="No.")], change)
    assert refused.value.error_class == kind


def test_the_workbook_of_a_table_reads_as_that_table():
    """Dates are dates there, and a share is shown as one."""
    made = opened(table())["S"]
    assert [type(row[1]).__name__ for row in made] == ["str", "date", "date", "date", "str"]
    assert [row[0] for row in made] == ["Id", "000", "001", "002", "003"]


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+1", "-1", "@x", "{=1}", "http://a.b", "00", "<r>x</r>", "<r><t>&</t></r>", "a\x01b", "_x0041_", " a "],
)
def test_a_text_is_that_text_in_the_workbook_whatever_it_looks_like(text):
    """And as a heading. Mutation caught: what looks like xlsxwriter's own XML is written into the file as it is."""
    assert opened(tables.table("S", [text], [[text, "other"]], ()))["S"][0] == [text]
    whole = {"sheet": 0, "columns": [text], "rows": [[text], ["other"]]}
    assert opened(*saved_table.changed([table()], whole))["S"][:2] == [[text], [text.strip()]]


def test_each_sheet_of_the_workbook_has_a_name_that_a_workbook_may_have():
    names = ["Sheet2", "???", "sheet2", "'a'", "x" * 31 + "1", "x" * 31 + "2", "", "\ud800", "Sheet7"]
    made = [*opened(*(table(name) for name in names))]
    assert len({name.casefold() for name in made}) == len(names)
    assert (made[0], made[3], made[4]) == ("Sheet2", "a", "x" * 31)


def test_half_of_a_pair_of_characters_costs_no_more_than_itself():
    assert opened(tables.table("S", ["a\ud800"], [["b\udfff", 1.0]]))["S"] == [["a?"], ["b?"], [1.0]]
