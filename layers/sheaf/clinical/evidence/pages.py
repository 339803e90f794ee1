"""A paper's pages as quotes are compared with them, without letters' places: those are nine tenths of it. Pure."""

import re
import sys
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from clinical.evidence.normal_form import Normal, normal
from clinical.papers import Page, Paper
from clinical.papers.page_lines import Line
from clinical.papers.stretches import Places
from sheaf.work_budget import Budget

KEPT_BYTES = 64_000_000  # four forms of a paper of 16 MB; the worker has 1 GB and the paper itself three times
FORM_WORK = 10
FINDING_WORK = 0.02  # of the budget, for a character of a form that is made, and of one that is searched
HITS_MAX = 400


class Way(NamedTuple):
    loose: bool = False
    cites: str = ""
    apart: bool = False

    def of(self, text: str) -> Normal:
        return normal(text, loose=self.loose, cites=self.cites, apart=self.apart)


STRICT, SQUEEZED = Way(), Way(cites="squeezed")


class Pages:
    def __init__(self, paper: Paper, budget: Budget | None = None, keep_bytes: float = KEPT_BYTES) -> None:
        self.paper = paper
        self.budget = budget or Budget()
        self.keep_bytes = keep_bytes
        self.kept_bytes = 0
        self._kept: dict[tuple[int, Way], str] = {}
        self._last: tuple[tuple[int, Way], Normal] | None = None

    @cached_property
    def places(self) -> Places:
        self.budget.spend(FORM_WORK * sum(len(page.text) for page in self.paper.pages))
        return Places(self.paper)

    def lines(self, at: int) -> tuple[Line, ...]:
        return self.places.layout.lines(at)

    def text(self, page: Page, way: Way) -> str:
        kept = self._kept.pop((page.number, way), None)
        if kept is None:
            kept = " ".join(page.text.split()) if way is SQUEEZED else self.form(page, way).text
            self.kept_bytes += sys.getsizeof(kept)
        self._kept[page.number, way] = kept
        while self.kept_bytes > self.keep_bytes:
            self.kept_bytes -= sys.getsizeof(self._kept.pop(next(iter(self._kept))))
        self.budget.spend(FINDING_WORK * len(kept))
        return kept

    def form(self, page: Page, way: Way) -> Normal:
        """The same with the places of its letters. The last one is at hand: it is asked for right after its text."""
        if self._last is None or self._last[0] != (page.number, way):
            self.budget.spend(FORM_WORK * len(page.text))
            self._last = (page.number, way), way.of(page.text)
        return self._last[1]

    def exact(self, quote: str, page: Page) -> Iterator[tuple[int, int]]:
        wanted, there = " ".join(quote.split()), self.text(page, SQUEEZED)
        if wanted not in there:
            return
        words = [found.span() for found in re.finditer(r"\S+", page.text)]
        starts = [0, *accumulate(end - start + 1 for start, end in words)]
        for at in places(wanted, there, len(wanted)):
            first, last = bisect_right(starts, at) - 1, bisect_right(starts, at + len(wanted) - 1) - 1
            yield words[first][0] + at - starts[first], words[last][0] + at + len(wanted) - starts[last]


def places(wanted: str, text: str, step: int = 1) -> Iterator[int]:
    """Where it stands, as far as is looked; the next one begins so many letters behind at least."""
    at = text.find(wanted)
    for _ in range(HITS_MAX):
        if at < 0:
            return
        yield at
        at = text.find(wanted, at + step)
