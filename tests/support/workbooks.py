"""Workbooks for tests, made as they are wanted."""

import hashlib
import io
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from xlsxwriter import Workbook  # type: ignore[import-untyped]

HEADER = ["Patient id", "Age (years)", "Sex", "Seen on", "CRP (mg/L)", "Smokes"]
PATIENTS = [
    ["001", 61, "F", date(2024, 1, 9), "<0.5", "yes"],
    ["002", 58.0, "M", date(2024, 2, 1), 12.5, "no"],
    ["003", "NA", "f ", date(2024, 2, 3), "1,204.5", "yes"],
    ["004", 70, "M", date(2024, 3, 7), 7, ""],
]
"""A small registry, with what registries have."""


def xlsx(*sheets: tuple[str, Sequence[Sequence[Any]]]) -> bytes:
    """A workbook of these sheets; a date is a date there, and a text that begins with = is one."""
    file = io.BytesIO()
    with Workbook(file, {"strings_to_formulas": False, "default_date_format": "yyyy-mm-dd"}) as book:
        book.set_properties({"created": datetime(2024, 1, 1)})  # noqa: DTZ001 - so that the same is the same bytes
        for name, rows in sheets:
            page = book.add_worksheet(name)
            for at, row in enumerate(rows):
                for column, value in enumerate(row):
                    if isinstance(value, date | datetime):
                        page.write_datetime(at, column, value)
                    elif isinstance(value, str):
                        page.write_string(at, column, value)
                    else:
                        page.write(at, column, value)
    return file.getvalue()


def registry(rows: Sequence[Sequence[Any]] = PATIENTS) -> bytes:
    return xlsx(("Registry", [HEADER, *rows]))


def announcement(content: bytes, name: str = "registry.xlsx") -> dict[str, Any]:
    return {"filename": name, "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
