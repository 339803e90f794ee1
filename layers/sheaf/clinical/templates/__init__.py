"""What is read from a paper: three built-in templates, a file a version. Copies: `clinical.own_templates.copies`."""

import json
from functools import cache
from itertools import count, takewhile
from pathlib import Path

from clinical.templates.fields import FILES, Field, Template, restored, section_labels

__all__ = ["BUILT_IN", "Field", "Template", "find", "pinned", "section_labels", "versions"]

BUILT_IN = ("rct", "cohort", "qc")


@cache
def versions(template_id: str) -> tuple[Template, ...]:
    files = (FILES / f"{template_id}@{number}.json" for number in count(1))
    return tuple(restored(json.loads(file.read_text("utf-8"))) for file in takewhile(Path.exists, files))


def find(template_id: str) -> Template:
    return versions(template_id)[-1]


def pinned(pin: str) -> Template | None:
    """The built-in template that a row was started with; None for the pin of a copy."""
    template_id, _, version = pin.partition("@")
    if template_id not in BUILT_IN:
        return None
    return next((each for each in versions(template_id) if str(each.version) == version), None)
