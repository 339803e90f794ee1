"""Quotes that something printed cuts apart: a page's end, a foot, a table. Their parts, told by layout. Pure."""

from bisect import bisect_right
from collections.abc import Iterator
from itertools import islice, pairwise, product

from clinical.evidence.normal_form import BAR
from clinical.evidence.pages import HITS_MAX, Pages, Way, places
from clinical.papers.page_lines import ASIDE_MAX, EDGE, Line, is_aside

PART = 12  # letters of a quote that have to stand together at its beginning, and at its end
LOST = BAR + "-"  # what is left between two numbers, and of neither of them when they stand apart
PAGES_ON, SEAMS_MAX = 2, 4  # a page that is all table may stand between
BODY = frozenset(("abstract", "introduction", "methods", "results", "discussion", "conclusion", "references"))
Part = tuple[int, int, int]  # a page's place in the paper, and the letters where it begins and ends
LineAt = tuple[int, int]  # a page's place in the paper, and a line's on it
Piece = tuple[int, int]  # letters of the quote, from and to


def parts(wanted: str, way: Way, pages: Pages, page: int | None) -> Iterator[list[Part]]:
    every, cut = pages.paper.pages, _Cut(wanted, way, pages)
    begins = [cut.begins(at) for at in range(len(every) if len(wanted) >= PART else 0)]
    for at in sorted(range(len(begins)), key=lambda at: abs(every[at].number - page) if page is not None else 0):
        near = range(at, min(at + PAGES_ON + 1, len(begins)))
        begun = {size for there in near for size in begins[there] if size} | ({0} & begins[at])
        if begun and any(map(cut.ends, near)):
            yield from islice(cut.from_page(at, begun), HITS_MAX)


class _Cut:
    def __init__(self, wanted: str, way: Way, pages: Pages) -> None:
        self.wanted, self.way, self.pages = wanted, way, pages
        self.size = min(PART, len(wanted) // 2)
        self._known: dict[int, tuple[list[str], list[int]]] = {}

    def begins(self, at: int) -> set[int]:
        starts = {left: len(self.wanted) - len(self.wanted[left:].lstrip(LOST)) for left in range(PART)}
        there = self._there(at, sorted({(start, start + self.size) for start in starts.values()}))
        return {left for left, start in starts.items() if (start, start + self.size) in there}

    def ends(self, at: int) -> bool:
        lengths = range(len(self.wanted), max(self.size, len(self.wanted) - PART), -1)
        stops = {len(self.wanted[:length].rstrip(LOST)) for length in lengths}
        return bool(self._there(at, sorted((max(0, stop - self.size), stop) for stop in stops)))

    def _there(self, at: int, pieces: list[Piece]) -> list[Piece]:
        shared = self.wanted[pieces[-1][0] : pieces[0][1]]
        if shared and shared not in self.pages.text(self.pages.paper.pages[at], self.way):
            return []
        half = len(pieces) // 2
        return self._there(at, pieces[:half]) + self._there(at, pieces[half:]) if half else pieces

    def from_page(self, at: int, begun: set[int]) -> Iterator[list[Part]]:
        """Its parts, the first of them on this page, line by line; each step is taken once."""
        steps = [(size, (at, line), [(at, start, end)]) for start, end, line, size in self._beginnings(at, begun)]
        seen: set[tuple[int, LineAt]] = set()
        while steps:
            done, last, told = steps.pop()
            for size, there, part in self._next(done, last) if len(told) <= SEAMS_MAX else ():
                is_next = there == (last[0], last[1] + 1)
                parts = [*told[:-1], (told[-1][0], told[-1][1], part[2])] if is_next else [*told, part]
                if size == len(self.wanted):
                    yield parts
                elif (size, there) not in seen:
                    seen.add((size, there))
                    steps.append((size, there, parts))

    def _beginnings(self, at: int, begun: set[int]) -> Iterator[tuple[int, int, int, int]]:
        lines, forms, ends = self._lines(at)
        there = self.pages.form(self.pages.paper.pages[at], self.way)
        found = [(bisect_right(ends, place), place) for place in places(self.wanted[:PART], there.text) if 0 in begun]
        found += [
            (line, ends[line] - size)
            for (line, form), size in product(enumerate(forms), begun - {0})
            if form.endswith(self.wanted[:size])
        ]
        for line, place in reversed(found):
            size = ends[line] - place
            if size < len(self.wanted) and there.text.startswith(self.wanted[:size], place):
                yield there.starts[place], lines[line].end, line, size

    def _next(self, done: int, last: LineAt) -> Iterator[tuple[int, LineAt, Part]]:
        between: list[LineAt] = []
        for there in islice(self._behind(last), ASIDE_MAX):
            is_next = not between and there[0] == last[0]
            size, part = self._said(done, there, is_next=is_next)
            if size and (is_next or self._is_cut(last, between, there)):
                yield size, there, part
                if is_next and self.pages.lines(there[0])[there[1]].kind != EDGE:
                    return
            between.append(there)

    def _behind(self, last: LineAt) -> Iterator[LineAt]:
        for at in range(last[0], min(last[0] + PAGES_ON + 1, len(self.pages.paper.pages))):
            lines, forms, _ = self._lines(at)
            self.pages.budget.spend(len(lines))
            yield from ((at, line) for line, form in enumerate(forms) if form and (at, line) > last)

    def _said(self, done: int, there: LineAt, *, is_next: bool) -> tuple[int, Part]:
        """How much of the quote is said with this line, 0 where the quote goes on otherwise, and which letters say it."""
        (at, number), (lines, forms, ends) = there, self._lines(there[0])
        form = forms[number] if is_next else forms[number].lstrip(LOST)
        begin = done if is_next else len(self.wanted) - len(self.wanted[done:].lstrip(LOST))
        said = form[: len(self.wanted) - begin]
        if not said or not self.wanted.startswith(said, begin):
            return 0, (at, 0, 0)
        letters = self.pages.form(self.pages.paper.pages[at], self.way).ends if len(said) < len(form) else None
        end = letters[ends[number] - len(form) + len(said) - 1] if letters else lines[number].end
        return begin + len(said), (at, lines[number].start, end)

    def _lines(self, at: int) -> tuple[tuple[Line, ...], list[str], list[int]]:
        lines = self.pages.lines(at)
        if at not in self._known:
            there = self.pages.form(self.pages.paper.pages[at], self.way)
            ends = [bisect_right(there.ends, line.end) for line in lines]
            self._known[at] = [there.text[start:end] for start, end in pairwise([0, *ends])], ends
        return lines, *self._known[at]

    def _is_cut(self, last: LineAt, between: list[LineAt], following: LineAt) -> bool:
        pages, every = self.pages, self.pages.paper.pages
        first = every[last[0]].number, pages.lines(last[0])[last[1]].end
        second = every[following[0]].number, pages.lines(following[0])[following[1]].start
        if any(first <= (each.page, each.start) < second for each in pages.paper.sections if each.kind in BODY):
            return False
        before, *asides, after = (pages.lines(at)[number] for at, number in (last, *between, following))
        above = sum(at == last[0] for at, _ in between)
        return is_aside(before, asides[:above], asides[above:] if following[0] > last[0] else None, after)
