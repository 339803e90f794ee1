"""What stands in the cells of an exported file, and what a spreadsheet is kept from running."""

import csv
import io
import json
import re
import zipfile
from collections import Counter
from typing import Any

import pytest
from python_calamine import CalamineWorkbook

from clinical.answered import STATES
from clinical.export_table import sheets, text_files, workbook
from clinical.export_table.table import About, Paper, cell, defused, lines
from clinical.templates import Field
from tests.support.stack_file import ROOT

NUMBER = Field("n", "integer", "Number", "数量", "", section="flow")
FLAG = Field("flag", "boolean", "Flag", "标记", "", section="flow")
PLACES = Field("places", "[string]", "Places", "地点", "", section="design")
ARMS = Field(
    "arms", "[object]", "Arms: a/b", "组别", "", section="interventions",
    fields=(Field("name", "string", "Name", "名称", ""), Field("n", "integer", "N", "例数", "")),
)  # fmt: skip
FIELDS = [NUMBER, FLAG, PLACES, ARMS]
PLACE = {"quote": "A quote.", "page": 3, "start": 0, "end": 8, "match": "exact"}


def value(told: Any, state: str = "found", **more: Any) -> Any:
    return {"state": state, "value": told, **PLACE, **more}


VALUES: Any = {
    "n": value(-5),
    "flag": value(told=True),
    "places": value([value("Norway"), value("=Peru", "unsupported", reason="wrong_place")]),
    "arms": value([value({"name": "tea", "n": 60}), value({"name": "水", "n": None})]),
}
PAPER = Paper("t1-0", "d1", "a.pdf", "completed", None, "Wu 2015", VALUES)


def written(writer, papers, fields=FIELDS, language="en") -> bytes:
    file = io.BytesIO()
    writer(file, papers, fields, About(language, None, Counter(), Counter(), Counter(), {"task": "t1"}, {}))
    return file.getvalue()


def sheet(content: bytes, number: int) -> list[list[Any]]:
    return CalamineWorkbook.from_filelike(io.BytesIO(content)).get_sheet_by_index(number).to_python()


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ("=1+1", "'=1+1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
        ("-2+3", "'-2+3"),
        ("\t=1", "'\t=1"),
        ("\r=1", "'\r=1"),
        ("＝1+1", "'＝1+1"),
        ("'=1", "''=1"),
        ("-5", "-5"),
        ("-1,234.5", "-1,234.5"),
        ("+3e-4", "+3e-4"),
        ("-", "'-"),
        ("tea = water", "tea = water"),
        ("", ""),
        (-5, -5),
        (None, None),
    ],
)
def test_text_that_would_run_is_defused_and_numbers_are_not(told, shown):
    assert defused(told) == shown


@pytest.mark.parametrize(
    ("field", "shown"), [(NUMBER, -5), (FLAG, True), (PLACES, "Norway; =Peru"), (ARMS, "tea, 60; 水")]
)
def test_a_value_is_one_cell_when_it_is_a_list_too(field, shown):
    assert cell(field, VALUES[field.name]) == shown
    assert cell(field, None) is None


def test_a_line_is_told_for_each_part_of_each_entry():
    told = [(line.field, line.entry, line.member, line.value, line.state) for line in lines(PAPER, FIELDS)]
    assert told == [
        ("n", None, None, -5, "found"),
        ("flag", None, None, True, "found"),
        ("places", 1, None, "Norway", "found"),
        ("places", 2, None, "=Peru", "unsupported"),
        ("arms", 1, "name", "tea", "found"),
        ("arms", 1, "n", 60, "found"),
        ("arms", 2, "name", "水", "found"),
        ("arms", 2, "n", None, "found"),
    ]


def test_both_sides_are_told_when_a_paper_contradicts_itself():
    both: Any = {"n": value(None, "contradictory", evidence=[value(90), value(91)])}
    told = list(lines(Paper("t-0", "d", "a.pdf", "completed", None, None, both), [NUMBER]))
    assert [(line.study, line.entry, line.value, line.state) for line in told] == [
        ("a.pdf", 1, 90, "contradictory"),
        ("a.pdf", 2, 91, "contradictory"),
    ]


