"""The cells of a paper and their addresses: `field`, `field/ENTRY`, `field/ENTRY/member`. Pure.

An entry is called by a digest of its value: a later run finds the same. One that a person adds is `+` and a token.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import NamedTuple, TypeAlias, TypedDict, cast

from clinical.answered import Reason, State, Values
from sheaf.plain_json import Json

ENTRY = "[0-9a-f]{12}"
PATTERN = rf"^[A-Za-z0-9_-]{{1,40}}(/\+?{ENTRY}(/[A-Za-z0-9_-]{{1,40}})?)?$"
AS_DIGITS = 1e21  # from here on a browser writes a number with an exponent
REPLACING = ("correct", "absent")  # what is decided on a whole list or entry stands in the place of all that is in it


class Held(TypedDict, total=False):
    """A decision as it is stored: of a cell in a head, or whole in the history, which has `address` and what follows it too."""

    id: str
    verb: str
    how: str
    value: Json
    quote: str
    page: int
    start: int
    end: int
    state: State
    reason: Reason
    comment: str
    by: str
    at: int
    task: str
    of: str
    address: str
    before: str | None
    row: int
    template: str
    was: dict[str, Json]
    asked: str  # the digest of what was asked for, on its way


Decided: TypeAlias = dict[str, Held]


class Cell(NamedTuple):
    field: str
    state: str
    value: Json
    is_leaf: bool  # whether it is decided by itself; a list is decided entry by entry, an entry member by member

    @property
    def of(self) -> str:
        return digest(self.value)


Cells: TypeAlias = dict[str, Cell]


def digest(value: Json) -> str:
    """Of a value as canonical JSON; the page makes the same, where 12.0 is 12."""
    plain = json.loads(json.dumps(value), parse_float=_number)
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:12]


def _number(text: str) -> float:
    number = float(text)
    return int(number) if number.is_integer() and abs(number) < AS_DIGITS else number


def cells(fields: Values) -> Cells:
    found: Cells = {}
    for name, value in fields.items():
        entries = value["value"] if isinstance(value["value"], list) else []
        sides = value.get("evidence", []) if value["state"] == "contradictory" else entries
        whole = [each["value"] for each in sides] if sides else value["value"]
        found[name] = Cell(name, value["state"], whole, is_leaf=not entries)
        for entry in entries:
            place, members = f"{name}/{digest(entry['value'])}", entry["value"]
            parts = cast("Mapping[str, Json]", members if isinstance(members, Mapping) else {})
            found[place] = Cell(name, entry["state"], members, is_leaf=not parts)
            found |= {f"{place}/{part}": Cell(name, entry["state"], each, True) for part, each in parts.items()}  # noqa: FBT003 - as `Cell` says it
    return found


def at(found: Cells, address: str) -> Cell:
    return found.get(address) or Cell(address.partition("/")[0], "not_found", None, is_leaf=False)


def is_stale(found: Cells, address: str, made: Held) -> bool:
    return made["of"] != at(found, address).of


def in_force(found: Cells, decided: Decided, address: str) -> Held | None:
    """What holds for a cell: what stands in the place of all it is part of, else the decision nearest to it."""
    parts = address.split("/")
    places = ["/".join(parts[: many + 1]) for many in range(len(parts))]
    made = ((place, decided[place]) for place in places if place in decided)
    holds = [each for place, each in made if each["verb"] != "comment" and not is_stale(found, place, each)]
    return next((made for made in holds if made["verb"] in REPLACING), holds[-1] if holds else None)
