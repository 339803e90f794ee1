"""Sheets of a workbook, written from the top down: text always as text, so that a formula in it is never run."""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import IO, Any

import xlsxwriter  # type: ignore[import-untyped]

from clinical.templates import Field

TEXT_MAX = 32_767  # characters of a cell, by the format
ROWS_MAX = 1_048_576
EXACT = 2**53  # a larger whole number would be another one
WIDE, NARROW = 44, 14
WIDE_TYPES = {"string", "[string]", "[object]"}
_WORDS = json.loads(Path(__file__).with_name("words.json").read_text("utf-8"))
SHEETS, HEADINGS, STATUSES, REASONS = (_WORDS[name] for name in ("sheets", "headings", "statuses", "reasons"))
WORDS_OF_STATES, BOOK, LOOKS = _WORDS["states"], _WORDS["book"], _WORDS["looks"]


class Book:
    def __init__(self, file: IO[bytes], language: str, folder: str) -> None:
        self.file = xlsxwriter.Workbook(file, {**BOOK, "tmpdir": folder})
        self.looks = {name: self.file.add_format(look) for name, look in LOOKS.items()}
        self.language, self.cut = language, 0

    def said(self, both: Sequence[str]) -> str:
        english, chinese = both
        return {"en": english, "zh": chinese}.get(self.language) or " / ".join(dict.fromkeys(both))

    def headings(self, names: Iterable[str]) -> list[str]:
        return [self.said(HEADINGS[name]) for name in names]

    def label(self, field: Field) -> str:
        return self.said((field.label, field.label_zh))

    def sheet(self, name: str) -> Any:
        """A sheet of this name, or of one near it: Excel allows 31 letters, some signs not, and no name twice."""
        plain = "".join(" " if letter in "[]:*?/\\'" else letter for letter in name).strip()[:25] or "-"
        taken = {each.name.lower() for each in self.file.worksheets()}
        names = (plain if number == 1 else f"{plain} {number}" for number in range(1, len(taken) + 2))
        return self.file.add_worksheet(next(each for each in names if each.lower() not in taken))

    def write(self, sheet: Any, row: int, column: int, value: Any, look: str = "plain") -> None:
        is_exact = isinstance(value, int | float) and abs(value) <= EXACT
        if not (value is None or is_exact or isinstance(value, datetime)):
            self.cut += len(str(value)) > TEXT_MAX
            value = str(value)[:TEXT_MAX]
        if isinstance(value, str) and value.startswith("<r>"):
            # XlsxWriter takes this for XML of its own, and writes it as it is.
            sheet.write_rich_string(row, column, "<", self.looks[look], value[1:], self.looks[look])
            return
        sheet.write(row, column, value, None if isinstance(value, datetime) else self.looks[look])


class Sheet:
    def __init__(self, book: Book, name: str, head: list[str], widths: list[int], bands: Sequence[str] = ()) -> None:
        self.book, self.name, self.head, self.widths, self.bands = book, name, head, widths, bands
        self.top = 1 if bands else 0
        self._begin()

    def _begin(self) -> None:
        self.sheet, self.at = self.book.sheet(self.name), self.top + 1
        for column, width in enumerate(self.widths):
            self.sheet.set_column(column, column, width)
        for column, band in enumerate(self.bands):
            self.book.write(self.sheet, 0, column, band, "band")
        for column, label in enumerate(self.head):
            self.book.write(self.sheet, self.top, column, label, "head")
        self.sheet.freeze_panes(self.at, 1)

    def add(self, cells: Iterable[Any], looks: Sequence[str] = ()) -> None:
        """One row; a sheet that is full goes on in another."""
        if self.at == ROWS_MAX:
            self.end()
            self._begin()
        for column, value in enumerate(cells):
            self.book.write(self.sheet, self.at, column, value, looks[column] if looks else "plain")
        self.at += 1

    def end(self) -> None:
        self.sheet.autofilter(self.top, 0, max(self.at - 1, self.top + 1), len(self.head) - 1)


def sheet(book: Book, name: str, columns: Sequence[str], wide: set[str]) -> Sheet:
    widths = [WIDE if column in wide else 20 for column in columns]
    return Sheet(book, book.said(SHEETS[name]), book.headings(columns), widths)
