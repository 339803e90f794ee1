"""What only the review knows, as which confounder matters most: it is written into the descriptions of fields. Pure."""

import json
from dataclasses import dataclass, replace
from functools import cache

from clinical.templates.fields import FILES, Template
from sheaf.errors import InvalidRequest

TEXT_MAX = 200


@dataclass(frozen=True)
class Input:
    """One thing to be told when a task is opened: `fields` are the questions that hang on it, `sentence` how they are told of it."""

    name: str
    label: str
    label_zh: str
    description: str
    fields: tuple[str, ...]
    sentence: str


@cache
def every() -> tuple[Input, ...]:
    read = json.loads((FILES / "inputs.json").read_text("utf-8"))
    return tuple(Input(**{**each, "fields": tuple(each["fields"])}) for each in read)


def of(template: Template) -> tuple[Input, ...]:
    names = {field.name for field in template.fields}
    return tuple(each for each in every() if each.fields[0] in names)


def filled(template: Template, given: dict[str, str]) -> Template:
    """The template with what was given in the descriptions that hang on it. Raises InvalidRequest for what it does not take."""
    there = {each.name: each for each in of(template)}
    unknown = sorted(given.keys() - there.keys())
    if unknown:
        known = f"there are: {', '.join(there)}" if there else "it takes none"
        raise InvalidRequest(f"templateInputs.{unknown[0]}", f"is not an input of this template; {known}.")
    fields = list(template.fields)
    for name, text in sorted(given.items()):
        sentence = there[name].sentence.format(text.rstrip("."))
        fields = [
            replace(field, description=f"{field.description} {sentence}") if field.name in there[name].fields else field
            for field in fields
        ]
    return replace(template, fields=tuple(fields), given=tuple(sorted(given.items())))
