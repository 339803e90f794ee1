"""DOI, year, registration: the paper's own, and nobody else's."""

import pytest

from clinical import rules
from tests.support.papers import PADDING, one, plain


def told(name, text):
    answer = rules.answer(plain(text), [name])[name]
    return answer["value"], answer["state"]


@pytest.mark.parametrize(
    ("said", "ids"),
    [
        ("ClinicalTrials.gov identifier NCT01234567.", ["NCT01234567"]),
        ("Registered (NCT 01234567).", ["NCT01234567"]),
        ("Trial ISRCTN12345678 and NCT01234567, again ISRCTN12345678.", ["ISRCTN12345678", "NCT01234567"]),
        ("Registered as ACTRN12612000123456.", ["ACTRN12612000123456"]),
        ("Registered as ANZCTR12612000123456.", ["ANZCTR12612000123456"]),
        ("Registry: ChiCTR-TRC-12002345.", ["ChiCTR-TRC-12002345"]),
        ("See ChiCTR1900012345 there.", ["ChiCTR1900012345"]),
        ("UMIN000012345 was used.", ["UMIN000012345"]),
        ("DRKS00012345.", ["DRKS00012345"]),
        ("CTRI/2019/05/019123.", ["CTRI/2019/05/019123"]),
        ("IRCT201205109709N1 in Iran.", ["IRCT201205109709N1"]),
        ("PACTR201501000123456.", ["PACTR201501000123456"]),
        ("Dutch register NTR1234.", ["NTR1234"]),
        ("Registered at TCTR20190101001.", ["TCTR20190101001"]),
        ("RBR-4nkjbs in Brazil.", ["RBR-4nkjbs"]),
        ("EudraCT number 2012-001234-56.", ["2012-001234-56"]),
        ("ISRCTN no. 12345678.", ["ISRCTN12345678"]),
        ("ClinicalTrials.gov: NCT#01234567.", ["NCT01234567"]),
        ("Netherlands Trial Register NL1234.", ["NL1234"]),
        ("This ongoing trial is registered, NCT01234567.", ["NCT01234567"]),
        ("Larger studies are required.Trial Registration: NCT01234567.", ["NCT01234567"]),
        ("This trial is registered with ClinicalTrials.gov, NCT01234567, and is ongoing.", ["NCT01234567"]),
    ],
)
def test_a_registration_is_found_when_a_register_is_named(said, ids):
    """Each register has its own form; white space inside a number is not part of it."""
    assert told("registration_ids", f"{PADDING}\n{said} {PADDING}") == (ids, "found")


@pytest.mark.parametrize(
    "said",
    [
        "Call 2012-001234-56 for help.",
        "Grant 2012-001234-56 paid for it.",
        "NCT0123456 is too short, NCT012345678 too long.",
        "ANCT01234567 is no id.",
        "It was registered at ClinicalTrials.gov.",
        "ISRCTN",
        "A similar trial (NCT01234567) is ongoing.",
        "A similar trial (registration number NCT01234567) is ongoing.",
        "The ethics committee agreed (NL1234).",
        "Netherlands Trial Register, file NL12345.041.18.",
        "Lee et al. (NCT01234567) found none.",
        "10.1371/journal.pone.0120231",
        "",
    ],
)
def test_no_registration_is_found_when_it_is_none_or_another_studys(said):
    """A bare EudraCT number is a telephone number until its register is named beside it."""
    assert told("registration_ids", f"{PADDING} {said}") == (None, "not_found")


def test_a_registration_is_found_when_a_line_ends_within_it():
    assert told("registration_ids", "Registered as EudraCT 2012-\n001234-56.") == (["2012-001234-56"], "found")


def test_a_registration_is_left_when_only_the_discussion_names_it():
    """Mutation caught: reading the discussion like the methods. There a number is another trial's, unless it says ours."""
    assert one("registration_ids", discussion="The larger BIG trial (NCT01234567) had more.")["state"] == "not_found"
    assert one("registration_ids", discussion="This trial was registered (NCT01234567).")["value"] == ["NCT01234567"]


def test_each_registration_has_its_own_sentence_when_there_are_two():
    answer = one("registration_ids", abstract="Registered as NCT01234567. Also as ISRCTN12345678.")
    assert [each["quote"] for each in answer["evidence"]] == ["Registered as NCT01234567.", "Also as ISRCTN12345678."]


@pytest.mark.parametrize(
    "heading", ["References", "REFERENCES", "7. References", "Bibliography:", "参考文献", "  Literature cited"]
)
@pytest.mark.parametrize(("name", "trap"), [("registration_ids", "NCT01234567"), ("doi", "10.1000/other.paper")])
def test_nothing_is_read_from_the_reference_list_when_it_names_other_papers(heading, name, trap):
    """Mutation caught: reading the whole text: half of all papers would get their neighbours' ids."""
    assert told(name, f"Methods\n{PADDING}\n{heading}\n1. Someone else. {trap}") == (None, "not_found")


def test_the_word_references_cuts_nothing_when_it_is_no_heading_or_a_table_of_contents():
    text = (
        f"Contents\nReferences\nMethods\n{PADDING}\nSee the references for more. Registered as NCT01234567.\n{PADDING}"
    )
    assert told("registration_ids", text) == (["NCT01234567"], "found")


