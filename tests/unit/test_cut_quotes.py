"""A sentence that a foot, a table or a page cuts is found in its two halves; what only stands near it is not put to it."""

import pytest

from clinical.evidence import Pages, check, locate
from clinical.papers import Page, Paper, Section
from clinical.papers.pdf.text_repair import mend
from clinical.templates import Field

BEFORE = """The study was done in two hospitals of one town, and all of those
who came were asked whether they wished to take part in the trial.
In all, sixty declined to take part. Ninety patients were randomised"""
AFTER = """to three groups of equal size. All were seen again after a year by a
nurse who did not know the group. Nobody was lost in that time."""
QUOTE = "Ninety patients were randomised to three groups of equal size."
HEAD = "Things of Medicine 2020; 12: 345-350"
TABLE = "Table 2 Characteristics of all patients at entry\nAge (years) 64 (12) 63 (11)\nMale 45 46"
FIGURE = (
    "Figure 1. Flow of patients through the trial, with those who left\nand those who were lost.\nAllocated (n = 90)"
)
ASIDES = {
    "a note to the authors": "*Correspondence to: A. Writer, a.writer@example.org",
    "dates": "Received 4 May 2019; accepted 6 June 2019\nPublished online 7 July 2019",
    "rights": "© 2020 The Authors. This is an open access article under a licence that\nlets everybody copy it.",
    "an address": "1 Department of Medicine, University of Somewhere, Town, Canada\n2 Institute of Health, Town",
    "an address on the web": "https://doi.org/10.1000/things.2020.1",
    "a table": TABLE,
    "a table with notes": f"{TABLE}\nValues are means with standard deviations, or numbers of patients.",
    "a table whose caption stands below it": "Age (years) 64 (12) 63 (11)\nMale 45 46\nTable 2. Patients at entry",
    "a table whose caption is a sentence": "Table 2. Patients at entry.\n\nNumber of patients who smoked 4 5",
    "a table in capitals": "TABLE II\nPATIENTS AT ENTRY\nMale 45 46",
    "a table of words": "Table 3: What was given\nUsual care Advice by the nurse and a leaflet\nNew care Six visits by the nurse",
    "a table that goes on": "Table 2 (continued)\nRash 4 5",
    "a registration": "Clinical trial registration: NCT01234567\nFunding: Supported by a grant from the Foundation.",
    "a box": "Panel: Research in context\nEvidence before this study\nWe searched for trials of the treatment.",
    "a figure": FIGURE,
    "two of them": f"{TABLE}\n{FIGURE}",
    "rows without a caption": "Age, years 54.2 (11.3) 53.8 (10.9) 0.71\nMen 31 (52 %) 29 (48 %) 0.66",
    "a formula": "n = 2(Zα + Zβ)2 σ2 / d2",
    "a foot that stands once": "Journal of Trials 2016, 12:4 www.journal.example",
    "a foot with a volume": "www.things.com Vol 388 July 2, 2016 123",
    "a line of the publisher's": "Full list of author information is available at the end of the article",
    "points of a box": "Strengths and limitations of this study\n• This is a large trial.\n• It was short.",
    "a table in Chinese": "表1 两组患者一般资料比较\n年龄 64 63",
    "a foot in Chinese": "通信作者:某某,Email:someone@example.org",
}


def paper(*pages: str, sections: tuple[Section, ...] = ()) -> Paper:
    return Paper("pdf", tuple(Page(number, text) for number, text in enumerate(pages, 1)), sections)


def cut(aside: str) -> dict[str, Paper]:
    """The sentence with this in it, wherever a page may end."""
    return {
        "on one page": paper(f"{BEFORE}\n{aside}\n{AFTER}"),
        "before the page's end": paper(f"{HEAD}\n{BEFORE}\n{aside}\n12", f"{HEAD}\n{AFTER}\n13"),
        "at the next page's beginning": paper(f"{BEFORE}\n12 {HEAD}", f"13 {HEAD}\n{aside}\n{AFTER}"),
        "on a page of its own": paper(f"{BEFORE}\n12 {HEAD}", f"13 {HEAD}\n{aside}", f"14 {HEAD}\n{AFTER}"),
    }


@pytest.mark.parametrize("aside", ASIDES.values(), ids=list(ASIDES))
def test_both_halves_are_found_when_an_aside_cuts_a_sentence(aside):
    for place, there in cut(aside).items():
        found = locate(QUOTE, Pages(there))
        assert found.rest, place
        assert (found.match, found.quote) == ("fuzzy", "Ninety patients were randomised"), place
        assert found.rest[0].quote == "to three groups of equal size", place
        for half in found.parts:
            assert half.page is not None
            assert there.pages[half.page - 1].text[half.start : half.end] == half.quote, place


