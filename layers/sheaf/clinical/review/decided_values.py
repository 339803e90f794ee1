"""A paper's values with what people decided in their place, each with a mark of who did. Pure."""

from typing import Any, TypeVar, cast

from clinical.answered import Entry, Value, Values
from clinical.review.cell_addresses import REPLACING, Cells, Decided, Held, cells, digest, in_force

V = TypeVar("V", Value, Entry)
NOWHERE = {"quote": None, "page": None, "start": None, "end": None, "match": None}


def decided(fields: Values, made: Decided) -> Values:
    """Corrected, added and without what is wrong. What nobody decided on is as the engine left it."""
    found = cells(fields)
    return {name: _value(found, made, name, value) for name, value in fields.items()} if made else fields


def _value(found: Cells, made: Decided, name: str, value: Value) -> Value:
    holds = in_force(found, made, name)
    if holds and holds["verb"] in REPLACING:
        return _given(value, holds, is_list=isinstance(holds.get("value"), list))
    entries = value["value"] if isinstance(value["value"], list) else []
    kept = [kept for each in entries if (kept := _entry(found, made, name, each))] + _added(made, name)
    if not kept and not entries:
        return _marked(value, [holds] if holds else [])
    marks = sorted({each["checked"] for each in kept if "checked" in each})  # type: ignore[typeddict-item]
    whole = {"state": value["state"] if entries else "found", "value": kept}
    return cast("Value", {**value, **whole, **({"checked": "; ".join(marks)} if marks else {})})


def _given(value: Value | Entry, holds: Held, *, is_list: bool = False) -> Value:
    given = holds.get("value")
    state = holds.get("state", "found") if holds["verb"] == "correct" else "not_reported"
    place = {name: holds.get(name) for name in NOWHERE}
    listed = given if is_list and isinstance(given, list) else None
    entries = given if listed is None else [{**place, "state": state, "value": each} for each in listed]
    plain = {name: part for name, part in value.items() if name not in {"reason", "evidence", "continued", "quotation"}}
    reason = {"reason": holds["reason"]} if "reason" in holds else {}
    return _marked(cast("Value", {**plain, **place, **reason, "state": state, "value": entries}), [holds])


def _entry(found: Cells, made: Decided, name: str, entry: Entry) -> Entry | None:
    place = f"{name}/{digest(entry['value'])}"
    whole = in_force(found, made, place)
    if whole and whole["verb"] in REPLACING:
        return cast("Entry", _given(entry, whole)) if whole["verb"] == "correct" else None
    given = {address.rpartition("/")[2]: each for address, each in made.items() if address.startswith(f"{place}/")}
    if not isinstance(entry["value"], dict) and not given:
        return _marked(entry, [whole] if whole else [])
    members = entry["value"] if isinstance(entry["value"], dict) else {}
    holds = {part: each for part in members if (each := in_force(found, made, f"{place}/{part}"))}
    corrected = {part: each["value"] for part, each in {**given, **holds}.items() if each["verb"] == "correct"}
    wrong = [part for part, each in holds.items() if each["verb"] == "absent"]
    value = {part: each for part, each in {**members, **corrected}.items() if part not in wrong}
    state = entry["state"] if members or not corrected else "found"
    return _marked(cast("Entry", {**entry, "state": state, "value": value}), [*(holds or given).values()])


def _added(made: Decided, name: str) -> list[Entry]:
    new: dict[str, list[tuple[str, Held]]] = {}
    for address, each in made.items():
        if address.startswith(f"{name}/+") and each["verb"] == "correct":
            _, token, *member = address.split("/")
            new.setdefault(token, []).append((member[0] if member else "", each))
    return [_new(parts) for parts in new.values()]


def _new(parts: list[tuple[str, Held]]) -> Entry:
    holds = [each for _, each in parts]
    whole = next((each["value"] for member, each in parts if not member), None)
    members = {member: each["value"] for member, each in parts if member}
    value = {**(whole if isinstance(whole, dict) else {}), **members} if members else whole
    empty = cast("Entry", {**NOWHERE, "state": "found", "value": value})
    return _marked(cast("Entry", {**empty, **{name: holds[0].get(name) for name in NOWHERE}}), holds)


def _marked(value: V, holds: list[Held]) -> V:
    marks = sorted({f"{each['verb']} by {each['by']}" for each in holds})
    shown: Any = {**value, "checked": "; ".join(marks)}
    return cast("V", shown) if marks else value