@pytest.mark.parametrize(
    ("said", "doi"),
    [
        ("DOI: 10.1371/journal.pone.0120231", "10.1371/journal.pone.0120231"),
        ("https://doi.org/10.1371/journal.pone.0120231.", "10.1371/journal.pone.0120231"),
        ("(doi:10.1016/S0140-6736(12)60123-4)", "10.1016/S0140-6736(12)60123-4"),
        ("http://dx.doi.org/10.1016/\nS0140-6736(12)60123-4", "10.1016/S0140-6736(12)60123-4"),
        ("see 10.1000/abc, and later 10.1000/ABC.", "10.1000/abc"),
    ],
)
def test_the_doi_is_found_when_the_paper_names_its_own(said, doi):
    """Without the full stop or bracket that follows it; letters' case makes no second one."""
    assert told("doi", f"{said}\n\n{PADDING}") == (doi, "found")


def test_the_doi_is_found_when_a_line_of_the_front_page_ends_within_it():
    """Mutation caught: the prefix alone on its line, which is no DOI, and the rest on the next."""
    front = "Tea for thirst\nhttp://dx.doi.org/10.1016/\nS0140-6736(12)60123-4\n"
    assert one("doi", front=front)["value"] == "10.1016/S0140-6736(12)60123-4"


def test_the_doi_is_found_behind_the_references_when_it_says_how_to_cite():
    text = f"Methods\n{PADDING}\nReferences\n1. Lee. doi:10.1000/lee.\n2. Mu. 2003;1:2.\ndoi:10.1186/own-1\nCite this article as: Us"
    assert told("doi", text) == ("10.1186/own-1", "found")


def test_the_first_doi_is_taken_when_several_follow_one_at_the_head():
    assert told("doi", f"doi 10.1000/own\n\nAbstract\n{PADDING}\nMethods\nWe used 10.1000/tool.")[0] == "10.1000/own"


def test_the_doi_is_unclear_when_several_stand_in_the_text_and_none_at_the_head():
    """Any of them may be a tool or another paper."""
    assert told("doi", f"Methods\n{PADDING} As in 10.1000/one and in 10.1000/two.") == (None, "contradictory")


@pytest.mark.parametrize(
    ("said", "year"),
    [
        ("Published: 24 March 2015.", 2015),
        ("Received 2013. Accepted 27 January 2014. Published online 3 March 2015.", 2015),
        ("© 2016 Wu et al", 2016),
        ("Copyright (c) 2011 the authors", 2011),
        ("Accepted for publication 3 May 2009", 2009),
        ("Lee et al. Journal of Tea (2019) 12:34", 2019),
        ("Tea 2018; 386: 2059-68", 2018),
        ("page 3 of 9 Lee et al. Trials (2017) 18:5", 2017),
        ("Lee and Wu Tea/Coffee (2017) 18 :5", 2017),
        ("(J Tea Res 2015;17(1):e23)", 2015),
        ("Tea Res. 2019;28:e12700. © 2018 Tea Society", 2019),
        ("Published 2014\nJournal of Tea (2015) 12:34\n", 2015),
    ],
)
def test_the_year_is_found_when_a_line_says_when_it_was_published(said, year):
    """A running title with volume and page goes before a copyright line, which may be a year older."""
    assert told("year", f"{said}\n\n{PADDING}") == (year, "found")


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("Patients of 2012 and 2013 were included.", "not_found"),
        ("Between June 2009 and May 2011, 140 men were seen.", "not_found"),
        ("Published in 1780.", "not_found"),
        ("Published 2014.\nPublished online 2015.", "contradictory"),
        ("© 2014 Wu.\nPublished: 2015.", "contradictory"),
        ("doi:10.1186/s12345-014-0721-8\n© 2015 Wu.", "contradictory"),
        ("", "not_found"),
    ],
)
def test_no_year_is_given_when_none_or_two_are_said(said, status):
    """A year that merely occurs is none, and two that differ are none either; a DOI may have one in it."""
    assert told("year", f"{said}\n\n{PADDING}") == (None, status)


def test_bibliography_is_the_publishers_when_the_file_has_it_as_data():
    details = {
        "title": "Tea for two",
        "journal": "Tea Letters",
        "year": 2012,
        "doi": "10.1000/tea",
        "authors": ["Ann de la Lee", "Bo Ox"],
        "surname": "de la Lee",
    }
    front = "Tea for two\n\nTea Letters 3(1):4\n\nDOI: 10.1000/tea\n\nAnn de la Lee, Bo Ox\n\nPublished: May 2012."
    found = {
        name: one(name, front=front, details=details) for name in ("title", "journal", "year", "doi", "first_author")
    }
    assert {name: answer["value"] for name, answer in found.items()} == {
        "title": "Tea for two", "journal": "Tea Letters", "year": 2012, "doi": "10.1000/tea", "first_author": "de la Lee",
    }  # fmt: skip
    assert all(str(answer["value"]) in answer["quote"] for answer in found.values())


def test_the_page_is_the_right_one_when_the_text_has_several():
    """Pages are numbered by intake; start and end count from the page's own beginning."""
    text = f"{PADDING}\fFirst line. Registered as NCT01234567. More.\f{PADDING}"
    found = rules.answer(plain(text), ["registration_ids"])["registration_ids"]
    assert (found["page"], found["quote"]) == (2, "Registered as NCT01234567.")
