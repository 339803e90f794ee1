"""Bytes in, sheets of raw cells out, by what the bytes are and never by what the file is called. Macros are never run."""

import csv
import posixpath
import re
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from io import BytesIO, StringIO
from typing import TYPE_CHECKING, NamedTuple, cast
from zipfile import BadZipFile, ZipFile

from sheaf.apart.reader_errors import Unreadable
from sheets import file_problems
from sheets.cell_values import Cell
from sheets.sheet_limits import Limits

if TYPE_CHECKING:
    from python_calamine import CalamineWorkbook

ZIP, OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
LOCKED = "EncryptedPackage".encode("utf-16-le")
MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
NO_TABLES = (b"%pdf", b"{\\rtf", b"<?xml", b"<html", b"<!doctype", b"<!--", b"<table", b"<meta", b"<head", b"<style")
NO_BOOKS = tuple(name.encode("utf-16-le") for name in ("WordDocument", "PowerPoint Document", "__nameid"))
FILE_PASS = re.compile(rb"\x09\x08(?:\x08\x00.{8}|\x10\x00.{16})(?:\x86\x00\x00\x00)?\x2f\x00", re.S)
"""What stands at the beginning of an xls that is protected by a password."""
BROKEN = (ValueError, OSError, LookupError, EOFError, RuntimeError, BadZipFile, zlib.error)
SHEETS = b"spreadsheet"  # in what an OpenDocument file says that it is
DELIMITERS = ",;\t|"
LOOKED_AT, LETTERS_LOOKED_AT = 60, 1_000_000  # lines that say what a text is divided by
HEAD_BYTES, STYLED_BYTES = 2_000, 300_000
COMMON = 0.8  # of the letters of a Chinese text so many are in the old, small set of characters
DIMENSION = re.compile(rb'<dimension ref="[A-Z]+\d+:([A-Z]+)(\d+)"')
CELL = re.compile(rb'<c r="([A-Z]+)\d+"[^>]*?\bs="(\d+)"')
FAR = re.compile(rb'<c r="(?=[A-Z]{3}|[A-Z]+\d{6})([A-Z]{1,3})(\d{1,7})"(?:[^>]*[^>/])?><')
ERROR = re.compile(rb'<c [^>]*\bt="e"')
PART = re.compile(rb'<(?:\w+:)?sheet\s[^>]*:id="([^"]+)"')
TARGET = re.compile(rb'<(?:\w+:)?Relationship\s(?=[^>]*\bId="([^"]+)")[^>]*\bTarget="([^"]+)"')
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
    uncounted: int = 0  # formulas without a value
    percents: frozenset[int] = frozenset()  # columns whose numbers are shown as percentages
    errors: int = 0  # cells like #DIV/0!, which are read as blank


def read(content: bytes, limits: Limits) -> list[Sheet]:
    """Every sheet with something in it. Raises Unreadable."""
    if content.startswith(ZIP):
        _check_archive(content, limits)
        return _workbook(content, limits)
    if content.startswith(OLE):
        if LOCKED in content or FILE_PASS.search(content):
            raise Unreadable(*file_problems.LOCKED)
        if any(name in content for name in NO_BOOKS):
            raise Unreadable(*file_problems.NO_SHEET)
        return _workbook(content, limits)
    rows = _table(_text(content), limits)
    return [Sheet("", rows)] if says(rows) else []


def says(rows: Sequence[Sequence[Cell]]) -> bool:
    return any(not isinstance(cell, str) or cell.strip() for row in rows for cell in row)


def _check_archive(content: bytes, limits: Limits) -> None:
    try:
        with ZipFile(BytesIO(content)) as archive:
            files = archive.infolist()
            names = {each.filename for each in files}
            if sum(each.file_size for each in files) > limits.unpacked_bytes:
                raise Unreadable(*file_problems.TOO_MUCH_PACKED)
            if any(each.flag_bits & 1 for each in files):
                raise Unreadable(*file_problems.LOCKED)
            said = [archive.read(name) if name in names else b"" for name in ("META-INF/manifest.xml", "mimetype")]
    except BROKEN as error:
        raise Unreadable(*file_problems.DAMAGED) from error
    if b"encryption-data" in said[0]:
        raise Unreadable(*file_problems.LOCKED)
    if not names & {"xl/workbook.xml", "content.xml", "xl/workbook.bin"} or SHEETS not in (said[1] or SHEETS):
        raise Unreadable(*file_problems.NO_SHEET)


def _workbook(content: bytes, limits: Limits) -> list[Sheet]:
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError  # noqa: PLC0415 - a text needs none of it

    try:
        return [*_sheets(CalamineWorkbook.from_filelike(BytesIO(content)), _Parts(content), limits)]
    except PasswordError as error:
        raise Unreadable(*file_problems.LOCKED) from error
    except (CalamineError, *BROKEN) as error:
        raise Unreadable(*file_problems.DAMAGED) from error
    except BaseException as error:
        # A panic of calamine's is no Exception, and its class can be had from nowhere.
        if type(error).__name__ != "PanicException":
            raise
        raise Unreadable(*file_problems.DAMAGED) from error


