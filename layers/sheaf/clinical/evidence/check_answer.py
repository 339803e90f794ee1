"""An engine's answer against the paper: what is known of a field then, in the words of docs/evidence.md. Pure."""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, cast

from clinical.answered import STATES, Answer, Entry, Evidence, Reason, State, Value, is_found
from clinical.evidence.cues import SENTENCE, unsaid, unsaid_part
from clinical.evidence.disclaimed import is_denied, not_ours
from clinical.evidence.find_quote import Found, locate
from clinical.evidence.normal_form import normal
from clinical.evidence.pages import Pages
from clinical.evidence.quantities.quantity import Said
from clinical.evidence.quantities.says_number import Measure, said_as, says_numbers_of
from clinical.evidence.saying.arm_numbers import apart, beside
from clinical.evidence.saying.counted_people import miscounted
from clinical.evidence.saying.countries_said import elsewhere
from clinical.evidence.saying.quote_places import is_misplaced, is_of_countries, is_ordered, is_silent, points_nowhere
from clinical.evidence.saying.text_words import flat, says_words, spans
from clinical.evidence.values import Typed, Wrong, as_typed
from clinical.templates import Field
from sheaf.plain_json import Json

ABSENCES = ("not_reported", "NI", "NA")  # choices that say that the paper says nothing: there is no quote for that
ENTRIES_MAX, SENTENCE_WORDS = 500, 6
LESS = ("words_not_in_quote", "judged")  # reasons that tell less than that a quote points nowhere
PERCENT = re.compile(r"percent|%|百分", re.I)
COUNTS = re.compile(r"\A(?:n|events|cases|deaths)\Z|\An_|(?:\A|_)(?:count|number)(?:_|\Z)|例数|人数")
TELLING = {"", "citation", "discussion"}  # sections whose words are of more than this study; without one nobody knows
DENYING = re.compile(r"exclu|conflict|limit|stopp|detail|notes|method")  # fields whose words may be denied
SHARED_OUT = re.compile(r"randomi[sz]|allocat|assign|divided|随机|隨機|分配|入组|分为|分成", re.I)
NEAR = 30  # characters before a text in which a denial is of it, and of nothing between
NAMED = ("arm", "name")  # what an entry's numbers belong to, by the names of its parts
NUMBERS = ("integer", "number")
TOTALS = {"n_screened", "n_randomised", "n_analysed", "n_planned", "n_eligible", "n_included"}  # in an entry: of an arm


def check(field: Field, answer: Answer | None, pages: Pages) -> Value:
    if answer is None:
        return absent("not_attempted")
    state, told = answer.get("state", "found" if answer else "not_found"), answer.get("value")
    if state == "contradictory":
        return _contradictory(field, answer, pages)
    if state == "not_reported" or (field.type in {"enum", "string"} and _says_nothing(field, told)):
        return _silent(field, answer, pages)
    if state not in STATES or state != "found" or told in (None, "", []):
        return absent("not_found")
    try:
        return _valued(field, answer, pages)
    except Wrong as wrong:
        return {**absent("not_found"), "quote": _text(answer.get("quote")) or None, "reason": wrong.reason}


def absent(state: State) -> Value:
    return {"state": state, "value": None, "quote": None, "page": None, "start": None, "end": None, "match": None}


def _place(value: Value | Entry) -> Evidence:
    quote, page, start, end, match = value["quote"], value["page"], value["start"], value["end"], value["match"]
    return Evidence(quote=quote, page=page, start=start, end=end, match=match)


def _valued(field: Field, answer: Answer, pages: Pages) -> Value:
    if field.type == "[object]":
        told = answer["value"]
        if not isinstance(told, list) or len(told) > ENTRIES_MAX or not all(isinstance(item, Mapping) for item in told):
            raise Wrong("wrong_type")
        entries = [_typed_item(field, item, answer, pages) for item in told]
        if all(entry["value"] is None for entry in entries):
            raise Wrong(entries[0]["reason"])
        return _listed(entries)
    value = as_typed(field, answer["value"])
    if isinstance(value, list):
        given = _given(answer)
        quotes = given if len(given) == len(value) else [answer] * len(value)
        return _listed([_one(field, each, quote, pages) for each, quote in zip(value, quotes, strict=True)])
    return cast("Value", _one(field, value, answer, pages))


def _says_nothing(field: Field, told: Json) -> bool:
    return told in ABSENCES and told in (field.options or ABSENCES[:1])


