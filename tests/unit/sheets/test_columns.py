"""What a column is said to hold, and what its cells are kept as: nothing is guessed, and nothing is changed in silence."""

import json
from datetime import date, datetime, time, timedelta
from math import inf, nan
from typing import Any

import pytest

from sheets import tables
from sheets.column import describe
from sheets.workbook_files import Sheet


def read(*values, header="x", is_percent=False):
    """Type, kept values, and what has to be said."""
    column, kept = describe(0, header, values, is_percent=is_percent)
    json.dumps(column, allow_nan=False)
    return column["type"], kept, set(column["warnings"])


@pytest.mark.parametrize(
    ("values", "kind", "kept"),
    [
        ((3.0, 4.0, ""), "integer", [3, 4, None]),
        (("１２", "3，400", "−5"), "integer", [12, 3400, -5]),
        (("1.5", "2.0E5", "1e-05"), "float", [1.5, 200000.0, 0.00001]),
        (("12%", "13.5％"), "percent", [0.12, 0.135]),
        (("12%", "12%"), "percent", [0.12, 0.12]),
        (("2021.1.5", "2021年1月15日", date(2021, 2, 1)), "date", ["2021-01-05", "2021-01-15", "2021-02-01"]),
        (("2021/1/5 8:30", "2021-01-06 00:00:00.000"), "datetime", ["2021-01-05T08:30:00", "2021-01-06T00:00:00"]),
        ((datetime(2021, 1, 5, 8, 30), date(2021, 1, 6)), "datetime", ["2021-01-05T08:30:00", "2021-01-06"]),  # noqa: DTZ001
        (("是", "否", "是"), "boolean", [True, False, True]),
        ((True, False, ""), "boolean", [True, False, None]),
        ((0.0, 1.0, 0.0), "integer", [0, 1, 0]),
        (("阳性", "阴性", "阳性"), "category", ["阳性", "阴性", "阳性"]),
        (("+", "-", "±", "-"), "text", ["+", "-", "±", "-"]),
        (("+++", "－", "+++", "－"), "category", ["+++", "－", "+++", "－"]),
        (("5", "-", "−", "7"), "integer", [5, None, None, 7]),
        ((time(8, 30), timedelta(hours=31, minutes=12)), "category", ["08:30:00", "31:12:00"]),
        (("12345678901234567", "12345678901234569"), "category", ["12345678901234567", "12345678901234569"]),
        (("5²", "①", "٣"), "text", ["5²", "①", "٣"]),
        (("7", "7"), "constant", [7, 7]),
        ((5.0, "A", "A", 6.0), "category", [5, "A", "A", 6]),
    ],
)
def test_a_column_is_of_the_type_that_its_cells_have(values, kind, kept):
    assert read(*values)[:2] == (kind, kept)
    assert [type(value) for value in read(*values)[1]] == [type(value) for value in kept]


@pytest.mark.parametrize(
    ("values", "kind", "kept", "warned"),
    [
        (("1", "2", "3", "<0.01"), "integer", [1, 2, 3, "<0.01"], {"censored", "mixed_types"}),
        (("1", "2", "3", "1E5"), "integer", [1, 2, 3, "1E5"], {"mixed_types"}),
        (("55", "60%", "58"), "integer", [55, "60%", 58], {"percent_signs", "mixed_types"}),
        (("1,204.5", "3", "4"), "float", [1204.5, 3, 4], {"thousands"}),
        (("2021-01-05", "2021-01-06", "2021-01-07", "2021-02-30"), "date", None, {"mixed_types"}),
        (("008", "009", "010", "011"), "id", ["008", "009", "010", "011"], {"leading_zeros"}),
        (("007", "12", "9", "100", "5"), "integer", ["007", 12, 9, 100, 5], {"leading_zeros", "mixed_types"}),
        ((1.0, 2.0, 4.0, inf), "integer", [1, 2, 4, "inf"], {"mixed_types"}),
        ((1e308, 1.5e308), "float", [1e308, 1.5e308], set()),
        ((True, 1.0, 0.0, 2.0, 3.0), "integer", ["TRUE", 1, 0, 2, 3], {"mixed_types"}),
        (("Yes", "YES", "maybe", "yes", "no", "no"), "category", None, {"spellings"}),
    ],
)
def test_a_cell_that_does_not_fit_stays_what_it_was_and_is_told_of(values, kind, kept, warned):
    found = read(*values)
    assert (found[0], found[2]) == (kind, warned)
    assert found[1] == (kept or list(values))


