"""A template from outside and to outside: its JSON, read and checked before anything is written. Pure. Raises InvalidRequest."""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NotRequired, TypedDict

from clinical.templates import inputs
from clinical.templates.fields import TYPES, Field, OwnCues, Template, section_labels
from sheaf import schemas
from sheaf.api.bodies import Key, Whole
from sheaf.errors import InvalidRequest
from sheaf.schemas import Count, Id, Said, show
from sheaf.visible import cleaned

NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
RESERVED = {"evidence", "match", "page", "quote", "state", "status", "value", "study", "row", "v"}
"""Names that a stored value has beside its parts, or that a column of the table has."""
FIELDS_MAX, PARTS_MAX, OPTIONS_MAX, CUES_MAX = 120, 30, 30, 30
LABEL_MAX, DESCRIPTION_MAX, OPTION_MAX, CUE_MAX, BODY_MAX = 80, 600, 60, 60, 200_000
PLAIN = tuple(each for each in TYPES if each not in {"enum", "[string]"})
OF_PARTS = tuple(each for each in TYPES if each != "[object]")
COLUMNS = Said(maxItems=PARTS_MAX, description="The columns of an [object].")
APART = Said(description="No two fields beside one another have the same.")
FIELD_NAME = Said(pattern=f"^{NAME.pattern}$", title="a small letter, then up to 39 small letters, digits or _")
Text = Annotated[str, Said(maxLength=LABEL_MAX)]
Description = Annotated[str, Said(maxLength=DESCRIPTION_MAX)]
NotRead = Annotated[object, Said(description="Not read: it follows from the section.")]
OPTIONS = Said(description="What an enum, or each entry of a [string], may be; distinct in small letters too.")
Option = Annotated[str, schemas.visible_text(OPTION_MAX)]
Options = Annotated[list[Option] | None, Said(maxItems=OPTIONS_MAX, uniqueItems=True), OPTIONS]
CUES = "By choice, the words by which papers say it, besides those that are built in; a star at the end stands for any ending."
STRATIFIED = Said(examples=[{"stratified": ["layered by", "分层"]}], maxProperties=OPTIONS_MAX)
CueWords = Annotated[list[Annotated[str, schemas.visible_text(CUE_MAX)]], Said(maxItems=CUES_MAX)]
Cues = Annotated[dict[str, CueWords], Said(description=CUES), STRATIFIED]
IN_CHINESE = Said(description="What its options are called in Chinese.", examples=[{"tablet": "片剂"}])
OptionsZh = Annotated[dict[str, Option], IN_CHINESE, Said(maxProperties=OPTIONS_MAX)]
Nothing = Annotated[list[object] | None, Said(maxItems=0)]


def _if_type(*types: str, **then: Any) -> schemas.Schema:
    return {"if": {"properties": {"type": {"enum": list(types)}}, "required": ["type"]}, "then": then}


CHOICE_RULES = [
    _if_type(*PLAIN, properties={"options": {"maxItems": 0}}),
    _if_type("enum", properties={"options": {"type": "array", "minItems": 2}}, required=["options"]),
]
TABLE_RULES = [
    _if_type("[object]", properties={"fields": {"type": "array", "minItems": 1}}, required=["fields"]),
    _if_type(*OF_PARTS, properties={"fields": {"maxItems": 0}}),
]


class _Named(TypedDict):
    name: Annotated[str, FIELD_NAME, Said(**{"not": {"enum": sorted(RESERVED)}})]
    label: Annotated[str, schemas.visible_text(LABEL_MAX), APART]
    labelZh: NotRequired[Text]
    description: NotRequired[Description]
    section: NotRequired[Text]
    sectionLabel: NotRequired[NotRead]
    sectionLabelZh: NotRequired[NotRead]
    options: NotRequired[Options]
    optionsZh: NotRequired[OptionsZh]


class NewPartBody(_Named):
    """A column of an [object]."""

    type: Annotated[str, schemas.one_of(OF_PARTS)]
    cues: NotRequired[Annotated[dict[str, object] | None, Said(maxProperties=0)]]
    fields: NotRequired[Nothing]


class NewFieldBody(_Named):
    type: Annotated[str, schemas.one_of(TYPES)]
    cues: NotRequired[Cues | None]
    fields: NotRequired[Annotated[list[NewPartBody] | None, COLUMNS]]


schemas.RULES |= {NewPartBody: CHOICE_RULES, NewFieldBody: CHOICE_RULES + TABLE_RULES}


class TemplateChangeBody(TypedDict):
    version: Annotated[Whole, Said(description="The version that was changed: the newest.")]
    label: NotRequired[Text]
    labelZh: NotRequired[Text]
    description: NotRequired[Description]
    fields: Annotated[list[NewFieldBody], Said(minItems=1, maxItems=FIELDS_MAX)]


class CloneBody(TypedDict):
    label: NotRequired[Annotated[Text, Said(examples=["Trials, with our own outcomes"])]]
    labelZh: NotRequired[Text]
    idempotencyKey: NotRequired[Key | None]


