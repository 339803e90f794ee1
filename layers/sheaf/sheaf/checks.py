"""A request held against its schema: the first thing in it that does not fit is refused, by its place and in words. Pure."""

import operator
import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from types import NoneType
from typing import Any

from sheaf.errors import InvalidRequest
from sheaf.schemas import Schema

NUMBER = (int, float)
KINDS: dict[str, tuple[Any, str]] = {
    "string": (str, "a text"),
    "integer": (int, "a whole number"),
    "number": (NUMBER, "a number"),
    "boolean": (bool, "true or false"),
    "array": (list, "a list"),
    "object": (dict, "a JSON object"),
    "null": (NoneType, "null"),
}
NAMED_AT_MOST = 20


def check(value: Any, schema: Schema) -> None:
    """Raises InvalidRequest; its field is the place within the value."""
    for word, limit in schema.items():
        of, fits, reason = LIMITS.get(word, ANYTHING)
        if isinstance(value, of) and not fits(value, limit):
            size = len(value) if isinstance(value, str | list | dict) else 0
            said = ", ".join(map(str, limit)) if isinstance(limit, list) else limit
            nouns = " or ".join(KINDS[kind][1] for kind in _kinds(schema.get("type", [])))
            title = schema.get("title", "in the form that is asked for")
            raise InvalidRequest("", reason.format(limit=said, size=size, title=title, nouns=nouns))
    # When the whole is known to be small enough.
    for word in schema:
        if word in INSIDE and isinstance(value, dict | list):
            INSIDE[word](value, schema)


def check_part(place: str, value: Any, schema: Schema) -> None:
    """The same of what is at this place. What a refusal says of no place but its own is said under the place's name."""
    try:
        check(value, schema)
    except InvalidRequest as error:
        inner = f".{error.field}" if error.field and error.field[0] != "[" else error.field
        details = {key or place: each for key, each in error.details.items()}
        raise InvalidRequest(place + inner, error.reason, **details) from None


def shown(name: str) -> str:
    """A name from outside, as it may stand in an answer: short, and no half of a character."""
    return name[:60].encode(errors="backslashreplace").decode()


def _kinds(said: str | list[str]) -> list[str]:
    return [said] if isinstance(said, str) else said


def _is_one(value: Any, kind: str) -> bool:
    """A whole number is one as JSON Schema knows it, so that 1.0 is one; and true is none."""
    if kind == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, KINDS[kind][0]) and (kind == "boolean" or not isinstance(value, bool))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """A `$` of JSON Schema is the very end."""
    return re.compile(re.sub(r"\$\Z", r"\\Z", pattern))


def _entries(value: list[Any], schema: Schema) -> None:
    for at, each in enumerate(value):
        check_part(f"[{at}]", each, schema["items"])


def _distinct(value: list[Any], _schema: Schema) -> None:
    twice = [each for each, times in Counter(value).items() if times > 1]
    if twice:
        raise InvalidRequest("", "names something twice.", **{"": twice[:NAMED_AT_MOST]})


def _parts(value: Mapping[str, Any], schema: Schema) -> None:
    known, more = schema.get("properties", {}), schema.get("additionalProperties", {})
    unknown = sorted(value.keys() - known.keys())
    if unknown and more is False:
        there = ", ".join(sorted(known))
        raise InvalidRequest(shown(unknown[0]), f"is not a field of this request; there are: {there}.")
    for name in schema.get("required", []):
        if name not in value:
            raise InvalidRequest(name, "is missing.")
    for name, part in value.items():
        check_part(shown(name), part, known.get(name, more))


def _rules(value: Any, schema: Schema) -> None:
    for rule in schema["allOf"]:
        try:
            check(value, rule["if"])
        except InvalidRequest:
            continue
        check(value, rule["then"])


ANYTHING: tuple[Any, Callable[[Any, Any], bool], str] = (object, lambda _value, _limit: True, "")
LIMITS: dict[str, tuple[Any, Callable[[Any, Any], bool], str]] = {
    "type": (object, lambda value, kinds: any(_is_one(value, kind) for kind in _kinds(kinds)), "is not {nouns}."),
    "enum": (object, lambda value, choices: value in choices, "is one of {limit}."),
    "pattern": (str, lambda text, pattern: _compiled(pattern).search(text) is not None, "is not {title}."),
    "not": (object, lambda value, other: value not in other["enum"], "has a meaning of its own in a result."),
    "maxLength": (str, lambda text, most: len(text) <= most, "has {size} characters; {limit} is the most."),
    "minimum": (NUMBER, operator.ge, "is less than {limit}."),
    "maximum": (NUMBER, operator.le, "is more than {limit}."),
    "exclusiveMinimum": (NUMBER, operator.gt, "is not above {limit}."),
    "minItems": (list, lambda entries, least: len(entries) >= least, "has {size} entries; {limit} is the least."),
    "maxItems": (list, lambda entries, most: len(entries) <= most, "has {size} entries; {limit} is the most."),
    "maxProperties": (dict, lambda parts, most: len(parts) <= most, "has {size} entries; {limit} is the most."),
}
INSIDE: dict[str, Callable[[Any, Schema], None]] = {
    "items": _entries,
    "uniqueItems": _distinct,
    "properties": _parts,
    "additionalProperties": lambda value, schema: None if "properties" in schema else _parts(value, schema),
    "allOf": _rules,
}
