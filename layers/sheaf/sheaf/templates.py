"""The built-in template, and what a field is."""

from dataclasses import dataclass

from sheaf.errors import InvalidRequest


@dataclass(frozen=True)
class Field:
    """One column of the finished table."""

    name: str
    type: str
    label: str
    label_zh: str
    section: str


@dataclass(frozen=True)
class Template:
    """A versioned list of fields."""

    id: str
    version: int
    label: str
    label_zh: str
    fields: tuple[Field, ...]

    @property
    def pin(self) -> str:
        """What a row keeps: the template and the version it was started with."""
        return f"{self.id}@{self.version}"


RCT = Template(
    "rct",
    1,
    "Randomised controlled trial",
    "随机对照试验",
    (
        Field("registration_ids", "[string]", "Registration", "注册号", "open science"),
        Field("doi", "string", "DOI", "DOI", "citation"),
        Field("year", "integer", "Year", "年份", "citation"),
    ),
)

BUILT_IN = {template.id: template for template in (RCT,)}


def find(template_id: str) -> Template:
    """The current version of a template. Raises InvalidRequest naming those there are."""
    if template_id not in BUILT_IN:
        raise InvalidRequest("templateId", f"is not a template here; there are: {', '.join(BUILT_IN)}.")
    return BUILT_IN[template_id]


def pinned(pin: str) -> Template:
    """The template that a row was started with."""
    return BUILT_IN[pin.partition("@")[0]]
