"""JSON Schema of the shapes that the API takes and gives, from TypedDicts: no name of theirs is said a second time. Pure. ADR 33.

A shape whose name ends in `Body` is what a request may hold, and what it does not name is refused; one that ends in
`View` is what is shown. In descriptions both go without that end. A shape's docstring and `Annotated` add what a type cannot
say.
"""

from collections.abc import Callable, Iterable
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from sheaf import ids, visible

Schema = dict[str, Any]
Shape = TypeVar("Shape", bound=type)


class Said:
    """What is said of a type beside it, in JSON Schema's own words. As a part of a type it has to have a hash."""

    def __init__(self, **words: Any) -> None:
        self.words = words


Id = Annotated[str, Said(pattern=f"^{ids.NAME.pattern}$")]
Count = Annotated[int, Said(minimum=0)]
Instant = Annotated[str, Said(format="date-time")]
Dollars = Annotated[float, Said(minimum=0)]

SCALARS = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}
RULES: dict[type, Schema] = {}


def one_of(values: Iterable[str]) -> Said:
    return Said(enum=[str(value) for value in values])


def visible_text(letters: int) -> Said:
    """A text of which something is to be seen."""
    return Said(maxLength=letters, pattern=visible.PATTERN)


def with_rules(*rules: Schema) -> Callable[[Shape], Shape]:
    """What holds between the parts of a shape."""

    def add(shape: Shape) -> Shape:
        RULES[shape] = {"allOf": list(rules)}
        return shape

    return add


def if_type(*types: str, **then: Any) -> Schema:
    """What more is asked of a shape whose `type` is one of these."""
    asked = {"properties": {"type": {"enum": list(types)}}, "required": ["type"]}
    return {"if": asked, "then": then}


def fields(body: type) -> set[str]:
    """The names of all that a shape may hold."""
    return set(body.__annotations__)


def name(shape: type) -> str:
    return shape.__name__.removesuffix("Body").removesuffix("View")


def ref(shape: str) -> Schema:
    return {"$ref": f"#/components/schemas/{shape}"}


def of(shape: Any, named: dict[str, Schema]) -> Schema:
    """The schema of a type; a TypedDict goes into `named`, and is referred to."""
    if shape in SCALARS:
        return {"type": SCALARS[shape]}
    if shape is object:
        return {}
    if is_typeddict(shape):
        if name(shape) not in named:
            named[name(shape)] = {}
            named[name(shape)].update(of_fields(shape, named))
        return ref(name(shape))
    return READERS[get_origin(shape)](get_args(shape), named)


def of_fields(shape: Any, named: dict[str, Schema]) -> Schema:
    """The schema of a TypedDict, as it is."""
    hints = get_type_hints(shape, include_extras=True)
    needed = [each for each in hints if each in shape.__required_keys__]
    found: Schema = {"type": "object", "properties": {each: of(hint, named) for each, hint in hints.items()}}
    if shape.__doc__:
        found["description"] = shape.__doc__
    if needed:
        found["required"] = needed
    if shape.__name__.endswith("Body"):
        found["additionalProperties"] = False
    return found | RULES.get(shape, {})


def _either(parts: tuple[Any, ...], named: dict[str, Schema]) -> Schema:
    """One type or null; there are no other unions."""
    found = of(next(part for part in parts if part is not NoneType), named)
    if "type" not in found:
        return {"anyOf": [found, {"type": "null"}]}
    choices = {"enum": [*found["enum"], None]} if "enum" in found else {}
    return {**found, "type": [found["type"], "null"], **choices}


READERS: dict[Any, Callable[[tuple[Any, ...], dict[str, Schema]], Schema]] = {
    Annotated: lambda parts, named: (
        of(parts[0], named) | {key: word for said in parts[1:] for key, word in said.words.items()}
    ),
    NotRequired: lambda parts, named: of(parts[0], named),
    Literal: lambda parts, _: {"type": "string", "enum": list(parts)},
    Union: _either,
    UnionType: _either,
    list: lambda parts, named: {"type": "array", "items": of(parts[0], named)},
    dict: lambda parts, named: {"type": "object", "additionalProperties": of(parts[1], named)},
}
