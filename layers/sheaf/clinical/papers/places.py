"""What a stretch of a paper is, where it is not the paper's own text: names, addresses, references, heads, other trials. Pure.

Asked for a quote's letters, and told from the page that they stand on alone.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import takewhile

from clinical.papers import Paper
from clinical.papers.page_lines import CAPTION, OPENS, TEXT, Layout, Line

REFERENCES, AUTHORS, AFFILIATIONS, HEAD, OTHER_TRIALS = "references", "authors", "affiliations", "head", "other_trials"
ENTRY = re.compile(
    r"\s*(?:\[?\d{1,3}[\].)]?\s{1,3}(?=[^\W\d_a-z])|[^\W\d_a-z][\w'’-]{1,40},? (?:[A-Z]\.? ?){1,4}[,.;:&])"
)
"""What an entry of a list of references begins with: its number, or a name with initials behind it."""
AUTHORED = re.compile(r"\b(?:author|contribut|affiliat|correspond|address)", re.I)
INSTITUTION = re.compile(
    r"\b(?:Universi\w+|Hospitals?|H[oô]pita\w+|Instituti?\w*|Departments?|Dept|Divisions?|Facult\w+|Schools?|Colleges?|Cent(?:er|re)s?"
    r"|Clinics?|Laborator\w+|Foundation|Academy|Ministry)\b|大学|医院|学院|研究[所院]"
)
SAID = re.compile(
    r"\b(?:was|were|is|are|has|have|had|we|our|this|that|which|will|did|by|who|and the|stud(?:y|ies)|trials?|patients?|participants?"
    r"|[Rr]andomi[sz]\w+|[Rr]ecruit\w+|[Cc]onducted|[Ff]und\w*|FUNDING|[Ss]upported|[Gg]rants?|[Ss]ponsor\w*|[Ss]ettings?|SETTINGS?|[Ll]ocation|[Pp]laces?)\b"
)
"""What a sentence has, and an address or a list of names has not."""
ADDRESS_MAX = 600
PARTICLES = r"(?:van|von|der|den|de|da|di|du|dos|la|le|del|della|ten|ter|bin|al|el|y) "
WORD = r"(?:[A-Z]\.?-?){1,3}|[^\W\d_a-z][^\s\d,;&()]{1,30}?"
MARKS = r"[\d¹²³⁰-⁹*∗⁎†‡§¶#∥‖,.\s]*+(?:[a-h](?:,[a-h])*(?=[,\s]|$))?"
PERSON = re.compile(rf"(?:{PARTICLES})?(?:{WORD}) (?:(?:{PARTICLES})*(?:{WORD}) ?){{1,4}}{MARKS}")
BETWEEN = re.compile(r"[,;](?=\s)|(?<=\d),(?=[A-Z])|\s(?:and|&)\s|^(?:and|&)\s|·|•")
DEGREES = re.compile(r"\W*(?:[A-Z][A-Za-z]?[A-Z]\w{0,4}\.?|[A-Z]\.?){1,3}[\W\d]*|[\W\d]+|")
CHINESE_NAMES = re.compile(r"[\u4e00-\u9fff]{2,3}[\d,，、*\s]+(?:[\u4e00-\u9fff]{2,3}[\d,，、*\s]*){1,30}")
NAME_LINE_MAX = 500
OTHERS = re.compile(
    r"\b(?:previous(?:ly)?|published|other|prior|earlier|similar|included|available|existing|recent)\b[^.\n]{0,40}\b(?:trials|studies|rcts|reports|literature)\b|"
    r"\b(?:trials|studies) (?:that|which|included|published|of other|in the literature)|文献|既往研究",
    re.I,
)
"""In a caption: a table of what others did."""


class Places:
    """A paper, asked what a stretch of it is."""

    def __init__(self, paper: Paper) -> None:
        self.paper = paper
        self.layout = Layout([page.text for page in paper.pages])
        self._at = {page.number: at for at, page in enumerate(paper.pages)}
        self._others: dict[int, list[tuple[int, int]]] = {}

    def of(self, page: int, start: int, end: int) -> str:
        """The place of these letters of a page; "" for the paper's own text."""
        at, middle = self._at[page], (start + end) // 2
        if self._is_reference(at, middle):
            return REFERENCES
        if self.paper.format != "jats" and self.layout.in_head(at, start, end):
            return HEAD
        for place, spans in (self._front.get(at, {}) | {OTHER_TRIALS: self._told_of_others(at)}).items():
            if any(first <= middle < last for first, last in spans):
                return place
        return ""

    def _is_reference(self, at: int, letter: int) -> bool:
        """In the list, and not in a table or a figure that is printed among or behind its entries."""
        place = self.paper.pages[at].number, letter
        marks = [mark for mark in self.paper.sections if (mark.page, mark.start) <= place]
        last = max(marks, key=lambda mark: (mark.page, mark.start), default=None)
        if last is None or last.kind != REFERENCES:
            return False
        for line in reversed([line for line in self.layout.lines(at) if line.start <= letter]):
            text = self.paper.pages[at].text[line.start : line.end]
            if ENTRY.match(text):
                return True
            if CAPTION.match(text) and line.start >= (last.start if last.page == place[0] else 0):
                return False
        return True

    @cached_property
    def _front(self) -> dict[int, dict[str, list[tuple[int, int]]]]:
        """Names and addresses: of the first page and of the next one's head, and of sections that are about the authors."""
        told: dict[int, dict[str, list[tuple[int, int]]]] = {}
        for at, page in enumerate(self.paper.pages):
            own = self._lines_of_front(at)
            names = [line for line in own if self._is_names(page.text[line.start : line.end])]
            rest = [line for line in own if line not in names]
            told[at] = {
                AUTHORS: [(line.start, line.end) for line in names],
                AFFILIATIONS: list(_addresses(page.text, rest, self._abstract(at))),
            }
        return told

    def _lines_of_front(self, at: int) -> list[Line]:
        if at == 0:
            return [*self.layout.lines(at)]
        number = self.paper.pages[at].number
        if any(mark.page == number and AUTHORED.search(mark.title) for mark in self.paper.sections):
            return [line for line in self.layout.lines(at) if AUTHORED.search(self._heading(at, line.start))]
        if at > 1 or self.paper.format == "jats":
            return []
        return [*takewhile(lambda line: line.kind != TEXT, self.layout.lines(at))]

    def _abstract(self, at: int) -> int:
        """Where the abstract begins, on the first page: its "Setting" is no address."""
        number = self.paper.pages[at].number
        starts = (mark.start for mark in self.paper.sections if mark.kind == "abstract" and mark.page == number)
        return min(starts, default=len(self.paper.pages[at].text))

    def _heading(self, at: int, start: int) -> str:
        place = self.paper.pages[at].number, start
        marks = [mark for mark in self.paper.sections if (mark.page, mark.start) <= place]
        return max(marks, key=lambda mark: (mark.page, mark.start)).title if marks else ""

    def _is_names(self, line: str) -> bool:
        told = self.paper.details.get("authors")
        if isinstance(told, list) and told and line.strip() == ", ".join(map(str, told)):
            return True
        return is_names(line)

    def _told_of_others(self, at: int) -> list[tuple[int, int]]:
        """Tables and figures whose captions say that they are of other trials."""
        text = self.paper.pages[at].text
        if at not in self._others:
            self._others[at] = list(_captioned(text, self.layout.lines(at))) if OTHERS.search(text) else []
        return self._others[at]


