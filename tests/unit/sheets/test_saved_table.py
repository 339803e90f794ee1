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


def test_a_change_changes_what_it_names_and_nothing_else():
    before = [table("A"), table("B")._replace(header_row=3, notes=({"code": "blank_rows", "count": 1},))]
    change = {"sheet": 1, "cells": [{"row": 2, "column": 2, "value": "n/a"}], "removedRows": [1]}
    first, second = saved_table.changed(before, change)
    assert first is before[0]
    assert second.rows == [["000", "2023-12-31", None], ["002", "2024-02-01", "n/a"], ["003", "2024-02-30", None]]
    assert (second.header_row, second.notes) == (before[1].header_row, before[1].notes)
    assert [column["header"] for column in second.columns] == ["Id", "Seen (day)", "Share"]
    assert (second.columns[2]["invalid"], second.columns[2]["invalidExamples"], before[1].rows) == (1, ["n/a"], ROWS)


def test_a_share_is_a_share_still_when_other_cells_were_changed():
    (after,) = saved_table.changed([table()], {"sheet": 0, "cells": [{"row": 2, "column": 0, "value": "x"}]})
    assert [column["type"] for column in after.columns] == ["id", "date", "percent"]


@pytest.mark.parametrize(
    ("values", "gone", "kind", "kept"),
    [
        (["+", "-", "-", "-", "-"], 0, "category", ["-", "-", "-", "-"]),
        (["yes", "no", "maybe", "yes", "no", "no"], 2, "category", ["yes", "no", "yes", "no", "no"]),
        (["010", "100", "200", "300"], 0, "id", ["100", "200", "300"]),
        (["2024-01-01T10:00:00.500000", "2024-01-02T10:00:00.500000"], 0, "datetime", ["2024-01-02T10:00:00.500000"]),
    ],
)
def test_no_value_becomes_another_when_a_row_beside_it_is_taken_out(values, gone, kind, kept):
    """What is clean is not read again: a dash among plus signs is a finding, also when the last plus is gone."""
    made = tables.table("S", ["a", "n"], [values, list(range(len(values)))])
    if kind == "datetime":
        made = made._replace(
            columns=[{**made.columns[0], "type": "datetime"}, made.columns[1]], rows=[[value, 1] for value in values]
        )
    assert made.columns[0]["type"] == kind
    (after,) = saved_table.changed([made], {"sheet": None, "removedRows": [gone]})
    assert [row[0] for row in after.rows] == kept
    assert (after.columns[0]["type"], after.columns[0]["missing"], after.columns[0]["invalid"]) == (kind, 0, 0)


def test_what_was_missing_says_how_still_when_another_column_was_changed():
    made = tables.table("S", ["a", "n"], [["x", "NA", "y"], [1, 2, 3]])
    (after,) = saved_table.changed([made], {"sheet": 0, "cells": [{"row": 0, "column": 1, "value": 1.5}]})
    assert (after.columns[0], after.columns[1]["type"]) == (made.columns[0], "float")
    assert after.columns[0]["missingTokens"] == {"NA": 1}


def test_a_number_among_shares_stays_what_does_not_fit():
    """60 would be 6,000 % of what 0.58 is."""
    made = tables.table("S", ["share", "n"], [["58%", "61%", "55%", "50%", 60], [1, 2, 3, 4, 5]])
    assert (made.columns[0]["type"], made.columns[0]["invalid"], made.rows[4][0]) == ("percent", 1, "60")
    (after,) = saved_table.changed([made], {"sheet": 0, "removedRows": [0]})
    assert (after.columns[0]["invalid"], after.columns[0]["max"]) == (1, 0.61)


def test_every_row_may_be_taken_out():
    (after,) = saved_table.changed([table()], {"sheet": 0, "removedRows": [0, 1, 2, 3]})
    assert (after.rows, [column["type"] for column in after.columns]) == ([], ["id", "date", "percent"])
    assert opened(after) == {"S": [["Id", "Seen (day)", "Share"]]}


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({"sheet": 2}, "no_such_sheet"),
        ({"sheet": 1}, "no_such_sheet"),
        ({"sheet": 0, "cells": [{"row": 4, "column": 0, "value": 1}]}, "no_such_cell"),
        ({"sheet": 0, "cells": [{"row": 0, "column": 3, "value": 1}]}, "no_such_cell"),
        ({"sheet": 0, "removedRows": [4]}, "no_such_row"),
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
