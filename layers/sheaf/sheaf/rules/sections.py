"""Which part of a paper a place belongs to: by the sections that were read from it, or else by lines that are headings."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sheaf.papers import Paper

NUMBER = r"(?:\d{1,2}(?:\.\d{1,2})?\.?[^\S\n]{1,4}|[IVX]{1,4}\.[^\S\n]{1,4})?"
HEADING = re.compile(
    rf"^[^\S\n]{{0,20}}{NUMBER}(?P<title>abstract|summary|introduction|background"
    r"|(?:(?:patients|subjects|participants|materials?) and )?methods?(?: and materials?)?|methodology"
    r"|results|findings|discussion|conclusions?|references|bibliography|literature cited|参考文献"
    r"|acknowledge?ments?|funding(?: sources?| information| statement)?|sources? of funding|financial support"
    r"|(?:declaration of |statement of )?(?:competing|conflicts?[ -]of) interests?(?: statement)?"
    r"|conflict of interest(?: statement)?|declaration of (?:conflicting )?interests?|disclosures?)"
    r"[^\S\n]{0,20}:?[^\S\n]{0,20}$",
    re.I | re.M,
)
KINDS = (
    ("references", re.compile(r"references|bibliography|literature cited|参考文献", re.I)),
    ("abstract", re.compile(r"abstract|summary", re.I)),
    ("introduction", re.compile(r"introduction|background", re.I)),
    ("methods", re.compile(r"method", re.I)),
    ("results", re.compile(r"result|finding", re.I)),
    ("discussion", re.compile(r"discussion", re.I)),
    ("conclusion", re.compile(r"conclusion", re.I)),
    ("conflicts", re.compile(r"interest|disclosure", re.I)),
    ("funding", re.compile(r"fund|financial", re.I)),
)
BACK = re.compile(
    r"abbreviat|acknowledg|contribut|availab|supplement|supporting|keywords|ethic|consent|appendix|endnote|publisher|author|note|ack",
    re.I,
)
"""Titles of what stands behind the paper's own text."""
STRUCTURE = {"introduction", "methods", "results", "conclusion"}
ABSTRACT_MAX = 6_000
"""Characters after the word "Abstract" in which headings are taken for the abstract's own."""


@dataclass(frozen=True)
class Start:
    """Where a section starts: the index of its page, and the offset in it."""

    page: int
    start: int
    kind: str
    title: str


def headings(paper: Paper) -> tuple[Start, ...]:
    """The sections, in order."""
    if paper.sections:
        index = {page.number: number for number, page in enumerate(paper.pages)}
        told = [
            Start(index[section.page], section.start, section.kind, section.title)
            for section in paper.sections
            if section.page in index
        ]
        return tuple(sorted(told, key=lambda start: (start.page, start.start)))
    return tuple(_settled(list(_lines(paper))))


def _lines(paper: Paper) -> Iterator[Start]:
    for number, page in enumerate(paper.pages):
        for match in HEADING.finditer(page.text):
            title = match["title"]
            kind = next((kind for kind, words in KINDS if words.search(title)), "other")
            yield Start(number, match.start(), kind, title)


def _settled(found: list[Start]) -> Iterator[Start]:
    """An abstract has headings of its own: until the body begins, they are its parts.

    The body begins at the second heading of a kind that the abstract has had, or at "Introduction". A list of references
    at the very start is a table of contents.
    """
    seen: set[str] = set()
    inside = begun = False
    for start in found:
        if start.kind == "abstract":
            seen, inside = set(), True
        elif inside and _is_part(start, seen):
            seen.add(start.kind)
            continue
        else:
            inside = False
        if begun or start.kind != "references":
            begun = True
            yield start


def _is_part(start: Start, seen: set[str]) -> bool:
    if start.kind not in STRUCTURE or start.kind in seen:
        return False
    return not start.title.lower().startswith("introduction")