def test_a_workbook_has_sections_over_labels_and_numbers_as_numbers():
    bands, head, row = sheet(written(workbook.write, [PAPER]), 0)
    assert bands[4:] == ["Participant flow", "", "Design", "Interventions"]
    assert head[4:] == ["Number", "Flag", "Places", "Arms: a/b"]
    assert row[4:] == [-5, True, "Norway; =Peru", "tea, 60; 水"]


def test_a_list_has_a_sheet_and_an_entry_a_row_of_its_own():
    _, first, second = sheet(written(workbook.write, [PAPER]), 1)
    assert first[:5] == ["Wu 2015", 1, "tea", 60, "Found"]
    assert second[:5] == ["Wu 2015", 2, "水", "", "Found"]


def test_the_reason_is_said_when_a_value_could_not_be_confirmed():
    proof = sheet(written(workbook.write, [PAPER], language="zh"), 2)
    (wrong,) = [row for row in proof if row[5] == "=Peru"]
    assert wrong[3:5] == ["无法确认", sheets.REASONS["wrong_place"][1]]


def test_no_cell_of_a_workbook_is_a_formula_or_a_link_when_text_looks_like_one():
    hostile: Any = {"places": value([value("=HYPERLINK(1)"), value("https://evil.example")])}
    content = written(workbook.write, [Paper("t-0", "=d", "@f", "error", "+p", "=s", hostile)])
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        sheets = "".join(book.read(name).decode() for name in book.namelist() if "worksheets/sheet" in name)
    assert "=HYPERLINK(1)" in sheets
    assert "<f>" not in sheets
    assert "<hyperlink" not in sheets


def test_a_text_that_looks_like_a_part_of_a_workbook_is_a_text():
    """XlsxWriter writes what begins with <r> as XML of its own."""
    content = written(workbook.write, [Paper("t-0", "d", "<r><t>x</t></r>", "error", "p", "s", {"places": value([])})])
    book = CalamineWorkbook.from_filelike(io.BytesIO(content))
    assert any("<r><t>x</t></r>" in map(str, row) for row in book.get_sheet_by_index(0).to_python())


def test_a_sheet_has_a_name_of_its_own_when_two_lists_are_called_alike():
    twice = [ARMS, Field("more", "[object]", "arms: A*B", "组别", "", fields=ARMS.fields)]
    names = CalamineWorkbook.from_filelike(io.BytesIO(written(workbook.write, [], twice))).sheet_names
    assert names[1:3] == ["Arms  a b", "arms  A B 2"]


def test_a_long_text_is_cut_and_that_is_said_when_a_cell_cannot_hold_it():
    long: Any = {"places": value([value("x" * 40_000)])}
    content = written(workbook.write, [Paper("t-0", "d", "a", "completed", None, "s", long)], [PLACES])
    assert len(sheet(content, 0)[2][4]) == 32_767
    assert [row[1] for row in sheet(content, 3) if str(row[0]).startswith("Cells cut")] == [2]


def test_a_csv_begins_so_that_a_spreadsheet_knows_its_letters():
    content = written(text_files.wide, [PAPER])
    assert content.startswith(b"\xef\xbb\xbf")
    (row,) = csv.DictReader(io.StringIO(content.decode("utf-8-sig")))
    assert (row["n"], row["flag"], row["arms"], row["places_state"]) == ("-5", "TRUE", "tea, 60; 水", "found")


def test_a_line_of_json_has_the_values_as_they_are():
    (line,) = written(text_files.json_lines, [PAPER], [ARMS]).decode().splitlines()
    assert json.loads(line)["fields"] == {"arms": VALUES["arms"]}


@pytest.mark.parametrize(("language", "place"), [("en", 0), ("zh", 1)])
def test_a_file_says_of_states_and_reasons_what_the_page_says(language, place):
    page = (ROOT / "web" / "src" / "words" / f"{language}.ts").read_text()
    told = dict(re.findall(r'(\w+): "([^"]*)"', page))
    for state in STATES:
        assert sheets.WORDS_OF_STATES[state][place::2] == [told[state], told[f"{state}Why"]], state
    assert sheets.REASONS.keys() == {name.removeprefix("reason_") for name in told if name.startswith("reason_")}
    for reason, both in sheets.REASONS.items():
        assert both[place] == told[f"reason_{reason}"], reason
