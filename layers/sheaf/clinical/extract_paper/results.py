"""What a paper's row holds, and its JSON Schema for each built-in template. Pure."""

from clinical import templates
from clinical.answered import PaperData, PaperSummary
from clinical.templates import Field, Template
from sheaf import schemas
from sheaf.schemas import Schema

EXAMPLE = {"quote": "We randomised 120 patients.", "page": 4, "start": 310, "end": 337, "match": "exact"}


def described(named: dict[str, Schema]) -> dict[str, Schema]:
    paper = schemas.of(PaperData, named)
    named["Value"]["examples"] = [{"value": 120, "state": "found", **EXAMPLE}]
    known = [each for name in templates.BUILT_IN for each in templates.versions(name)]
    pins = "|".join(template.pin for template in known)
    own = {"allOf": [paper, {"properties": {"template": {"not": {"pattern": f"^({pins})(~|$)"}}}}]}
    data = [*(_paper(template, paper, named) for template in known), own]
    return {"extractedData": {"oneOf": data}, "summary": schemas.of(PaperSummary, named)}


def _paper(template: Template, paper: Schema, named: dict[str, Schema]) -> Schema:
    name = f"{template.id.capitalize()}{template.version}"
    columns = {field.name: column(field) for field in template.fields}
    named[f"{name}Fields"] = {"type": "object", "properties": columns, "required": [*columns]}
    pinned = {"type": "string", "pattern": f"^{template.pin}(~|$)", "examples": [template.pin]}
    more = {"properties": {"template": pinned, "fields": schemas.ref(f"{name}Fields")}}
    named[name] = {"title": template.label, "allOf": [paper, {"type": "object", **more}]}
    return schemas.ref(name)


def column(field: Field) -> Schema:
    more = {"type": "object", "properties": {"value": {"anyOf": [typed(field), {"type": "null"}]}}}
    return {"title": field.label, "allOf": [schemas.ref("Value"), more]}


def typed(field: Field) -> Schema:
    if field.type == "[object]":
        parts = {part.name: {"title": part.label, **_plain(part)} for part in field.fields}
        return _entries({"type": "object", "properties": parts})
    return _entries(_plain(field)["items"]) if field.type == "[string]" else _plain(field)


def _plain(field: Field) -> Schema:
    options = {"enum": [*field.options]} if field.options else {}
    if field.type == "[string]":
        return {"type": "array", "items": {"type": "string", **options}}
    return {"type": "string" if field.type == "enum" else field.type, **options}


def _entries(value: Schema) -> Schema:
    named = {"properties": {"value": {"anyOf": [value, {"type": "null"}]}}}
    return {"type": "array", "items": {"allOf": [schemas.ref("Entry"), named]}}
