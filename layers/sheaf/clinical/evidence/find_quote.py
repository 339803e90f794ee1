"""Find a quote in a paper: as it stands, without what layout changes, then loosely; on one page, then over a cut. Pure.

Nothing is excused by counting differences: a changed digit or word, a dropped "not" or another unit is another text.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from clinical.evidence.cut_quotes import parts
from clinical.evidence.letters import DASHES, GROUPING, is_raised, is_wide
from clinical.evidence.normal_form import normal
from clinical.evidence.pages import FORM_WORK, STRICT, Pages, Way, places
from clinical.papers import Page
from clinical.patterns import words_of

WORDS = words_of(__file__, {"GROUPING": GROUPING, "HYPHENS": re.escape("-" + DASHES)})
REACH = 40  # characters before a piece and behind it that may say that it is cut out of something
SHORTEST, SHORTEST_WIDE = 4, 2
LOOSE_FROM = 20  # shorter quotes are not excused anything but layout
QUOTE_MAX = 4_000
PLAIN_WORD = re.compile("[A-Za-z]{4,}")
CELLS = re.compile(r"\d[\s|;/]+\d{3}(?!\d)")
BRACKET = re.compile(r"[\[\]［］]")
ENDS = "\"'”’)]}.。,;:!?%"
Form = tuple[str, Way]  # a quote as it is compared, and in which way pages are for that


class Found(NamedTuple):
    """Where a quote is: text[start:end] of that page is `quote`. Not found: match says so, and the rest is None."""

    page: int | None
    start: int | None
    end: int | None
    match: str  # exact: character by character, white space apart. fuzzy: as compared. not_found
    quote: str
    rest: "tuple[Found, ...]" = ()  # its other parts, behind what cuts it

    @property
    def parts(self) -> "tuple[Found, ...]":
        return self, *self.rest


def locate(quote: str, pages: Pages, page: int | None = None, start: int | None = None) -> Found:
    """The engine's page and place are hints: they choose among places. Raises Permanent for too much work."""
    nowhere = Found(None, None, None, "not_found", quote)
    if len(quote) > QUOTE_MAX or not _is_enough(quote):
        return nowhere
    far = 0 if page is None else page
    every = sorted(pages.paper.pages, key=lambda each: (abs(each.number - far), each.number))
    named = [each for each in every if each.number == page]
    if at_hand := _first(quote, (None,), named, pages, start):
        return at_hand
    forms = _forms(quote)
    for within in (named, every):
        if found := _first(quote, (None, *forms), within, pages, start):
            return found
    return _over_a_cut(forms, pages, page) or nowhere


def _is_enough(quote: str) -> bool:
    if PLAIN_WORD.search(quote):
        return True
    strict = normal(quote).text
    return len(strict) >= SHORTEST or sum(map(is_wide, strict)) >= SHORTEST_WIDE or any(map(str.isdigit, strict))


def _first(quote: str, forms: Sequence[Form | None], within: list[Page], pages: Pages, at: int | None) -> Found | None:
    for form, each in product(forms, within):
        found = _on_page(form, each, pages) if form else _exact(quote, each, pages, at)
        alone = [place for place in found if stands_alone(each.text, *place)]
        if alone:
            best = min(alone, key=lambda place: abs(place[0] - (at or 0)))
            return _found(each, quote, best, "fuzzy" if form else "exact")
    return None


def _forms(quote: str) -> list[Form]:
    """In a table's row, 105 120 may be two numbers. A citation mark may be missing, never another stand there."""
    strict = normal(quote).text
    forms = [(strict, STRICT)]
    if CELLS.search(quote):
        forms.append((normal(quote, apart=True).text, Way(apart=True)))
    if len(strict) >= LOOSE_FROM:
        loose, cites = normal(quote, loose=True).text, "raised" if BRACKET.search(quote) else "all"
        forms += [(loose, Way(loose=True)), (loose, Way(loose=True, cites=cites))]
    return forms


