"""The JSON that a model must answer with, in plain words: each provider's grammar knows other ones. Pure."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from clinical.answered import Answer
from clinical.templates import Field
from clinical.templates.fields import LISTS
from sheaf.model_calls.model_api import ModelFault, Schema
from sheaf.plain_json import Json, JsonObject

Content: TypeAlias = dict[str, Any]  # of a reply, by its schema
STATES = ("found", "not_found", "not_reported")  # the states that a model may say; the others are for code
TEXT: Schema = {"type": "string"}
TEXTS: Schema = {"type": "array", "items": TEXT}
STATE: Schema = {"type": "string", "enum": [*STATES]}
QUOTED: dict[str, Schema] = {"quote": TEXT, "page": {"type": "integer"}}
SCALARS = {"integer": "integer", "number": "number", "boolean": "boolean"}
ABSENT = "not_reported"
EMPTY: dict[str, Any] = {"string": "", "integer": 0, "number": 0, "boolean": False, "array": []}
"""What stands where there is nothing to tell. A field or an entry as a whole cannot be empty."""
CHOICES_MAX, LETTERS_MAX = 1_000, 120_000  # of one schema, by a provider's guide of 2025; letters of names and choices
FAULTS_TOLD = 8
KINDS = {"object": dict, "array": list, "string": str, "integer": int, "number": int | float, "boolean": bool}


def schema(fields: Sequence[Field]) -> Schema:
    return _object({each.name: _object({"state": STATE, "value": _value(each), **QUOTED}) for each in fields})


def question(field: Field) -> Schema:
    """Of one field, the quote first: a small model finds the words, and then says what they say."""
    return _object({**({} if field.type in LISTS else {"quote": TEXT}), "value": _value(field)})


def _object(properties: dict[str, Schema]) -> Schema:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def size(wanted: Schema) -> tuple[int, int]:
    choices = wanted.get("enum", ())
    parts = [*wanted.get("properties", {}).items(), *([("", wanted["items"])] if "items" in wanted else [])]
    within = [size(part) for _, part in parts]
    letters = sum(map(len, choices)) + sum(len(name) for name, _ in parts)
    return len(choices) + sum(each[0] for each in within), letters + sum(each[1] for each in within)


def _value(field: Field) -> Schema:
    if field.type == "[object]":
        # Text as printed, since a number that is not reported must not become a zero.
        parts = {part.name: TEXTS if part.type == "[string]" else _text(part) for part in field.fields}
        return {"type": "array", "items": _object({**parts, "evidence": {"type": "array", "items": _object(QUOTED)}})}
    if field.type == "[string]":
        return {"type": "array", "items": _object({"text": _text(field), **QUOTED})}
    return {"type": SCALARS[field.type]} if field.type in SCALARS else _text(field)


def _text(field: Field) -> Schema:
    if not field.options:
        return TEXT
    return {"type": "string", "enum": [*field.options, *([] if ABSENT in field.options else [ABSENT])]}


def read(text: str, wanted: Schema) -> JsonObject:
    """The answer in this reply. Raises ModelFault, saying what is wrong with it, for the model to mend."""
    stripped = text.strip()
    if not stripped:
        raise ModelFault("The reply is empty.")
    try:
        # Without what a model says before its answer and behind it, and without the fence; if that was no answer, it is no JSON.
        start, end = stripped.find("{"), stripped.rfind("}")
        answer = stripped[start : end + 1] if 0 <= start < end else stripped
        content = json.loads(answer, parse_constant=_no_constant, object_pairs_hook=_once)
        json.dumps(content, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise ModelFault("The reply holds half of a character.") from error
    except (ValueError, RecursionError) as error:
        raise ModelFault(f"The reply is not one JSON object: {str(error)[:120]}.") from error
    form: Content = _filled(content, wanted)
    if wrong := [*faults(form, wanted, "answer")]:
        raise ModelFault(" ".join(wrong[:FAULTS_TOLD]))
    return form


def _filled(content: Any, wanted: Schema, *, needed: bool = False) -> Any:
    """Empty where a model wrote null: a third of a price is not spent on that. Where `needed`, a null is a fault."""
    if content is None and not needed:
        return EMPTY.get(wanted["type"]) if "enum" not in wanted else ABSENT
    if wanted["type"] == "array" and isinstance(content, list):
        return [_filled(entry, wanted["items"]) for entry in content]
    if wanted["type"] != "object" or not isinstance(content, dict):
        return content
    is_found = content.get("state") == STATES[0]
    return {
        name: _filled(part, shape, needed=name == "state" or (is_found and name == "value"))
        if (shape := wanted["properties"].get(name))
        else part
        for name, part in content.items()
    }


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _once(pairs: list[tuple[str, Json]]) -> JsonObject:
    """Which of two values was meant cannot be known."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a name stands twice in one object")
    return fields


def faults(content: Any, wanted: Schema, at: str) -> Iterator[str]:
    """What this content is not, of this schema. It says names of the schema only, never words of the content."""
    kind: str = wanted["type"]
    is_kind: bool = isinstance(content, KINDS[kind])
    if not is_kind or (isinstance(content, bool) and kind != "boolean"):
        yield f"{at} is not of type {kind}."
    elif "enum" in wanted and content not in wanted["enum"]:
        yield f"{at} is none of {', '.join(wanted['enum'])}."
    elif kind == "object":
        yield from _object_faults(content, wanted, at)
    elif kind == "array":
        for number, item in enumerate(content):
            yield from faults(item, wanted["items"], f"{at}[{number}]")


def _object_faults(content: Content, wanted: Schema, at: str) -> Iterator[str]:
    yield from (f"{at}.{name} is missing." for name in wanted["required"] if name not in content)
    if unknown := len(content.keys() - wanted["properties"].keys()):
        yield f"{at} has {unknown} names that were not asked for."
    for name, shape in wanted["properties"].items():
        if name in content:
            yield from faults(content[name], shape, f"{at}.{name}")


def answers(fields: Sequence[Field], content: Content) -> dict[str, Answer]:
    return {field.name: _answer(field, content[field.name]) for field in fields}


def answered(field: Field, content: JsonObject) -> Answer:
    """What the reply to one question says: nothing, where it has no quote, or no entry."""
    is_said = content.get("quote", content["value"]) not in ("", [])
    return _answer(field, {"quote": "", "page": 0, **content, "state": STATES[0] if is_said else STATES[1]})


def _answer(field: Field, given: Content) -> Answer:
    state, value = given["state"], given["value"]
    if value == ABSENT and field.type in {"enum", "string"} and ABSENT not in field.options:
        state = ABSENT
    answer: Answer = {"state": state, "value": value if state == "found" else None, **_place(given)}
    if state != "found":
        # A choice such as "no information" is an answer of its own.
        return {**answer, "value": value} if field.type == "enum" and value in field.options else answer
    if field.type == "[string]":
        entries = [entry for entry in value if entry["text"].strip() and entry["text"] != ABSENT]
        return {**answer, "value": [entry["text"] for entry in entries], "evidence": [_place(each) for each in entries]}
    if field.type == "[object]":
        return {**answer, "value": [_item(field, entry) for entry in value]}
    return answer


def _item(field: Field, entry: Content) -> Content:
    given = ((part, entry[part.name]) for part in field.fields)
    said = ((part, value) for part, value in given if value != ABSENT or ABSENT in part.options)
    parts = {part.name: value for part, value in said if value not in ("", [])}
    return {**parts, "evidence": [_place(each) for each in entry["evidence"]]}


def _place(given: Content) -> Answer:
    return {"quote": given["quote"] or None, "page": given["page"] if given["page"] > 0 else None}
