"""Find a quote in a paper. Pure.

First as it stands, then without what layout changes (`normal`), then with spelling, lost ligatures and left-out citation
marks excused; each on one page, then over a page break. Nothing is excused by counting differences: a changed digit, a
changed word, a dropped "not" or another unit is another text, and is not found.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product

from sheaf.evidence.edges import stands_alone
from sheaf.evidence.folding import is_wide
from sheaf.evidence.margins import bodies
from sheaf.evidence.normal import Normal, normal, page_form
from sheaf.papers import Page, Paper

SHORTEST = 4
SHORTEST_WIDE = 2
LOOSE_FROM = 20
"""Shorter quotes are not excused anything but layout."""
HITS_MAX = 400
QUOTE_MAX = 4_000
CELLS = re.compile(r"\d[\s|;/]+\d{3}(?!\d)")
BRACKET = re.compile(r"[\[\]［］]")
PART = 12
MARGIN = 200
"""Characters beyond twice a quote's length that are looked at on either side of a page break."""
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
    """A quote in one way to compare it.

    `strict` leaves words as they are; `cites` leaves out a page's citation marks; `apart` takes no space into a number.
    """

    wanted: str
    strict: bool = False
    cites: str = ""
    apart: bool = False

    def of(self, text: str) -> Normal:
        return page_form(text, loose=not self.strict, cites=self.cites, apart=self.apart)


def locate(quote: str, paper: Paper, page: int | None = None, start: int | None = None) -> Found:
    """Where the paper says this. The page and the place that an engine gives are hints: they choose among places.

    On the page that was named, spoilt or not, before the same words elsewhere.
    """
    nowhere = Found(None, None, None, "not_found", quote)
    strict = normal(quote).text
    if not _says_something(quote, strict):
        return nowhere
    forms = (_Form(strict, strict=True), *_cells(quote), *_loose_forms(quote, strict))
    pages = sorted(paper.pages, key=lambda each: (abs(each.number - page) if page is not None else 0, each.number))
    named = [each for each in pages if each.number == page]
    for within in (named, pages):
        for form, each in product((None, *forms), within):
            found = _places(form, each.text) if form else _exact(quote, each.text)
            places = [place for place in found if stands_alone(each.text, *place)]
            if places:
                best = min(places, key=lambda place: abs(place[0] - (start or 0)))
                return _found(each, quote, best, "fuzzy" if form else "exact")
    return _over_a_break(forms, len(quote), paper, page) or nowhere


def _says_something(quote: str, text: str) -> bool:
    if len(quote) > QUOTE_MAX or not text:
        return False
    wide = sum(map(is_wide, text))
    return len(text) >= SHORTEST or wide >= SHORTEST_WIDE or any(letter.isdigit() for letter in text)


def _cells(quote: str) -> tuple[_Form, ...]:
    """A row of a table: 105 120 may be two numbers."""
    return (_Form(normal(quote, apart=True).text, strict=True, apart=True),) if CELLS.search(quote) else ()


def _loose_forms(quote: str, strict: str) -> tuple[_Form, ...]:
    """A citation mark may be missing from the quote, never another one stand there: in brackets only where it has none."""
    if len(strict) < LOOSE_FROM:
        return ()
    loose = normal(quote, loose=True).text
    return _Form(loose), _Form(loose, cites="raised" if BRACKET.search(quote) else "all")


def _found(page: Page, quote: str, place: tuple[int, int], match: str) -> Found:
    start, end = place
    closing = quote.rstrip()
    tail = closing[len(closing.rstrip(ENDS)) :]
    for mark in tail if match == "fuzzy" else "":
        end += page.text[end : end + 1] == mark
    return Found(page.number, start, end, match, page.text[start:end])


def _exact(quote: str, text: str) -> Iterator[tuple[int, int]]:
    words = quote.split()
    if words[0] not in text:
        return
    pattern = re.compile(r"\s+".join(map(re.escape, words)))
    for found in islice(pattern.finditer(text), HITS_MAX):
        yield found.span()


def _places(form: _Form, text: str) -> Iterator[tuple[int, int]]:
    """Where the text compares equal; and what stands there must do so by itself, without its neighbours."""
    there, wanted = form.of(text), form.wanted
    at = there.text.find(wanted)
    for _ in range(HITS_MAX):
        if at < 0:
            return
        start, end = there.starts[at], there.ends[at + len(wanted) - 1]
        if normal(text[start:end], loose=not form.strict, cites=form.cites, apart=form.apart).text == wanted:
            yield start, end
        at = there.text.find(wanted, at + 1)


def _over_a_break(forms: Sequence[_Form], length: int, paper: Paper, page: int | None) -> Found | None:
    """Begun at one page's end and finished at the next one's beginning, with nothing but heads and feet between."""
    spans = bodies(tuple(each.text for each in paper.pages))
    pairs = sorted(range(len(spans) - 1), key=lambda at: abs(paper.pages[at].number - page) if page is not None else 0)
    for form in forms:
        for at in pairs:
            if not _may_be_cut(form, paper.pages[at], paper.pages[at + 1]):
                continue
            found = _joined(form, 2 * length + MARGIN, paper.pages[at : at + 2], spans[at : at + 2])
            if found:
                return found
    return None


def _may_be_cut(form: _Form, first: Page, second: Page) -> bool:
    """Of two halves the longer one shows its beginning or its end."""
    part = max(1, min(PART, len(form.wanted) // 2))
    return form.wanted[:part] in form.of(first.text).text or form.wanted[-part:] in form.of(second.text).text


def _joined(form: _Form, reach: int, pages: Sequence[Page], spans: Sequence[tuple[int, int]]) -> Found | None:
    (first, last), (begin, end) = spans
    head, tail = pages[0].text[max(first, last - reach) : last], pages[1].text[begin : min(end, begin + reach)]
    shift, cut = last - len(head), len(head) + 1
    text = f"{head}\n{tail}"
    for start, stop in _places(form, text):
        if start < cut - 1 and stop > cut and stands_alone(text, start, stop):
            left, right = (shift + start, last), (begin, begin + stop - cut)
            rest = Found(pages[1].number, *right, "fuzzy", pages[1].text[slice(*right)])
            return Found(pages[0].number, *left, "fuzzy", pages[0].text[slice(*left)], rest)
    return None
