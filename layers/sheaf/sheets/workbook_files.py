"""Bytes in, sheets of raw cells out, by what the bytes are and never by what the file is called. Macros are never run."""

import csv
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from io import BytesIO, StringIO
from typing import NamedTuple, cast
from zipfile import BadZipFile, ZipFile

from sheaf.apart.reader_errors import Unreadable
from sheets import file_problems
from sheets.cell_values import Cell
from sheets.sheet_limits import Limits

ZIP, OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
LOCKED = "EncryptedPackage".encode("utf-16-le")
MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
NO_TABLES = (b"%PDF", b"{\\rtf", b"<?xml", b"<html", b"<!DOCTYPE")
DELIMITERS = ",;\t|"
LOOKED_AT = 60
"""Lines that say what a text is divided by."""
HEAD_BYTES, STYLED_BYTES = 2_000, 300_000
COMMON = 0.8
"""Of the letters of a Chinese text so many are in the old, small set of characters."""
DIMENSION = re.compile(rb'<dimension ref="[A-Z]+\d+:([A-Z]+)(\d+)"')
CELL = re.compile(rb'<c r="([A-Z]+)\d+"[^>]*?\bs="(\d+)"')
FORMAT = re.compile(rb'<numFmt (?=[^>]*formatCode="[^"]*%)[^>]*numFmtId="(\d+)"')
STYLES = re.compile(rb"<cellXfs.*?</cellXfs>", re.S)
STYLE = re.compile(rb'<xf [^>]*?numFmtId="(\d+)"')
PERCENTS = {b"9", b"10"}
UNCOUNTED = re.compile(rb"</f>(?:<v/>|<v></v>)?</c>|<f[^>]*/>(?:<v/>|<v></v>)?</c>")


class Sheet(NamedTuple):
    """One sheet as the file has it, without rows and columns cut off at its beginning."""

    name: str
    rows: list[list[Cell]]
    merged: int = 0
    uncounted: int = 0
    """Formulas without a value."""
    percents: frozenset[int] = frozenset()
    """Columns whose numbers are shown as percentages."""


def read(content: bytes, limits: Limits) -> list[Sheet]:
    """Every sheet with something in it. Raises Unreadable."""
    if content.startswith(ZIP):
        _check_archive(content, limits)
        return _workbook(content, limits)
    if content.startswith(OLE):
        if LOCKED in content:
            raise Unreadable(*file_problems.LOCKED)
        return _workbook(content, limits)
    return [Sheet("", _table(_text(content), limits))]


