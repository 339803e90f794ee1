"""How much is checked, and how right the engine was: of that only cells tell that were read one by one. Pure."""

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from clinical.answered import Values
from clinical.review.cell_addresses import Cell, Decided, Held, cells, in_force
from sheaf.plain_json import Json

Z = 1.959964  # of 95 %
NO_VALUE = ("not_found", "not_attempted", "not_reported")


class Tally(NamedTuple):
    """Of one field, over any number of papers. What the engine did not confirm is neither right nor wrong."""

    cells: int = 0
    checked: int = 0
    by_block: int = 0
    agreed: int = 0
    corrected: int = 0  # found, and another value is right
    wrong: int = 0  # found, and the paper does not say it
    missed: int = 0  # not found, and the paper says it

    def plus(self, other: Iterable[int], sign: int = 1) -> "Tally":
        return Tally(*(mine + sign * more for mine, more in zip(self, other, strict=True)))


Tallies = dict[str, Tally]


def tally(fields: Values, decided: Decided) -> Tallies:
    found, counted = cells(fields), dict.fromkeys(fields, Tally())
    for address, cell in found.items():
        if cell.is_leaf:
            made = in_force(found, decided, address)
            counted[cell.field] = counted[cell.field].plus(_counted(cell, made))
    for address, made in decided.items():
        field = address.partition("/")[0]
        if "/+" in address and made["verb"] == "correct" and field in counted:
            counted[field] = counted[field].plus(Tally(missed=int(made["how"] == "one")))
    return counted


def _counted(cell: Cell, made: Held | None) -> Tally:
    if made is None:
        return Tally(cells=1)
    one = Tally(cells=1, checked=1, by_block=int(made["how"] == "block"))
    return one if made["how"] == "block" else one.plus(_judged(cell, made))


def _judged(cell: Cell, made: Held) -> Tally:
    given = made["verb"] == "correct"
    if cell.state in NO_VALUE:
        return Tally(missed=int(given))
    if cell.state != "found":
        return Tally()
    same = made["verb"] == "agree" or (given and _holds(made.get("value"), cell.value))
    return Tally(agreed=int(same), corrected=int(given and not same), wrong=int(made["verb"] == "absent"))


def _holds(given: Json, value: Json) -> bool:
    within = given.values() if isinstance(given, Mapping) else given if isinstance(given, list) else ()
    return given == value or value in within


def together(parts: Iterable[Tallies], sign: int = 1, start: Tallies | None = None) -> Tallies:
    whole = dict(start or {})
    for part in parts:
        for field, counted in part.items():
            whole[field] = whole.get(field, Tally()).plus(counted, sign)
    return whole


def total(tallies: Tallies) -> Tally:
    return Tally(*map(sum, zip(*tallies.values(), strict=True)))


def wilson(right: int, of: int) -> tuple[float, float, float] | None:
    """The share, and between what it lies with 95 %; None of nothing."""
    if not of:
        return None
    share, square = right / of, Z * Z / of
    middle = (share + square / 2) / (1 + square)
    reach = Z * math.sqrt(share * (1 - share) / of + square / (4 * of)) / (1 + square)
    return share, max(0.0, middle - reach), min(1.0, middle + reach)
