"""A template from outside and to outside: its JSON, read and checked before anything is written. Pure. Raises InvalidRequest."""

import re
from collections.abc import Mapping

from sheaf.errors import InvalidRequest
from sheaf.plain_json import Json, JsonObject
from sheaf.requests import needed
from sheaf.requests import shown as shown_name
from sheaf.templates import inputs
from sheaf.templates.fields import TYPES, Field, Template, section_labels
from sheaf.visible import cleaned

NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
RESERVED = {"evidence", "match", "page", "quote", "state", "status", "value", "study", "row", "v"}
"""Names that a stored value has beside its parts, or that a column of the table has."""
FIELDS_MAX = 120
PARTS_MAX = 30
OPTIONS_MAX = 30
LABEL_MAX = 80
DESCRIPTION_MAX = 600
OPTION_MAX = 60
BODY_MAX = 200_000
KNOWN = {
    "name",
    "type",
    "label",
    "labelZh",
    "description",
    "section",
    "sectionLabel",
    "sectionLabelZh",
    "options",
    "fields",
}
CHANGE = {"label", "labelZh", "description", "fields", "version"}


def shown(template: Template, *, built_in: bool) -> JsonObject:
    """A template as the API shows it."""
    taken: list[Json] = [
        {"name": each.name, "label": each.label, "labelZh": each.label_zh, "description": each.description}
        for each in inputs.of(template)
    ]
    fields: list[Json] = [_shown(field) for field in template.fields]
    return {**summary(template, built_in=built_in), "fields": fields, "inputs": taken}


def summary(template: Template, *, built_in: bool) -> JsonObject:
    return {
        "templateId": template.id,
        "version": template.version,
        "builtIn": built_in,
        "label": template.label,
        "labelZh": template.label_zh,
        "description": template.description,
        "fieldCount": len(template.fields),
    }


def _shown(field: Field) -> JsonObject:
    english, chinese = section_labels(field.section)
    return {
        "name": field.name,
        "type": field.type,
        "label": field.label,
        "labelZh": field.label_zh,
        "description": field.description,
        "section": field.section,
        "sectionLabel": english,
        "sectionLabelZh": chinese,
        "options": list(field.options),
        "fields": [_shown(part) for part in field.fields],
    }


def stored(template: Template) -> JsonObject:
    """What a version's object holds."""
    return {"v": 1, **shown(template, built_in=False), "given": dict(template.given)}


def changed(template: Template, told: JsonObject) -> Template:
    """The next version, from what a caller sent of it."""
    return Template(
        template.id,
        template.version + 1,
        text(told, "label", "label", LABEL_MAX, otherwise="") or template.label,
        text(told, "labelZh", "labelZh", LABEL_MAX, otherwise="") or template.label_zh,
        text(told, "description", "description", DESCRIPTION_MAX, otherwise=template.description),
        _fields(needed(told, "fields"), "fields", FIELDS_MAX, parts=True),
    )


def _fields(told: Json, where: str, most: int, *, parts: bool) -> tuple[Field, ...]:
    if not isinstance(told, list) or not told:
        raise InvalidRequest(where, "is not a list of at least one field.")
    if len(told) > most:
        raise InvalidRequest(where, f"has {len(told)} fields; there can be {most}.")
    fields = tuple(_field(each, f"{where}[{at}]", parts=parts) for at, each in enumerate(told))
    for named in ("name", "label", "label_zh"):
        _no_repeats([getattr(field, named).casefold() for field in fields], where, named)
    return fields


def _no_repeats(names: list[str], where: str, named: str) -> None:
    shown_name = "labelZh" if named == "label_zh" else named
    twice = next((at for at, name in enumerate(names) if name and name in names[:at]), None)
    if twice is not None:
        raise InvalidRequest(f"{where}[{twice}].{shown_name}", "is that of an earlier field too.")


def _field(told: Json, where: str, *, parts: bool) -> Field:
    if not isinstance(told, Mapping):
        raise InvalidRequest(where, "is not a JSON object.")
    unknown = sorted(told.keys() - KNOWN)
    if unknown:
        raise InvalidRequest(
            f"{where}.{shown_name(unknown[0])}", f"is not part of a field; there are: {', '.join(sorted(KNOWN))}."
        )
    kind = needed(told, "type", f"{where}.type")
    types = TYPES if parts else tuple(each for each in TYPES if each != "[object]")
    if kind not in types:
        raise InvalidRequest(f"{where}.type", f"is one of {', '.join(types)}.")
    label = text(told, "label", f"{where}.label", LABEL_MAX)
    return Field(
        _name(told, f"{where}.name"),
        kind,
        label,
        text(told, "labelZh", f"{where}.labelZh", LABEL_MAX, otherwise="") or label,
        text(told, "description", f"{where}.description", DESCRIPTION_MAX, otherwise=""),
        text(told, "section", f"{where}.section", LABEL_MAX, otherwise=""),
        _options(told, kind, where),
        _parts(told, kind, where),
    )


def _name(told: JsonObject, where: str) -> str:
    name = needed(told, "name", where)
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise InvalidRequest(where, "is a small letter, then up to 39 small letters, digits or _.")
    if name in RESERVED:
        raise InvalidRequest(where, f"cannot be {name}: that name has a meaning of its own in a result.")
    return name


def text(told: JsonObject, name: str, where: str, most: int, otherwise: str | None = None) -> str:
    """A text of this request without what is hidden; `otherwise`, if there is one, where it is left out.

    Raises InvalidRequest where it is missing, too long, no text, or nothing of it is to be seen.
    """
    if otherwise is not None and name not in told:
        return otherwise
    value = _cleaned(needed(told, name, where), where, most)
    if otherwise is None and not value:
        raise InvalidRequest(where, "has nothing in it that can be seen.")
    return value


def _cleaned(value: Json, where: str, most: int) -> str:
    if not isinstance(value, str):
        raise InvalidRequest(where, "is not a text.")
    if len(value) > most:
        raise InvalidRequest(where, f"has {len(value)} characters; {most} is the most.")
    return cleaned(value)


def _options(told: JsonObject, kind: str, where: str) -> tuple[str, ...]:
    options = _list(told, "options", where)
    if options and kind not in {"enum", "[string]"}:
        raise InvalidRequest(f"{where}.options", f"are for enum and [string]; this field is {kind}.")
    if len(options) > OPTIONS_MAX:
        raise InvalidRequest(f"{where}.options", f"has {len(options)} entries; {OPTIONS_MAX} is the most.")
    given = tuple(_cleaned(each, f"{where}.options[{at}]", OPTION_MAX) for at, each in enumerate(options))
    if not all(given):
        raise InvalidRequest(f"{where}.options[{given.index('')}]", "has nothing in it that can be seen.")
    distinct = len({each.casefold() for each in given})
    if distinct < len(given) or (kind == "enum" and distinct < 2):  # noqa: PLR2004 - one option is no choice
        raise InvalidRequest(f"{where}.options", "are two or more, and none of them twice.")
    return given


def _list(told: JsonObject, name: str, where: str) -> list[Json]:
    """A list that may be left out, or null. Raises InvalidRequest."""
    value = told.get(name)
    if value is not None and not isinstance(value, list):
        raise InvalidRequest(f"{where}.{name}", "is not a list.")
    return value or []


def _parts(told: JsonObject, kind: str, where: str) -> tuple[Field, ...]:
    parts = _list(told, "fields", where)
    if kind == "[object]":
        return _fields(parts, f"{where}.fields", PARTS_MAX, parts=False)
    if parts:
        raise InvalidRequest(f"{where}.fields", f"are for [object]; this field is {kind}.")
    return ()
