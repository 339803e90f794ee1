"""Where a paper's sections start: at lines with a known name alone, but for funding and conflicts. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from clinical.papers import Page, Section
from clinical.papers.limits import LIMITS, Limits

_LINES = [line.partition(" ") for line in Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines()]
NAMES = {kind: "|".join(names for its, _, names in _LINES if its == kind) for kind, *_ in _LINES}
# Spaces are taken once and for all (`*+`): a line of a million of them costs no more than its length.
NUMBER = r"(?:(?:\d{1,2}|[ivx]{1,4})(?:\.0|\.|[ \t]*+[|:)])?[ \t]++)?"
_KINDS = "|".join(f"(?P<{kind}>{names})" for kind, names in NAMES.items())
LINE = re.compile(rf"^[ \t■●•]*+{NUMBER}(?:{_KINDS})[ \t]*+[:.：]?[ \t]*+$", re.I | re.M)
# These two are no words in a file: the intake imports this before it has a paper, and waits for no more than it needs.
RUN_IN = re.compile(
    rf"^(?:(?P<funding>{NAMES['funding']})|(?P<conflicts>{NAMES['conflicts']}))"
    r"(?:[:.：][ \t]++|[ \t]++(?=(?:The|This|None|No)\b))(?=\S)",
    re.I | re.M,
)
OPENING = re.compile(
    r"^(Abstract|ABSTRACT|Summary|Background|BACKGROUND|Objectives?|OBJECTIVES?|Aims?|Purpose|PURPOSE|Importance|IMPORTANCE|Context)"
    r"[:.](?: |$)",
    re.M,
)
MID_SENTENCE = re.compile(r"\A[\W\d_]*+[a-z]")
"""A line of one word within a sentence looks like a heading, but is not written like one."""
BODY = ("introduction", "methods", "results")
ABSTRACT_PAGES = 3


def find(pages: Sequence[Page]) -> tuple[Section, ...]:
    found = _without_the_abstracts_own(list(islice(_headings(pages), LIMITS.sections)))
    if not any(section.kind == "abstract" for section in found):
        found = [*_unnamed_abstract(pages, found), *found]
    return shortly(found)


def shortly(found: Sequence[Section], limits: Limits = LIMITS) -> tuple[Section, ...]:
    return tuple(replace(each, title=each.title[: limits.title_characters]) for each in found[: limits.sections])


def _unnamed_abstract(pages: Sequence[Page], found: Sequence[Section]) -> Iterator[Section]:
    first = min(((section.page, section.start) for section in found), default=(ABSTRACT_PAGES, 0))
    for page in pages[: ABSTRACT_PAGES - 1]:
        match = OPENING.search(page.text)
        if match and (page.number, match.start()) < first:
            yield Section(match[1], "abstract", page.number, match.start())
            return


def kind_of(title: str) -> str:
    match = LINE.match(title.strip())
    return (match.lastgroup if match else None) or "other"


def _headings(pages: Sequence[Page]) -> Iterator[Section]:
    for page in pages:
        found = [*LINE.finditer(page.text), *RUN_IN.finditer(page.text)]
        for match in sorted(found, key=lambda each: each.start()):
            title = match[0].strip().rstrip(":.：").strip()
            if not MID_SENTENCE.match(title):
                yield Section(title, match.lastgroup or "other", page.number, match.start())


def _without_the_abstracts_own(found: list[Section]) -> list[Section]:
    """Of two "Methods", the first is the abstract's when the second comes later in the paper; so is what lies between."""
    early = [at for at, section in enumerate(found) if section.kind in BODY and section.page <= ABSTRACT_PAGES]
    last_of = {section.kind: at for at, section in enumerate(found)}
    repeated = [at for at in early if at < last_of[found[at].kind]]
    if not repeated:
        return found
    first, last = repeated[0], repeated[-1]
    own = {at for at in range(first, min(last + 2, len(found))) if found[at].kind in {"conclusion", "other"}}
    return [section for at, section in enumerate(found) if at not in own.union(repeated)]
