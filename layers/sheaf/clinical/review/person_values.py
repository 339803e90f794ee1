"""What a person gives in a cell's place, checked by the code that checks engines. Imported when somebody corrects."""

from dataclasses import replace
from typing import Any, cast

from clinical import evidence
from clinical.evidence.values import Typed, Wrong, as_typed
from clinical.papers import Paper
from clinical.review.cell_addresses import Held
from clinical.templates import Field
from sheaf.errors import InvalidRequest, Permanent
from sheaf.plain_json import Json
from sheaf.visible import cleaned
from sheaf.work_budget import Budget

ENTRY = "entry"  # the type of an [object]'s entry by itself
CHECK_WORK = 100_000_000  # of all quotes of a request together: somebody waits for it
CHECKED = ("page", "start", "end", "state", "reason")


def typed(field: Field, value: Json) -> Json:
    """The value as its field wants it. Raises InvalidRequest."""
    try:
        return _typed(field, value)
    except Wrong as wrong:
        choices = f": one of {', '.join(field.options)}" if field.options else ""
        reason = f"is no value of the field {field.name}, which is of type {field.type}{choices}."
        raise InvalidRequest("value", reason, because=wrong.reason) from wrong


def _typed(field: Field, value: Json) -> Json:
    if field.type == "[object]" and isinstance(value, list) and value:
        return [_typed(replace(field, type=ENTRY), each) for each in value]
    if field.type in {"[object]", ENTRY}:
        parts = {part.name: part for part in field.fields}
        if field.type != ENTRY or not isinstance(value, dict) or not value or value.keys() - parts.keys():
            raise Wrong("wrong_type")
        return {name: _typed(parts[name], each) for name, each in value.items() if each is not None}
    return _plain(as_typed(field, value))


def _plain(value: Typed) -> Json:
    if isinstance(value, list):
        return [_visible(each) for each in value]
    return _visible(value) if isinstance(value, str) else value


def _visible(text: str) -> str:
    plain = cleaned(text)
    if not plain:
        raise Wrong("wrong_type")
    return plain


def pages(paper: Paper) -> evidence.Pages:
    return evidence.Pages(paper, Budget(CHECK_WORK))


def said_of(field: Field, value: Json, place: Held, paper: evidence.Pages) -> Held:
    """What code says of a quote: where it is, and whether it bears the value out. The value stands whatever that is."""
    as_list = field.type == ENTRY
    whole = replace(field, type="[object]") if as_list else field
    answer: Any = {**place, "state": "found", "value": [value] if as_list else value}
    try:
        found: Any = evidence.check(whole, answer, paper)
    except Permanent:  # more work than a quote may be: then it is nowhere that code could find
        found = {"state": "unsupported", "reason": "quote_not_found"}
    if as_list and found.get("value"):
        found = found["value"][0]
    quote = found["quote"] if found.get("start") is not None else place["quote"]
    return cast("Held", {"quote": quote, **{name: found[name] for name in CHECKED if found.get(name) is not None}})
