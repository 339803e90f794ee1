"""A paper in as many parts as a model's window needs, and the parts' answers as one. Pure, and the same every time."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sheaf.papers import Page, Paper
from sheaf.templates import Field

CHARS_PER_TOKEN = 2.5
"""Fewer than there are in English, so that a table or Chinese still fits."""
RANK = {"reported": 0, "unclear": 1, "not_reported": 2}


def body(paper: Paper) -> list[Page]:
    """The pages without the list of references, where the paper says where that is. No page loses its number."""
    pages = {page.number: page.text for page in paper.pages}
    for at, section in enumerate(paper.sections):
        if section.kind == "references" and section.page in pages:
            following = paper.sections[at + 1] if at + 1 < len(paper.sections) else None
            _cut(pages, (section.page, section.start), (following.page, following.start) if following else None)
    return [replace(page, text=pages[page.number]) for page in paper.pages if pages[page.number].strip()]


def _cut(pages: dict[int, str], start: tuple[int, int], end: tuple[int, int] | None) -> None:
    """Blank from one place to the other; with blanks, so that what follows on the page keeps its place."""
    for number, text in pages.items():
        since = start[1] if number == start[0] else (0 if number > start[0] else len(text))
        till = len(text) if end is None or number < end[0] else (end[1] if number == end[0] else 0)
        if since < till:
            pages[number] = text[:since] + " " * (till - since) + text[till:]


def parts(paper: Paper, chars: int) -> list[list[Page]]:
    """The whole paper if it fits into so many characters; else runs of pages that do, the abstract before each."""
    pages = body(paper)
    if sum(len(page.text) for page in pages) <= chars:
        return [pages]
    head = _abstract(paper, chars // 4)
    room = chars - sum(len(page.text) for page in head)
    found: list[list[Page]] = []
    size = room + 1
    for page in _short(pages, room):
        if size + len(page.text) > room:
            found.append([])
            size = 0
        found[-1].append(page)
        size += len(page.text)
    return [[*head, *run] if at and head else run for at, run in enumerate(found)]


def _short(pages: Sequence[Page], room: int) -> list[Page]:
    """Pages, and of one that is longer than a whole part its pieces, cut at a paragraph's end where there is one."""
    found = []
    for page in pages:
        rest = page.text
        while len(rest) > room:
            at = rest.rfind("\n", room // 2, room) + 1 or room
            found.append(replace(page, text=rest[:at]))
            rest = rest[at:]
        found.append(replace(page, text=rest))
    return found


def _abstract(paper: Paper, most: int) -> list[Page]:
    for at, section in enumerate(paper.sections):
        if section.kind == "abstract":
            page = next((page for page in paper.pages if page.number == section.page), None)
            later = [each.start for each in paper.sections[at + 1 :] if each.page == section.page]
            text = page.text[section.start : later[0] if later else None] if page else ""
            return [replace(page, text=text[:most])] if page and text.strip() else []
    return [replace(page, text=page.text[:most]) for page in paper.pages[:1]]


def merged(fields: Sequence[Field], found: Sequence[Mapping[str, Mapping[str, Any]]]) -> dict[str, dict[str, Any]]:
    """One answer a field: the first part that reports it; of lists, every entry once, in the paper's order."""
    return {field.name: _merged(field, [answers[field.name] for answers in found]) for field in fields}


def _merged(field: Field, answers: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    best = min(answers, key=lambda answer: RANK[answer["status"]])
    told = [answer for answer in answers if answer["status"] == "reported"]
    if field.type not in {"[string]", "[object]"} or len(told) < 2:  # noqa: PLR2004 - nothing to put together
        return dict(best)
    pairs = [
        (value, place)
        for answer in told
        for value, place in zip(answer["value"], answer.get("evidence") or [None] * len(answer["value"]), strict=True)
    ]
    once: dict[str, tuple[Any, Any]] = {}
    for value, place in pairs:
        once.setdefault(_same(value), (value, place))
    values = [value for value, _ in once.values()]
    if field.type == "[string]":
        return {**best, "value": values, "evidence": [place for _, place in once.values()]}
    return {**best, "value": values}


def _same(value: Any) -> str:
    """What makes two entries one: their parts, whatever they quote."""
    parts = (
        {name: part for name, part in value.items() if name not in {"quote", "page"}}
        if isinstance(value, dict)
        else value
    )
    return json.dumps(parts, sort_keys=True, ensure_ascii=False).casefold()
