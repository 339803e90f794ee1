"""A template from the JSON of one of its versions: those that are built in, and a project's own as they were stored. Pure."""

from collections.abc import Mapping
from typing import Any

from clinical.templates.fields import Field, Template


def restored(told: Mapping[str, Any]) -> Template:
    """The template of a version's object."""
    return Template(
        told["templateId"],
        told["version"],
        told["label"],
        told["labelZh"],
        told["description"],
        tuple(_restored(field) for field in told["fields"]),
        tuple(sorted(told.get("given", {}).items())),
    )


def _restored(told: Mapping[str, Any]) -> Field:
    return Field(
        told["name"],
        told["type"],
        told["label"],
        told["labelZh"],
        told["description"],
        told.get("section", ""),
        tuple(told.get("options", ())),
        tuple(_restored(part) for part in told.get("fields", ())),
        tuple((option, tuple(words)) for option, words in told.get("cues", {}).items()),
    )
