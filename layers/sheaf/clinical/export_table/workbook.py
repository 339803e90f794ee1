"""A table as a workbook: the table, its lists, the evidence, what went wrong, and what the file is. Written row by row.

Text is always written as text: a formula in it is never run.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby
from tempfile import TemporaryDirectory
from typing import IO, Any

import xlsxwriter  # type: ignore[import-untyped]

from clinical.answered import STATES, Value
from clinical.export_table import words
from clinical.export_table.table import About, Paper, cell, entries, entry_cell, part_cell
from clinical.templates import Field, section_labels

TEXT_MAX = 32_767
"""Characters of a cell, by the format."""
ROWS_MAX = 1_048_576
EXACT = 2**53
"""A larger whole number would be another one."""
WIDE, NARROW = 44, 14
WIDE_TYPES = {"string", "[string]", "[object]"}
BOOK = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "default_date_format": "yyyy-mm-dd hh:mm",
    "remove_timezone": True,
}
PLAIN = {"text_wrap": True, "valign": "top"}
LOOKS: dict[str, dict[str, object]] = {
    "plain": PLAIN,
    "band": {"bold": True, "font_color": "#FFFFFF", "bg_color": "#1F3A4D"},
    "head": {**PLAIN, "bold": True, "bg_color": "#E8EEF2", "bottom": 1},
    "unsupported": {**PLAIN, "bg_color": "#FFF0CC"},
    "contradictory": {**PLAIN, "bg_color": "#FFDDD0"},
    "not_reported": {**PLAIN, "bg_color": "#EEEEEE", "italic": True},
}
BESIDE = ("study", "document", "file", "status")
SHOWN = {*STATES} - {"not_found", "not_attempted"}
PROBLEMS = (*BESIDE, "problem")
PROOF = ("study", "field", "entry", "state", "reason", "value", "quote", "page", "link")


class _Book:
    """The workbook and its looks; how many cells had to be cut."""

    def __init__(self, file: IO[bytes], language: str, folder: str) -> None:
        self.file = xlsxwriter.Workbook(file, {**BOOK, "tmpdir": folder})
        self.looks = {name: self.file.add_format(look) for name, look in LOOKS.items()}
        self.language, self.cut = language, 0

    def said(self, both: Sequence[str]) -> str:
        return words.said(both, self.language)

    def headings(self, names: Iterable[str]) -> list[str]:
        return [self.said(words.HEADINGS[name]) for name in names]

    def label(self, field: Field) -> str:
        return self.said((field.label, field.label_zh))

    def sheet(self, name: str) -> Any:
        """A sheet of this name, or of one near it: Excel allows 31 letters, some signs not, and no name twice."""
        plain = "".join(" " if letter in "[]:*?/\\'" else letter for letter in name).strip()[:25] or "-"
        taken = {each.name.lower() for each in self.file.worksheets()}
        names = (plain if number == 1 else f"{plain} {number}" for number in range(1, len(taken) + 2))
        return self.file.add_worksheet(next(each for each in names if each.lower() not in taken))

    def write(self, sheet: Any, row: int, column: int, value: Any, look: str = "plain") -> None:
        style = self.looks[look]
        if value is None or value == "":
            sheet.write_blank(row, column, None, style)
        elif isinstance(value, bool):
            sheet.write_boolean(row, column, value, style)
        elif isinstance(value, int | float) and abs(value) <= EXACT:
            sheet.write_number(row, column, value, style)
        elif isinstance(value, datetime):
            sheet.write_datetime(row, column, value)
        else:
            text = str(value)
            self.cut += len(text) > TEXT_MAX
            sheet.write_string(row, column, text[:TEXT_MAX], style)


class _Sheet:
    """A sheet that is written from the top down: bands where there are any, a head, rows."""

    def __init__(
        self, book: _Book, name: str, head: Sequence[str], widths: Sequence[int], bands: Sequence[str] = ()
    ) -> None:
        self.book, self.name, self.head, self.widths, self.bands = book, name, head, widths, bands
        self._begin()

    def _begin(self) -> None:
        self.sheet, self.top = self.book.sheet(self.name), 1 if self.bands else 0
        for column, width in enumerate(self.widths):
            self.sheet.set_column(column, column, width)
        for column, band in enumerate(self.bands):
            self.book.write(self.sheet, 0, column, band, "band")
        for column, label in enumerate(self.head):
            self.book.write(self.sheet, self.top, column, label, "head")
        self.sheet.freeze_panes(self.top + 1, 1)
        self.at = self.top + 1

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


def write(file: IO[bytes], papers: Iterable[Paper], fields: Sequence[Field], about: About) -> None:
    """All sheets in one walk over the papers."""
    with TemporaryDirectory() as folder:
        book = _Book(file, about.language, folder)
        try:
            _write(book, papers, fields, about)
            book.file.close()
        finally:
            for sheet in book.file.worksheets():
                sheet.row_data_fh.close()  # what could not be written to its end is not closed by the library


def _write(book: _Book, papers: Iterable[Paper], fields: Sequence[Field], about: About) -> None:
    table = _table(book, fields)
    proof = _Proof(book, fields, about)
    problems = _sheet(book, "problems", PROBLEMS, wide={"problem"})
    for paper in papers:
        beside = [paper.study, paper.document, paper.filename, book.said(words.STATUSES[paper.status])]
        values = [(field, paper.values.get(field.name)) for field in fields]
        looks = [value["state"] if value and value["state"] in LOOKS else "plain" for _, value in values]
        table.add([*beside, *(cell(field, value) for field, value in values)], ["plain"] * len(beside) + looks)
        if paper.problem:
            problems.add([*beside, paper.problem])
        for field, value in values:
            if value and value["state"] in SHOWN:
                proof.add(paper, field, value)
    for sheet in (table, *proof.lists.values(), proof.sheet, problems):
        sheet.end()
    _about(book, about)


class _Proof:
    """What each value rests on: the sheet of all quotes, and a sheet for each list."""

    def __init__(self, book: _Book, fields: Sequence[Field], about: About) -> None:
        self.lists = {field.name: _list(book, field) for field in fields if field.type == "[object]"}
        self.sheet = _sheet(book, "evidence", PROOF, wide={"value", "quote"})
        self.labels = {field.name: book.label(field) for field in fields}
        self.states = {state: book.said(words.STATES[state][:2]) for state in STATES}
        self.link, self.language = about.link, book.language

    def add(self, paper: Paper, field: Field, value: Value) -> None:
        link = f"{self.link}?row={paper.result}&field={field.name}" if self.link else None
        for number, entry in enumerate(entries(value), 1):
            state = entry["state"] if isinstance(value["value"], list) else value["state"]
            why = words.said(words.REASONS[entry["reason"]], self.language) if "reason" in entry else None
            known, quote = [self.states[state], why], [entry["quote"], entry["page"]]
            shown = entry_cell(field, entry["value"])
            self.sheet.add([paper.name, self.labels[field.name], number, *known, shown, *quote, link])
            if field.name in self.lists:
                parts = entry["value"] or {}
                given = (part_cell(parts.get(part.name)) for part in field.fields)
                self.lists[field.name].add([paper.name, number, *given, *known, *quote])


def _table(book: _Book, fields: Sequence[Field]) -> _Sheet:
    """A row a paper, its fields under their sections."""
    sections = [book.said(section_labels(field.section)) for field in fields]
    bands = [""] * len(BESIDE)
    for _, same in groupby(sections):
        name, *rest = same
        bands += [name, *("" for _ in rest)]
    widths = [24, 14, 24, 12, *(WIDE if field.type in WIDE_TYPES else NARROW for field in fields)]
    head = [*book.headings(BESIDE), *map(book.label, fields)]
    return _Sheet(book, book.said(words.SHEETS["table"]), head, widths, bands)


def _list(book: _Book, field: Field) -> _Sheet:
    """A list's entries, one a row: arms, outcomes, results."""
    head = [*book.headings(("study", "entry")), *map(book.label, field.fields)]
    head += book.headings(("state", "reason", "quote", "page"))
    return _Sheet(book, book.label(field), head, [24, 8, *(20 for _ in field.fields), 20, 30, WIDE, 8])


def _sheet(book: _Book, name: str, columns: Sequence[str], wide: set[str]) -> _Sheet:
    widths = [WIDE if column in wide else 20 for column in columns]
    return _Sheet(book, book.said(words.SHEETS[name]), book.headings(columns), widths)


def _about(book: _Book, about: About) -> None:
    """What the file is, and what its words mean."""
    sheet = book.sheet(book.said(words.SHEETS["about"]))
    sheet.set_column(0, 0, 36)
    sheet.set_column(1, 1, 90)
    known = {**about.known, "engine": ", ".join(sorted(about.engines)), **about.rows, "cut": book.cut or None}
    rows = [(book.said(words.HEADINGS[name]), value) for name, value in known.items() if value is not None]
    rows += [(book.said(words.STATES[state][:2]), about.cells[state]) for state in STATES]
    rows += [("", ""), *((book.said(each[:2]), book.said(each[2:])) for each in words.STATES.values())]
    for at, (name, value) in enumerate(rows):
        book.write(sheet, at, 0, name, "head")
        book.write(sheet, at, 1, value)
