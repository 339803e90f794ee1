"""What a layout broke is whole again, and nothing else is touched."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clinical.papers.pdf.text_repair import mend


def one(text):
    return mend([text])[0]


@pytest.mark.parametrize(
    ("broken", "whole"),
    [
        ("a dif\ufffeference of note", "a difference\nof note"),
        ("a confi\xad\ndence interval", "a confidence\ninterval"),
        ("ran\xaddomised", "randomised"),
        ("a con-\nsent form", "a consent\nform"),
        ("an adverse hypoth\u2011\nesis here", "an adverse hypothesis\nhere"),
        ("at any follow\ufffeup visit", "at any follow-up\nvisit"),
        ("of HAS\ufffeBLED and", "of HAS-BLED\nand"),
        ("EudraCT number 2008-\n007149-30, and", "EudraCT number 2008-007149-30,\nand"),
        ("a hyphen\ufffe", "a hyphen"),
        ("\ufffeated", "ated"),
    ],
)
def test_a_word_is_joined_when_a_line_cut_it(broken, whole):
    """A hyphen stays before figures and capitals, and in words that have one; it goes elsewhere."""
    assert one(broken) == whole


@pytest.mark.parametrize(
    ("elsewhere", "whole"),
    [("a placebo-controlled trial", "placebo-controlled"), ("placebocontrolled", "placebocontrolled")],
)
def test_a_hyphen_is_as_elsewhere_when_the_paper_has_the_word_again(elsewhere, whole):
    """What the same paper writes in the middle of a line decides."""
    assert one(f"{elsewhere} and placebo\ufffecontrolled it was").endswith(f"{whole}\nit was")


def test_a_word_is_whole_when_two_lines_cut_it():
    """Cut twice, it is joined twice."""
    assert one("a hyper\ufffetriglycer\ufffeidaemia case") == "a hypertriglyceridaemia\ncase"


def test_a_missing_value_stays_when_it_is_a_dash_at_a_lines_end():
    """A dash behind a space is a cell of a table, not a hyphen."""
    assert one("Deaths 3 -\nStrokes 4 5") == "Deaths 3 -\nStrokes 4 5"


def test_ligatures_are_letters_when_they_are_one_character():
    assert (
        one("eﬀect, ﬁrst, ﬂow, eﬃcacy, baﬄe; 𝑛 = 126, 𝑃 < 0.05")
        == "effect, first, flow, efficacy, baffle; n = 126, P < 0.05"
    )


def test_chinese_is_written_in_its_usual_characters_when_a_font_gives_radicals():
    """Which look the same and are not found: what WPS and Word make of some fonts."""
    assert one("⽅法：⼆⼗例，⻅表，\uf9fd") == "方法：二十例，见表，什"


def test_ligatures_lose_their_space_when_a_file_has_it_behind_each():
    """Words that end so by themselves keep theirs."""
    told = one(
        "signifi cant diff erence, fi rst, modifi ed, effi cacy, fl ow, infl uence, defi ned by the staff of two"
    )
    assert told == "significant difference, first, modified, efficacy, flow, influence, defined by the staff of two"


def test_two_words_stay_two_when_only_some_end_like_a_ligature():
    assert one("The hi fi was off at the cliff edge") == "The hi fi was off at the cliff edge"


def test_two_words_stay_two_when_a_paper_has_many_that_end_so():
    """A trial at Sanofi over which Wolff and Duff have written much; its ligatures are whole elsewhere."""
    told = "The Sanofi trial, " * 9 + "and the first effects were significant, sufficient, confined and reflected. " * 3
    assert one(told) == told.strip()


def test_a_raised_character_leaves_its_line_whole():
    """PDFium breaks the line where a superscript stood."""
    assert one("Raphael Spera2\n, and others\nkg/m2\n was") == "Raphael Spera2, and others\nkg/m2 was"


def test_an_address_is_whole_when_a_line_broke_it_behind_a_mark():
    assert one("http://dx.doi.org/10.1016/\nS0140-6736(15)00257-3") == "http://dx.doi.org/10.1016/S0140-6736(15)00257-3"
    assert one("male/\nfemale") == "male/\nfemale"


def test_spaces_are_plain_when_they_were_wide_narrow_or_many():
    assert one("in\xa0the\u2009  trial\u200b \x07\r\nnext") == "in the trial\nnext"
    assert one("a 2\u2011year trial") == "a 2-year trial"


def test_a_paragraph_ends_when_its_last_line_is_short():
    told = one(
        "A line of the column, full to its end\nand its last line.\nAnother paragraph begins here, as full\nas that."
    )
    assert (
        told
        == "A line of the column, full to its end\nand its last line.\n\nAnother paragraph begins here, as full\nas that."
    )


@pytest.mark.long
@pytest.mark.parametrize(
    "text",
    ["\ufffe" * 200_000, "a\ufffeb" * 100_000, "a-\n" * 100_000, "fi " * 100_000, "x" * 500_000 + "\ufffe" + "y" * 500_000,
     ". " * 200_000, "10.1/" + "/\n" * 100_000, " \n" * 200_000],
)  # fmt: skip
def test_a_text_costs_its_length_when_it_was_made_to_cost_more(text):
    """No pattern goes over the same characters twice."""
    started = time.process_time()
    one(text)
    assert time.process_time() - started < 5


@given(st.lists(st.text(st.characters(exclude_categories=()), max_size=60), max_size=5))
def test_as_many_pages_come_out_as_went_in(pages):
    """Whatever they hold: the numbers of pages are what evidence points at. And what comes out can be stored."""
    told = mend(pages)
    assert len(told) == max(1, len(pages))
    "".join(told).encode()
    assert not any(mark in page for page in told for mark in ("\f", "\ufffe", "\xad", "\x00"))


@given(st.lists(st.sampled_from(["trial", "follow-up", "n = 12", "10.5%", "(95% CI 1-2)"]), min_size=1, max_size=30))
def test_good_text_stays_as_it_is(words):
    assert one(" ".join(words)) == " ".join(words)
