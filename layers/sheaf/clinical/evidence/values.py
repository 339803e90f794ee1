"""A value as its field's type wants it. Pure."""

import math
import re
from collections.abc import Callable
from typing import TypeAlias

from clinical.answered import Reason
from clinical.evidence.quantities.says_number import as_number
from clinical.templates import Field
from sheaf.errors import SheafError
from sheaf.plain_json import Json

STRING_MAX, LIST_MAX = 4_000, 500
Typed: TypeAlias = str | int | float | bool | list[str]
TRUE, FALSE = {"true", "yes"}, {"false", "no"}


class Wrong(SheafError):
    """The value is not one of its field's: `reason` says how, as a word."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


def as_typed(field: Field, told: Json) -> Typed:
    """The value in its type; what only looks otherwise ("12" for 12) is taken. Raises Wrong."""
    if field.type == "enum":
        return _option(told, field.options)
    if field.type == "[string]":
        entries = [told] if isinstance(told, str) else told
        if not isinstance(entries, list) or len(entries) > LIST_MAX:
            raise Wrong("wrong_type")
        return [_option(entry, field.options) if field.options else _string(entry) for entry in entries]
    return PLAIN[field.type](told)


def _string(told: Json) -> str:
    text = str(told).strip() if isinstance(told, str | int | float) and not isinstance(told, bool) else ""
    if not text or len(text) > STRING_MAX:
        raise Wrong("wrong_type")
    return text


def _number(told: Json) -> int | float:
    number = as_number(told) if isinstance(told, str) else told
    if number is None or isinstance(number, bool | dict | list):
        raise Wrong("wrong_type")
    try:
        value = float(number)
    except (TypeError, ValueError, OverflowError) as error:
        raise Wrong("wrong_type") from error
    if not math.isfinite(value):
        raise Wrong("wrong_type")
    return int(value) if value == int(value) else value


def _integer(told: Json) -> int:
    value = _number(told)
    if not isinstance(value, int):
        raise Wrong("wrong_type")
    return value


def _boolean(told: Json) -> bool:
    if isinstance(told, bool):
        return told
    word = told.strip().lower() if isinstance(told, str) else ""
    if word not in TRUE | FALSE:
        raise Wrong("wrong_type")
    return word in TRUE


PLAIN: dict[str, Callable[[Json], Typed]]
PLAIN = {"string": _string, "integer": _integer, "number": _number, "boolean": _boolean}


def _option(told: Json, options: tuple[str, ...]) -> str:
    if not isinstance(told, str):
        raise Wrong("wrong_type")
    word = re.sub(r"[\s-]+", "_", told.strip()).casefold()
    for option in options:
        if re.sub(r"[\s-]+", "_", option).casefold() == word:
            return option
    raise Wrong("not_an_option")
