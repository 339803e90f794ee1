"""Whether a quote stands where its field lives: a trial's country is not in a list of references. Pure."""

import re

from clinical.evidence.find_quote import Found
from clinical.evidence.pages import Pages
from clinical.papers.stretches import AFFILIATIONS, AUTHORS, HEAD, OTHER_TRIALS, REFERENCES
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


def is_misplaced(field: Field, found: Found, pages: Pages) -> bool:
    """Whether the quote stands in a place that bears out other fields than this."""
    if found.page is None or found.start is None or found.end is None:
        return False
    place = pages.places.of(found.page, found.start, found.end)
    return place in LIVES and not LIVES[place].search(named(field))


def is_of_countries(field: Field) -> bool:
    return COUNTRY.search(named(field)) is not None


def named(field: Field) -> str:
    """What a field is called, in its name and labels."""
    return f"{field.name} {field.label} {field.label_zh}".replace("_", " ").casefold()