class TemplateSummaryView(TypedDict):
    templateId: Id
    version: Annotated[int, Said(minimum=1)]
    builtIn: bool
    label: str
    labelZh: str
    description: str
    fieldCount: Count


class TemplateListView(TypedDict):
    templates: list[TemplateSummaryView]


class TemplateFieldView(TypedDict):
    name: Annotated[str, FIELD_NAME]
    type: Annotated[str, schemas.one_of(TYPES)]
    label: str
    labelZh: str
    description: str
    section: str
    sectionLabel: str
    sectionLabelZh: str
    options: list[str]
    optionsZh: dict[str, str]
    cues: dict[str, list[str]]
    fields: list["TemplateFieldView"]


class TemplateInputView(TypedDict):
    name: str
    label: str
    labelZh: str
    description: str


class TemplateView(TemplateSummaryView):
    fields: list[TemplateFieldView]
    inputs: list[TemplateInputView]


def shown(template: Template, *, built_in: bool) -> TemplateView:
    fields, given = map(_shown, template.fields), (show(TemplateInputView, each) for each in inputs.of(template))
    return TemplateView(**summary(template, built_in=built_in), fields=[*fields], inputs=[*given])


def summary(template: Template, *, built_in: bool) -> TemplateSummaryView:
    count = len(template.fields)
    return show(TemplateSummaryView, template, templateId=template.id, builtIn=built_in, fieldCount=count)


def _shown(field: Field) -> TemplateFieldView:
    english, chinese = section_labels(field.section)
    parts = [_shown(part) for part in field.fields]
    labels = {"sectionLabel": english, "sectionLabelZh": chinese}
    cues = {option: list(words) for option, words in field.cues}
    options = {"options": list(field.options), "optionsZh": dict(field.options_zh)}
    return show(TemplateFieldView, field, **labels, **options, cues=cues, fields=parts)


def stored(template: Template) -> dict[str, Any]:
    return {"v": 1, **shown(template, built_in=False), "given": dict(template.given)}


def changed(template: Template, change: Mapping[str, Any]) -> Template:
    label, label_zh = (cleaned(change.get(name, "")) for name in ("label", "labelZh"))
    labels = label or template.label, label_zh or template.label_zh
    description = cleaned(change.get("description", template.description))
    return Template(template.id, template.version + 1, *labels, description, _fields(change["fields"], "fields"))


def _fields(given: Sequence[Mapping[str, Any]], where: str) -> tuple[Field, ...]:
    fields = tuple(_field(each, f"{where}[{at}]") for at, each in enumerate(given))
    for attribute, named in (("name", "name"), ("label", "label"), ("label_zh", "labelZh")):
        names = [getattr(field, attribute).casefold() for field in fields]
        for at, name in enumerate(names):
            if name and name in names[:at]:
                raise InvalidRequest(f"{where}[{at}].{named}", "is that of an earlier field too.")
    return fields


def _field(given: Mapping[str, Any], where: str) -> Field:
    label = _seen(given["label"], f"{where}.label")
    label_zh, description, section = (cleaned(given.get(name, "")) for name in ("labelZh", "description", "section"))
    labels = label, label_zh or label, description, section
    options = _options(given.get("options") or [], f"{where}.options")
    parts, cues = _fields(given.get("fields") or [], f"{where}.fields"), _cues(given, where)
    called = _of_choices(given, "optionsZh", where).items()
    return Field(
        given["name"], given["type"], *labels, options, parts, cues, tuple((each, cleaned(zh)) for each, zh in called)
    )


def _seen(text: str, where: str) -> str:
    shown = cleaned(text)
    if not shown:
        raise InvalidRequest(where, "has nothing in it that can be seen.")
    return shown


def _cues(given: Mapping[str, Any], where: str) -> OwnCues:
    cues = _of_choices(given, "cues", where)
    for option, words in cues.items():
        for at, each in enumerate(words):
            if not any(map(str.isalnum, each)):
                raise InvalidRequest(f"{where}.cues.{option}[{at}]", "has no letter in it.")
    return tuple((option, tuple(map(cleaned, words))) for option, words in cues.items())


def _of_choices(given: Mapping[str, Any], name: str, where: str) -> dict[str, Any]:
    found: dict[str, Any] = given.get(name) or {}
    choices = ["true", "false"] if given["type"] == "boolean" else given.get("options") or []
    if unknown := [option for option in found if option not in choices]:
        raise InvalidRequest(f"{where}.{name}.{unknown[0][:OPTION_MAX]}", "is not a choice of this field.")
    return found


def _options(given: Sequence[str], where: str) -> tuple[str, ...]:
    options = tuple(_seen(each, f"{where}[{at}]") for at, each in enumerate(given))
    if len({each.casefold() for each in options}) < len(options):
        raise InvalidRequest(where, "are none of them twice.")
    return options
