"""Short ways to write a field down. Pure."""

from collections.abc import Callable
from dataclasses import replace

from clinical.templates.fields import Field


def _plain(kind: str) -> Callable[[str, str, str, str], Field]:
    def field(name: str, label: str, label_zh: str, description: str) -> Field:
        return Field(name, kind, label, label_zh, description)

    return field


text, count, number, flag = map(_plain, ("string", "integer", "number", "boolean"))


def one_of(name: str, options: str, label: str, label_zh: str, description: str) -> Field:
    return Field(name, "enum", label, label_zh, description, options=tuple(options.split()))


def texts(name: str, label: str, label_zh: str, description: str, options: str = "") -> Field:
    return Field(name, "[string]", label, label_zh, description, options=tuple(options.split()))


def table(name: str, label: str, label_zh: str, description: str, *fields: Field) -> Field:
    return Field(name, "[object]", label, label_zh, description, fields=fields)


def under(section: str, *fields: Field) -> tuple[Field, ...]:
    """These fields, in this section."""
    return tuple(replace(field, section=section) for field in fields)
