"""Titles of PDFs that do not name theirs: told by the size of their type, or not at all."""

from contextlib import closing

import pypdfium2
import pytest

from clinical.papers.pdf import titles
from clinical.papers.pdf.titles import Line
from clinical.papers.reader import read
from tests.support.pdfs import body, paper
from tests.support.stack_file import ROOT

DATA = ROOT / "tests" / "data"
NAMED = sorted([*(ROOT / "samples").glob("*.pdf"), *DATA.glob("*.pdf")])
PAIRS = sorted((DATA / "pairs").glob("*.pdf"))
TITLE = Line("Sealed envelopes and blinded assessors in ninety adults", 18)
TEXT = [Line("We enrolled ninety adults at two hospitals and followed each", 10)] * 30


def guessed(path):
    """By the type alone, whatever the file says of itself."""
    with closing(pypdfium2.PdfDocument(path)) as document:
        page = document[0].get_textpage()
        lines = titles.lines(page, page.get_text_range())
    return titles.find(lines, [page.text for page in read(path.read_bytes(), "").pages])


def found(*lines, page=""):
    told = [*lines, *TEXT]
    return titles.find(told, [page or "\n".join(line.text for line in told)])


@pytest.mark.parametrize("path", PAIRS, ids=lambda path: path.stem)
def test_a_title_is_the_publishers_when_the_file_names_another(path):
    """Both are called "1251637.dvi" and the like inside."""
    publishers = read(path.with_suffix(".xml").read_bytes(), "").details["title"]
    assert read(path.read_bytes(), "").details == {"title": publishers}


@pytest.mark.parametrize("path", NAMED, ids=lambda path: path.stem)
def test_a_title_is_as_the_file_names_it_when_it_is_told_by_its_type(path):
    named = guessed(path)
    if path.stem == "acth-cohort-2014":  # names none, so what is on the page is held against
        assert named == (
            "Diminished adrenal sensitivity to endogenous and exogenous adrenocorticotropic hormone in critical illness: "
            "a prospective cohort study"
        )
    assert read(path.read_bytes(), "").details == {"title": named}


def test_a_title_of_two_lines_is_one_and_ends_with_its_own_mark():
    told = found(Line("Do sealed envelopes conceal", 18), Line("the allocation (SEAL)?", 18.4))
    assert told == "Do sealed envelopes conceal the allocation (SEAL)?"


def test_a_title_is_as_the_mended_text_has_it():
    """What cannot be found on the page is not shown."""
    page = "Eﬀects of sealed self\ufffeassigned envelopes"
    assert found(Line(page, 18), page="Effects of sealed self-assigned envelopes\nand more") == (
        "Effects of sealed self-assigned envelopes"
    )
    assert found(Line("Effects of sealed and other envelopes", 18), page="Something else") is None


@pytest.mark.parametrize(
    "line",
    [
        Line("Journal of the American College of Envelopes", 24),
        Line("Critical Care", 24),
        Line("Contents lists available at ScienceDirect today", 24),
        Line("185", 18),
        Line("Research Article", 18),
        Line("Original Research Report", 24),
        Line("Alan J Forster, Tobias E Erlanger, Carl van Walraven", 14),
        Line("Gregory N. Beatch1* and Brian Mangal2", 14),
    ],
)
def test_what_is_set_large_and_is_no_title_is_passed_over(line):
    assert found(line, TITLE) == TITLE.text


def test_a_journals_name_is_no_title_when_it_is_cited_with_its_volume():
    name = Line("Diabetes Research and Clinical Practice", 24)
    told = [name, *TEXT]
    page = "\n".join(line.text for line in told)
    assert titles.find(told, [page]) == name.text
    assert titles.find(told, [page, "Diabetes Research and Clinical Practice 190 (2022) 110023"]) is None


@pytest.mark.parametrize(
    "lines",
    [
        [],
        [Line(TITLE.text, 11)],
        [Line("Alan J Forster, Tobias E Erlanger, Carl van Walraven", 18)],
        [Line("Envelopes and what they hide", 24), TITLE],
        [TITLE, Line("a", 10), Line("Another block of the same size on this page", 17.9)],
        [Line("word " * 100, 18)],
        [Line("12 34 56 78 90 12 34 56", 18)],
    ],
)
def test_no_title_is_told_when_it_is_not_clear_which_it_is(lines):
    """Nothing is better than a wrong title."""
    assert found(*lines) is None


@pytest.mark.parametrize(
    "text", ["Aspirin, clopidogrel, and stroke after surgery", "Sealed Envelopes and Blinded Assessors"]
)
def test_a_title_is_no_byline_when_it_lists_things(text):
    assert found(Line(text, 18)) == text


def test_a_title_may_have_the_words_of_a_notice_when_it_is_long():
    long = Line("Journal clubs and the tidal volume of ninety ventilated adults in two hospitals", 18)
    assert found(long) == long.text


def test_a_chinese_title_needs_no_words():
    assert found(Line("密封信封法隐藏随机分组的对照试验", 18)) == "密封信封法隐藏随机分组的对照试验"


def test_a_page_without_a_line_has_no_title():
    assert titles.find([], []) is None
    assert "title" not in read(paper(body()), "").details
