"""What tells two texts apart: a sign, a dash, a gap between figures, a letter that is glued to one. Generated, not chosen."""

from itertools import permutations, product
from typing import Any

import pytest

from clinical.evidence import Pages, check, locate
from clinical.evidence.find_quote import ENDS
from clinical.papers import Page, Paper
from clinical.papers.jats import article
from clinical.papers.limits import Limits
from clinical.templates import Field
from tests.support.stack_file import ROOT

WHOLE = ("5", "12", "340", "1,234")
DECIMAL = ("0.4", "12.5", "3·25", "1,234.5")
SIGNS = ("", "-", "+", "±", "<", ">", "≤", "~")
BEFORE = ("by ", "by (", "= ", "by ,", "by: ", "from 3 to ", "of [", "1% ")
"""What a number may stand behind; a sign belongs to it behind each."""
MINUS = "-–−"
GAPS = ("-", " ", "", ".", "/", ":", " + ", " ± ", "%, ", " < ")
LETTERS = "abzABZµβé"


def finds(quote: str, text: str) -> bool:
    there = Paper("pdf", (Page(1, f"The paper says that {text} in all."),))
    return locate(quote, Pages(there)).match != "not_found"


def confused(variants: list[str]) -> list[tuple[str, str]]:
    """Pairs of a quote and a page that says something else, in which the quote is found all the same."""
    assert all(finds(each, each) for each in variants)
    return [(quote, text) for quote, text in permutations(variants, 2) if finds(quote, text)]


@pytest.mark.parametrize("number", [*WHOLE, *DECIMAL])
@pytest.mark.parametrize("before", BEFORE)
def test_a_number_is_not_found_when_its_sign_is_another(number, before):
    assert confused([f"it changed {before}{sign}{number} mmol" for sign in SIGNS]) == []


@pytest.mark.parametrize(("number", "minus", "word"), list(product(DECIMAL, MINUS, ("by", "was", "of"))))
def test_a_decimal_is_not_found_when_a_minus_is_glued_to_the_word_before(number, minus, word):
    """A hyphen before a whole number may be a name's, as in COVID-19; before a decimal it is a sign."""
    assert confused([f"it fell {word} {number} mmol", f"it fell {word}{minus}{number} mmol"]) == []


@pytest.mark.parametrize(("first", "second"), [("10", "20"), ("1.5", "2.5"), ("7", "12"), ("18", "65")])
def test_two_numbers_are_not_found_when_what_is_between_them_is_another(first, second):
    """A range, two cells of a table, one number, a fraction: no two are the same."""
    gaps = [gap for gap in GAPS if gap != "." or "." not in first]
    assert confused([f"they were aged {first}{gap}{second} years" for gap in gaps]) == []


@pytest.mark.parametrize(("letter", "number"), list(product(LETTERS, ("1", "12", "0.5"))))
def test_a_number_is_not_found_when_it_is_cut_from_behind_a_letter(letter, number):
    """The figure of a name is no number: HbA1 was 7."""
    assert not finds(f"{number} was 7", f"Hb{letter}{number} was 7")
    assert not finds(f"It was {number}", f"It was {number}{letter}")


@pytest.mark.parametrize("page", ["aged 18–65 years{}", "aged 18 - 65 years{}", "ran\u00addomised in all{}"])
@pytest.mark.parametrize("marks", [*ENDS, ").", "%).", '.")', "”).", "。"])
def test_a_found_place_ends_with_the_quotes_closing_marks_when_its_layout_differs(page, marks):
    """The highlighted words are the quote, with its bracket and stop."""
    there = Paper("pdf", (Page(1, f"They were {page.format(marks)} And more."),))
    quote = "They were " + page.format(marks).replace(" - ", "-").replace("–", "-").replace("\u00ad", "")
    found = locate(quote, Pages(there))
    assert found.match == "fuzzy"
    assert there.pages[0].text[found.start : found.end] == found.quote == f"They were {page.format(marks)}"


# ---------------------------------------------------------------------------------------------------- lists

PLACES = {"exact": "tea was drunk", "fuzzy": "aged 18-65 years", "not_found": "milk was drunk"}
RANK = ("exact", "fuzzy", "not_found")
PAGE = Pages(Paper("pdf", (Page(1, "Here tea was drunk by all. They were aged 18–65 years."),)))
LIST = Field("f", "[string]", "", "", "")
TABLE = Field("f", "[object]", "", "", "", fields=(Field("part", "string", "", "", ""),))


@pytest.mark.parametrize("matches", [*product(RANK, repeat=2), ("exact", "not_found", "fuzzy")])
def test_each_entry_of_a_list_has_a_state_of_its_own_when_it_has_several(matches):
    """And the list is found where one is."""
    quotes = [PLACES[match] for match in matches]
    entries = [{"part": quote.split()[0], "quote": quote} for quote in quotes]
    evidence = [{"quote": quote} for quote in quotes]
    listed: Any = {"state": "found", "value": [quote.split()[0] for quote in quotes], "evidence": evidence}
    states = ["unsupported" if match == "not_found" else "found" for match in matches]
    for told in (check(LIST, listed, PAGE), check(TABLE, {"state": "found", "value": entries}, PAGE)):
        assert [entry["state"] for entry in told["value"]] == states
        assert [entry["match"] for entry in told["value"]] == list(matches)
        assert told["state"] == min(states)


@pytest.mark.parametrize("matches", list(product(RANK, repeat=2)))
def test_an_entry_is_found_when_all_of_its_quotes_are(matches):
    entry = {"part": PLACES[matches[0]].split()[0], "evidence": [{"quote": PLACES[match]} for match in matches]}
    (told,) = check(TABLE, {"state": "found", "value": [entry]}, PAGE)["value"]
    assert told["state"] == ("unsupported" if "not_found" in matches else "found")


# ---------------------------------------------------------------------------------------------------- places

ARTICLES = sorted((ROOT / "samples").glob("*.nxml"))


@pytest.mark.parametrize("path", ARTICLES, ids=lambda path: path.stem)
def test_a_section_begins_where_it_says_when_an_article_is_read(path):
    """Its place, not only its name: a model's part of a long paper begins with the abstract that is cut out by it."""
    read = article.read(path.read_bytes(), Limits())
    texts = {page.number: page.text for page in read.pages}
    assert [page.number for page in read.pages] == list(range(1, len(texts) + 1))
    assert all(0 <= section.start < len(texts[section.page]) for section in read.sections)
    within = [section for section in read.sections if section.start]
    assert all(texts[section.page].startswith(section.title[:20], section.start) for section in within)
    later = [
        section for section in read.sections if section.page > 1 and section.title == read.pages[section.page - 1].label
    ]
    assert later
    assert {section.start for section in later} == {0}
