"""An edited table: the version before it, and what somebody changed in it. Pure, but for the workbook that it writes."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from io import BytesIO
from typing import TYPE_CHECKING, Any

from sheaf.errors import Permanent
from sheets import cell_values, table_file, tables
from sheets.column import describe, recount
from sheets.tables import Table

if TYPE_CHECKING:
    from sheets.column_view import ColumnView

SHOWN = {"text": "General", "percent": "0.00%", "date": "yyyy-mm-dd", "datetime": "yyyy-mm-dd hh:mm:ss"}
SINCE = "1900-03-01"  # what is older is no date to Excel, or another one


def tables_of(content: bytes, head: int) -> list[Table]:
    """The tables of a clean file, as they were written."""
    about, found = table_file.sheets(content[:head]), []
    for number, each in enumerate(about):
        span = table_file.span(head, about, number, 0, each["rows"])
        rows, notes = span.rows(content[span.start : span.end]), tuple(each["notes"])
        found.append(Table(each["name"], each["columns"], rows, each["headerRow"], notes, each["problem"]))
    return found


def changed(before: Sequence[Table], change: Mapping[str, Any]) -> list[Table]:
    """The tables after a change of one of them. Raises Permanent where it does not fit them."""
    first = next((at for at, each in enumerate(before) if not each.problem), 0)
    number = first if change["sheet"] is None else change["sheet"]
    if number >= len(before) or before[number].problem:
        raise Permanent("There is no such sheet in this workbook.", "no_such_sheet")
    table = before[number]
    made = _whole(table, change) if "rows" in change else _edited(table, change)
    return [*before[:number], made, *before[number + 1 :]]


def _whole(table: Table, change: Mapping[str, Any]) -> Table:
    header, rows = list(change["columns"]), change["rows"]
    if any(len(row) != len(header) for row in rows):
        raise Permanent("Each row needs a value for each column, null where there is none.", "uneven_rows")
    same = header == [each["header"] for each in table.columns]
    percents = [each["index"] for each in table.columns if same and each["type"] == "percent"]
    made = tables.table(table.name, header, _columns(rows, len(header)), percents)
    return made._replace(header_row=table.header_row, notes=table.notes)


def _columns(rows: Sequence[Sequence[Any]], width: int) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in range(width)]


def _edited(table: Table, change: Mapping[str, Any]) -> Table:
    """Columns that were not touched stay what they are; a touched one keeps its type, unless it had none."""
    rows = _rows(table, change)
    touched = {cell["column"] for cell in change.get("cells") or ()}
    about: list[ColumnView] = []
    for at, values in enumerate(_columns(rows, len(table.columns))):
        before = table.columns[at]
        if at in touched and before["type"] in {"empty", "constant"}:
            fresh, kept = describe(at, before["header"], values, is_percent=False)
            about.append({**fresh, "name": before["name"], "unit": before["unit"]})
            for row, value in zip(rows, kept, strict=True):
                row[at] = value
        elif at in touched or len(rows) < len(table.rows):
            about.append(recount(before, values))
        else:
            about.append(before)
    return table._replace(columns=about, rows=rows)


def _rows(table: Table, change: Mapping[str, Any]) -> list[list[Any]]:
    rows = [list(row) for row in table.rows]
    for cell in change.get("cells") or ():
        if cell["row"] >= len(rows) or cell["column"] >= len(table.columns):
            raise Permanent("A changed cell lies outside the table.", "no_such_cell")
        rows[cell["row"]][cell["column"]] = cell["value"]
    gone = set(change.get("removedRows") or ())
    if any(row >= len(rows) for row in gone):
        raise Permanent("A removed row lies outside the table.", "no_such_row")
    return [row for number, row in enumerate(rows) if number not in gone]


def workbook(made: Sequence[Table]) -> BytesIO:
    """The same as xlsx. Text is written as text, whatever it begins with."""
    from xlsxwriter import Workbook  # type: ignore[import-untyped] # noqa: PLC0415 - a first version needs none

    file = BytesIO()
    never = ("strings_to_formulas", "strings_to_urls", "strings_to_numbers")
    with Workbook(file, {"constant_memory": True, **dict.fromkeys(never, False)}) as book:
        looks = {kind: book.add_format({"num_format": shown}) for kind, shown in SHOWN.items()}
        taken: set[str] = set()
        for number, table in enumerate(made, 1):
            plain = "".join(letter for letter in _sound(table.name) if letter not in "[]:*?/\\'") or f"Sheet{number}"
            names = (plain[:31], *(f"{plain[:25]} {again}" for again in range(number, number + len(made))))
            name = next(each for each in names if each.casefold() not in taken)
            taken.add(name.casefold())
            page = book.add_worksheet(name)
            for column, each in enumerate(table.columns):
                _put(page, 0, column, each["header"], looks["text"])
            for at, row in enumerate(table.rows, 1):
                for column, value in enumerate(row):
                    _put(page, at, column, value, looks.get(table.columns[column]["type"], looks["text"]))
    file.seek(0)
    return file


def _put(page: Any, at: int, column: int, value: object, look: Any) -> None:
    if not isinstance(value, str):
        if value is not None:
            page.write(at, column, value, look)
    elif look.num_format.startswith("yyyy") and cell_values.moment(value) == value >= SINCE:
        page.write_datetime(at, column, datetime.fromisoformat(value), look)
    elif value.startswith("<r>"):
        # xlsxwriter takes this for XML of its own, and writes it as it is.
        page.write_rich_string(at, column, "<", look, _sound(value)[1:32_767])
    else:
        page.write_string(at, column, _sound(value)[:32_767])


def _sound(text: str) -> str:
    """Half of a pair, which JSON can hold and no file can, becomes a question mark."""
    return text.encode("utf-8", "replace").decode()
