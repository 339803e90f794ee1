"""An engine's answer against the paper: what of it may be shown as a fact. Pure.

A value whose quote is not in the paper, or whose quote does not say the value's numbers, has the match `not_found`: it is
unverified. It is kept, with the reason, so that a reader can look; it is never counted as reported by the paper.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from clinical.answered import Answer, Evidence, Value
from clinical.evidence.find_quote import Found, locate
from clinical.evidence.pages import Pages
from clinical.evidence.quantities.quantity import Said
from clinical.evidence.quantities.says_number import Measure, says_number, says_numbers_of
from clinical.evidence.quote_places import is_misplaced
from clinical.evidence.vague_quotes import points_nowhere
from clinical.evidence.values import Typed, Wrong, as_typed
from clinical.templates import Field
from sheaf.plain_json import Json

STATUSES = ("reported", "not_reported", "unclear")
ABSENCES = ("not_reported", "NI", "NA")
"""Choices that say that the paper says nothing: there is no quote for that."""
ENTRIES_MAX = 500
PERCENT = re.compile(r"percent|%|百分", re.I)


def check(field: Field, answer: Answer | None, pages: Pages) -> Value:
    """The field's value as it is stored, from what an engine answered."""
    status = (answer or {}).get("status", "reported" if answer else "unclear")
    told = answer.get("value") if answer else None
    if not answer or status not in STATUSES or status != "reported" or told in (None, "", []):
        return absent("unclear" if status not in STATUSES or status == "reported" else status, told, field)
    if field.type in {"enum", "string"} and told in ABSENCES and told in (field.options or ABSENCES[:1]):
        return absent("not_reported", told, field)
    try:
        if field.type == "[object]":
            return _table(field, answer, pages)
        value = as_typed(field, told)
        return _list(field, value, answer, pages) if isinstance(value, list) else _one(field, value, answer, pages)
    except Wrong as wrong:
        return {**absent("unclear"), "quote": _text(answer.get("quote")), "reason": wrong.reason}


def absent(state: str, told: Json = None, field: Field | None = None) -> Value:
    """No value; but a choice that says so is kept."""
    kept = told if field is not None and field.type == "enum" and told in ABSENCES and told in field.options else None
    return {"value": kept, "state": state, "quote": None, "page": None, "start": None, "end": None, "match": None}


def verified(value: Value) -> bool:
    """Whether a field's value may be shown as a fact."""
    return bool(value["state"] == "reported" and value["match"] in {"exact", "fuzzy"})


def unverified(value: Value) -> bool:
    """Whether there is a value of which the paper does not say so."""
    return bool(value["state"] == "reported" and value["match"] == "not_found")


def _one(field: Field, value: Typed, answer: Answer, pages: Pages) -> Value:
    return _reported(value, _evidence(field, value, answer, pages))


def _reported(value: Any, evidence: Evidence) -> Value:
    return cast("Value", {"value": value, "state": "reported", **evidence})


def _list(field: Field, values: list[str], answer: Answer, pages: Pages) -> Value:
    """Each entry has its own evidence; where an engine gives one quote for all, each is held against that."""
    told = _given(answer)
    quotes = told if len(told) == len(values) else [answer] * len(values)
    evidence = [_evidence(field, value, quote, pages) for value, quote in zip(values, quotes, strict=True)]
    return {**_reported(values, _summed(evidence)), "evidence": evidence}


def _table(field: Field, answer: Answer, pages: Pages) -> Value:
    told = answer["value"]
    if not isinstance(told, list) or len(told) > ENTRIES_MAX or not all(isinstance(item, Mapping) for item in told):
        raise Wrong("wrong_type")
    items = [_item(field, item, answer, pages) for item in told]
    summed = _summed([evidence[0] for _, evidence in items], [each for _, evidence in items for each in evidence])
    return _reported([{**values, "evidence": evidence} for values, evidence in items], summed)


