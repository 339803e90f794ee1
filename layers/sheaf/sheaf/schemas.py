"""Shapes of the API are TypedDicts: JSON Schema, their fields and what is shown derive from them. ADR 33.

A `Body` is what a request may hold, and nothing else; a `View` is what is shown. Docstrings and `Annotated` add to it.
"""

import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import cache
from types import NoneType
from typing import Annotated, Any, Literal, NotRequired, TypeVar, get_args, get_origin, get_type_hints, is_typeddict

from sheaf import ids, visible

Schema = dict[str, Any]
Named = dict[str, Schema] | None
T = TypeVar("T")


class Said:
    """What is said of a type beside it, in JSON Schema's own words. As a part of a type it has to have a hash."""

    def __init__(self, **words: Any) -> None:
        self.words = words


Id = Annotated[str, Said(pattern=f"^{ids.NAME.pattern}$", title="1 to 40 letters, digits, - or _")]
Count = Annotated[int, Said(minimum=0)]
Instant = Annotated[str, Said(format="date-time")]
Sha256 = Annotated[
    str, Said(pattern="^[0-9a-f]{64}$", title="the SHA-256 of the bytes, as 64 small hexadecimal digits")
]
Dollars = Annotated[float, Said(minimum=0)]

TYPES = {str: "string", int: "integer", float: "number", bool: "boolean"}
SCALARS: dict[Any, Schema] = {object: {}, Any: {}, **{shape: {"type": word} for shape, word in TYPES.items()}}
RULES: dict[type, list[Schema]] = {}  # what holds between the parts of a shape, in JSON Schema's own words


def one_of(values: Iterable[str]) -> Said:
    return Said(enum=[str(value) for value in values])


def visible_text(letters: int) -> Said:
    return Said(maxLength=letters, pattern=visible.PATTERN, title="a text with something in it that can be seen")


def instant(milliseconds: int) -> str:
    """RFC 3339 in UTC with milliseconds."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def show(view: Callable[..., T], item: object, **rest: Any) -> T:
    """A view of an item: `rest`, and every other field from the item's attribute of that name."""
    return view(**{name: getattr(item, attribute) for name, attribute in _plan(view) if name not in rest}, **rest)


@cache
def _plan(view: Any) -> list[tuple[str, str]]:
    names = [name for name in view.__annotations__ if name in view.__required_keys__]
    return [(name, re.sub(r"(?=[A-Z])", "_", name).lower()) for name in names]


def name(shape: type) -> str:
    return shape.__name__.removesuffix("Body").removesuffix("View")


def ref(shape: str) -> Schema:
    return {"$ref": f"#/components/schemas/{shape}"}


def of(shape: Any, named: Named = None) -> Schema:
    """The schema of a type; a TypedDict goes into `named`, if there is one, and is referred to."""
    if shape in SCALARS:
        return {**SCALARS[shape]}
    if not is_typeddict(shape):
        return READERS.get(get_origin(shape), _or_null)(get_args(shape), named)
    if named is None:
        return of_fields(shape)
    if name(shape) not in named:
        named[name(shape)] = {}
        named[name(shape)].update(of_fields(shape, named))
    return ref(name(shape))


def of_fields(shape: Any, named: Named = None) -> Schema:
    hints = get_type_hints(shape, include_extras=True)
    said = {
        "type": "object",
        "properties": {each: of(hint, named) for each, hint in hints.items()},
        "description": shape.__doc__,
        "required": [each for each in hints if each in shape.__required_keys__],
        "allOf": RULES.get(shape),
        "additionalProperties": False if shape.__name__.endswith("Body") else None,
    }
    return {word: each for word, each in said.items() if each not in (None, [])}


@cache
def whole(body: Any) -> Schema:
    """The schema of a body with no reference in it, made once."""
    return of_fields(body)


def _or_null(parts: tuple[Any, ...], named: Named) -> Schema:
    """One type or null; there are no other unions."""
    found = of(parts[1 - parts.index(NoneType)], named)
    if "type" not in found:
        return {"anyOf": [found, {"type": "null"}]}
    return found | {"type": [found["type"], "null"]} | ({"enum": [*found["enum"], None]} if "enum" in found else {})


READERS: dict[Any, Callable[[tuple[Any, ...], Named], Schema]] = {
    Annotated: lambda parts, named: (
        of(parts[0], named) | {word: each for said in parts[1:] for word, each in said.words.items()}
    ),
    NotRequired: lambda parts, named: of(parts[0], named),
    Literal: lambda parts, _: {"type": "string", "enum": list(parts)},
    list: lambda parts, named: {"type": "array", "items": of(parts[0], named)},
    dict: lambda parts, named: {"type": "object", "additionalProperties": of(parts[1], named)},
}
