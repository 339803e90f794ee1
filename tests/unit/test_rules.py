"""Values read by rule: right where sure, silent where not, and every quote really stands where it is said to."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sheaf import rules
from sheaf.rules import RULES, extract
from tests.support.template import ROOT

FIELDS = list(RULES)
BODY = "We did a trial of two tubes in ninety patients. It went well. " * 12
SAMPLES = sorted((ROOT / "samples").glob("*.txt"))


def one(field, text):
    return extract(text, [field])[field]


@pytest.mark.parametrize(
    ("said", "ids"),
    [
        ("ClinicalTrials.gov identifier NCT01234567.", ["NCT01234567"]),
        ("Registered (NCT 01234567).", ["NCT01234567"]),
        ("Trial ISRCTN12345678 and NCT01234567, again ISRCTN12345678.", ["ISRCTN12345678", "NCT01234567"]),
        ("Registered as ACTRN12612000123456.", ["ACTRN12612000123456"]),
        ("Registry: ChiCTR-TRC-12002345.", ["ChiCTR-TRC-12002345"]),
        ("See ChiCTR1900012345 there.", ["ChiCTR1900012345"]),
        ("UMIN000012345 was used.", ["UMIN000012345"]),
        ("DRKS00012345.", ["DRKS00012345"]),
        ("CTRI/2019/05/019123.", ["CTRI/2019/05/019123"]),
        ("IRCT201205109709N1 in Iran.", ["IRCT201205109709N1"]),
        ("PACTR201501000123456.", ["PACTR201501000123456"]),
        ("EudraCT number 2012-001234-56.", ["2012-001234-56"]),
    ],
)
def test_a_registration_is_found_when_a_register_is_named(said, ids):
    """Each register has its own form; white space inside a number is not part of it."""
    found = one("registration_ids", f"Methods. {said} {BODY}")
    assert (found["value"], found["status"]) == (ids, "reported")
    assert ids[0][-6:] in found["quote"].replace(" ", "")


@pytest.mark.parametrize(
    "said",
    [
        "Call 2012-001234-56 for help.",
        "Grant 2012-001234-56 paid for it.",
        "NCT0123456 is too short, NCT012345678 too long.",
        "ANCT01234567 is no id.",
        "It was registered at ClinicalTrials.gov.",
        "ISRCTN",
        "10.1371/journal.pone.0120231",
        "",
    ],
)
def test_no_registration_is_found_when_it_only_looks_like_one(said):
    """A bare EudraCT number is a telephone number until its register is named beside it."""
    found = one("registration_ids", f"{BODY} {said}")
    assert found == dict.fromkeys(found, None) | {"status": "not_reported"}


@pytest.mark.parametrize(
    "heading", ["References", "REFERENCES", "7. References", "Bibliography:", "参考文献", "  Literature cited"]
)
@pytest.mark.parametrize(("field", "trap"), [("registration_ids", "NCT01234567"), ("doi", "10.1000/other.paper")])
def test_nothing_is_read_from_the_reference_list_when_it_names_other_papers(heading, field, trap):
    """Mutation caught: reading the whole text: half of all papers would get their neighbours' ids."""
    assert one(field, f"{BODY}\n{heading}\n1. Someone else. {trap}")["status"] == "not_reported"


def test_the_word_references_in_the_text_cuts_nothing_when_it_is_no_heading():
    text = f"{BODY}\nSee the references for more. Registered as NCT01234567.\n{BODY}"
    assert one("registration_ids", text)["value"] == ["NCT01234567"]


def test_a_heading_at_the_start_cuts_nothing_when_it_is_a_table_of_contents():
    """Only a list in the last two thirds is the list."""
    text = f"Contents\nReferences\n{BODY}\nRegistered as NCT01234567."
    assert one("registration_ids", text)["value"] == ["NCT01234567"]


@pytest.mark.parametrize(
    ("said", "doi"),
    [
        ("DOI: 10.1371/journal.pone.0120231", "10.1371/journal.pone.0120231"),
        ("https://doi.org/10.1371/journal.pone.0120231.", "10.1371/journal.pone.0120231"),
        ("(doi:10.1016/S0140-6736(12)60123-4)", "10.1016/S0140-6736(12)60123-4"),
        ("see 10.1000/abc, and later 10.1000/ABC.", "10.1000/abc"),
    ],
)
def test_the_doi_is_found_when_the_paper_names_its_own(said, doi):
    """Without the full stop or bracket that follows it; letters' case makes no second one."""
    assert one("doi", f"{said}\n{BODY}")["value"] == doi


