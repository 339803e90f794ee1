"""A template as it was stored (`editing.stored`), read back. Pure: whoever reads a paper needs this and no editing."""

from collections.abc import Mapping
from typing import Any

from clinical.templates.fields import Field, Template


def restored(stored: Mapping[str, Any]) -> Template:
    """The template of a version's object."""
    return Template(
        stored["templateId"],
        stored["version"],
        stored["label"],
        stored["labelZh"],
        stored["description"],
        tuple(_restored(field) for field in stored["fields"]),
        tuple(sorted(stored.get("given", {}).items())),
    )


def _restored(stored: Mapping[str, Any]) -> Field:
    return Field(
        stored["name"],
        stored["type"],
        stored["label"],
        stored["labelZh"],
        stored["description"],
        stored["section"],
        tuple(stored["options"]),
        tuple(_restored(part) for part in stored["fields"]),
    )
