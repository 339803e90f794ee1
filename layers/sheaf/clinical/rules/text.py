"""A paper as the rules see it: short sentences, each with its place and the section that it stands in. Pure.

No rule looks at more than one sentence, which ends after SENTENCE_MAX characters: no text makes a paper take longer than
its length does. Every character of a page has one in its flat form: offsets are the same.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, wraps
from itertools import pairwise
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from clinical import patterns
from clinical.evidence.cues import cues_of
from clinical.evidence.letters import FLAT, flattened
from clinical.evidence.quantities.number_words import NAMES
from clinical.evidence.quantities.people_counts import ADJECTIVES, COUNT, GROUP, PEOPLE
from clinical.evidence.quantities.units import WORDS as UNITS
from clinical.papers import Page, Paper, Section
from clinical.papers.page_lines import TEXT
from clinical.papers.stretches import AFFILIATIONS, AUTHORS, HEAD, Places
from clinical.patterns import Patterns
from clinical.templates.choice_words import Cues
from clinical.templates.fields import OwnCues
from clinical.word_index import Index, Indexed, folded

P = ParamSpec("P")
T = TypeVar("T")
PARTS = {"ADJECTIVES": ADJECTIVES, "COUNT": COUNT, "GROUP": GROUP, "NAMES": NAMES, "PEOPLE": PEOPLE, "UNITS": UNITS}
PARTS |= {"BARE": COUNT.replace("/=<", "/<"), "OTHERS": GROUP.replace("?P<n>", "?:")}
SENTENCE_MAX = 1_000  # characters; a sentence that goes on is cut there
TITLE_MIN, TITLES_MAX = 15, 3  # letters of a title's sentence, as shorter ones may be chance; and sentences of a PDF's
LINES_ABOVE = 8  # lines at a page's end that are all of the text where a sentence goes on over it
WRAPPED_MAX = 250  # a page with a longer line has a paragraph on each; one without has lines of a printed page
LINE = re.compile(r"\n")


def words_of(module: str, **parts: str) -> Patterns:
    """The words that a rule's module looks for: its table in `words.toml` of its room."""
    return patterns.words_of(module, PARTS | parts)


WORDS = words_of(__file__)


@dataclass(frozen=True)
class Sentence:
    """A sentence: where it stands, and its flat text (the same length as what is printed)."""

    page: int  # index in the paper's pages
    start: int
    text: str
    section: str  # as `Section.kind`; "front" stands before the first, "back" is acknowledgements and the like
    title: str
    rest: tuple[int, int, int] | None = None  # where its text goes on over a page's end, and the page and letter there

    @cached_property
    def low(self) -> str:
        return self.text.low if isinstance(self.text, Indexed) else folded(self.text)

    @property
    def is_early(self) -> bool:
        return self.section in {"front", "abstract"}

    def has(self, *words: str) -> bool:
        text, low = self.text, self.low
        if isinstance(text, Indexed) and not text.known_by.having_any(words) & text.bit:
            return False
        for word in words:  # noqa: SIM110 - a generator takes longer than all else here
            if word in low:
                return True
        return False


