"""A paper as everything after intake sees it: pages of text, sections, and the bytes that they were read from. Pure."""

import json
from dataclasses import asdict, dataclass, field
from typing import Any

VERSION = 1


@dataclass(frozen=True)
class Page:
    """One page of a PDF, or one top-level section of an XML paper; offsets of evidence count within its text."""

    number: int
    text: str
    label: str | None = None  # what a reader calls it: an XML paper's section has a name and no page number


@dataclass(frozen=True)
class Section:
    """Where a section starts; it ends where the next one does."""

    title: str
    kind: str  # abstract, introduction, methods, results, discussion, conclusion, references, funding, conflicts, other
    page: int
    start: int


@dataclass(frozen=True)
class Source:
    key: str
    version: str | None
    sha256: str
    filename: str
    content_type: str


@dataclass(frozen=True)
class Paper:
    """What was read. `details` are the publisher's own, from XML: title, doi, journal, year, authors."""

    format: str  # pdf, jats or text
    pages: tuple[Page, ...]
    sections: tuple[Section, ...] = ()
    details: dict[str, Any] = field(default_factory=dict)
    source: Source | None = None

    def to_json(self) -> str:
        return json.dumps({"v": VERSION, **asdict(self)}, ensure_ascii=False, separators=(",", ":"))

    def to_bytes(self) -> bytes:
        """The same as it is stored and handed on; half a character, which no encoding takes, becomes a question mark."""
        return self.to_json().encode(errors="replace")

    @classmethod
    def from_json(cls, text: str | bytes) -> "Paper":
        """Raises ValueError, KeyError or TypeError for what is not one of ours."""
        stored = json.loads(text)
        pages, sections = (Page(**page) for page in stored["pages"]), (Section(**each) for each in stored["sections"])
        source = Source(**stored["source"]) if stored["source"] else None
        return cls(stored["format"], tuple(pages), tuple(sections), stored["details"], source)
