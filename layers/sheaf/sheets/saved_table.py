"""An edited table: the version before it, and what somebody changed in it. Pure, but for the workbook that it writes."""

from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any

from sheaf.errors import Permanent
from sheets import tables
from sheets.tables import Table


def changed(before: Sequence[Table], change: Mapping[str, Any]) -> list[Table]:
    """The tables after a change of one of them. Raises Permanent where it does not fit them."""
    number = change["sheet"]
    if number >= len(before) or before[number].problem:
        raise Permanent("There is no such sheet in this workbook.", "no_such_sheet")
    table = before[number]
    header, rows = (
        _whole(change) if "rows" in change else ([each["header"] for each in table.columns], _edited(table, change))
    )
    same = header == [each["header"] for each in table.columns]
    percents = [each["index"] for each in table.columns if same and each["type"] == "percent"]
    values = [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in header]
    made = tables.table(table.name, header, values, percents)
    kept = made._replace(header_row=table.header_row, notes=table.notes)
    return [*before[:number], kept, *before[number + 1 :]]


def _whole(change: Mapping[str, Any]) -> tuple[list[str], list[list[Any]]]:
    header, rows = list(change["columns"]), change["rows"]
    if any(len(row) != len(header) for row in rows):
        raise Permanent("Each row needs a value for each column, null where there is none.", "uneven_rows")
    return header, rows


def _edited(table: Table, change: Mapping[str, Any]) -> list[list[Any]]:
    rows = [list(row) for row in table.rows]
    for cell in change.get("cells") or ():
        if cell["row"] >= len(rows) or cell["column"] >= len(table.columns):
            raise Permanent("A changed cell lies outside the table.", "no_such_cell")
        rows[cell["row"]][cell["column"]] = cell["value"]
    gone = set(change.get("removedRows") or ())
    return [row for number, row in enumerate(rows) if number not in gone]


def workbook(made: Sequence[Table]) -> BytesIO:
    """The same as xlsx. Text is written as text, whatever it begins with."""
    from xlsxwriter import Workbook  # noqa: PLC0415 - a first version needs none

    file = BytesIO()
    options = {
        "constant_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
    }
    with Workbook(file, options) as book:
        taken: set[str] = set()
        for number, table in enumerate(made, 1):
            name = "".join(letter for letter in table.name if letter not in "[]:*?/\\'")[:31] or f"Sheet{number}"
            name = name if name.casefold() not in taken else f"Sheet{number}"
            taken.add(name.casefold())
            page = book.add_worksheet(name)
            for at, row in enumerate([[each["header"] for each in table.columns], *table.rows]):
                for column, value in enumerate(row):
                    if isinstance(value, str):
                        page.write_string(at, column, value[:32_767])
                    elif value is not None:
                        page.write(at, column, value)
    file.seek(0)
    return file
