"""True quotes of real articles, cut in two by what a page has besides its text: each must be found, and bear its value out.

Pages are laid out as a PDF's text comes: lines of some ninety letters, a head and a foot on each. The quote is as it was
printed, without what came between. Nothing of a sentence is changed but where its lines end.
"""

import math
import random
import re
import textwrap
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bench import states
from bench.quoting import seed
from bench.report import Line
from bench.semantic.texts import Text, texts
from clinical.evidence import Pages, check
from clinical.papers import Page, Paper
from clinical.templates import Field
from sheaf.work_budget import Budget

QUOTES = 600
QUOTES_MIN, ACCEPTED_MIN = 500, 0.99
WIDTH, PAGE = 90, 50
WORDS = range(12, 60)
SAID = Field("said", "string", "Said", "所述", "")
SENTENCE = re.compile(r"(?<=[.!?]) (?=[A-Z])")
UNIT = re.compile(r"\d (?=(?:mg|g|kg|ml|mL|L|mm|cm|mmHg|weeks?|months?|days?|hours?|min|minutes|years?|s|%)\b|%)")
PLAIN = re.compile(r"(?!.*(?:hundred|thousand|million))[\w .,%/-]* [a-zA-Z]{2,}")
"""A value as somebody would write it down: no half of a bracket, of a number in words, or of a number and its unit."""
TABLE = (
    "Table 2 Characteristics at baseline",
    "Group A Group B p",
    "Age, years 54.2 (11.3) 53.8 (10.9) 0.71",
    "Men 31 (52 %) 29 (48 %) 0.66",
)
LICENCE = (
    "© The Authors. This is an open access article distributed under the terms of the Creative Commons",
    "Attribution License, which permits unrestricted use, distribution and reproduction in any medium.",
)
FOOTNOTE = (
    "* Correspondence: author@hospital.example",
    "1 Department of Medicine, University Hospital, Old Harbour",
    "Full list of author information is available at the end of the article",
)


@dataclass(frozen=True)
class Cut:
    """A paper, a quote that is cut in it, and a value that the quote says."""

    manner: str
    pages: tuple[str, ...]
    quote: str
    value: str


@dataclass(frozen=True)
class Manner:
    """What each page ends with, and what stands between the two halves besides, before and behind the new page."""

    foot: str = "{page}"
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    is_broken: bool = True
    """Whether there is a new page between the halves."""


FIGURE = ("Fig. 1 Flow of participants through the trial. ITT intention to treat",)
MANNERS: dict[str, Manner] = {
    "page": Manner(),
    "page of pages": Manner("Page {page} of 12"),
    "address of the journal": Manner("http://www.journal.example/content/12/1/{page}"),
    "download notice": Manner("Downloaded from journal.example by guest on November 3, 2020\n{page}"),
    "licence": Manner(before=LICENCE),
    "footnotes": Manner(before=FOOTNOTE),
    "table before the foot": Manner(before=TABLE),
    "table on the next page": Manner(after=TABLE),
    "figure on the next page": Manner(after=FIGURE),
    "table within": Manner(before=TABLE, is_broken=False),
    "figure within": Manner(before=FIGURE, is_broken=False),
    "foot of a column": Manner(before=("Journal of Trials 2016, 12:4 www.journal.example",), is_broken=False),
    "unit on the next line": Manner(is_broken=False),
    "unit on the next page": Manner(),
    "unit behind a table": Manner(before=TABLE, is_broken=False),
}


def cuts(count: int, chance: random.Random) -> Iterator[Cut]:
    """So many, of each manner as many."""
    told = [(text, sentence) for text in texts() for sentence in _sentences(text)]
    with_unit = [(text, sentence) for text, sentence in told if UNIT.search(sentence)]
    made = 0
    while made < count:
        manner = [*MANNERS][made % len(MANNERS)]
        cut = _cut(manner, *chance.choice(with_unit if manner.startswith("unit") else told), chance)
        if PLAIN.fullmatch(cut.value):
            made += 1
            yield cut


def _sentences(text: Text) -> list[str]:
    """Those that stand once in what is laid out."""
    body = _body(text)
    found = (each for paragraph in body for each in SENTENCE.split(paragraph))
    return [
        each for each in found if len(each.split()) in WORDS and each[-1] in ".!?" and " ".join(body).count(each) == 1
    ]


def _body(text: Text) -> list[str]:
    return [text.abstract, *text.parts["methods"], *text.parts["results"], *text.parts["discussion"]]


def _cut(manner: str, text: Text, sentence: str, chance: random.Random) -> Cut:
    """The article on pages, the sentence in two halves. A unit is cut off its figure, another sentence anywhere in its middle."""
    found = chance.choice([*UNIT.finditer(sentence)]) if manner.startswith("unit") else None
    words = sentence.split()
    first = sentence[: found.end() - 1] if found else " ".join(words[: chance.randrange(4, len(words) - 4)])
    head = f"{text.names.split(',')[0].split()[-1]} et al. Journal of Trials 2016, 12:{chance.randrange(10, 99)}"
    how = MANNERS[manner]
    broken = f"{how.foot}\f{head}"
    between = [*how.before, *([broken] if how.is_broken else []), *how.after]
    halves = [*_lined(first), *between, *_lined(sentence[len(first) :].strip())]
    before, _, after = "\n".join(_body(text)).partition(sentence)
    told = "\n".join([head, *_paged(before, broken), *halves, *_paged(after, broken), how.foot])
    pages = (page.strip().replace("{page}", str(number)) for number, page in enumerate(told.split("\f"), 1))
    return Cut(manner, tuple(pages), sentence, _around(sentence, len(first)))


def _around(sentence: str, at: int) -> str:
    """Words on both sides of the cut, as a value that needs both halves."""
    return " ".join([*sentence[:at].split()[-3:], *sentence[at:].split()[:3]])


def _lined(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def _paged(text: str, broken: str) -> list[str]:
    """Lines of text with a new page after each fifty."""
    lines = [line for paragraph in text.splitlines() for line in _lined(paragraph)]
    return [f"{line}\n{broken}" if at % PAGE == PAGE - 1 else line for at, line in enumerate(lines)]


def layout() -> Line:
    """The share of cut quotes that are stored as found."""
    chance = random.Random(seed())  # noqa: S311 - no secret
    made = list(cuts(QUOTES, chance))
    missed = Counter(cut.manner for cut in made if not _is_accepted(cut))
    more = {"quotes": len(made), "manners": len(MANNERS), "missed": dict(missed.most_common())}
    return Line(1 - missed.total() / len(made), "share accepted", more=more)


def is_whole(line: Line) -> bool:
    return line.value >= ACCEPTED_MIN and line.more["quotes"] >= QUOTES_MIN


def _is_accepted(cut: Cut) -> bool:
    paper = Paper("pdf", tuple(Page(number, text) for number, text in enumerate(cut.pages, 1)))
    answer: Any = {"status": "reported", "value": cut.value, "quote": cut.quote, "page": None}
    return states.is_found(check(SAID, answer, Pages(paper, Budget(math.inf))))
