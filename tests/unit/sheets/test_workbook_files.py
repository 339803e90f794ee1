"""What is read of a file by what its bytes are: its texts whatever they are divided by, its workbooks' parts as their parts say."""

import io
from collections.abc import Callable
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from xlsxwriter import Workbook  # type: ignore[import-untyped]

from sheaf.apart.reader_errors import Unreadable
from sheets import workbook_files
from sheets.sheet_limits import LIMITS
from tests.support.workbooks import xlsx

WANTED = [["name", "note", "n"], ["Ann", "a; b, c\td|e", "1"], ["Bob", "two\nlines", "2"], ["Eve", "", "3"]]


def rows(content: bytes, limits=LIMITS) -> list[list[Any]]:
    (sheet,) = workbook_files.read(content, limits)
    return sheet.rows


def refusal(content: bytes, limits=LIMITS) -> str:
    with pytest.raises(Unreadable) as refused:
        workbook_files.read(content, limits)
    return refused.value.reason


def text(delimiter: str, ending: str = "\n") -> str:
    return ending.join(delimiter.join(f'"{cell}"' if len(cell) > 4 else cell for cell in row) for row in WANTED)


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_a_text_is_divided_by_what_divides_its_lines_evenly(delimiter, ending):
    assert rows(text(delimiter, ending).encode()) == WANTED


@pytest.mark.parametrize(
    ("lines", "encodings"),
    [
        ("Stadt;n\nZürich;1\nGenève;2\n", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252", "latin-1"]),
        ("Стан;n\nкиїв;1\n", ["utf-8", "utf-16", "utf-16-le", "utf-16-be"]),
        ("姓名,年龄\n张三丰,61\n欧阳修,62\n", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "gb18030", "gbk"]),
        ("价格,量\n“€5”,µg\n", ["utf-8", "utf-16"]),
    ],
)  # fmt: skip
def test_a_text_is_read_whichever_encoding_it_was_saved_in(lines, encodings):
    wanted = [line.split(";" if ";" in line else ",") for line in lines.splitlines()]
    assert {encoding: rows(lines.encode(encoding)) for encoding in encodings} == dict.fromkeys(encodings, wanted)


def test_a_text_of_one_column_or_of_uneven_rows_is_a_table_too():
    assert rows(b"name\nA\nB") == [["name"], ["A"], ["B"]]
    assert rows(b"a,b\n1\n\n1,2,3") == [["a", "b", ""], ["1", "", ""], ["", "", ""], ["1", "2", "3"]]


@pytest.mark.parametrize("content", [b"", b" \n\t\n", b"\xef\xbb\xbf", b"\xff\xfe", b",,\n,,\n"])
def test_a_text_that_says_nothing_has_no_sheet(content):
    assert workbook_files.read(content, LIMITS) == []


@pytest.mark.parametrize(
    "content",
    [
        b"%PDF-1.7\n", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)), b"\xff\xd8\xff\xe0\0\x10JFIF\0", b"\x1f\x8b\x08\0a,b",
        b"{\\rtf1 a,b}", b"\xef\xbb\xbf<?xml version='1.0'?>", b"\n <HTML><table><tr><td>a</td></tr>", b"<!DOCTYPE html>",
        b"a,b\n1,\x002\n", b"a,b\n1,\x072\n",
    ],
)  # fmt: skip
def test_what_is_no_table_is_refused_whatever_it_is_called(content):
    assert "not a workbook" in refusal(content)


def test_a_text_that_ends_within_a_letter_is_damaged_and_never_read_as_another_alphabet():
    whole = "姓名,年龄\n张三,1\n李四".encode()
    assert [("damaged" in refusal(whole[:-cut])) for cut in (1, 2)] == [True, True]
    assert "damaged" in refusal("\ufeffa,b\n".encode("utf-16-le")[:-1])
    assert rows("Ort;n\nOrléan;1\nDupré".encode("cp1252"))[2][0] == "Dupré"


def test_a_sheet_is_refused_by_what_is_in_it_not_by_what_it_might_hold():
    """All sheets of a workbook have one bound together."""
    small = LIMITS._replace(rows=4, columns=3, cells=10)
    table: list[list[Any]] = [["a", "b"], [1, 2], [3, 4]]
    assert rows(xlsx(("S", table)), small) == [["a", "b"], [1.0, 2.0], [3.0, 4.0]]
    for many, content in [
        ("5 rows", xlsx(("S", [*table, [1], [2]]))), ("4 columns", xlsx(("S", [["a", "b", "c", "d"]]))),
        ("12 cells", xlsx(("S", [["a"] * 3] * 4))), ("12 cells", xlsx(("S", table), ("T", table))),
        ("5 rows", b"a\n" * 5), ("4 columns", b"a,b,c,d\n"), ("12 cells", b"a,b,c\n" * 4),
    ]:  # fmt: skip
        assert many in refusal(content, small)


def changed(content: bytes, part: str, change: Callable[[bytes], bytes]) -> bytes:
    """The same archive with one part of it changed."""
    made = io.BytesIO()
    with ZipFile(io.BytesIO(content)) as before, ZipFile(made, "w", ZIP_DEFLATED) as after:
        for name in before.namelist():
            after.writestr(name, change(before.read(name)) if name == part else before.read(name))
    return made.getvalue()


def worked_out() -> bytes:
    """Data, a chart on a sheet of its own, and shares; formulas with a value, without one, and in error."""
    file = io.BytesIO()
    with Workbook(file) as book:
        data, chart = book.add_worksheet("Data"), book.add_chart({"type": "line"})
        data.write_row(0, 0, ["a", "f"])
        for row, value in enumerate([4, "", "#DIV/0!", "#N/A", True], 1):
            data.write(row, 0, row)
            data.write_formula(row, 1, "=A1", None, value)
        chart.add_series({"values": "=Data!$A$2:$A$3"})
        book.add_chartsheet("Chart").set_chart(chart)
        shares = book.add_worksheet("Shares")
        shares.write_row(0, 0, ["a", "share"])
        for row in (1, 2):
            shares.write(row, 0, row)
            shares.write(row, 1, row / 10, book.add_format({"num_format": "0.0%"}))
        shares.merge_range(3, 0, 4, 0, "x")
    return file.getvalue()


def moved_last(xml: bytes) -> bytes:
    """The first sheet of the workbook dragged to its end."""
    start = xml.index(b'<sheet name="Data"')
    end = xml.index(b"/>", start) + 2
    return xml[:start] + xml[end:].replace(b"</sheets>", xml[start:end] + b"</sheets>")


def test_what_a_sheet_s_own_part_says_is_said_of_that_sheet_wherever_it_stands():
    """Mutation caught: the parts in the order of their numbers."""
    content = worked_out()
    for each in (content, changed(content, "xl/workbook.xml", moved_last)):
        data, shares = sorted(workbook_files.read(each, LIMITS))
        assert (data.name, data.uncounted, data.errors, data.percents) == ("Data", 1, 2, frozenset())
        assert (shares.name, shares.uncounted, shares.errors, shares.percents, shares.merged) == (
            "Shares",
            0,
            0,
            frozenset({1}),
            1,
        )
        assert [row[1] for row in data.rows] == ["f", 4.0, "", "", "", True]
