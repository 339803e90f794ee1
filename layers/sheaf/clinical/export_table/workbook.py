"""A table as a workbook: the table, its lists, the evidence, what went wrong, what people decided, what it is. Written row by row."""

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from tempfile import TemporaryDirectory
from typing import IO

from clinical.answered import STATES, Value
from clinical.export_table import sheets
from clinical.export_table.sheets import LOOKS, NARROW, SHEETS, WIDE, WORDS_OF_STATES, Book, Sheet, sheet
from clinical.export_table.table import About, Paper, cell, entries, entry_cell, mark, part_cell
from clinical.review.accuracy import wilson
from clinical.templates import Field, section_labels
from sheaf.plain_json import Json

BESIDE = ("study", "document", "file", "status")
SHOWN = {*STATES} - {"not_found", "not_attempted"}
PROBLEMS = (*BESIDE, "problem")
DECIDED = (
    "study", "field", "address", "verb", "value", "was", "quote", "page", "state", "comment", "decidedBy", "when", "how",
)  # fmt: skip
LONG = {"value", "was", "quote", "comment"}
RIGHT = ("field", "cells", "checkedCells", "by_block", "agreed", "corrected", "wrong", "missed", "right", "low", "high")
PROOF = ("study", "field", "entry", "state", "reason", "value", "quote", "page", "link", "checked")


def write(file: IO[bytes], papers: Iterable[Paper], fields: Sequence[Field], about: About) -> None:
    with TemporaryDirectory() as folder:
        book = Book(file, about.language, folder)
        # Else it is the moment at which the file is made, and no two files are the same.
        book.file.set_properties({"created": about.known.get("writtenAt")})
        try:
            _write(book, papers, fields, about)
            book.file.close()
        finally:
            for sheet in book.file.worksheets():
                sheet.row_data_fh.close()  # what could not be written to its end is not closed by the library


def _write(book: Book, papers: Iterable[Paper], fields: Sequence[Field], about: About) -> None:
    table = _table(book, fields)
    proof = _Proof(book, fields, about)
    problems = sheet(book, "problems", PROBLEMS, wide={"problem"})
    review = _Review(book, proof.labels)
    for paper in papers:
        beside = [paper.study, paper.document, paper.filename, book.said(sheets.STATUSES[paper.status])]
        values = [(field, paper.values.get(field.name)) for field in fields]
        looks = [_look(value) for _, value in values]
        table.add([*beside, *(cell(field, value) for field, value in values)], ["plain"] * len(beside) + looks)
        review.add(paper)
        if paper.problem:
            problems.add([*beside, paper.problem])
        for field, value in values:
            if value and value["state"] in SHOWN:
                proof.add(paper, field, value)
    for each in (table, *proof.lists.values(), proof.sheet, problems, *review.ended(about)):
        each.end()
    _about(book, about)


def _look(value: Value | None) -> str:
    if mark(value):
        return "checked"
    return value["state"] if value and value["state"] in LOOKS else "plain"


class _Review:
    """The sheets of decisions, and of how right the engine was; none where nobody has decided anything."""

    def __init__(self, book: Book, labels: dict[str, str]) -> None:
        self.book, self.labels = book, labels
        self.history: Sheet | None = None

    def add(self, paper: Paper) -> None:
        for made in paper.decisions:
            self.history = self.history or sheet(self.book, "decisions", DECIDED, wide=LONG)
            name = made["address"].partition("/")[0]
            when = datetime.fromtimestamp(made["at"] // 1000, UTC)
            more = {"study": paper.name, "field": self.labels.get(name, name), "decidedBy": made["by"], "when": when}
            said = {**made, **more, "value": _plain(made.get("value")), "was": _plain(made["was"]["value"])}
            self.history.add([said.get(column) for column in DECIDED])

    def ended(self, about: About) -> list[Sheet]:
        if self.history is None:
            return []
        right = sheet(self.book, "right", RIGHT, wide={"field"})
        for name, tally in about.tallies.items():
            if tally.checked or tally.missed:
                shares = wilson(tally.agreed, tally.agreed + tally.corrected + tally.wrong) or ()
                right.add([self.labels.get(name, name), *tally, *shares])
        return [self.history, right]


def _plain(value: Json) -> str | float | None:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value


class _Proof:
    def __init__(self, book: Book, fields: Sequence[Field], about: About) -> None:
        self.lists = {field.name: _list(book, field) for field in fields if field.type == "[object]"}
        self.sheet = sheet(book, "evidence", PROOF, wide={"value", "quote"})
        self.labels = {field.name: book.label(field) for field in fields}
        self.states = {state: book.said(WORDS_OF_STATES[state][:2]) for state in STATES}
        self.reasons = {reason: book.said(both) for reason, both in sheets.REASONS.items()}
        self.link = about.link

    def add(self, paper: Paper, field: Field, value: Value) -> None:
        link = f"{self.link}?row={paper.result}&field={field.name}" if self.link else None
        for number, entry in enumerate(entries(value), 1):
            state = entry["state"] if isinstance(value["value"], list) else value["state"]
            why = self.reasons[entry["reason"]] if "reason" in entry else None
            known, quote = [self.states[state], why], [entry["quote"], entry["page"]]
            shown = entry_cell(field, entry["value"])
            marked = mark(entry) or mark(value)
            self.sheet.add([paper.name, self.labels[field.name], number, *known, shown, *quote, link, marked])
            if field.name in self.lists:
                parts = entry["value"] if isinstance(entry["value"], dict) else {}
                given = (part_cell(parts.get(part.name)) for part in field.fields)
                self.lists[field.name].add([paper.name, number, *given, *known, *quote])


def _table(book: Book, fields: Sequence[Field]) -> Sheet:
    sections = ["", *(book.said(section_labels(field.section)) for field in fields)]
    begun = (name if name != before else "" for before, name in pairwise(sections))
    bands = [*[""] * len(BESIDE), *begun]
    widths = [24, 14, 24, 12, *(WIDE if field.type in sheets.WIDE_TYPES else NARROW for field in fields)]
    head = [*book.headings(BESIDE), *map(book.label, fields)]
    return Sheet(book, book.said(SHEETS["table"]), head, widths, bands)


def _list(book: Book, field: Field) -> Sheet:
    head = [*book.headings(("study", "entry")), *map(book.label, field.fields)]
    head += book.headings(("state", "reason", "quote", "page"))
    return Sheet(book, book.label(field), head, [24, 8, *(20 for _ in field.fields), 20, 30, WIDE, 8])


def _about(book: Book, about: About) -> None:
    page = book.sheet(book.said(SHEETS["about"]))
    page.set_column(0, 0, 36)
    page.set_column(1, 1, 90)
    known = {**about.known, "engine": ", ".join(sorted(about.engines)), **about.rows, "cut": book.cut or None}
    rows = [(book.said(sheets.HEADINGS[name]), value) for name, value in known.items() if value is not None]
    rows += [(book.said(WORDS_OF_STATES[state][:2]), about.cells[state]) for state in STATES]
    rows += [("", ""), *((book.said(each[:2]), book.said(each[2:])) for each in WORDS_OF_STATES.values())]
    for at, (name, value) in enumerate(rows):
        book.write(page, at, 0, name, "head")
        book.write(page, at, 1, value)
