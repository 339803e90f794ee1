"""What a template is made of: fields with types, labels in two languages, and sections. Pure."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

SCALARS = ("string", "integer", "number", "boolean", "enum")
LISTS = ("[string]", "[object]")
TYPES = (*SCALARS, *LISTS)
FILES = Path(__file__).parent / "built_in"
OwnCues = tuple[tuple[str, tuple[str, ...]], ...]  # for a choice the words that a project's copy says it by


@dataclass(frozen=True)
class Field:
    """One column of the finished table; `fields` are the columns of a list of objects."""

    name: str
    type: str
    label: str
    label_zh: str
    description: str
    section: str = ""
    options: tuple[str, ...] = ()  # what an enum, or each entry of a list of strings, may be
    fields: tuple["Field", ...] = ()
    cues: OwnCues = ()  # besides those of code for fields of this name (`cues.toml`), which are in no version
    options_zh: tuple[tuple[str, str], ...] = ()  # what of its options is called otherwise in Chinese


@dataclass(frozen=True)
class Template:
    """A versioned list of fields. A version never changes once a task may have pinned it."""

    id: str
    version: int
    label: str
    label_zh: str
    description: str
    fields: tuple[Field, ...]
    given: tuple[tuple[str, str], ...] = ()  # inputs of a task, by name: they stand in the descriptions already

    @property
    def edition(self) -> str:
        """The version, and of one with inputs which: 1~3f08aace12."""
        if not self.given:
            return str(self.version)
        text = json.dumps(self.given, ensure_ascii=False)
        return f"{self.version}~{hashlib.sha256(text.encode()).hexdigest()[:10]}"

    @property
    def pin(self) -> str:
        return f"{self.id}@{self.edition}"


def version_of(pin: str) -> int:
    return int(pin.partition("@")[2].partition("~")[0])


@cache
def sections() -> dict[str, tuple[str, str]]:
    return {name: tuple(labels) for name, labels in json.loads((FILES / "sections.json").read_text("utf-8")).items()}


def section_labels(section: str) -> tuple[str, str]:
    """In both languages; a section of one's own is its own label."""
    return sections().get(section, (section, section))


def restored(stored: Mapping[str, Any]) -> Template:
    said: Any = {name: stored[name] for name in ("version", "label", "description")}
    fields, given = tuple(map(_restored, stored["fields"])), tuple(sorted(stored.get("given", {}).items()))
    return Template(stored["templateId"], **said, label_zh=stored["labelZh"], fields=fields, given=given)


def _restored(stored: Mapping[str, Any]) -> Field:
    said: Any = {name: stored[name] for name in ("name", "type", "label", "description")}
    said |= {"label_zh": stored["labelZh"], "section": stored.get("section", "")}
    said |= {"options_zh": tuple(stored.get("optionsZh", {}).items())}
    options, parts = tuple(stored.get("options", ())), tuple(map(_restored, stored.get("fields", ())))
    cues = tuple((option, tuple(words)) for option, words in stored.get("cues", {}).items())
    return Field(**said, options=options, fields=parts, cues=cues)
