"""What each line of a page is to the text: the text itself, or what a printer set between its sentences. Pure.

A running head, a foot, a table, a figure's caption or a note below a column comes between two halves of a sentence, and
after it the sentence goes on. Which lines these are is told by layout alone, and never by what somebody looks for.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

EDGE_LINES = 6
"""At a page's top and bottom: as many lines as a head or a foot can be."""
OFTEN_MIN = 12
"""Characters of a line that is a head or a foot wherever it stands on the page, because most pages have it."""
WORDS_MIN = 3
"""Words in small letters of a line that is text, and no row of a table."""
FULL = 0.8
ASIDE_MAX = 200
"""Lines; a table that is longer ends no sentence."""
NUMBER_ONLY = re.compile(r"\A\W*+(?:page\W*+)?\d{1,5}(?:(?:[^\w/]*+/|\W*+of)\W*+\d{1,5})?\W*+", re.I)
CAPTION = re.compile(
    r"\W{0,3}(?i:(?:supplement(?:ary|al) |online |web |e)?(?:table|fig(?:ure|\.)?|box|panel|scheme|chart|exhibit|algorithm))"
    r"(?:\s?(?:[A-Z]?\d{1,3}|[IVX]{1,5})(?:[a-zA-Z](?![a-z]))?(?:\s*+$|\s?[.:|–—(-]|\s++(?=[^\Wa-z]|\d))|[:|])|[表图圖]\s?\d{1,3}(?![中所可显為为])"
)
"""A caption, and not a sentence that begins so: "Figure 3 shows the relation"."""
NOTE = re.compile(
    r"\s*(?:[*∗†‡§¶#∥‖©]|[¹²³⁴-⁹]|(?:\d|[a-h])\)?\s?(?=[A-Z])[^.]{0,90}?\b(?:[Uu]nivers|[Hh]ospital|[Ii]nstitut|[Dd]epart|[Dd]ivision|[Ss]chool|[Cc]ent(?:er|re))"
    r"|(?i:correspond(?:ence|ing)\b|address (?:for|all|corr|reprint)|e-?mail\b|received[:;, ]|accepted[:;, ]|published[:;, ]|submitted[:;, ]|copyright\b|\(c\) |"
    r"doi[: ]|(?:https?://|www\.)\S|downloaded from|cite this|to cite|abbreviations?\b|notes?[:.]|sources?:|values (?:are|rep)|"
    r"data (?:are|rep)|open access|this is an open|from the (?:\w+ ){0,3}(?:depart|divis|univ)|presented (?:at|in) |author affil|issn\b|"
    r"(?:clinical )?(?:trial )?registration\b|funding\b|financial (?:support|discl)|conflicts? of interest|competing interests|disclosures?\b|supported by|"
    r"key ?words\b|running (?:head|title)|deceased\b|these authors|key (?:points|messages)\b|what (?:this|is already)\b[^.]{0,40}\b(?:adds|known)|research in context|"
    r"\(?continued\b)|\S{1,60}@\S{1,60}\.\w|[a-h]\) ?[A-Z]|[b-h] [A-Z]|收稿|基金|通[讯信]作者|作者单位|注[:：]|续表)"
)
"""What stands at the foot of a column, or below a table."""
SMALL_WORD = re.compile(r"(?<![\w-])[a-z]{2,}")
WIDE = re.compile(r"[\u4e00-\u9fff]")
WIDE_MIN = 10
NUMBER = re.compile(r"\d+(?:[.·,]\d+)?")
FINISHED = re.compile(r"[.!?:;。！？；：][)\]”\"]?(?:\[?\d[\d,–-]*\]?)?\s*\Z")
EDGE, OPENS, ROW, TEXT = "edge", "opens", "row", "text"


@dataclass(frozen=True)
class Line:
    """Where a line begins and ends, and what it is: an edge, what opens an aside, a row, or text."""

    start: int
    end: int
    kind: str
    is_apart: bool
    """Behind an empty line."""
    goes_on: bool
    """Begun with a small letter, as only the rest of a sentence is."""
    is_unfinished: bool
    """As long as its column is wide, and without the end of a sentence."""


