"""A template from the JSON of one of its versions: those that are built in, and a project's own as they were stored. Pure."""

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
        stored.get("section", ""),
        tuple(stored.get("options", ())),
        tuple(_restored(part) for part in stored.get("fields", ())),
        tuple((option, tuple(words)) for option, words in stored.get("cues", {}).items()),
    )
