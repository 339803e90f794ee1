"""A paper in as many parts as a model's window needs, and the parts' answers as one. Pure, and the same every time."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, groupby, pairwise

from clinical.answered import Answer
from clinical.papers import Page, Paper
from clinical.papers.stretches import Places
from clinical.templates import Field
from sheaf.plain_json import JsonObject

CHARS_PER_TOKEN = 2.5  # fewer than there are in English, so that a table or Chinese still fits
SHORTEST_CUT = 2_000  # characters; half of a page that is shorter would hold no finding and its sentence
Found = dict[str, Answer]
SINGLE = {"integer", "number", "boolean", "enum"}
RANK = {"contradictory": 0, "found": 0, "not_found": 1, "not_reported": 2}


def body(paper: Paper) -> list[Page]:
    """The pages without the list of references, where the paper says where that is. No page loses its number."""
    places, pages = Places(paper), []
    for at, page in enumerate(paper.pages):
        text = page.text
        for start, end, section in places.sections(at):
            if section.kind == "references":
                # With blanks, so that what follows on the page keeps its place.
                text = text[:start] + " " * (end - start) + text[end:]
        if text.strip():
            pages.append(replace(page, text=text))
    return pages


def parts(paper: Paper, chars: int) -> list[list[Page]]:
    """Runs of sections that fit, the abstract before each; longer ones are cut at a page's or a paragraph's end."""
    pages = body(paper)
    if _size(pages) <= chars:
        return [pages]
    head = abstract(paper, chars // 4)
    room = chars - _size(head)
    found: list[list[Page]] = [[]]
    for section in _sections(paper, pages):
        for piece in [section] if _size(section) <= room else [[page] for page in short(section, room)]:
            if _size(found[-1]) + _size(piece) > room:
                found.append([])
            found[-1] += piece
    runs = [_joined(run) for run in found if run]
    return [[*head, *run] if at else run for at, run in enumerate(runs)]


def _size(pages: Sequence[Page]) -> int:
    return sum(len(page.text) for page in pages)


def _sections(paper: Paper, pages: Sequence[Page]) -> Iterator[list[Page]]:
    starts = {(section.page, section.start) for section in paper.sections}
    section: list[Page] = []
    for page in pages:
        cuts = sorted({0, len(page.text), *(at for number, at in starts if number == page.number)})
        for since, till in pairwise(cuts):
            if (page.number, since) in starts and section:
                yield section
                section = []
            if page.text[since:till].strip():
                section.append(replace(page, text=page.text[since:till]))
    if section:
        yield section


def _joined(run: Sequence[Page]) -> list[Page]:
    together = (list(pieces) for _, pieces in groupby(run, key=lambda page: page.number))
    return [replace(pieces[0], text="".join(page.text for page in pieces)) for pieces in together]


def short(pages: Sequence[Page], room: int) -> list[Page]:
    found = []
    for page in pages:
        rest = page.text
        while len(rest) > room:
            at = _cut(rest, room)
            found.append(replace(page, text=rest[:at]))
            rest = rest[at:]
        found.append(replace(page, text=rest))
    return found


def halves(pages: Sequence[Page]) -> list[Sequence[Page]]:
    if len(pages) > 1:
        half = len(pages) // 2
        return [pages[:half], pages[half:]]
    text = pages[0].text
    if len(text) < SHORTEST_CUT:
        return [pages]
    at = _cut(text, len(text) // 2)
    return [[replace(pages[0], text=part)] for part in (text[:at], text[at:])]


def _cut(text: str, most: int) -> int:
    """Behind a line's end in the later half, or else a sentence's or a word's."""
    ends = (text.rfind(end, most // 2, most) + len(end) for end in ("\n", ". ", " "))
    return next((at for at in ends if at > most // 2), most)


def abstract(paper: Paper, most: int) -> list[Page]:
    places = Places(paper)
    for at, page in enumerate(paper.pages):
        for start, end, section in places.sections(at):
            if section.kind == "abstract" and page.text[start:end].strip():
                return [replace(page, text=page.text[start:end][:most])]
    return [replace(page, text=page.text[:most]) for page in paper.pages[:1]]


def merged(fields: Sequence[Field], found: Sequence[Found]) -> Found:
    """One answer a field: the first part that has it, or all that differ; of lists, every entry once, in the paper's order."""
    return {field.name: _merged(field, [answers[field.name] for answers in found]) for field in fields}


def _merged(field: Field, answers: Sequence[Answer]) -> Answer:
    best = min(answers, key=lambda answer: RANK[answer["state"]])
    each = chain.from_iterable(one["evidence"] if one["state"] == "contradictory" else [one] for one in answers)
    reported = [one for one in each if one["state"] == "found"]
    if field.type in SINGLE:
        return _differing(best, reported)
    if field.type not in {"[string]", "[object]"} or len(reported) < 2:  # noqa: PLR2004 - nothing to put together
        return {**best}
    if field.type == "[object]":
        return {**best, "value": _fullest([entry for answer in reported for entry in answer["value"]])}
    once: dict[str, tuple[str, Answer]] = {}
    for answer in reported:
        for value, place in zip(answer["value"], answer["evidence"], strict=True):
            once.setdefault(value.casefold(), (value, place))
    return {**best, "value": [value for value, _ in once.values()], "evidence": [place for _, place in once.values()]}


def _differing(best: Answer, answers: Sequence[Answer]) -> Answer:
    """All values of a field that is one thing; of any other words are never the same twice."""
    once: dict[str, Answer] = {}
    for answer in answers:
        once.setdefault(json.dumps(answer["value"]), answer)
    return {**best, "state": "contradictory", "evidence": [*once.values()]} if len(once) > 1 else {**best}


def _fullest(entries: Sequence[JsonObject]) -> list[JsonObject]:
    said = [
        {name: json.dumps(part, ensure_ascii=False).casefold() for name, part in each.items() if name != "evidence"}
        for each in entries
    ]
    first = ((entry, said[at]) for at, entry in enumerate(entries) if said[at] not in said[:at])
    return [entry for entry, own in first if not any(own.items() < other.items() for other in said)]
