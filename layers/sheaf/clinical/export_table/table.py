"""A paper's row as cells of a table, and as a list of one line a value. Pure."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from clinical.answered import Entry, Value, Values
from clinical.templates import Field

Cell = str | int | float | bool | None
JOINED, PARTS = "; ", ", "
NUMBER = re.compile(r"[-+]?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?(?:[eE][-+]?\d+)?%?")
RUN = "=+-@\t\r\n＝＋－＠"
"""What a spreadsheet may take for the beginning of a formula."""


@dataclass(frozen=True)
class Paper:
    """A row of the table: what was read, or what went wrong."""

    result: str
    document: str
    filename: str
    status: str
    problem: str | None
    study: str | None
    values: Values

    @property
    def name(self) -> str:
        return self.study or self.filename


@dataclass(frozen=True)
class About:
    """What the whole file is told, and what its rows come to when all have been written."""

    language: str
    link: str | None
    """The address of the table on the page."""
    rows: Counter[str]
    cells: Counter[str]
    engines: Counter[str]
    told: dict[str, Any]


class Line(NamedTuple):
    """One value of a paper, an entry of a list, or a part of one."""

    study: str
    field: str
    entry: int | None
    member: str | None
    value: Cell
    unit: str | None
    state: str
    page: int | None
    quote: str | None


def cell(field: Field, value: Value | None) -> Cell:
    """A field's value in one cell: a list's entries one after the other."""
    told = value["value"] if value else None
    if isinstance(told, list):
        return JOINED.join(str(entry_cell(field, entry["value"])) for entry in told if entry["value"] is not None)
    return told if isinstance(told, Cell) else str(told)


def entry_cell(field: Field, told: Any) -> Cell:
    """An entry in one cell: its parts that are there, in the template's order."""
    if not isinstance(told, Mapping):
        return part_cell(told)
    return PARTS.join(str(part_cell(told[part.name])) for part in field.fields if told.get(part.name) is not None)


def part_cell(told: Any) -> Cell:
    return JOINED.join(map(str, told)) if isinstance(told, list) else told


def entries(value: Value) -> Sequence[Entry]:
    """What has a quote of its own: a list's entries, the two things that contradict each other, else the value."""
    if isinstance(value["value"], list):
        return cast("list[Entry]", value["value"])
    return value.get("evidence", []) if value["state"] == "contradictory" else [cast("Entry", value)]


def lines(paper: Paper, fields: Sequence[Field]) -> Iterator[Line]:
    """Every value of a paper: of a list each entry, of an entry each part."""
    for field in fields:
        value = paper.values.get(field.name)
        if value is None:
            continue
        several = isinstance(value["value"], list) or value["state"] == "contradictory"
        for number, entry in enumerate(entries(value), 1):
            state = entry["state"] if isinstance(value["value"], list) else value["state"]
            for member, told, unit in _members(entry["value"]):
                yield Line(
                    paper.name, field.name, number if several else None, member, told, unit, state,
                    entry["page"], entry["quote"],
                )  # fmt: skip


def _members(told: Any) -> Iterator[tuple[str | None, Cell, str | None]]:
    if isinstance(told, Mapping):
        unit = told.get("unit")
        for name, each in told.items():
            yield name, part_cell(each), unit if _is_number(each) else None
    else:
        yield None, told, None


def _is_number(told: object) -> bool:
    return isinstance(told, int | float) and not isinstance(told, bool)


def defused(told: Cell) -> Cell:
    """Text that a spreadsheet would run gets one apostrophe before it, and so does text that begins with one."""
    if isinstance(told, str) and told[:1] and told[0] in f"{RUN}'" and not NUMBER.fullmatch(told):
        return f"'{told}"
    return told