def _found(page: Page, quote: str, place: tuple[int, int], match: str) -> Found:
    start, end = place
    closing = quote.rstrip()
    tail = closing[len(closing.rstrip(ENDS)) :]
    for mark in tail if match == "fuzzy" else "":
        end += page.text[end : end + 1] == mark
    return Found(page.number, start, end, match, page.text[start:end])


def _exact(quote: str, page: Page, pages: Pages, start: int | None) -> Iterator[tuple[int, int]]:
    """Not searched for where it stands at the very letter that was named."""
    at_letter = start is not None and start >= 0 and quote == quote.strip() and page.text.startswith(quote, start)
    if at_letter and start is not None and stands_alone(page.text, start, start + len(quote)):
        return iter([(start, start + len(quote))])
    return pages.exact(quote, page)


def _on_page(form: Form, page: Page, pages: Pages) -> Iterator[tuple[int, int]]:
    wanted, way = form
    if wanted not in pages.text(page, way):
        return
    there = pages.form(page, way)
    for at in places(wanted, there.text):
        start, end = there.starts[at], there.ends[at + len(wanted) - 1]
        pages.budget.spend(FORM_WORK * (end - start))
        if way.of(page.text[start:end]).text == wanted:
            yield start, end


def _over_a_cut(forms: Sequence[Form], pages: Pages, page: int | None) -> Found | None:
    every = pages.paper.pages
    for wanted, way in forms:
        for told in parts(wanted, way, pages, page):
            said = "\n".join(every[at].text[start:end] for at, start, end in told)
            before = every[told[0][0]].text[max(0, told[0][1] - REACH) : told[0][1]]
            after = every[told[-1][0]].text[told[-1][2] : told[-1][2] + REACH]
            pages.budget.spend(FORM_WORK * len(said))
            is_same = way.of(said).text == wanted
            if is_same and stands_alone(f"{before}{said}{after}", len(before), len(before) + len(said)):
                cuts = ((every[at], start, end) for at, start, end in told)
                first, *rest = (Found(of.number, start, end, "fuzzy", of.text[start:end]) for of, start, end in cuts)
                return first._replace(rest=tuple(rest))
    return None


def stands_alone(text: str, start: int, end: int) -> bool:
    """Whether a piece of a page may stand for itself: not cut out of a word, of a number, or from behind a "not"."""
    return _begins_well(text, start) and _ends_well(text, start, end)


def _begins_well(text: str, start: int) -> bool:
    first, before = text[start], text[max(0, start - REACH) : start]
    if first.isdigit():
        # "No 5" is a number's name, no denial.
        return not (WORDS.CUT_NUMBER.search(before) or _joined(before[-1:], first))
    if first in ".·":
        return not (before[-1:].isdigit() or WORDS.COMPARED.search(before))
    if not first.isalpha():
        return True
    if is_wide(first):
        return not WORDS.NEGATION_WIDE.search(before)
    if _joined(before[-1:], first) or WORDS.BROKEN_WORD.search(before) or WORDS.COMPOUND.search(before):
        return False
    return not (WORDS.NEGATION_IN_LINE if first.isupper() else WORDS.NEGATION).search(before)


def _joined(before: str, after: str) -> bool:
    """A capital after a small letter begins another word: lines run together."""
    if not before or not before.isalnum() or is_wide(before) or is_wide(after):
        return False
    return not (before.islower() and after.isupper())


def _ends_well(text: str, start: int, end: int) -> bool:
    last, after = text[end - 1], text[end : end + REACH]
    if last.isdigit():
        goes_on = WORDS.NUMBER_GOES_ON.match(after) or WORDS.RANGE_AFTER.match(after)
        return not (goes_on or (after[:1].isalpha() and not is_wide(after[0])))
    if not last.isalpha() or is_wide(last):
        return True
    if after[:1].isalnum() and _joined(last, after[0]):
        return is_raised(after[0]) and WORDS.RAISED_WORD.search(text[start:end]) is not None
    if WORDS.BROKEN_AFTER.match(after) or WORDS.COMPOUND_AFTER.match(after):
        return False
    return not (WORDS.UNIT_GOES_ON.match(after) and WORDS.UNIT_AT_END.search(text[max(start, end - REACH) : end]))
