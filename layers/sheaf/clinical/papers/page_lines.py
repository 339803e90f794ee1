"""What each line of a page is to the text: the text itself, or what a printer set between its sentences. Pure.

A running head, a foot, a table, a figure's caption or a note below a column comes between two halves of a sentence, and
after it the sentence goes on. Which lines these are is told by layout alone, and never by what somebody looks for.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

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
    r"\s?(?:[A-Z]?\d{1,3}|[IVX]{1,5})(?:[a-zA-Z](?![a-z]))?(?:\s*+$|\s?[.:|–—(-]|\s++(?=[^\Wa-z]|\d))|[表图圖]\s?\d{1,3}(?![中所可显為为])"
)
"""A caption, and not a sentence that begins so: "Figure 3 shows the relation"."""
NOTE = re.compile(
    r"\s*(?:[*∗†‡§¶#∥‖©]|[¹²³⁴-⁹]|(?:\d|[a-h])\)?\s?(?=[A-Z])[^.]{0,90}?\b(?:[Uu]nivers|[Hh]ospital|[Ii]nstitut|[Dd]epart|[Dd]ivision|[Ss]chool|[Cc]ent(?:er|re))"
    r"|(?i:correspond(?:ence|ing)\b|address (?:for|all|corr|reprint)|e-?mail\b|received[:;, ]|accepted[:;, ]|published[:;, ]|submitted[:;, ]|copyright\b|\(c\) |"
    r"doi[: ]|(?:https?://|www\.)\S|downloaded from|cite this|to cite|abbreviations?\b|notes?[:.]|sources?:|values (?:are|rep)|"
    r"data (?:are|rep)|open access|this is an open|from the (?:\w+ ){0,3}(?:depart|divis|univ)|presented (?:at|in) |author affil|issn\b|"
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


def lines_of(pages: Sequence[str]) -> tuple[tuple[Line, ...], ...]:
    """The lines of each page that are not empty."""
    spans = [[found.span() for found in re.finditer(r"[^\n]*\S[^\n]*", text)] for text in pages]
    recurring, often = _recurring(pages, spans)
    return tuple(_page(text, there, recurring, often) for text, there in zip(pages, spans, strict=True))


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


def _page(text: str, spans: Sequence[tuple[int, int]], recurring: set[str], often: set[str]) -> tuple[Line, ...]:
    lengths = sorted(end - start for start, end in spans)
    full = FULL * lengths[3 * len(lengths) // 4] if lengths else 0
    edges = _edges(text, spans, recurring)
    return tuple(
        Line(
            start,
            end,
            EDGE if at in edges or _key(text[start:end]) in often else _kind(text[start:end]),
            "\n" in text[spans[at - 1][1] : start].replace("\n", "", 1) if at else False,
            text[start:end].lstrip()[:1].islower(),
            end - start >= full and not FINISHED.search(text[max(start, end - 30) : end]),
        )
        for at, (start, end) in enumerate(spans)
    )


def _kind(line: str) -> str:
    if CAPTION.match(line) or NOTE.match(line):
        return OPENS
    words, numbers = len(SMALL_WORD.findall(line)), len(NUMBER.findall(line))
    prose = words >= WORDS_MIN and words > 2 * numbers
    return TEXT if " | " not in line and (prose or len(WIDE.findall(line)) >= WIDE_MIN) else ROW


def _key(line: str) -> str:
    """A line without its digits: "12 Smith et al." is on every page."""
    return re.sub(r"[\d\s]+", "", line).casefold()


def _recurring(pages: Sequence[str], spans: Sequence[Sequence[tuple[int, int]]]) -> tuple[set[str], set[str]]:
    """What stands at the edges of several pages, and what stands somewhere on most."""
    edges: Counter[str] = Counter()
    every: Counter[str] = Counter()
    for text, there in zip(pages, spans, strict=True):
        keys = [_key(text[start:end]) for start, end in there]
        edges.update({*keys[:EDGE_LINES], *keys[-EDGE_LINES:]})
        every.update({key for key in keys if len(key) >= OFTEN_MIN})
    often = {key for key, times in every.items() if times > max(1, len(pages) / 2)}
    return {key for key, times in edges.items() if times > 1 and key}, often


def _edges(text: str, spans: Sequence[tuple[int, int]], recurring: set[str]) -> set[int]:
    """The lines of a page's head and foot: they recur, or only number the page."""
    extra = [NUMBER_ONLY.fullmatch(text[a:b]) is not None or _key(text[a:b]) in recurring for a, b in spans]
    first, last = 0, len(spans)
    while first < min(EDGE_LINES, len(spans)) and extra[first]:
        first += 1
    while last > max(first, len(spans) - EDGE_LINES) and extra[last - 1]:
        last -= 1
    return {*range(first), *range(last, len(spans))}