def test_both_halves_are_found_when_a_head_that_is_on_most_pages_stands_in_a_column():
    there = paper(f"{BEFORE}\n{HEAD}\n{AFTER}", f"Another page.\n{HEAD}\nAnd more of it.")
    assert locate(QUOTE, Pages(there)).rest


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("They left in groups 1, 2 and 3", "(22 of 90 patients in all)"),
        ("The share of those who left was 0.60 -", "0.69 in all three groups"),
    ],
)
def test_both_halves_are_found_when_a_number_ends_the_first_and_another_begins_the_second(first, second):
    for aside in (TABLE, FIGURE):
        there = paper(f"{BEFORE}.\n{first}\n{aside}\n{second}. All were well.")
        assert locate(f"{first} {second}", Pages(there)).rest


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The dose was raised to 12.5", "mg daily in all of them."),
        ("The dose was raised to 12.5 mg", "daily in all of them."),
        ("The dose", "was raised to 12.5 mg daily in all of them."),
    ],
)
def test_a_number_is_said_when_its_unit_stands_behind_what_cuts_the_sentence(first, second):
    field = Field("dose", "string", "Dose", "剂量", "")
    for aside in ("", f"{TABLE}\n"):
        there = paper(
            f"They came every week and were seen by the same nurse.\n{first}\n{aside}{second} They were well."
        )
        told = check(field, {"state": "found", "value": "12.5 mg", "quote": f"{first} {second}"}, Pages(there))
        assert told["match"] != "not_found", aside


APART = {
    "a sentence of the text": f"{TABLE}\nThey were well, and nobody left before the end of the year. Others came",
    "a paragraph behind a table": f"{TABLE}\n\nSome others were added later on\n",
    "the line above a table": f"in one of the towns, where they lived.\n{TABLE}",
    "a line of the text": "Those who were lost had been seen before",
    "a few words": "Some of those",
    "a row that may be of the text": "48 visits were made to patients of the town",
    "a bracket of the text": "(P = 0.03), 12 and 14",
    "a sentence on a table": "Table 2 shows who they were, and that those who left were",
}


@pytest.mark.parametrize("between", APART.values(), ids=list(APART))
def test_two_places_are_none_when_text_stands_between_them(between):
    for place, there in cut(between).items():
        assert locate(QUOTE, Pages(there)).match == "not_found", place


def test_two_places_are_none_when_the_first_ends_or_the_second_begins_within_a_line():
    for text in (f"{BEFORE} by chance\n{TABLE}\n{AFTER}", f"{BEFORE}\n{TABLE}\nThey belonged {AFTER}"):
        assert locate(QUOTE, Pages(paper(text))).match == "not_found"


def test_every_part_is_found_when_two_things_cut_a_sentence():
    between = AFTER.replace("\n", f"\n{FIGURE}\n")
    there = paper(f"{HEAD}\n{BEFORE}\n{TABLE}\n12", f"{HEAD}\n{between}\n13")
    told = (
        "Ninety patients were randomised to three groups of equal size. All were seen again after a year by a nurse who"
    )
    found = locate(told, Pages(there))
    assert [part.quote for part in found.parts] == [
        "Ninety patients were randomised",
        "to three groups of equal size. All were seen again after a year by a",
        "nurse who",
    ]
    field = Field("n_randomised", "integer", "Randomised", "随机例数", "")
    stored = check(field, {"state": "found", "value": 90, "quote": told}, Pages(there))
    assert stored["state"] == "found"
    assert [(part["page"], part["quote"]) for part in stored["continued"]] == [
        (part.page, part.quote) for part in found.rest
    ]


ROWS = "Table 2 Patients at entry\nAge, years 54 (11) 53 (10)\nMen 31 (52) 29 (48)\nWeight, kg 71 (12) 70 (14)"


def test_two_places_are_none_when_both_are_rows_of_one_table():
    there = paper(f"{BEFORE}\n{ROWS}\n{AFTER}")
    assert locate("Age, years 54 (11) 53 (10) Weight, kg 71 (12) 70 (14)", Pages(there)).match == "not_found"


def test_two_places_are_none_when_a_sentence_ends_and_the_rest_of_another_follows():
    there = paper(f"{BEFORE} by lot.\n{TABLE}\n{AFTER}")
    assert (
        locate("Ninety patients were randomised by lot to three groups of equal size", Pages(there)).match
        == "not_found"
    )


def test_two_places_are_none_when_text_of_the_next_page_stands_between_them():
    """A note ends with its page: what begins the next is of the text."""
    there = paper(
        f"{BEFORE}\n* Correspondence: someone@example.org", f"Some were seen by nurses of the town and\n{AFTER}"
    )
    assert locate(QUOTE, Pages(there)).match == "not_found"


def test_two_places_are_none_when_a_section_begins_between_them():
    text = f"{BEFORE}\n{TABLE}\nResults\n{AFTER}"
    heading = Section("Results", "results", 1, text.index("Results"))
    assert locate(QUOTE, Pages(paper(text))).rest
    assert locate(QUOTE, Pages(paper(text, sections=(heading,)))).match == "not_found"


def test_what_denies_the_second_half_is_seen_when_the_quote_leaves_out_the_first():
    """The quote begins behind the cut, and the word before the cut turns it round."""
    there = paper(f"The two groups did not\n{TABLE}\ndiffer in weight after a year of treatment at home.")
    assert locate("did not differ in weight", Pages(there)).rest
    assert locate("They differ in weight", Pages(there)).match == "not_found"


@pytest.mark.parametrize(
    "cut_by", ["Table 2 Patients at entry", "*Correspondence to: A. Writer", "© 2020 The Authors", "12"]
)
@pytest.mark.parametrize("hyphen", ["-", "\ufffe", "\u00ad"])
def test_a_word_is_not_joined_to_a_foot_when_the_foot_cuts_it(cut_by, hyphen):
    [page] = mend([f"Ninety patients were ran{hyphen}\n{cut_by}\ndomised to three groups."])
    assert f"\n{cut_by}\n" in page
    assert locate("Ninety patients were randomised to three groups", Pages(paper(page))).rest