def is_names(line: str) -> bool:
    """Whether a line is people's names and nothing else, two of them at least."""
    if len(line) > NAME_LINE_MAX or INSTITUTION.search(line) or SAID.search(line):
        return False
    if CHINESE_NAMES.fullmatch(line.strip()):
        return True
    parts = [part.strip() for part in BETWEEN.split(line)]
    people = sum(PERSON.fullmatch(part) is not None for part in parts)
    return people > 1 and all(PERSON.fullmatch(part) or DEGREES.fullmatch(part) for part in parts)


def _addresses(text: str, lines: Sequence[Line], abstract: int) -> Iterator[tuple[int, int]]:
    """Lines with an institution's name that are no sentence, and those that go on with its town.

    Behind the abstract's beginning only below a mark or a note: what names a hospital there may be where the study was.
    """
    may_begin, goes_on = True, False
    for line in lines:
        told = text[line.start : line.end]
        may_begin = (
            line.start < abstract or line.kind == OPENS or told.strip().isdigit() or (may_begin and line.kind != TEXT)
        )
        is_own = INSTITUTION.search(told) is not None and not SAID.search(told) and len(told) < ADDRESS_MAX
        goes_on = (is_own and may_begin) or (
            goes_on and not line.is_apart and line.kind != TEXT and not SAID.search(told)
        )
        if goes_on:
            yield line.start, line.end
        goes_on = goes_on and not told.rstrip().endswith(".")


def _captioned(text: str, lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """From each caption on other trials to where the text goes on."""
    is_on = False
    for line in lines:
        told = text[line.start : line.end]
        if line.kind == OPENS and CAPTION.match(told):
            is_on = bool(OTHERS.search(told))
        is_on = is_on and not (line.kind == TEXT and line.is_apart)
        if is_on:
            yield line.start, line.end