def _silent(field: Field, answer: Answer, pages: Pages) -> Value:
    """For a claim the engine names a section that has none of the field's words."""
    told, place = answer.get("value"), _located(answer, pages)
    kept = told if field.type == "enum" and _says_nothing(field, told) else None
    if place.match == "not_found" or not is_silent(field, place.quote, pages):
        return {**absent("not_found"), "value": None if kept == ABSENCES[0] else kept}
    return cast("Value", {"state": "not_reported", "value": kept, **_stored(place, "claimed")})


def _contradictory(field: Field, answer: Answer, pages: Pages) -> Value:
    found: list[Value] = []
    for told in answer.get("evidence", ()):
        value = check(field, {**told, "state": "found"}, pages)
        if is_found(value) and all(value["value"] != other["value"] for other in found):
            found.append(value)
    if len(found) < 2:  # noqa: PLR2004 - what contradicts is two things
        first: Answer = {**answer, "state": "found"}
        return (found or [check(field, first, pages)])[0] if answer.get("value") is not None else absent("not_found")
    shown: Any = {"state": "contradictory", "value": None, **_place(found[0]), "evidence": found}
    return cast("Value", shown)


def _one(field: Field, value: Typed, answer: Answer, pages: Pages) -> Entry:
    evidence = _evidence(field, value, answer, pages)
    entry = cast("Entry", {"state": _state([evidence]), "value": value, **evidence})
    return {**entry, "quotation": True} if _repeats(field, value, evidence) else entry


def _state(evidence: Sequence[Evidence]) -> State:
    """One quote that does not bear the value out is enough for a doubt."""
    return "unsupported" if any("reason" in each for each in evidence) else "found"


def _repeats(field: Field, value: Typed, evidence: Evidence) -> bool:
    if not isinstance(value, str) or field.options or field.section == "citation" or "reason" in evidence:
        return False
    words, quote = value.split(), evidence["quote"] or ""
    return len(words) >= SENTENCE_WORDS and (words == quote.split() or normal(value).text == normal(quote).text)


def _listed(entries: Sequence[Entry]) -> Value:
    first = next(filter(is_found, entries), entries[0])
    shown: Any = {"state": first["state"], "value": list(entries), **_place(first)}
    return cast("Value", {**shown, "reason": first["reason"]} if "reason" in first else shown)


def _typed_item(field: Field, told: Mapping[str, Any], answer: Answer, pages: Pages) -> Entry:
    try:
        return _item(field, told, answer, pages)
    except Wrong as wrong:
        return cast("Entry", {**absent("not_found"), "reason": wrong.reason})


def _item(field: Field, told: Mapping[str, Any], answer: Answer, pages: Pages) -> Entry:
    given = (part for part in field.fields if told.get(part.name) not in (None, "", []))
    values = {part.name: as_typed(part, told[part.name]) for part in given}
    if not values:
        raise Wrong("wrong_type")
    quotes = _given(told) or [answer]
    found = [_located(quote, pages) for quote in quotes]
    unsaid = _entry_unsaid(field, values, [place for place in found if place.match != "not_found"])
    evidence = [
        _stored(place, unsaid or _doubt(field, place, quote, [*values.values()], pages))
        for place, quote in zip(found, quotes, strict=True)
    ]
    evidence.sort(key=lambda each: "reason" in each)
    first = next((each for each in evidence if "reason" in each), evidence[0])
    place = {**evidence[0], **({"reason": first["reason"]} if "reason" in first else {})}
    return cast("Entry", {"state": _state(evidence), "value": values, **place, "evidence": evidence})


def _entry_unsaid(field: Field, values: Mapping[str, Typed], places: Sequence[Found]) -> Reason | None:
    quotes = [Said(_words(place)) for place in places]
    words = Said("\n".join(quote.text for quote in quotes))
    parts = [part for part in field.fields if part.name in values]
    name = next((str(values[each]) for each in NAMED if each in values), None)
    for part in parts if quotes else ():
        value = values[part.name]
        if part.options or part.type == "boolean":
            reason = unsaid_part(part, value, beside(name, words.text) if name and field.name == "arms" else words.text)
        else:
            reason = _says(part, value, words, Measure.COUNT)
        if reason:
            return reason
    counted = (values[part.name] for part in parts if part.type in NUMBERS)
    numbers = [float(value) for value in counted if isinstance(value, int | float)]
    return apart(name, numbers, quotes, arms=field.name == "arms") if name and quotes else None


def _given(told: Mapping[str, Any]) -> list[Answer]:
    evidence = told.get("evidence")
    if not isinstance(evidence, Sequence) or isinstance(evidence, str):
        evidence = [told] if told.get("quote") else []
    return [cast("Answer", each) for each in evidence if isinstance(each, Mapping)]


