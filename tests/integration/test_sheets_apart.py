"""Bad files, each read in the walled process that the product reads workbooks in: told in words, and nothing else breaks."""

import io
import re
import struct
import sys
from collections.abc import Callable, Sequence
from datetime import date, datetime
from functools import partial
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

import pytest

from sheaf.apart import wall
from sheaf.apart.isolation import read_apart
from sheaf.apart.reader_errors import Unreadable
from sheets import file_problems, saved_table
from sheets.sheet_limits import LIMITS
from sheets.table_file import HEAD
from sheets.tables import Table
from tests.support.workbooks import xlsx

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
ROWS: list[list[Any]] = [["id", "a", "b"], ["x", 1, 2], ["y", 3, 4]]
BOOK = xlsx(("S", ROWS))
SHEET, STYLES = "xl/worksheets/sheet1.xml", "xl/styles.xml"
WALLED = "required" if sys.platform == "linux" else wall.NONE


def read(content: bytes, **limits: Any) -> list[Table]:
    """As the product does it."""
    made = read_apart(
        content, "any.xlsx", LIMITS._replace(**limits), reader="sheets.read_workbook", advice=file_problems.SAVE_AS, walled=WALLED
    )  # fmt: skip
    return [*saved_table.tables_of(made[HEAD:], int.from_bytes(made[:HEAD], "big"))]


