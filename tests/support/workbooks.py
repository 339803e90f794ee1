"""Workbooks for tests, made as they are wanted."""

import hashlib
import io
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from random import Random
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


MISSING = ["NA", "N/A", "-", ".", "未查", "unknown", "NULL", "#N/A"]
LARGE_ROWS, LARGE_COLUMNS = 3_339, 151


def large_registry(seed: int = 20_261_120) -> tuple[bytes, dict[str, Any]]:
    """A workbook as large as the one that the seeds tell of, and what is true of it by construction."""
    chance = Random(seed)
    makers = [_number, _whole, _category, _chinese, _date, _yes_no, _text, _written, _identifier, _flag]
    made = [makers[number % len(makers)](chance) for number in range(LARGE_COLUMNS)]
    columns, known = [], []
    for number, (kind, values, true) in enumerate(made):
        header = f"{kind}\n{number}" if number % 3 else f" {kind} {number} (mg/L) "
        bare = 0
        if kind != "id":
            for at in chance.sample(range(LARGE_ROWS), LARGE_ROWS // 9):
                values[at] = chance.choice(["", *MISSING])
                bare += 1
        columns.append((header, values))
        there = [value for value in values if value not in MISSING and value != ""]
        known.append(
            {"index": number, "header_raw": header, "kind": kind, "n_missing": bare, "n_bad": 0, **true(there)}
        )
    rows = [["Registry 登记表"], [], [header for header, _ in columns]]
    rows += [[values[at] for _, values in columns] for at in range(LARGE_ROWS)]
    told = {"header_row_0based": 2, "n_rows": LARGE_ROWS, "columns": known}
    return xlsx(("data 数据", rows)), told


Made = tuple[str, list[Any], Callable[[list[Any]], dict[str, Any]]]


def _spread(numbers: list[float]) -> dict[str, Any]:
    return {"min": min(numbers), "max": max(numbers), "mean": sum(numbers) / len(numbers)}


def _number(chance: Random) -> Made:
    return "float", [round(chance.gauss(50, 20), 2) for _ in range(LARGE_ROWS)], _spread


def _whole(chance: Random) -> Made:
    return "integer", [chance.randrange(300) for _ in range(LARGE_ROWS)], _spread


def _category(chance: Random) -> Made:
    words = ["A", "B", "C ", "placebo", "Placebo"]
    return "category", [chance.choice(words) for _ in range(LARGE_ROWS)], _words


def _chinese(chance: Random) -> Made:
    return "category_zh", [chance.choice(["男", "女", "不详", "卒中"]) for _ in range(LARGE_ROWS)], _words


def _words(there: list[str]) -> dict[str, Any]:
    return {"distinct_normalised": sorted({word.strip().casefold() for word in there})}


def _date(chance: Random) -> Made:
    days = [date(2015, 1, 1) + timedelta(chance.randrange(3_000)) for _ in range(LARGE_ROWS)]
    return "date", list(days), lambda there: {"min": min(there).isoformat(), "max": max(there).isoformat()}


def _yes_no(chance: Random) -> Made:
    return "yes_no", [chance.choice(["yes", "no", "Y", "N", "是", "否"]) for _ in range(LARGE_ROWS)], lambda _: {}


def _flag(chance: Random) -> Made:
    return "boolean", [chance.random() < 0.5 for _ in range(LARGE_ROWS)], lambda _: {}


def _text(chance: Random) -> Made:
    words = ["left", "right", "infarct", "stroke", "baseline", "follow-up", "mild", "severe", "patient", "control"]
    return "text", [" ".join(chance.choices(words, k=6)) for _ in range(LARGE_ROWS)], lambda _: {}


def _written(chance: Random) -> Made:
    """Numbers as text; some are bounds, which are no numbers."""
    values = [f"{chance.uniform(0, 2_000):,.1f} " for _ in range(LARGE_ROWS)]
    for at in range(0, LARGE_ROWS, 12):
        values[at] = chance.choice(["<0.01", ">100", "阴性"])
    bad = {"<0.01", ">100", "阴性"}

    def true(there: list[str]) -> dict[str, Any]:
        return {
            "n_bad": sum(value in bad for value in there),
            **_spread([float(value.replace(",", "")) for value in there if value not in bad]),
        }

    return "number_as_text", list(values), true


def _identifier(_chance: Random) -> Made:
    return "id", [f"{number:06}" for number in range(1, LARGE_ROWS + 1)], lambda _: {}
