"""What each line of a page is to the text: the text, or what was set between its sentences; by layout alone. Pure."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, takewhile

from clinical.patterns import words_of

WORDS = words_of(__file__)
CAPTION, NUMBER_ONLY = WORDS.CAPTION, WORDS.NUMBER_ONLY
EDGE_LINES = 6  # at a page's top and bottom: as many lines as a head or a foot can be
WORDS_MIN = 3  # words in small letters of a line that is text, and no row of a table
FULL = 0.8
ASIDE_MAX, TEXT_MAX = 200, 40  # lines, and lines of words; a table or a box that is longer ends no sentence
SMALL_WORD = re.compile(r"(?<![\w-])[a-z]{2,}")
_LINKS = "of and for the in at on to by with de del della di da la le les et und der für"
LINKS = frozenset(_LINKS.split())  # small words of an institution's name, and of a title
WIDE = re.compile(r"[\u4e00-\u9fff]")
WIDE_MIN = 10
NUMBER = re.compile(r"\d+(?:[.·,]\d+)?")
STOPS = frozenset(".!?。！？")
EDGE, OPENS, RUNS, ROW, TEXT = "edge", "opens", "runs", "row", "text"


@dataclass(frozen=True)
class Line:
    """Where a line begins and ends, and what it is. That is told when it is asked for."""

    start: int
    end: int
    text: str
    is_edge: bool  # of the page's head or foot
    is_apart: bool  # behind an empty line
    is_full: bool  # as long as its column is wide

    @cached_property
    def kind(self) -> str:
        if self.is_edge:
            return EDGE
        if opens_aside(self.text) or WORDS.PUBLISHED.search(self.text):
            return OPENS
        words, numbers = len(SMALL_WORD.findall(self.text)), len(NUMBER.findall(self.text))
        prose = (words >= WORDS_MIN and words > 2 * numbers) or len(WIDE.findall(self.text)) >= WIDE_MIN
        kind = TEXT if prose and " | " not in self.text else ROW
        is_running = not (self.goes_on or (kind == TEXT and self.is_full) or self.text.lstrip()[:1] in "([")
        return RUNS if is_running and WORDS.RUNNING.search(self.text) else kind

    @property
    def goes_on(self) -> bool:
        return self.text.lstrip()[:1].islower()

    @cached_property
    def stop(self) -> str:
        found = WORDS.FINISHED.search(self.text[-30:])
        return found[1] if found else ""

    @property
    def is_unfinished(self) -> bool:
        return self.is_full and not self.stop

    @property
    def is_data(self) -> bool:
        """Whether it is a name and its figures, and no end of a sentence."""
        return self.kind == ROW and not self.stop and WORDS.DATA.match(self.text) is not None

    @property
    def is_bare(self) -> bool:
        """Whether it is figures or a formula, or some names, too short for a line of a paragraph that does not end there."""
        if self.kind != ROW or self.is_data or WORDS.FORMULA.match(self.text):
            return self.kind == ROW
        is_short = not (self.is_full or self.stop or self.goes_on)
        return is_short and LINKS.issuperset(SMALL_WORD.findall(self.text)) and self.text.lstrip()[0] not in "(["


class Layout:
    """A paper's pages as lines. A page's lines are told when they are asked for: most papers are asked for few."""

    def __init__(self, pages: Sequence[str]) -> None:
        self.pages = pages
        self._lines: dict[int, tuple[Line, ...]] = {}

    def lines(self, at: int) -> tuple[Line, ...]:
        """The lines of a page that are not empty; the first page is 0."""
        if at not in self._lines:
            self._lines[at] = _page(self.pages[at], self._spans[at], self._edges[at])
        return self._lines[at]

    def in_head(self, at: int, start: int, end: int) -> bool:
        edges = (self._spans[at][line] for line in self._edges[at])
        return any(first <= start and end <= last for first, last in edges)

    @cached_property
    def bodies(self) -> list[tuple[int, int]]:
        bodies = []
        for spans, edges in zip(self._spans, self._edges, strict=True):
            own = [span for line, span in enumerate(spans) if line not in edges]
            bodies.append((own[0][0], own[-1][1]) if own else (0, 0))
        return bodies

    @cached_property
    def _spans(self) -> list[list[tuple[int, int]]]:
        return [[found.span() for found in re.finditer(r"[^\n]*\S[^\n]*", text)] for text in self.pages]

    @cached_property
    def _edges(self) -> list[set[int]]:
        both = list(zip(self.pages, self._spans, strict=True))
        edges: Counter[str] = Counter()
        for text, there in both:
            edges.update({_key(text[start:end]) for start, end in (*there[:EDGE_LINES], *there[-EDGE_LINES:])})
        recurring = {key for key, times in edges.items() if times > 1 + key[:1].islower() and key}
        return [_edges(text, there, recurring) for text, there in both]


def is_aside(before: Line, above: Sequence[Line], below: Sequence[Line] | None, after: Line) -> bool:
    """Whether a sentence may go on behind these lines. `below` are those behind a page's end; None where none ends."""
    is_within, lines = before.stop not in STOPS, [*above, *(below or ())]
    left_out = {EDGE, RUNS} if is_within or below is not None else {EDGE}
    own, on_next = ([line for line in each if line.kind not in left_out] for each in (above, below or ()))
    if not own and not on_next:
        return below is not None or bool(lines)
    is_long = len(lines) > ASIDE_MAX or sum(line.kind == TEXT for line in lines) > TEXT_MAX
    if is_long or _goes_on([*own, *on_next]) or (after.goes_on and not is_within):
        return False
    has_rows = is_within and not (before.is_data or after.is_data)
    rows = [has_rows and all(line.is_bare for line in side) for side in (own, on_next)]
    return (rows[0] or _is_opened(own, at_end=below is not None)) and (rows[1] or _is_opened(on_next, at_end=False))


