"""Whether a quote stands where its field lives: a trial's country is not in a list of references. Pure."""

import re
from collections.abc import Sequence

from clinical.evidence.find_quote import Found
from clinical.evidence.pages import Pages
from clinical.evidence.values import Typed
from clinical.papers.stretches import AFFILIATIONS, AUTHORS, HEAD, OTHER_TRIALS, REFERENCES, is_makers
from clinical.templates import Field

LIVES = {
    REFERENCES: re.compile(r"\breferences?\b|\bcit(?:ed|ations?)\b|参考文献"),
    OTHER_TRIALS: re.compile(r"\b(?:other|previous|prior|earlier) (?:trials|studies)\b|既往研究"),
    AUTHORS: re.compile(r"\bauthors?\b|作者"),
    AFFILIATIONS: re.compile(r"\b(?:authors?|affiliations?|institutions?|correspond\w+|e-?mail)\b|作者|单位|机构|邮箱"),
    HEAD: re.compile(
        r"\b(?:authors?|title|journal|doi|year|published|publication|volume|issue|regist\w+)\b|作者|标题|期刊|年份|注册"
    ),
}
"""Fields that live in a place, by words of their names and labels."""


COUNTRY = re.compile(r"\bcountr(?:y|ies)\b|国家|地点")


def is_misplaced(field: Field, values: Sequence[Typed], found: Found, pages: Pages) -> bool:
    """Whether the quote, or the value in it, stands in a place that bears out other fields than this."""
    places = {
        pages.places.of(part.page, part.start, part.end)
        for part in found.parts
        if part.page is not None and part.start is not None and part.end is not None
    }
    place = places.pop() if len(places) == 1 else ""
    named = f"{field.name} {field.label} {field.label_zh}".replace("_", " ").casefold()
    if place in LIVES:
        return not LIVES[place].search(named)
    return COUNTRY.search(named) is not None and any(_is_where_made(str(value), found.quote) for value in values)


def _is_where_made(country: str, quote: str) -> bool:
    """Whether each time that the quote names it, it names who made what was used."""
    at = [found.start() for found in re.finditer(re.escape(country), quote)]
    return bool(at) and all(is_makers(quote, each) for each in at)