def _check_archive(content: bytes, limits: Limits) -> None:
    try:
        with ZipFile(BytesIO(content)) as archive:
            names = archive.namelist()
            unpacked = sum(each.file_size for each in archive.infolist())
            locked = any(each.flag_bits & 1 for each in archive.infolist())
    except (BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise Unreadable(*file_problems.DAMAGED) from error
    if unpacked > limits.unpacked_bytes:
        raise Unreadable(*file_problems.TOO_MUCH_PACKED)
    if locked:
        raise Unreadable(*file_problems.LOCKED)
    if not {"xl/workbook.xml", "content.xml", "xl/workbook.bin"} & set(names):
        raise Unreadable(*file_problems.NO_SHEET)


def _workbook(content: bytes, limits: Limits) -> list[Sheet]:
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError  # noqa: PLC0415 - a text needs none of it

    parts = _Parts(content)
    try:
        book = CalamineWorkbook.from_filelike(BytesIO(content))
        found = []
        for number, name in enumerate(book.sheet_names):
            parts.check(number, name, limits)
            sheet = book.get_sheet_by_index(number)
            _check(name, sheet.total_height, sheet.total_width, limits)
            rows = cast("list[list[Cell]]", sheet.to_python(skip_empty_area=False))
            if any(cell != "" for row in rows for cell in row):
                merged = len(sheet.merged_cell_ranges or ())
                found.append(Sheet(name, rows, merged, parts.uncounted(number), parts.percents(number)))
    except PasswordError as error:
        raise Unreadable(*file_problems.LOCKED) from error
    except (CalamineError, ValueError, OSError, KeyError, BadZipFile) as error:
        raise Unreadable(*file_problems.DAMAGED) from error
    return found


def _check(name: str, height: int, width: int, limits: Limits) -> None:
    if height > limits.rows:
        raise Unreadable(*file_problems.too_large(name, "rows", height, limits.rows))
    if width > limits.columns:
        raise Unreadable(*file_problems.too_large(name, "columns", width, limits.columns))
    if height * width > limits.cells:
        raise Unreadable(*file_problems.too_large(name, "cells", height * width, limits.cells))


class _Parts:
    """What an xlsx says in its parts and its reader does not tell."""

    def __init__(self, content: bytes) -> None:
        self.archive = ZipFile(BytesIO(content)) if content.startswith(ZIP) else None
        names = self.archive.namelist() if self.archive else []
        numbered = [
            (int(found[1]), name) for name in names if (found := re.fullmatch(r"xl/worksheets/sheet(\d+)\.xml", name))
        ]
        self.sheets = [name for _, name in sorted(numbered)]
        self.styles = self._styles() if self.archive and "xl/styles.xml" in names else {}

    def check(self, number: int, name: str, limits: Limits) -> None:
        """Before all of it is in memory: how large it says that it is. Raises Unreadable."""
        said = DIMENSION.search(self._start(number, HEAD_BYTES))
        if said:
            _check(name, int(said[2]), _column(said[1]) + 1, limits)

    def uncounted(self, number: int) -> int:
        xml = self._start(number, None)
        return len(UNCOUNTED.findall(xml)) if b"<f" in xml else 0

    def percents(self, number: int) -> frozenset[int]:
        shown = {
            _column(letters)
            for letters, style in CELL.findall(self._start(number, STYLED_BYTES))
            if int(style) in self.styles
        }
        return frozenset(shown)

    def _start(self, number: int, size: int | None) -> bytes:
        if self.archive is None or number >= len(self.sheets):
            return b""
        with self.archive.open(self.sheets[number]) as part:
            return part.read() if size is None else part.read(size)

    def _styles(self) -> set[int]:
        """The numbers of the styles that show percentages."""
        assert self.archive is not None
        xml = self.archive.read("xl/styles.xml")
        percents = PERCENTS | set(FORMAT.findall(xml))
        found = STYLES.search(xml)
        return {at for at, form in enumerate(STYLE.findall(found[0])) if form in percents} if found else set()


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number - 1


def _text(content: bytes) -> str:
    """Raises Unreadable where these bytes are no text."""
    if content.startswith(NO_TABLES):
        raise Unreadable(*file_problems.NO_SHEET)
    for mark, encoding in MARKS:
        if content.startswith(mark):
            return _decoded(content, encoding)
    text = _decoded(content, _wide(content)) if b"\x00" in content else _narrow(content)
    if any(letter < " " and letter not in "\t\r\n\x0b\x0c" for letter in text[:2000]):
        raise Unreadable(*file_problems.NO_SHEET)
    return text


def _wide(content: bytes) -> str:
    """The encoding of text of two bytes a letter without a mark: in Western text every other byte is zero."""
    start = content[:2000]
    even, odd = start[::2].count(0), start[1::2].count(0)
    if max(even, odd) < len(start) / 8:
        raise Unreadable(*file_problems.NO_SHEET)
    return "utf-16-be" if even > odd else "utf-16-le"


def _narrow(content: bytes) -> str:
    for encoding in ("utf-8", "gb18030", "cp1252"):
        with suppress(UnicodeDecodeError):
            text = content.decode(encoding)
            if encoding != "gb18030" or _is_chinese(text):
                return text
    return content.decode("latin-1")


def _decoded(content: bytes, encoding: str) -> str:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        raise Unreadable(*file_problems.DAMAGED) from error


def _is_chinese(text: str) -> bool:
    """Any bytes can be read as this; Western letters become rare characters then."""
    letters = [letter for letter in text if letter > "\x7f"][:2000]
    common = sum(len(letter.encode("gb2312", "ignore")) > 0 for letter in letters)
    return common >= COMMON * len(letters)


def _table(text: str, limits: Limits) -> list[list[Cell]]:
    """Raises Unreadable for more rows, columns or cells than are read."""
    csv.field_size_limit(10_000_000)
    lines = text.splitlines()[:LOOKED_AT]
    delimiter = max(DELIMITERS, key=lambda each: _fits(lines, each))
    rows, width = [], 0
    try:
        for row in _rows(text, delimiter):
            rows.append(row)
            width = max(width, len(row))
            _check("csv", len(rows), width, limits)
    except csv.Error as error:
        raise Unreadable(*file_problems.DAMAGED) from error
    return [row + [""] * (width - len(row)) for row in rows]


def _rows(text: str, delimiter: str) -> Iterator[list[Cell]]:
    return cast("Iterator[list[Cell]]", csv.reader(StringIO(text, newline=""), delimiter=delimiter))


def _fits(lines: Sequence[str], delimiter: str) -> float:
    """How evenly this divides the lines: of the width that most of them have, how many, and how wide."""
    try:
        widths = [len(row) for row in _rows("\n".join(lines), delimiter) if row]
    except csv.Error:
        return 0
    usual = max(set(widths), key=widths.count, default=1)
    return 0 if usual == 1 else widths.count(usual) / len(widths) + usual / 1_000_000
