"""A sheet as it is in the file, made a table: which row names the columns, what is left out, what each column holds.

Nothing is changed in silence: whatever is left out or trimmed is counted in the table's notes, with examples. Pure.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from sheets import cell_values, file_problems
from sheets.cell_values import Cell, Kept
from sheets.column import EXAMPLES, describe
from sheets.column_view import ColumnView
from sheets.workbook_files import Sheet, says

HEADER_WITHIN = 50
WIDE_ENOUGH, NAMED_ENOUGH = 0.6, 0.6
TOTAL = re.compile(r"\s*(?:(?:(?:grand|sub)[ -]?)?totals?|[总合小]\s*[计数])[\s:：]*(?:[(（\d].*)?", re.I | re.S)
WIDE = re.compile("[！-～　−]")
YEARS = range(1900, 2101)  # a column may be named by one
Note = dict[str, Any]


class Table(NamedTuple):
    """A clean table. One that could not be made has its problem and nothing else."""

    name: str
    columns: list[ColumnView]
    rows: list[list[Kept]]
    header_row: int | None = None  # counted from 1, as spreadsheet programs do
    notes: tuple[Note, ...] = ()
    problem: str | None = None

    @property
    def about(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "rows": len(self.rows),
            "columns": self.columns,
            "headerRow": self.header_row,
            "notes": list(self.notes),
            "problem": self.problem,
        }


def clean(sheet: Sheet) -> Table:
    at = _header(sheet.rows)
    if at is None:
        problem = file_problems.NOT_COUNTED if sheet.uncounted else file_problems.NO_HEADER
        return Table(sheet.name, [], [], problem=" ".join(problem))
    above = [row for row in sheet.rows[:at] if _filled(row)]
    body = [row for row in sheet.rows[at + 1 :] if says([row])]
    blank = len(sheet.rows) - at - 1 - len(body)
    totals = [body.pop()] if len(body) > 1 and TOTAL.fullmatch(_first(body[-1])) else []
    header = sheet.rows[at]
    used = [number for number, name in enumerate(header) if name != "" or any(row[number] != "" for row in body)]
    texts = {cell for row in body for cell in row if isinstance(cell, str)}
    if sheet.uncounted and all(cell == "" for row in body for cell in row):
        return Table(sheet.name, [], [], problem=" ".join(file_problems.NOT_COUNTED))
    notes = (
        _note("rows_above_header", len(above), map(_first, above)),
        _note("blank_rows", blank),
        _note("total_row", len(totals), map(_first, totals)),
        _note("blank_columns", len(header) - len(used)),
        _note("merged_cells", sheet.merged),
        _note("formulas_without_value", sheet.uncounted),
        _of_cells("cells_trimmed", texts, body, lambda text: text != text.strip() != ""),
        _of_cells(
            "wide_characters",
            texts,
            body,
            lambda text: bool(WIDE.search(text)) and cell_values.number(text) is not None,
        ),
        _note("error_values", sheet.errors),
    )
    names = [str(cell_values.plain(header[number])) for number in used]
    values = [[row[number] for row in body] for number in used]
    return table(sheet.name, names, values, {used.index(each) for each in sheet.percents & set(used)})._replace(
        header_row=at + 1, notes=tuple(note for note in notes if note["count"])
    )


def table(name: str, header: Sequence[str], values: Sequence[Sequence[Cell]], percents: Iterable[int] = ()) -> Table:
    """Of columns, whose names are made unique."""
    described = [describe(at, header[at], column, is_percent=at in percents) for at, column in enumerate(values)]
    taken: set[str] = set()
    times: Counter[str] = Counter()
    for column, _ in described:
        plain = column["name"] or f"column_{column['index'] + 1}"
        if column["unit"] and plain.casefold() in taken:
            plain = " ".join(column["header"].split())
        column["warnings"] += [] if column["name"] else ["empty_header"]
        column["name"] = plain
        column["warnings"] += ["duplicate_header"] if plain.casefold() in taken else []
        while column["name"].casefold() in taken:
            times[plain.casefold()] += 1
            column["name"] = f"{plain}_{times[plain.casefold()] + 1}"
        taken.add(column["name"].casefold())
    rows = [list(row) for row in zip(*(kept for _, kept in described), strict=True)]
    return Table(name, [column for column, _ in described], rows)


def _header(rows: Sequence[Sequence[Cell]]) -> int | None:
    """The first row that is about as wide as the table and mostly words; None where values come first."""
    width = max((_filled(row) for row in rows[: 4 * HEADER_WITHIN]), default=0)
    for at, row in enumerate(rows[:HEADER_WITHIN]):
        filled = [cell for cell in row if cell != ""]
        if len(filled) >= WIDE_ENOUGH * width:
            read = [cell_values.number(cell) if isinstance(cell, str) else cell for cell in filled]
            names = [number for number in read if number is None or number in YEARS]
            is_named = None in names and len(names) >= NAMED_ENOUGH * len(filled)
            return at if is_named and at + 1 < len(rows) else None
    return None


def _filled(row: Sequence[Cell]) -> int:
    return len(row) - row.count("")


def _first(row: Sequence[Cell]) -> str:
    return next((str(cell) for cell in row if cell != ""), "")


def _note(code: str, count: int, examples: Iterable[str] = ()) -> Note:
    return {"code": code, "count": count, "examples": [each[:80] for each in examples][:EXAMPLES]}


def _of_cells(code: str, texts: set[str], rows: Sequence[Sequence[Cell]], is_meant: Callable[[str], bool]) -> Note:
    meant = {text for text in texts if is_meant(text)}
    count = sum(cell in meant for row in rows for cell in row if isinstance(cell, str)) if meant else 0
    return _note(code, count, sorted(meant))