def _sheets(book: "CalamineWorkbook", parts: "_Parts", limits: Limits) -> Iterator[Sheet]:
    cells = 0
    for number, name in enumerate(book.sheet_names):
        parts.check(number, name, limits)
        sheet = book.get_sheet_by_index(number)
        height, width = (last + 1 for last in sheet.end or (-1, -1))
        _check(name, height, width, limits, cells)
        cells += height * width
        rows = cast("list[list[Cell]]", sheet.to_python(skip_empty_area=False))
        if says(rows):
            yield Sheet(name, rows, len(sheet.merged_cell_ranges or ()), *parts.said(number))


def _check(name: str, height: int, width: int, limits: Limits, before: int = 0) -> None:
    if height > limits.rows:
        raise Unreadable(*file_problems.too_large(name, "rows", height, limits.rows))
    if width > limits.columns:
        raise Unreadable(*file_problems.too_large(name, "columns", width, limits.columns))
    if (cells := before + height * width) > limits.cells:
        raise Unreadable(*file_problems.too_large(name, "cells", cells, limits.cells))


class _Parts:
    """What an xlsx says in its parts and its reader does not tell."""

    def __init__(self, content: bytes) -> None:
        self.archive = ZipFile(BytesIO(content)) if content.startswith(ZIP) else None
        self.names = frozenset(self.archive.namelist() if self.archive else ())
        targets = dict(TARGET.findall(self._part("xl/_rels/workbook.xml.rels")))
        ids: list[bytes] = PART.findall(self._part("xl/workbook.xml"))
        self.sheets = [posixpath.join("/xl", targets.get(each, b"").decode())[1:] for each in ids]
        self.styles = self._styles()

    def check(self, number: int, name: str, limits: Limits) -> None:
        """Before all of it is in memory: how large it says that it is, or where it says nothing likely, how far its cells are. Raises Unreadable."""
        said = DIMENSION.search(self._sheet(number, HEAD_BYTES))
        with suppress(Unreadable):
            if said:
                return _check(name, int(said[2]), _column(said[1]) + 1, limits)
        ends = {(int(row), _column(letters) + 1) for letters, row in FAR.findall(self._sheet(number))} | {(0, 0)}
        height, width = (max(each) for each in zip(*ends, strict=True))
        return _check(name, height, width, limits)

    def said(self, number: int) -> tuple[int, frozenset[int], int]:
        """How many formulas have no value, which columns are percentages, and how many cells are errors."""
        xml = self._sheet(number)
        styled = CELL.findall(xml[:STYLED_BYTES]) if self.styles else ()
        percents = frozenset(_column(letters) for letters, style in styled if int(style) in self.styles)
        errors = len(ERROR.findall(xml)) if b't="e"' in xml else 0
        return len(UNCOUNTED.findall(xml)) if b"<f" in xml else 0, percents, errors

    def _sheet(self, number: int, size: int = -1) -> bytes:
        return self._part(self.sheets[number], size) if number < len(self.sheets) else b""

    def _part(self, name: str, size: int = -1) -> bytes:
        if self.archive is None or name not in self.names:
            return b""
        with self.archive.open(name) as part:
            return part.read(size)

    def _styles(self) -> set[int]:
        """The numbers of the styles that show percentages."""
        xml = self._part("xl/styles.xml")
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
    if content[:100].lstrip(b"\xef\xbb\xbf \t\r\n").lower().startswith(NO_TABLES):
        raise Unreadable(*file_problems.NO_SHEET)
    for mark, encoding in MARKS:
        if content.startswith(mark):
            return _decoded(content, encoding, file_problems.DAMAGED)
    text = _decoded(content, _wide(content), file_problems.NO_SHEET) if b"\x00" in content else _narrow(content)
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
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        if error.reason == "unexpected end of data" and not content[: error.start].isascii():
            raise Unreadable(*file_problems.DAMAGED) from error
    for encoding in ("gb18030", "cp1252"):
        with suppress(UnicodeDecodeError):
            text = content.decode(encoding)
            if encoding != "gb18030" or _is_chinese(text):
                return text
    return content.decode("latin-1")


def _decoded(content: bytes, encoding: str, problem: tuple[str, str]) -> str:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        raise Unreadable(*problem) from error


def _is_chinese(text: str) -> bool:
    """Any bytes can be read as this; Western letters become rare characters then."""
    letters = [letter for letter in text if letter > "\x7f"][:2000]
    common = sum(len(letter.encode("gb2312", "ignore")) > 0 for letter in letters)
    return common >= COMMON * len(letters)


def _table(text: str, limits: Limits) -> list[list[Cell]]:
    """Raises Unreadable for more rows, columns or cells than are read."""
    csv.field_size_limit(10_000_000)
    lines = text[:LETTERS_LOOKED_AT].splitlines()[:LOOKED_AT]
    delimiter = max(DELIMITERS, key=lambda each: _fits(lines, each))
    rows, width = [], 0
    try:
        for row in _rows(text, delimiter):
            rows.append(row)
            width = max(width, len(row))
            _check("csv", len(rows), width, limits)
    except csv.Error as error:
        raise Unreadable(*file_problems.NO_SHEET) from error
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