def _goes_on(own: Sequence[Line]) -> bool:
    if own[0].goes_on and own[0].kind != OPENS and not own[0].is_bare:
        return True
    return any(line.goes_on and line.kind == TEXT and above.stop in STOPS for above, line in pairwise(own))


def _is_opened(own: Sequence[Line], *, at_end: bool) -> bool:
    is_open, run = not own, own
    for at, line in enumerate(own):
        is_open = is_open or line.kind == OPENS
        if line.kind != TEXT:
            run = own[at:]
        elif not is_open or (line.is_apart and own[at - 1].kind != OPENS):
            return False
    if not own or own[-1].kind != TEXT or not own[-1].is_unfinished:
        return is_open
    longest = max(line.end - line.start for line in run)
    return run[0].kind == OPENS and (at_end or own[-1].end - own[-1].start < FULL * longest)


def opens_aside(line: str) -> bool:
    """Whether a line is a caption or a note, and no rest of a word or of a sentence that the line before began."""
    if line.lstrip()[:1].islower():
        return WORDS.SMALL_NOTE.match(line) is not None
    return bool(WORDS.CAPTION.match(line) or WORDS.NOTE.match(line))


def _page(text: str, spans: Sequence[tuple[int, int]], edges: set[int]) -> tuple[Line, ...]:
    lengths = sorted(end - start for start, end in spans)
    full, befores = FULL * lengths[3 * len(lengths) // 4] if lengths else 0, [0, *(end for _, end in spans)]
    return tuple(
        Line(start, end, text[start:end], at in edges, text.count("\n", before, start) > 1, end - start >= full)
        for at, ((start, end), before) in enumerate(zip(spans, befores, strict=False))
    )


def _key(line: str) -> str:
    """A line without its digits: "12 Smith et al." is on every page."""
    return re.sub(r"[\d\s]+", "", line)


def _edges(text: str, spans: Sequence[tuple[int, int]], recurring: set[str]) -> set[int]:
    def is_extra(at: int) -> bool:
        line = text[slice(*spans[at])]
        return WORDS.NUMBER_ONLY.fullmatch(line) is not None or _key(line) in recurring

    head = list(takewhile(is_extra, range(min(EDGE_LINES, len(spans)))))
    foot = takewhile(is_extra, reversed(range(max(len(head), len(spans) - EDGE_LINES), len(spans))))
    return {*head, *foot}
