"""Quotes that something printed cuts in two: a page's end, a foot, a table. Their halves, told by layout. Pure."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import islice

from clinical.evidence.normal_form import BAR
from clinical.evidence.pages import FINDING_WORK, HITS_MAX, Pages, Way
from clinical.papers.page_lines import is_aside

PART = 12
LOST = {BAR, "-"}
"""What is left between two numbers, and of neither of them when they stand apart."""
PAGES_ON = 2
"""A page that is all table may stand between."""
BODY = frozenset(("abstract", "introduction", "methods", "results", "discussion", "conclusion", "references"))
Half = tuple[int, int, int]
"""A page's place in the paper, and the letters where it begins and ends."""


def halves(wanted: str, way: Way, pages: Pages, page: int | None) -> Iterator[tuple[Half, Half]]:
    """Where the compared text may stand in two parts, with nothing between them that is of the paper's own text."""
    shown = [_shown(wanted, way, at, pages) for at in range(len(pages.paper.pages))]
    near = range(len(shown))
    for at in sorted(near, key=lambda each: abs(pages.paper.pages[each].number - page) if page is not None else 0):
        for other in range(at, min(at + PAGES_ON + 1, len(shown))):
            least, most = len(wanted) - shown[other][1], shown[at][0]
            least -= wanted[least - 1 : least] in LOST and least > 0
            if max(1, least) <= min(most, len(wanted) - 1):
                yield from islice(_pairs(wanted, way, (at, other), (max(1, least), most), pages), HITS_MAX)


def _shown(wanted: str, way: Way, at: int, pages: Pages) -> tuple[int, int]:
    """How much of its beginning, and how much of its end, a page has at most."""
    text = pages.text(pages.paper.pages[at], way)
    short = min(PART, len(wanted)) - 1
    first = last = short
    if wanted[: short + 1] in text:
        first = bisect_left(range(len(wanted)), True, key=lambda size: wanted[: size + 1] not in text)  # noqa: FBT003 - what is looked for
    if wanted[-short - 1 :] in text:
        last = bisect_left(range(len(wanted)), True, key=lambda size: wanted[-size - 1 :] not in text)  # noqa: FBT003 - as above
    pages.budget.spend(FINDING_WORK * len(text) * (PART if max(first, last) > short else 1))
    return first, last


def _pairs(
    wanted: str, way: Way, places: tuple[int, int], sizes: tuple[int, int], pages: Pages
) -> Iterator[tuple[Half, Half]]:
    at, other = places
    for start, line, size in _heads(wanted, way, at, sizes, pages):
        rest = wanted[size:].lstrip("".join(LOST))
        for end, begun in _tails(rest, way, other, pages) if rest else ():
            if (other, begun) > (at, line) and _is_cut((at, line), (other, begun), pages):
                yield (at, start, pages.lines(at)[line].end), (other, pages.lines(other)[begun].start, end)


def _heads(wanted: str, way: Way, at: int, sizes: tuple[int, int], pages: Pages) -> Iterator[tuple[int, int, int]]:
    """Beginnings that stand at a line's end: the letter where each begins, the line, and how much of the quote it is."""
    least, most = sizes
    there, lines = pages.form(pages.paper.pages[at], way), pages.lines(at)
    ends = [bisect_right(there.ends, line.end) for line in lines]
    for found in _places(wanted[:least], there.text):
        for line in range(bisect_left(ends, found + least), bisect_right(ends, found + most)):
            size = ends[line] - found
            if there.text.startswith(wanted[:size], found) and size < len(wanted):
                yield there.starts[found], line, size


def _tails(rest: str, way: Way, at: int, pages: Pages) -> Iterator[tuple[int, int]]:
    """Where the rest begins with a line: the letter where it ends, and the line."""
    page, lines = pages.paper.pages[at], pages.lines(at)
    there = pages.form(page, way)
    starts = [line.start for line in lines]
    for found in _places(rest, there.text):
        line = bisect_right(starts, there.starts[found]) - 1
        if line >= 0 and not any(map(str.isalnum, page.text[starts[line] : there.starts[found]])):
            yield there.ends[found + len(rest) - 1], line


def _places(wanted: str, text: str) -> Iterator[int]:
    at = text.find(wanted)
    for _ in range(HITS_MAX):
        if at < 0:
            return
        yield at
        at = text.find(wanted, at + 1)


def _is_cut(before: tuple[int, int], after: tuple[int, int], pages: Pages) -> bool:
    """Whether nothing between one line and another is of the text, and no section begins there."""
    (at, line), (other, begun) = before, after
    between = [
        each
        for number in range(at, other + 1)
        for own, each in enumerate(pages.lines(number))
        if before < (number, own) < after
    ]
    first = pages.paper.pages[at].number, pages.lines(at)[line].end
    last = pages.paper.pages[other].number, pages.lines(other)[begun].start
    sections = (each for each in pages.paper.sections if each.kind in BODY)
    return not any(first <= (each.page, each.start) < last for each in sections) and is_aside(
        between, over_a_page=other > at
    )