def packed(parts: dict[str, bytes | str], method: int = ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with ZipFile(file, "w", method) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return file.getvalue()


def changed(part: str, change: Callable[[bytes], bytes], content: bytes = BOOK) -> bytes:
    with ZipFile(io.BytesIO(content)) as archive:
        return packed(
            {name: change(archive.read(name)) if name == part else archive.read(name) for name in archive.namelist()}
        )


def with_cells(xml: bytes, dimension: bytes = b"") -> bytes:
    """More cells at the end of the sheet, and another size than it has."""
    return changed(
        SHEET, lambda part: re.sub(rb"<dimension[^>]*>", dimension, part).replace(b"</sheetData>", xml + b"</sheetData>")
    )  # fmt: skip


def flipped(part: str) -> bytes:
    """What is packed of this part is overwritten."""
    with ZipFile(io.BytesIO(BOOK)) as archive:
        start = archive.getinfo(part).header_offset + 30 + len(part)
    return BOOK[: start + 10] + bytes(each ^ 0xFF for each in BOOK[start + 10 : start + 40]) + BOOK[start + 40 :]


def lying(size: int) -> bytes:
    """60 MB of one value whose directory says that it is as small as this."""
    content = changed(SHEET, lambda part: part.replace(b"</sheetData>", b" " * 60_000_000 + b"</sheetData>"))
    with ZipFile(io.BytesIO(content)) as archive:
        true = struct.pack("<I", archive.getinfo(SHEET).file_size)
    return content.replace(true, struct.pack("<I", size))


def cut_off(content: bytes, at: int) -> bytes:
    return content[:at]


def record(kind: int, body: bytes) -> bytes:
    return struct.pack("<HH", kind, len(body)) + body


def xls(rows: Sequence[Sequence[Any]], protection: bytes = b"") -> bytes:
    """The oldest of the formats: records in a stream in a container."""
    begin = struct.pack("<HHHHII", 0x600, 5, 0, 0, 0, 0)
    sheet = record(0x809, struct.pack("<HHHHII", 0x600, 0x10, 0, 0, 0, 0))
    for at, row in enumerate(rows):
        for column, cell in enumerate(row):
            place = struct.pack("<HHH", at, column, 0)
            if isinstance(cell, str):
                sheet += record(0x204, place + struct.pack("<HB", len(cell), 1) + cell.encode("utf-16-le"))
            else:
                sheet += record(0x203, place + struct.pack("<d", cell))
    start = 20 + len(protection) + 13 + 4
    named = record(0x85, struct.pack("<IBBBB", start, 0, 0, 1, 0) + b"S")
    return ole("Workbook", record(0x809, begin) + protection + named + record(0xA, b"") + sheet + record(0xA, b""))


def ole(name: str, stream: bytes) -> bytes:
    free, end = 0xFFFFFFFF, 0xFFFFFFFE
    stream = stream.ljust(4096, b"\0")
    sectors = len(stream) // 512
    table = [0xFFFFFFFD, end, *range(3, 2 + sectors), end]
    head = struct.pack("<8s16xHHHHH6x9I", OLE, 0x3E, 3, 0xFFFE, 9, 6, 0, 1, 1, 0, 4096, end, 0, end, 0)
    entries = b"".join(
        (label := (each + "\0").encode("utf-16-le")).ljust(64, b"\0")
        + struct.pack("<HBBIII16xI8x8xIQ", len(label), kind, 1, free, free, child, 0, first, size)
        for each, kind, child, first, size in [("Root Entry", 5, 1, end, 0), (name, 2, free, 2, len(stream))]
    )
    chains = struct.pack("<128I", *table, *[free] * (128 - len(table)))
    return head + struct.pack("<109I", 0, *[free] * 108) + chains + entries.ljust(512, b"\0") + stream


OFFICE = "urn:oasis:names:tc:opendocument:xmlns:"


def cell(value: object, more: str = "") -> str:
    if isinstance(value, str):
        return f'<table:table-cell office:value-type="string"{more}><text:p>{value}</text:p></table:table-cell>'
    kind, said = ("date", "date-value") if isinstance(value, date) else ("float", "value")
    return f'<table:table-cell office:value-type="{kind}" office:{said}="{value}"{more}/>'


def row(cells: Sequence[str], more: str = "") -> str:
    return f"<table:table-row{more}>{''.join(cells)}</table:table-row>"


def ods(*rows: str, manifest: str = "", kind: str = "spreadsheet") -> bytes:
    names = " ".join(f'xmlns:{name}="{OFFICE}{name}:1.0"' for name in ("office", "table", "text"))
    body = f'<office:body><office:spreadsheet><table:table table:name="S">{"".join(rows)}</table:table></office:spreadsheet></office:body>'
    return packed({
        "mimetype": f"application/vnd.oasis.opendocument.{kind}",
        "META-INF/manifest.xml": f'<m:manifest xmlns:m="{OFFICE}manifest:1.0">{manifest}</m:manifest>',
        "content.xml": f"<office:document-content {names}>{body}</office:document-content>",
    })  # fmt: skip


ROWS_MAX, COLUMNS_MAX = ' table:number-rows-repeated="1048576"', ' table:number-columns-repeated="16384"'
FAR = b'<row r="1048576"><c r="%s1048576"><v>1</v></c></row>'
BAD: dict[str, tuple[Callable[[], bytes], str]] = {
    "nothing": (lambda: b"", "no table"),
    "empty sheets": (lambda: xlsx(("S", []), ("T", [[""]])), "no table"),
    "blank cells": (lambda: xlsx(("S", [[" ", "\u3000"], ["\t", " "]])), "no table"),
    "names alone": (lambda: xlsx(("S", [["id", "a"]])), "No row of names"),
    "values alone": (lambda: b"1,2,3\n4,5,6\n", r"No row of names was found above the values\. Put a row"),
    "formulas that were never worked out": (
        lambda: changed(SHEET, lambda part: re.sub(rb"<v>[1-4]</v>|<c r=.A[23]. t=.s.><v>\d</v></c>", b"<f>1+1</f>", part)),
        r"not work them out\. Open it",
    ),
    "a password: xlsx": (lambda: ole("EncryptedPackage", b"x" * 4096), "password"),
    "a password: xls": (lambda: xls(ROWS, record(0x2F, bytes(54))), "password"),
    "a password: ods": (lambda: ods(manifest="<m:encryption-data/>"), "password"),
    "a password: zip": (lambda: re.sub(rb"(PK\x01\x02.{4}).", rb"\1" + b"\x01", BOOK, flags=re.S), "password"),
    "a Word document": (lambda: packed({"word/document.xml": "<w/>", "[Content_Types].xml": "<t/>"}), "not a workbook"),
    "an old Word document": (lambda: ole("WordDocument", b"x" * 4096), "not a workbook"),
    "an OpenDocument text": (lambda: ods(kind="text"), "not a workbook"),
    "a PDF": (lambda: b"%PDF-1.7\n1 0 obj\n", "not a workbook"),
    "a picture": (lambda: b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 40, "not a workbook"),
    "a page of the web": (lambda: b"<html><table><tr><td>a</td></tr></table></html>", "not a workbook"),
    "zeros": (lambda: bytes(100_000), "not a workbook"),
    "a line of 30 MB": (lambda: b"x" * 30_000_000, "not a workbook"),
    "a quote that is never closed": (lambda: b'a,b\n"' + b"x\n" * 8_000_000, "not a workbook"),
    "15 million columns": (lambda: b"x," * 15_000_000, "15,000,001 columns"),
    "1,048,576 lines": (lambda: b"1,2\n" * 1_048_576, "200,001 rows"),
    "1,048,576 rows": (lambda: with_cells(FAR % b"A", b'<dimension ref="A1:C1048576"/>'), "1,048,576 rows"),
    "1,048,576 rows, unsaid": (lambda: with_cells(FAR % b"XFD"), "1,048,576 rows"),
    "16,384 columns": (
        lambda: with_cells(b'<row r="4"><c r="XFD4" t="b"><v>1</v></c></row>', b'<dimension ref="A1:XFD4"/>'), "16,384 columns",
    ),
    "16,384 columns, unsaid": (lambda: with_cells(b'<row r="4"><c r="XFD4"><v>1</v></c></row>'), "16,384 columns"),
    "a far cell in a sheet that says that it is small": (lambda: with_cells(FAR % b"XFD", b'<dimension ref="A1:C3"/>'), "memory"),
    "a cell beyond all sheets": (lambda: with_cells(b'<row r="4"><c r="ZZZZZZZZ4294967295"><v>1</v></c></row>'), "damaged"),
    "1,048,576 rows: ods": (lambda: ods(row([cell("a"), cell(1)], ROWS_MAX)), "1,048,576 rows"),
    "16,384 columns: ods": (lambda: ods(row([cell("a", COLUMNS_MAX)])), "16,384 columns"),
    "a full sheet: ods": (lambda: ods(row([cell("a", COLUMNS_MAX)], ROWS_MAX)), "damaged|memory"),
    "a zip bomb": (lambda: changed(SHEET, lambda part: part + b" " * 401_000_000), "unpacks to far more"),
    "a zip bomb that lies": (lambda: lying(1000), "damaged"),
    "an empty archive": (lambda: packed({}), "not a workbook|damaged"),
    "an archive of nothing known": (lambda: packed({"a.csv": "a,b"}), "not a workbook"),
    "a part that cannot be unpacked": (lambda: flipped(SHEET), "damaged"),
    "styles that cannot be unpacked": (lambda: flipped(STYLES), "damaged"),
    "no styles": (lambda: changed(STYLES, lambda _: b""), "damaged"),
    "a sheet cut off": (lambda: changed(SHEET, lambda part: part[: len(part) // 2]), "damaged"),
    "no workbook in the workbook": (lambda: changed("xl/workbook.xml", lambda _: b"<x/>"), "damaged|no table"),
    "a text that is not there": (lambda: changed(SHEET, lambda part: part.replace(b"<v>0</v>", b"<v>99</v>")), "damaged"),
    "xls of noise": (lambda: xls(ROWS)[:1536] + bytes(range(256)) * 16, "damaged"),
    "a text that ends within a letter": (lambda: "姓名,年龄\n张三,1\n李四".encode()[:-1], "damaged"),
    **{f"xlsx cut at {cut}": (partial(cut_off, BOOK, cut), "damaged") for cut in (4, 100, len(BOOK) // 2, len(BOOK) - 3)},
    **{f"xls cut at {cut}": (partial(cut_off, xls(ROWS), cut), "damaged") for cut in (8, 600, 601, 1603)},
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_ends_in_words(name):
    """With a reason and what to do, within the limits; nothing else is raised, so nothing is tried again in vain.

    Mutations caught: a panic of calamine's (an xls cut at 601), or an error of zlib's, ends as a broken reader.
    """
    make, reason = BAD[name]
    with pytest.raises(Unreadable, match=reason) as refused:
        read(make())
    assert refused.value.reason.endswith(".")
    assert refused.value.advice.endswith(".")


@pytest.mark.parametrize(
    "make",
    [
        lambda: BOOK,
        lambda: xls(ROWS),
        lambda: ods(*(row([cell(each) for each in line]) for line in ROWS)),
        lambda: ods(
            *(row([cell(each) for each in line]) for line in ROWS), row([f"<table:table-cell{COLUMNS_MAX}/>"], ROWS_MAX)
        ),
        lambda: "\n".join(";".join(map(str, line)) for line in ROWS).encode("utf-16"),
        lambda: changed("", bytes, with_cells(b"", b'<dimension ref="A1:XFD1048576"/>')),
        lambda: with_cells(b'<row r="9"><c r="A9" s="0"/></row>'),
        lambda: changed(SHEET, lambda part: part.replace(b"</sheetData>", b" " * 9_000_000 + b"</sheetData>")),
        lambda: packed({**parts(), "xl/vbaProject.bin": ole("VBA", b"Sub Auto_Open()" * 300)}, ZIP_STORED),
    ],
    ids=["xlsx", "xls", "ods", "ods to its last row", "csv", "said to be large", "formatted", "padded", "macros"],
)
def test_the_same_table_is_read_of_every_kind_of_file(make):
    """A sheet is as large as what is in it; macros are carried about and never looked at."""
    (table,) = read(make())
    assert table.rows == [["x", 1, 2], ["y", 3, 4]]
    assert [column["type"] for column in table.columns] == ["id", "integer", "integer"]


def parts() -> dict[str, bytes | str]:
    with ZipFile(io.BytesIO(BOOK)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.parametrize(
    ("number", "kind", "kept"),
    [
        (b"NaN", "integer", None),
        (b"inf", "category", "inf"),
        (b"-1e999", "category", "-inf"),
        (b"1e308", "float", 1e308),
    ],
)
def test_a_number_that_json_cannot_hold_is_missing_or_a_text_when_a_workbook_holds_it(number, kind, kept):
    (table,) = read(changed(SHEET, lambda part: part.replace(b"<v>3</v>", b"<v>" + number + b"</v>")))
    assert table.rows[1][1] == kept
    assert table.columns[1]["type"] == kind


def test_dates_and_times_and_every_encoding_are_read_behind_the_wall():
    """Where no module can be loaded any more. Mutation caught: a codec that is not loaded before."""
    morning = datetime.fromisoformat("2024-01-09T08:30:00")
    days = xlsx(("S", [["day", "at"], [date(2024, 1, 9), morning], [date(2024, 1, 10), date(2024, 1, 10)]]))
    assert read(days)[0].rows[0] == ["2024-01-09", "2024-01-09T08:30:00"]
    for encoding in ("utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "gb18030", "gbk"):
        assert read("姓名,年龄\n张三丰,61\n欧阳修,62\n".encode(encoding))[0].rows == [["张三丰", 61], ["欧阳修", 62]]
    assert read("Ort;n\nZürich;1\nGenève;2\n".encode("cp1252"))[0].rows == [["Zürich", 1], ["Genève", 2]]


def test_one_bad_sheet_does_not_cost_the_others():
    bad, good = read(xlsx(("Numbers", [[1, 2], [3, 4]]), ("Blank", []), ("Good", ROWS)))
    assert (bad.name, bad.rows, "No row of names" in str(bad.problem)) == ("Numbers", [], True)
    assert (good.name, good.problem) == ("Good", None)


def test_a_workbook_that_takes_too_long_or_too_much_is_stopped():
    large = b"a,b\n" + b"".join(b"%d,x%d\n" % (n, n) for n in range(190_000))
    with pytest.raises(Unreadable, match="time"):
        read(large, wall_seconds=0.2)
    if sys.platform == "linux":
        with pytest.raises(Unreadable, match="memory"):
            read(large, memory_bytes=60_000_000)