def test_the_first_doi_is_taken_when_several_follow_one_at_the_head():
    assert one("doi", f"doi 10.1000/own\n{BODY} Data: 10.5061/dryad.x")["value"] == "10.1000/own"


def test_the_doi_is_unclear_when_several_stand_in_the_text_and_none_at_the_head():
    """Any of them may be a data set or another paper."""
    found = one("doi", f"{BODY} As in 10.1000/one and in 10.1000/two.")
    assert (found["value"], found["status"], found["quote"]) == (None, "unclear", None)


@pytest.mark.parametrize(
    ("said", "year"),
    [
        ("Published: 24 March 2015.", 2015),
        ("Received 2013. Accepted 27 January 2014. Published online 3 March 2015.", 2015),
        ("© 2016 Wu et al", 2016),
        ("Copyright (c) 2011 the authors", 2011),
        ("Accepted for publication 3 May 2009", 2009),
    ],
)
def test_the_year_is_found_when_a_line_says_when_it_was_published(said, year):
    assert one("year", f"{said}\n{BODY}")["value"] == year


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("Patients of 2012 and 2013 were included.", "not_reported"),
        ("Published in 1780.", "not_reported"),
        ("Published 2014.\nPublished online 2015.", "unclear"),
        ("© 2014 Wu.\nPublished: 2015.", "unclear"),
        ("", "not_reported"),
    ],
)
def test_no_year_is_given_when_none_or_two_are_said(said, status):
    """A year that merely occurs is none, and two that differ are none either."""
    found = one("year", f"{said}\n{BODY}")
    assert (found["value"], found["status"]) == (None, status)


def test_only_what_was_asked_for_is_given_when_a_template_has_other_fields():
    assert extract(BODY, ["doi", "sample_size"]).keys() == {"doi"}


def test_the_page_is_the_right_one_when_the_text_has_several():
    """Pages are cut at form feeds; start and end count from the page's own beginning."""
    text = f"{BODY}\fFirst line. Registered as NCT01234567. More.\f{BODY}"
    found = one("registration_ids", text)
    assert found["page"] == 2
    assert text.split("\f")[1][found["start"] : found["end"]] == found["quote"] == "Registered as NCT01234567."


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_every_quote_stands_in_its_paper_when_the_paper_is_a_real_one(path):
    """The samples: something is found in each, and each quote is the paper's own words."""
    text = path.read_text()
    values = extract(text, FIELDS)
    assert any(value["status"] == "reported" for value in values.values())
    _check(text, values)


PIECES = ["NCT01234567", "ISRCTN12345678", "10.1000/abc(1)", "Published 2015", "© 2016", "EudraCT 2012-001234-56",
          "References", ".", "\n", "\f", "\n\n", " ", "A", "日本。", "x" * 450, "ü", "\u2028", "published 2014 "]  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=8)), max_size=30).map("".join))
def test_every_quote_is_really_there_when_the_text_is_anything(text):
    """page[start:end] is the quote, its value is inside it, it is bounded; and nothing raises."""
    _check(text, extract(text, FIELDS))


def _check(text, values):
    for name, value in values.items():
        if value["status"] != "reported":
            assert value == dict.fromkeys(value, None) | {"status": value["status"]}
            continue
        page = text.split("\f")[value["page"] - 1]
        assert page[value["start"] : value["end"]] == value["quote"]
        assert 0 < len(value["quote"]) <= 2 * rules.QUOTE_MAX
        assert value["quote"].strip() == value["quote"]
        first = value["value"][0] if name == "registration_ids" else str(value["value"])
        assert first in "".join(value["quote"].split())


ODD = {
    "blank lines": "\n" * 30_000,
    "blank lines with spaces": " \n" * 30_000,
    "half a number, often": "ChiCTR-" * 15_000,
    "half a date, often": "published " * 20_000,
    "ends of sentences": ". " * 100_000,
    "one wide gap": "a." + " " * 200_000,
    "ids": "NCT01234567 " * 5_000,
    "names": "10.1000/a " * 5_000,
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_reading_takes_no_longer_than_its_text_is_long_when_the_text_is_odd(text):
    """A regular expression cannot be interrupted by the alarm, so none may grow with the square of the text."""
    begun = time.monotonic()
    extract(text, FIELDS)
    assert time.monotonic() - begun < 2
