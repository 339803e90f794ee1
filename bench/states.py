"""What the bench takes a stored value to say, whatever shape the product has today: the one place where states are mapped. Pure."""

from collections.abc import Mapping
from typing import Any

STATES = ("found", "unsupported", "contradictory", "not_found", "not_attempted", "not_reported")
BEFORE = {"unclear": "not_found"}
"""Words of values that were stored before there were states."""


def state(value: Mapping[str, Any]) -> str:
    """One of STATES, for a field's value or an entry of a list."""
    told = str(value["state"])
    if told == "reported":
        return "found" if value["match"] in {"exact", "fuzzy"} else "unsupported"
    return BEFORE.get(told, told)


def is_found(value: Mapping[str, Any]) -> bool:
    """Of a list whose entries have states of their own: whether any of them is found."""
    told = value.get("value")
    entries = [each for each in told if isinstance(each, Mapping) and "state" in each] if isinstance(told, list) else []
    return any(state(each) == "found" for each in entries) if entries else state(value) == "found"


def told(value: Mapping[str, Any]) -> Any:
    """What it says; of a list whose entries have states of their own, the values of those that are found."""
    entries = value["value"] if isinstance(value["value"], list) else []
    if not any(isinstance(each, Mapping) and "state" in each for each in entries):
        return value["value"]
    return [each["value"] for each in entries if state(each) == "found"]