def _evidence(field: Field, value: Typed, told: Answer, pages: Pages) -> Evidence:
    place = _located(told, pages)
    if place.match == "not_found":
        return _stored(place, None)
    unsaid, doubt = _unsaid(field, value, place), _doubt(field, place, told, [value], pages)
    return _stored(place, doubt if doubt and unsaid in LESS else unsaid or doubt, field, value)


def _unsaid(field: Field, value: Typed, place: Found) -> Reason | None:
    if field.options or field.type == "boolean":
        return unsaid(field, value, _words(place))
    return _says(field, value, Said(_words(place)))


def _doubt(field: Field, place: Found, told: Answer, values: Sequence[Typed], pages: Pages) -> Reason | None:
    if is_misplaced(field, place, pages) or is_ordered(place, pages):
        return "wrong_place"
    if place.match == "not_found" or told.get("start") == place.start:
        return None
    if field.name == "n_randomised" and not SHARED_OUT.search(_words(place)):
        # People who took part, took something or were counted: whether they are those who were randomised is for a reader.
        return "judged"
    return "quote_too_short" if points_nowhere(_words(place), values, pages) else None


def _located(told: Answer, pages: Pages) -> Found:
    quote, page, start = _text(told.get("quote")), told.get("page"), told.get("start")
    if not quote:
        return Found(None, None, None, "not_found", "")
    return locate(quote, pages, page if type(page) is int else None, start if type(start) is int else None)


def _words(place: Found) -> str:
    return "\n".join(part.quote for part in place.parts)


def _stored(place: Found, reason: Reason | None, field: Field | None = None, value: Typed | None = None) -> Evidence:
    """Of several parts the one that says the value comes first."""
    parts = [*place.parts]
    if field and place.rest:
        parts.sort(key=lambda part: _says(field, value, Said(part.quote)) is not None)
    first, *others = parts
    if place.match == "not_found":
        reason = "quote_not_found" if place.quote else "no_quote"
    match = place.match if place.quote else None
    shown = Evidence(quote=first.quote or None, page=first.page, start=first.start, end=first.end, match=match)
    if others:
        shown["continued"] = [{"quote": at.quote, "page": at.page, "start": at.start, "end": at.end} for at in others]
    return {**shown, "reason": reason} if reason else shown


def _says(field: Field, value: Typed | None, quote: Said, total: Measure = Measure.TOTAL) -> Reason | None:
    if value is None or isinstance(value, bool) or (isinstance(value, str) and value in ABSENCES):
        return None
    if isinstance(value, int | float):
        return _says_number(field, value, quote, _measure(field, total))
    if not says_numbers_of(str(value), quote):
        return "number_not_in_quote"
    return (elsewhere if is_of_countries(field) else partial(_says_text, field))(str(value), quote.text)


def _says_number(field: Field, value: float, quote: Said, measure: Measure) -> Reason | None:
    said, reason = said_as(value, quote, measure)
    name = field.name if measure != Measure.COUNT or field.name not in TOTALS else ""
    may_be_others = field.section in TELLING or name == "n_planned"
    text = quote.text if len(quote.text) == len(quote.folded) else quote.folded
    places = ((each.start, each.end) for each in said)
    reasons = [miscounted(name, quote.folded, *at) or (None if may_be_others else not_ours(text, *at)) for at in places]
    return None if None in reasons else (reasons or [reason])[0]


def _says_text(field: Field, value: str, quote: str) -> Reason | None:
    if not says_words(value, quote):
        return "words_not_in_quote"
    if field.section in TELLING or len(value) * 2 > len(quote):
        return None
    may_deny = len(value.split()) >= SENTENCE_WORDS or DENYING.search(field.name)
    texts = SENTENCE.split(flat(quote))
    near = [(text, max(0, start - NEAR), start, end) for text in texts for start, end in spans(value, text)]
    reasons: list[Reason | None] = [
        "denied" if not may_deny and is_denied(text[cut:], start - cut, end - cut) else not_ours(text, start, end)
        for text, cut, start, end in near
    ]
    return reasons[0] if reasons and None not in reasons else None


def _measure(field: Field, total: Measure) -> Measure:
    if PERCENT.search(f"{field.name} {field.label} {field.label_zh}"):
        return Measure.SHARE
    if field.type != "integer":
        return Measure.ANY
    if not COUNTS.search(field.name) and not COUNTS.search(field.label_zh):
        return Measure.WHOLE
    return total if field.name in TOTALS else Measure.COUNT


def _text(quote: str | None) -> str:
    return quote if isinstance(quote, str) else ""