def test_days_of_a_spreadsheet_are_told_of_and_left_as_they_are_when_the_heading_says_date():
    assert read(44201.0, 44202.0, header="入院日期") == ("integer", [44201, 44202], {"serial_dates"})
    assert read(44201.0, 44202.0, header="Platelets")[2] == set()


def test_numbers_are_shares_when_the_file_shows_them_as_percentages():
    """A bare 58 among them is left alone."""
    assert read(0.5, 0.25, "58", "20%", is_percent=True)[:2] == ("percent", [0.5, 0.25, "58", 0.2])
    assert read(0.5, "58", "60", is_percent=True)[:2] == ("percent", [0.5, "58", "60"])


def test_what_says_that_a_value_is_missing_is_counted_by_how_it_is_written():
    values: list[Any] = [nan, "NA", "na", "未查", " - ", "", None, "#DIV/0!", "3", "4", "5"]
    column, kept = describe(0, "肌酐（μmol/L）", values, is_percent=False)
    assert (column["name"], column["unit"], column["missing"], column["invalid"]) == ("肌酐", "μmol/L", 8, 0)
    assert column["missingTokens"] == dict.fromkeys(("nan", "NA", "na", "未查", "-", "#DIV/0!"), 1)
    assert kept == [*[None] * 8, 3, 4, 5]


def test_every_column_has_a_name_of_its_own_whatever_its_heading():
    header = ["a", "A", "a_2", "", "a (kg)", " a\n", "column_4", "Σ", "ς"]
    names = [column["name"].casefold() for column in tables.table("S", header, [[1.0]] * len(header)).columns]
    assert len(set(names)) == len(header)
    assert [names[0], names[3]] == ["a", "column_4"]


def test_columns_that_differ_in_their_units_have_no_heading_twice():
    columns = tables.table("S", ["中性粒细胞(%)", "中性粒细胞\n(10^9/L)", "中性粒细胞(%)"], [[1.0]] * 3).columns
    assert [column["name"] for column in columns] == ["中性粒细胞", "中性粒细胞 (10^9/L)", "中性粒细胞(%)"]
    assert [column["unit"] for column in columns] == ["%", "10^9/L", "%"]


def clean(*rows, **more):
    width = max(map(len, rows))
    return tables.clean(Sheet("S", [[*row, *[""] * (width - len(row))] for row in rows], **more))


def test_what_stands_round_a_table_is_left_out_and_counted():
    table = clean(
        ["某医院登记表"],
        ["2024年", "", "导出"],
        ["序号", "姓名", "", "费用", "性别", ""],
        [1.0, "张", "", 1.5, "男"],
        [" ", "\u00a0", "", "", ""],
        [2.0, " 李 ", "", "１２", "女"],
        ["合计：2 例", "", "", 13.5, ""],
        merged=1,
        errors=2,
    )
    assert (table.header_row, table.rows) == (3, [[1, "张", 1.5, "男"], [2, "李", 12.0, "女"]])
    assert {note["code"]: note["count"] for note in table.notes} == {
        "rows_above_header": 2, "blank_rows": 1, "total_row": 1, "blank_columns": 2, "merged_cells": 1,
        "cells_trimmed": 1, "wide_characters": 1, "error_values": 2,
    }  # fmt: skip


@pytest.mark.parametrize("last", ["Total cholesterol", "Total-body scan", "合计画幅", "subtotals of x"])
def test_the_last_row_is_kept_when_it_is_of_something_that_is_called_total(last):
    assert len(clean(["test", "value"], ["ALT", 1.0], [last, 5.2]).rows) == 2


@pytest.mark.parametrize("last", ["Total", "Grand total:", "subtotal (n=2)", "总计 12", "合 计", "合计"])
def test_the_last_row_is_left_out_when_it_sums_up(last):
    assert len(clean(["test", "value"], ["ALT", 1.0], [last, 5.2]).rows) == 1


def test_years_may_name_columns_and_values_may_not():
    table = clean(["region", 2019.0, "2020", 2021.0], ["x", 1.0, 2.0, 3.0])
    assert [column["name"] for column in table.columns] == ["region", "2019", "2020", "2021"]
    for rows in (["1", "2", "3"], [2019.0, 2020.0]), (["a", "b"],), (["", ""], ["", ""]):
        assert "No row of names" in (clean(*rows).problem or "")


def test_a_table_is_not_taken_for_empty_when_its_formulas_were_never_worked_out():
    assert "formulas have no values" in (clean(["a", "b"], ["", ""], uncounted=2).problem or "")
    assert clean(["a", "b"], ["x", ""], uncounted=1).notes[0]["code"] == "formulas_without_value"
