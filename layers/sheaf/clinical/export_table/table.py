"""A paper's row as cells of a table, and as a list of one line a value. Pure."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

from clinical.answered import Entry, Value, Values
from clinical.review.accuracy import Tallies
from clinical.review.cell_addresses import Held
from clinical.templates import Field

Cell = str | int | float | bool | None
JOINED, PARTS = "; ", ", "
NUMBER = re.compile(r"[-+]?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?(?:[eE][-+]?\d+)?%?")
RUN = "=+-@\t\r\n＝＋－＠"  # what a spreadsheet may take for the beginning of a formula


class Paper(NamedTuple):
    result: str
    document: str
    filename: str
    status: str
    problem: str | None
    study: str | None
    values: Values  # with what people decided in the place of what they decided on
    decisions: Sequence[Held] = ()  # all that was ever decided on it, newest first

    @property
    def name(self) -> str:
        return self.study or self.filename


class About(NamedTuple):
    language: str
    link: str | None  # the address of the table on the page
    rows: Counter[str]
    cells: Counter[str]
    engines: Counter[str]
    known: dict[str, Any]
    tallies: Tallies  # how much is checked and how right the engine was, by field


class Line(NamedTuple):
    study: str
    field: str
    entry: int | None
    member: str | None
    value: Cell
    unit: str | None
    state: str
    page: int | None
    quote: str | None
    checked: str | None


def mark(value: Value | Entry | None) -> str | None:
    found: Any = value or {}
    return cast("str | None", found.get("checked"))


def cell(field: Field, value: Value | None) -> Cell:
    shown = value["value"] if value else None
    if isinstance(shown, list):
        return JOINED.join(str(entry_cell(field, entry["value"])) for entry in shown if entry["value"] is not None)
    return shown if isinstance(shown, Cell) else str(shown)


def entry_cell(field: Field, value: Any) -> Cell:
    if not isinstance(value, Mapping):
        return part_cell(value)
    return PARTS.join(str(part_cell(value[part.name])) for part in field.fields if value.get(part.name) is not None)


def part_cell(part: Any) -> Cell:
    return JOINED.join(map(str, part)) if isinstance(part, list) else part


def entries(value: Value) -> Sequence[Entry]:
    if isinstance(value["value"], list):
        return cast("list[Entry]", value["value"])
    return value.get("evidence", []) if value["state"] == "contradictory" else [cast("Entry", value)]


def lines(paper: Paper, fields: Sequence[Field]) -> Iterator[Line]:
    for field in fields:
        value = paper.values.get(field.name)
        if value is None:
            continue
        several = isinstance(value["value"], list) or value["state"] == "contradictory"
        for number, entry in enumerate(entries(value), 1):
            state = entry["state"] if isinstance(value["value"], list) else value["state"]
            for member, part, unit in _members(entry["value"]):
                yield Line(
                    paper.name, field.name, number if several else None, member, part, unit, state,
                    entry["page"], entry["quote"], mark(entry) or mark(value),
                )  # fmt: skip


def _members(value: Any) -> Iterator[tuple[str | None, Cell, str | None]]:
    if isinstance(value, Mapping):
        unit = value.get("unit")
        for name, each in value.items():
            yield name, part_cell(each), unit if type(each) in {int, float} else None
    else:
        yield None, value, None


def defused(value: Cell) -> Cell:
    """Text that a spreadsheet would run gets one apostrophe before it, and so does text that begins with one."""
    if isinstance(value, str) and value[:1] and value[0] in f"{RUN}'" and not NUMBER.fullmatch(value):
        return f"'{value}"
    return value