def _item(
    field: Field, told: Mapping[str, Any], answer: Answer, pages: Pages
) -> tuple[dict[str, Typed], list[Evidence]]:
    """One entry: its parts, typed, and its quotes. Each number must stand in one of them."""
    values = {
        part.name: as_typed(part, told[part.name]) for part in field.fields if told.get(part.name) not in (None, "", [])
    }
    if not values:
        raise Wrong("wrong_type")
    quotes = _given(told) or [answer]
    found = [_located(quote, pages) for quote in quotes]
    words = Said("\n".join(_words(place) for place in found if place.match != "not_found"))
    said = all(_says(part, values[part.name], words) for part in field.fields if part.name in values)
    evidence = [
        _stored(place, _doubt(field, place, quote, [*values.values()], pages) if said else "number_not_in_quote")
        for place, quote in zip(found, quotes, strict=True)
    ]
    evidence.sort(key=lambda each: each["match"] == "not_found")
    return values, evidence


def _given(told: Mapping[str, Any]) -> list[Answer]:
    """The quotes of a list or an entry, in either form that engines give them."""
    evidence = told.get("evidence")
    given: list[Any] = [told] if told.get("quote") else []
    if isinstance(evidence, Sequence) and not isinstance(evidence, str):
        given = [each for each in evidence if isinstance(each, Mapping)]
    return given


def _evidence(field: Field, value: Typed, told: Answer, pages: Pages) -> Evidence:
    place = _located(told, pages)
    if place.match == "not_found":
        return _stored(place, None)
    said = _says(field, value, Said(_words(place)))
    return _stored(place, _doubt(field, place, told, [value], pages) if said else "number_not_in_quote", field, value)


def _doubt(field: Field, place: Found, told: Answer, values: Sequence[Typed], pages: Pages) -> str | None:
    """A quote elsewhere than its field lives. A few common words, but from an engine that says at which letter it read them."""
    if is_misplaced(field, values, place, pages):
        return "wrong_place"
    if place.match == "not_found" or told.get("start") == place.start:
        return None
    return "quote_too_short" if points_nowhere(_words(place), values, pages) else None


def _located(told: Answer, pages: Pages) -> Found:
    quote, page, start = _text(told.get("quote")), told.get("page"), told.get("start")
    if not quote:
        return Found(None, None, None, "not_found", "")
    return locate(quote, pages, page if type(page) is int else None, start if type(start) is int else None)


def _words(place: Found) -> str:
    return f"{place.quote}\n{place.rest.quote}" if place.rest else place.quote


def _stored(place: Found, reason: str | None, field: Field | None = None, value: Typed | None = None) -> Evidence:
    """A place as a row keeps it. Of two halves the one that says the value comes first."""
    first, rest = place, place.rest
    if rest and field and not _says(field, value, Said(first.quote)) and _says(field, value, Said(rest.quote)):
        first, rest = rest, first
    if place.match == "not_found":
        reason = "quote_not_found" if place.quote else "no_quote"
    match = "not_found" if reason else place.match
    shown = Evidence(quote=first.quote or None, page=first.page, start=first.start, end=first.end, match=match)
    if rest:
        shown["continued"] = {"quote": rest.quote, "page": rest.page, "start": rest.start, "end": rest.end}
    return {**shown, "reason": reason} if reason else shown


def _says(field: Field, value: Typed | None, quote: Said) -> bool:
    """Whether the quote says every number of the value. True and false, and choices that say that nothing is said, say none."""
    if isinstance(value, bool) or (isinstance(value, str) and value in ABSENCES):
        return True
    if isinstance(value, int | float):
        return says_number(value, quote, _measure(field))
    return says_numbers_of(str(value), quote)


def _measure(field: Field) -> Measure:
    """What a field's number is of, by its name and label; a whole number counts something unless they say otherwise."""
    if PERCENT.search(f"{field.name} {field.label} {field.label_zh}"):
        return Measure.SHARE
    return Measure.COUNT if field.type == "integer" else Measure.ANY


def _summed(evidence: Sequence[Evidence], within: Sequence[Evidence] = ()) -> Evidence:
    """The list as a whole: the first entry's quote, and the worst match of all."""
    every, first = within or evidence, evidence[0]
    worst = next((match for match in ("not_found", "fuzzy") if any(each["match"] == match for each in every)), "exact")
    reason = next((each["reason"] for each in every if "reason" in each), None)
    quote, page, start, end = first["quote"], first["page"], first["start"], first["end"]
    shown = Evidence(quote=quote, page=page, start=start, end=end, match=worst)
    return {**shown, "reason": reason} if reason else shown


def _text(quote: str | None) -> str:
    return quote if isinstance(quote, str) else ""
