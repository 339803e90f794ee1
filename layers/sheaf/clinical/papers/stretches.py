"""What a stretch of a paper is, where it is not its own text: names, addresses, references, heads. Pure."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile, zip_longest
from operator import attrgetter, itemgetter

from clinical.papers import Paper, Section
from clinical.papers.page_lines import CAPTION, LINKS, OPENS, SMALL_WORD, TEXT, Layout, Line
from clinical.patterns import words_of

REFERENCES, AUTHORS, AFFILIATIONS, HEAD, OTHER_TRIALS = "references", "authors", "affiliations", "head", "other_trials"
BEHIND = re.compile(rf"{CAPTION.pattern}|(?i:doi:[^\n]*\n)?(?i:(?:to )?cite this)")  # may stand among the entries
ADDRESS_MAX = 600
PARTICLES = r"(?:van|von|der|den|de|da|di|du|dos|la|le|del|della|ten|ter|bin|al|el|y) "
NAME_LINE_MAX = 500
WORDS = words_of(__file__, {"PARTICLES": PARTICLES})
INSTITUTION, SAID = WORDS.INSTITUTION, WORDS.SAID

PLACE = attrgetter("page", "start")
Stretch = tuple[int, int, str]  # where it begins and ends on its page, and what it is


class Places:
    """A paper, asked what a stretch of it is. A page's stretches are told once, when the first is asked for."""

    def __init__(self, paper: Paper) -> None:
        self.paper = paper
        self.layout = Layout([page.text for page in paper.pages])
        self._at = {page.number: at for at, page in enumerate(paper.pages)}
        self._marks = sorted(paper.sections, key=PLACE)
        self._known: dict[int, list[Stretch]] = {}

    def of(self, page: int, start: int, end: int) -> str:
        at = self._at[page]
        if self.paper.format != "jats" and self.layout.in_head(at, start, end):
            return HEAD
        if at not in self._known:
            self._known[at] = sorted(self._stretches(at))
        first, last = self._letter(at, start), self._letter(at, max(start, end - 1))
        return first if first == last else ""

    def _letter(self, at: int, letter: int) -> str:
        before = bisect_right(self._known[at], letter, key=itemgetter(0))
        return self._known[at][before - 1][2] if before and letter < self._known[at][before - 1][1] else ""

    def _stretches(self, at: int) -> Iterator[Stretch]:
        text, cited = self.paper.pages[at].text, self._references(at)
        others = _of_others(self.layout.lines(at)) if at and not cited and WORDS.OTHERS.search(text) else ()
        for line in cited:
            yield line.start, line.end, REFERENCES
        for line in others:
            yield line.start, line.end, OTHER_TRIALS
        yield from self._people(at)

    def _people(self, at: int) -> Iterator[Stretch]:
        rest, authors = [], self.paper.details.get("authors")
        listed = ", ".join(map(str, authors)) if isinstance(authors, list) else ""
        for line in self._front(at):
            if line.text.strip() == listed or is_names(line.text):
                yield line.start, line.end, AUTHORS
            else:
                rest.append(line)
        # Where the abstract begins, if on this page: its "Setting" is no address.
        starts = (start for start, _, mark in self.sections(at) if mark.kind == "abstract")
        for line in _addresses(rest, min(starts, default=len(self.paper.pages[at].text))):
            yield line.start, line.end, AFFILIATIONS

    def sections(self, at: int) -> Iterator[tuple[int, int, Section]]:
        """A page's pieces, each with the section that it is of; what stands before the first is the front."""
        number, size = self.paper.pages[at].number, len(self.paper.pages[at].text)
        first, last = (bisect_left(self._marks, (each, 0), key=PLACE) for each in (number, number + 1))
        marks = [self._marks[first - 1] if first else Section("", "front", 0, 0), *self._marks[first:last]]
        for mark, after in zip_longest(marks, marks[1:]):
            start = mark.start if mark.page == number else 0
            yield start, after.start if after and after.page == number else size, mark

    def _references(self, at: int) -> list[Line]:
        text, entries, is_entry = self.paper.pages[at].text, [], True
        for line in self._within(at, lambda mark: mark.kind == REFERENCES):
            is_entry = bool(WORDS.ENTRY.match(text, line.start) or (is_entry and not BEHIND.match(text, line.start)))
            if is_entry:
                entries.append(line)
        return entries

    def _within(self, at: int, is_wanted: Callable[[Section], bool]) -> list[Line]:
        wanted = [(start, end) for start, end, mark in self.sections(at) if is_wanted(mark)]
        lines = self.layout.lines(at) if wanted else ()
        return [line for line in lines if any(start <= line.start < end for start, end in wanted)]

    def _front(self, at: int) -> list[Line]:
        is_xml = self.paper.format == "jats"
        if at == 0:
            paid = {line.start for line in self._within(at, lambda mark: mark.kind == "funding" and is_xml)}
            return [line for line in self.layout.lines(at) if line.start not in paid]
        if any(WORDS.AUTHORED.search(mark.title) for *_, mark in self.sections(at)):
            return self._within(at, lambda mark: WORDS.AUTHORED.search(mark.title) is not None)
        is_next = at == 1 and not is_xml
        return [*takewhile(lambda line: line.kind != TEXT, self.layout.lines(at))] if is_next else []


def is_makers(sentence: str, at: int) -> bool:
    """Whether what stands at this letter is where something that was used is made: "a scanner (Acme, Lund, Sweden)"."""
    return bool(WORDS.ASIDE.search(sentence, 0, at) and WORDS.USED.search(sentence))


def is_names(line: str) -> bool:
    if len(line) > NAME_LINE_MAX or WORDS.INSTITUTION.search(line) or WORDS.SAID.search(line):
        return False
    if WORDS.CHINESE_NAMES.fullmatch(line.strip()):
        return True
    parts = [part.strip() for part in WORDS.BETWEEN.split(line)]
    people = sum(WORDS.PERSON.fullmatch(part) is not None for part in parts)
    return people > 1 and all(WORDS.PERSON.fullmatch(part) or WORDS.DEGREES.fullmatch(part) for part in parts)


def _addresses(lines: Sequence[Line], abstract: int) -> Iterator[Line]:
    """Behind the abstract's beginning only below a mark or a note: a hospital there may be where the study was."""
    may_begin, goes_on = True, False
    for line in lines:
        words = line.text
        begins = line.start < abstract or line.kind == OPENS or words.strip().isdigit()
        may_begin = begins or (may_begin and line.kind != TEXT)
        is_own = WORDS.INSTITUTION.search(words) is not None and not _is_sentence(words) and len(words) < ADDRESS_MAX
        follows = goes_on and not line.is_apart and line.kind != TEXT and not WORDS.SAID.search(words)
        goes_on = (is_own and may_begin) or follows
        if goes_on:
            yield line
        goes_on = goes_on and not words.rstrip().endswith(".")


def _is_sentence(line: str) -> bool:
    words = [word for word in SMALL_WORD.findall(line) if word not in LINKS]
    return WORDS.SAID.search(line) is not None or (len(words) > 1 and "@" not in line)


def _of_others(lines: Sequence[Line]) -> Iterator[Line]:
    is_on = False
    for line in lines:
        if line.kind == OPENS and CAPTION.match(line.text):
            is_on = bool(WORDS.OTHERS.search(line.text))
        is_on = is_on and not (line.kind == TEXT and line.is_apart)
        if is_on:
            yield line