class Reading:
    """A paper cut into sentences, without its reference list."""

    def __init__(self, paper: Paper, own: Mapping[str, OwnCues] | None = None) -> None:
        self.paper = paper
        self._own = own or {}
        self._cues: dict[str, Cues] = {}
        self.kept: dict[tuple[object, ...], Any] = {}
        self.flat = tuple(flattened(page.text) for page in paper.pages)
        self._paragraphs = tuple(max(map(len, page.text.split("\n"))) > WRAPPED_MAX for page in paper.pages)
        self._headed = any(section.kind == "abstract" for section in paper.sections)
        self._bodies = () if paper.format == "jats" else self.places.layout.bodies
        self._index = Index()
        self.sentences = tuple(self._whole() if self._bodies else self._cut())

    def cues(self, name: str) -> Cues:
        if name not in self._cues:
            self._cues[name] = cues_of(name, self._own.get(name, ()))
        return self._cues[name]

    def within(self, *kinds: str) -> tuple[Sentence, ...]:
        if kinds not in self.kept:
            self.kept[kinds] = tuple(sentence for sentence in self.sentences if sentence.section in kinds)
        return cast("tuple[Sentence, ...]", self.kept[kinds])

    def joined(self, sentence: Sentence, following: Sentence | None) -> Sentence:
        if following is None or following.page != sentence.page or following.start < sentence.start:
            return sentence
        return replace(sentence, text=self.flat[sentence.page][sentence.start : following.start + len(following.text)])

    @cached_property
    def study(self) -> tuple[Sentence, ...]:
        return (*self.opening, *self.within("methods", "results", "other"))

    @cached_property
    def abstract(self) -> tuple[Sentence, ...]:
        """The abstract; where no heading says which that is, what stands before the introduction."""
        return self.within("abstract") or self.within("front")

    @cached_property
    def opening(self) -> tuple[Sentence, ...]:
        """All that stands before the first section after the abstract, but for authors' names, their addresses and running heads."""
        said = ((each, self.paper.pages[each.page].number, each.start) for each in self.within("front", "abstract"))
        places = ((each, self.places.of(number, start, start + len(each.text))) for each, number, start in said)
        return tuple(each for each, place in places if place not in {AUTHORS, AFFILIATIONS, HEAD})

    @cached_property
    def places(self) -> Places:
        return Places(self.paper)

    @cached_property
    def title(self) -> str:
        """The publisher's own title, flat; "" where the file does not name it."""
        told = self.paper.details.get("title")
        return " ".join(told[:SENTENCE_MAX].translate(FLAT).split()) if isinstance(told, str) else ""

    @cached_property
    def titles(self) -> tuple[Sentence, ...]:
        """The title's sentences; of a PDF, what stands before the abstract on its first page."""
        if self.title:
            wanted = self.title.casefold()
            first = (sentence for sentence in self.within("front", "abstract") if sentence.page == 0)
            return tuple(each for each in first if len(each.low) > TITLE_MIN and each.low in wanted)
        front = [sentence for sentence in self.sentences if sentence.page == 0 and sentence.section == "front"]
        return tuple(front[:TITLES_MAX])

    def _whole(self) -> Iterable[Sentence]:
        told: list[Sentence] = []
        cut = -1
        for each in self._cut():
            (begin, end), last = self._bodies[each.page], each.start + len(each.text)
            before, flat = told[cut] if told else each, self.flat[each.page]
            is_near = cut >= 0 and before.page + 1 == each.page and before.title == each.title
            is_first = is_near and not flat[min(begin, each.start) : each.start].strip() and not in_word(flat, last)
            if is_first and each.text[0].islower() and len(before.text) + len(each.text) < SENTENCE_MAX:
                rest = len(before.text) + 1, each.page, each.start
                told[cut], cut = replace(before, text=self._index.of(f"{before.text} {each.text}"), rest=rest), -1
                continue
            told.append(each)
            is_last = last <= end and not flat[last:end].strip()
            if is_last and not in_word(flat, each.start) and self._goes_over(each.page):
                cut = len(told) - 1
        return told

    def _goes_over(self, number: int) -> bool:
        own = [line for line in self.places.layout.lines(number) if not line.is_edge]
        return own[-1].kind == TEXT and own[-1].is_unfinished and all(line.kind == TEXT for line in own[-LINES_ABOVE:])

    def printed(self, sentence: Sentence, start: int, end: int) -> tuple[int, int, str]:
        begin, number, letter = sentence.rest or (len(sentence.text), sentence.page, 0)
        if start >= begin:
            first = letter + start - begin
            return number, first, self.paper.pages[number].text[first : first + end - start]
        page = self.paper.pages[sentence.page].text
        said = page[sentence.start + start : sentence.start + min(end, begin)]
        behind = self.paper.pages[number].text[letter : letter + end - begin] if end > begin else ""
        return sentence.page, sentence.start + start, said + behind

    def _cut(self) -> Iterator[Sentence]:
        for number, page in enumerate(self.paper.pages):
            body = self._bodies[number] if self._bodies else ()
            for start, end, mark in self.places.sections(number):
                if mark.kind != "references":
                    parts = sorted({start, end, *(at for at in body if start < at < end)})
                    for first, last in pairwise(parts):
                        yield from self._sentences(number, page, first, last, mark)

    def _sentences(self, number: int, page: Page, start: int, end: int, mark: Section) -> Iterator[Sentence]:
        flat = self.flat[number]
        kind = "back" if mark.kind == "other" and WORDS.BACK.search(mark.title) and number > 0 else mark.kind
        headed = start + len(mark.title)
        if mark.title and page.text.startswith(mark.title, start) and page.text[headed : headed + 1] == "\n":
            start = headed
        paragraphs = self._paragraphs[number] or (kind == "front" and self._headed)
        for first, last in _pieces(page.text, start, end, paragraphs=paragraphs):
            yield Sentence(number, first, self._index.of(flat[first:last]), kind, mark.title)


def in_word(text: str, at: int) -> bool:
    return 0 < at < len(text) and not text[at - 1].isspace() and not text[at].isspace()


def once(asked: Callable[Concatenate[Reading, P], T]) -> Callable[Concatenate[Reading, P], T]:
    """What is asked of a paper by several rules is found out once."""

    @wraps(asked)
    def kept(reading: Reading, /, *args: P.args, **named: P.kwargs) -> T:
        key = (asked, *args, *named.items())
        if key not in reading.kept:
            reading.kept[key] = asked(reading, *args, **named)
        return cast("T", reading.kept[key])

    return kept


def _pieces(text: str, start: int, end: int, *, paragraphs: bool) -> Iterator[tuple[int, int]]:
    stops = {
        stop.end()
        for stop in WORDS.STOP.finditer(text, start, end)
        if text[stop.start()] != "." or not WORDS.ABBREVIATION.search(text[max(0, stop.start() - 8) : stop.start() + 1])
    }
    lines = (line.end() for line in LINE.finditer(text, start, end)) if paragraphs else ()
    for first, last in pairwise([start, *sorted(stops.union(lines)), end]):
        yield from _bounded(text, first, last)


def _bounded(text: str, first: int, last: int) -> Iterable[tuple[int, int]]:
    for start in range(first, last, SENTENCE_MAX):
        piece = text[start : min(last, start + SENTENCE_MAX)]
        words = piece.strip()
        if words:
            begin = start + piece.index(words)
            yield begin, begin + len(words)
