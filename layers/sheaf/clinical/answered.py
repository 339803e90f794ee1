"""A field's answer: as an engine gives it, and as it is stored once the paper was asked. Shapes only."""

from typing import Any, TypeAlias, TypedDict


class Answer(TypedDict, total=False):
    """What an engine says of a field: a value, its quote, and the letters of the page where that begins and ends."""

    status: str
    value: Any
    quote: str | None
    page: int | None
    start: int | None
    end: int | None
    evidence: list["Answer"]


class Value(TypedDict, total=False):
    """A field's value as a row stores it, with the quote as the paper has it."""

    value: Any
    state: str
    quote: str | None
    page: int | None
    start: int | None
    end: int | None
    match: str | None
    reason: str
    continued: "Value"
    """The other half of a quote that stands in two places."""
    evidence: list["Value"]


Values: TypeAlias = dict[str, Value]
