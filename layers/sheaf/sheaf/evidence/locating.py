"""Find a quote in a paper. Pure.

First as it stands, then without what layout changes (`normal`), then with spelling, lost ligatures and left-out citation
marks excused; each on one page, then over a page break. Nothing is excused by counting differences: a changed digit, a
changed word, a dropped "not" or another unit is another text, and is not found.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sheaf.evidence.edges import stands_alone
from sheaf.evidence.folding import is_wide
from sheaf.evidence.margins import bodies
from sheaf.evidence.normal import Normal, normal
from sheaf.papers import Page, Paper

SHORTEST = 4
SHORTEST_WIDE = 2
LOOSE_FROM = 20
"""Shorter quotes are not excused anything but layout."""
HITS_MAX = 400
QUOTE_MAX = 4_000
ENDS = "\"'”’)]}.。,;:!?%"


@dataclass(frozen=True)
class Found:
    """Where a quote is: text[start:end] of that page is `quote`. Not found: match says so, and the rest is None."""

    page: int | None
    start: int | None
    end: int | None
    match: str
    """exact: character by character, white space apart. fuzzy: as compared. not_found."""
    quote: str
    rest: "Found | None" = None
    """The other half, on the next page."""


@dataclass(frozen=True)
class _Form:
    """One way to compare."""

    loose: bool
    cites: bool

    def of(self, text: str) -> Normal:
        return normal(text, loose=self.loose, cites=self.cites)


STRICT = _Form(loose=False, cites=False)


def locate(quote: str, paper: Paper, page: int | None = None, start: int | None = None) -> Found:
    """Where the paper says this. The page and the place that an engine gives are hints: they choose among places."""
    nowhere = Found(None, None, None, "not_found", quote)
    if not _says_something(quote):
        return nowhere
    pages = sorted(paper.pages, key=lambda each: (abs(each.number - page) if page is not None else 0, each.number))
    for find in (_exact, _strict, _loose):
        for each in pages:
            places = [place for place in find(quote, each.text) if stands_alone(each.text, *place)]
            if places:
                best = min(places, key=lambda place: abs(place[0] - (start or 0)))
                return _found(each, quote, best, "exact" if find is _exact else "fuzzy")
    return _over_a_break(quote, paper, page) or nowhere


def _says_something(quote: str) -> bool:
    text = normal(quote).text
    if len(quote) > QUOTE_MAX or not text:
        return False
    wide = sum(map(is_wide, text))
    return len(text) >= SHORTEST or wide >= SHORTEST_WIDE or any(letter.isdigit() for letter in text)


def _found(page: Page, quote: str, place: tuple[int, int], match: str) -> Found:
    start, end = place
    closing = quote.rstrip()
    tail = closing[len(closing.rstrip(ENDS)) :]
    for mark in tail if match == "fuzzy" else "":
        end += page.text[end : end + 1] == mark
    return Found(page.number, start, end, match, page.text[start:end])


def _exact(quote: str, text: str) -> Iterator[tuple[int, int]]:
    words = quote.split()
    pattern = re.compile(r"\s+".join(map(re.escape, words)))
    for count, found in enumerate(pattern.finditer(text)):
        if count >= HITS_MAX:
            return
        yield found.span()


def _strict(quote: str, text: str) -> Iterator[tuple[int, int]]:
    return _places(normal(quote).text, normal(text))


def _loose(quote: str, text: str) -> Iterator[tuple[int, int]]:
    """A citation mark may be missing from the quote, never another one stand there: only where it has no bracket."""
    for form in _loose_forms(quote):
        yield from _places(normal(quote, loose=True).text, form.of(text))


def _loose_forms(quote: str) -> tuple[_Form, ...]:
    if len(normal(quote).text) < LOOSE_FROM:
        return ()
    forms = (_Form(loose=True, cites=False), _Form(loose=True, cites=True))
    return forms[:1] if re.search(r"[\[\]［］]", quote) else forms


def _places(wanted: str, there: Normal) -> Iterator[tuple[int, int]]:
    at = there.text.find(wanted) if wanted else -1
    for _ in range(HITS_MAX):
        if at < 0:
            return
        yield there.starts[at], there.ends[at + len(wanted) - 1]
        at = there.text.find(wanted, at + 1)


def _over_a_break(quote: str, paper: Paper, page: int | None) -> Found | None:
    """Begun at one page's end and finished at the next one's beginning, with nothing but heads and feet between."""
    texts = tuple(each.text for each in paper.pages)
    spans = bodies(texts)
    pairs = sorted(range(len(texts) - 1), key=lambda at: abs(paper.pages[at].number - page) if page is not None else 0)
    for form in (STRICT, *_loose_forms(quote)):
        wanted = normal(quote, loose=form.loose).text
        for at in pairs:
            found = _joined(form, wanted, (paper.pages[at], paper.pages[at + 1]), (spans[at], spans[at + 1]))
            if found:
                return found
    return None


def _joined(
    form: _Form, wanted: str, pages: tuple[Page, Page], spans: tuple[tuple[int, int], tuple[int, int]]
) -> Found | None:
    (first, last), (begin, end) = spans
    head = pages[0].text[first:last][-QUOTE_MAX:]
    tail = pages[1].text[begin:end][:QUOTE_MAX]
    shift = last - len(head)
    break_at = len(head) + 1
    text = f"{head}\n{tail}"
    for start, stop in _places(wanted, form.of(text)):
        if start < break_at - 1 and stop > break_at and stands_alone(text, start, stop):
            left, right = (shift + start, last), (begin, begin + stop - break_at)
            rest = Found(pages[1].number, *right, "fuzzy", pages[1].text[slice(*right)])
            return Found(pages[0].number, *left, "fuzzy", pages[0].text[slice(*left)], rest)
    return None