class Layout:
    """A paper's pages as lines. A page's lines are told when they are asked for: most papers are asked for few."""

    def __init__(self, pages: Sequence[str]) -> None:
        self.pages = pages
        self._lines: dict[int, tuple[Line, ...]] = {}

    def lines(self, at: int) -> tuple[Line, ...]:
        """The lines of a page that are not empty; the first page is 0."""
        if at not in self._lines:
            self._lines[at] = _page(self.pages[at], self._spans[at], self._edges[at], self._often)
        return self._lines[at]

    def in_head(self, at: int, start: int, end: int) -> bool:
        """Whether these letters of a page are of its running head or foot."""
        edges = (self._spans[at][line] for line in self._edges[at])
        return any(first <= start and end <= last for first, last in edges)

    @cached_property
    def _spans(self) -> list[list[tuple[int, int]]]:
        return [[found.span() for found in re.finditer(r"[^\n]*\S[^\n]*", text)] for text in self.pages]

    @cached_property
    def _edges(self) -> list[set[int]]:
        both = list(zip(self.pages, self._spans, strict=True))
        edges: Counter[str] = Counter()
        for text, there in both:
            edges.update({_key(text[start:end]) for start, end in (*there[:EDGE_LINES], *there[-EDGE_LINES:])})
        recurring = {key for key, times in edges.items() if times > 1 and key}
        return [_edges(text, there, recurring) for text, there in both]

    @cached_property
    def _often(self) -> set[str]:
        """What stands somewhere on most pages."""
        every: Counter[str] = Counter()
        for text, there in zip(self.pages, self._spans, strict=True):
            keys = {_key(text[start:end]) for start, end in there}
            every.update(key for key in keys if len(key) >= OFTEN_MIN)
        return {key for key, times in every.items() if times > max(1, len(self.pages) / 2)}


def is_aside(lines: Sequence[Line], *, over_a_page: bool) -> bool:
    """Whether a sentence may go on behind these lines, which follow one another: none of them is of the text."""
    own = [line for line in lines if line.kind != EDGE]
    if len(lines) > ASIDE_MAX or (
        own and ((own[0].goes_on and own[0].kind != OPENS) or (own[-1].kind == TEXT and own[-1].is_unfinished))
    ):
        return False
    is_open, before = False, ""
    for line in own:
        is_open = line.kind == OPENS or is_open
        if line.kind == TEXT and (not is_open or (line.is_apart and before != OPENS)):
            return False
        before = line.kind
    return is_open if own else over_a_page or bool(lines)


def opens_aside(line: str) -> bool:
    """Whether a line is a caption or a note, and no rest of a word that the line before began."""
    return not line[:1].islower() and bool(CAPTION.match(line) or NOTE.match(line))


def _page(text: str, spans: Sequence[tuple[int, int]], edges: set[int], often: set[str]) -> tuple[Line, ...]:
    lengths = sorted(end - start for start, end in spans)
    full = FULL * lengths[3 * len(lengths) // 4] if lengths else 0
    told = []
    for at, (start, end) in enumerate(spans):
        line = text[start:end]
        is_edge = at in edges or (len(line) >= OFTEN_MIN and _key(line) in often)
        is_apart = at > 0 and text.count("\n", spans[at - 1][1], start) > 1
        unfinished = end - start >= full and not FINISHED.search(line[-30:])
        told.append(
            Line(start, end, EDGE if is_edge else _kind(line), is_apart, line.lstrip()[:1].islower(), unfinished)
        )
    return tuple(told)


def _kind(line: str) -> str:
    if CAPTION.match(line) or NOTE.match(line):
        return OPENS
    words, numbers = len(SMALL_WORD.findall(line)), len(NUMBER.findall(line))
    prose = words >= WORDS_MIN and words > 2 * numbers
    return TEXT if " | " not in line and (prose or len(WIDE.findall(line)) >= WIDE_MIN) else ROW


def _key(line: str) -> str:
    """A line without its digits: "12 Smith et al." is on every page."""
    return re.sub(r"[\d\s]+", "", line).casefold()


def _edges(text: str, spans: Sequence[tuple[int, int]], recurring: set[str]) -> set[int]:
    """The lines of a page's head and foot: they recur, or only number the page."""

    def is_extra(at: int) -> bool:
        line = text[slice(*spans[at])]
        return NUMBER_ONLY.fullmatch(line) is not None or _key(line) in recurring

    head = list(takewhile(is_extra, range(min(EDGE_LINES, len(spans)))))
    foot = takewhile(is_extra, reversed(range(max(len(head), len(spans) - EDGE_LINES), len(spans))))
    return {*head, *foot}
