"""A paper that does not fit: cut between sections, every word in one part, the abstract before each; and put together again."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clinical.engines.splitting import body, merged, parts
from clinical.papers import Page, Paper, Section
from clinical.templates import Field

ABSTRACT = "Abstract\nRest helps.\n"
METHODS = "Methods\n" + "We did it. " * 60 + "\n"
RESULTS = "Results\n" + "It was so. " * 60 + "\n"
REFERENCES = "References\n" + "1. A. Author. " * 60


def section(name, page, start):
    return Section(name.title(), name, page, start)


def paper():
    """Methods begin on the first page and end on the second, where results begin; the third is references."""
    half = len(METHODS) // 2
    first, second = ABSTRACT + METHODS[:half], METHODS[half:] + RESULTS
    return Paper(
        "pdf",
        (Page(1, first), Page(2, second), Page(3, REFERENCES)),
        (
            section("abstract", 1, 0),
            section("methods", 1, len(ABSTRACT)),
            section("results", 2, len(METHODS) - half),
            section("references", 3, 0),
        ),
    )


def words(pages):
    return "".join(page.text for page in pages).split()


def test_a_paper_is_one_part_without_its_references_when_it_fits():
    assert [[page.number for page in part] for part in parts(paper(), 5_000)] == [[1, 2]]


def test_a_part_ends_with_a_section_when_the_paper_does_not_fit():
    """Not with a page: the methods end within the second page, and so does the first part."""
    one, two = parts(paper(), 1_000)
    assert "".join(page.text for page in one) == ABSTRACT + METHODS
    assert [page.number for page in one] == [1, 2]
    head, rest = two
    assert (head.number, head.text) == (1, ABSTRACT)
    assert (rest.number, rest.text) == (2, RESULTS)


def test_a_section_of_two_pages_stays_together_when_only_its_first_page_would_still_fit():
    one, two, three = ("x" * 299 + "\n", "y" * 299 + "\n", "z" * 399 + "\n")
    made = Paper(
        "pdf",
        (Page(1, one), Page(2, two), Page(3, three)),
        (section("abstract", 1, 0), section("methods", 2, 0)),
    )
    first, second = parts(made, 960)
    assert [page.number for page in first] == [1]
    assert [page.number for page in second] == [1, 2, 3]
    assert second[0].text == one[:240], "the abstract, up to a quarter of a part"


def test_a_section_is_cut_between_pages_and_a_page_between_lines_when_it_is_longer_than_a_part():
    lines = "".join(f"Line {number:03} of a long table.\n" for number in range(100))
    made = Paper("pdf", (Page(1, lines), Page(2, lines)))
    found = parts(made, 1_000)
    assert all(sum(len(page.text) for page in part) <= 1_000 for part in found)
    assert all(page.text.endswith("\n") for part in found for page in part[-1:])
    assert [page.number for part in found for page in part[-1:]] == sorted(part[-1].number for part in found)


@given(
    st.lists(st.text("ab \n", min_size=1, max_size=400), min_size=1, max_size=5),
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 400)), max_size=6),
    st.integers(100, 900),
)
def test_every_word_is_in_a_part_once_and_no_part_is_too_long_whatever_the_paper_is(texts, cuts, most):
    pages = tuple(Page(number, text) for number, text in enumerate(texts, 1))
    places = sorted({(page + 1, start) for page, start in cuts if page < len(texts) and start < len(texts[page])})
    made = Paper("pdf", pages, tuple(section("other", *place) for place in places))
    found = parts(made, most)
    head = found[1][0] if len(found) > 1 else None
    without = [part[1:] if at and head is not None else part for at, part in enumerate(found)]
    assert "".join(words(page for part in without for page in part)) == "".join(words(body(made)))
    assert all(sum(len(page.text) for page in part) <= most for part in found)


# ---------------------------------------------------------------------------------------------------- together again


def field(kind, *names):
    columns = tuple(Field(name, "string", name, name, name) for name in names)
    return Field("f", kind, "F", "F", "F", fields=columns)


def said(value, state="found", **more):
    return {"f": {"state": state, "value": value, **more}}


NOTHING = said(None, "not_reported")


def test_both_values_are_told_with_their_quotes_when_two_parts_disagree():
    """The first of each, in the paper's order; also where one of the parts was read in halves that disagree."""
    found = [NOTHING, said(118, quote="a"), said(117, quote="b"), said(118, quote="c")]
    told = merged([field("integer")], found)["f"]
    assert (told["state"], [(each["value"], each["quote"]) for each in told["evidence"]]) == (
        "contradictory",
        [(118, "a"), (117, "b")],
    )
    again = merged([field("integer")], [{"f": told}, said(119, quote="d")])["f"]
    assert [each["value"] for each in again["evidence"]] == [118, 117, 119]


@pytest.mark.parametrize(("kind", "values"), [("integer", (118, 118)), ("string", ("rest", "Rest."))])
def test_the_first_part_is_believed_when_others_agree_or_words_differ(kind, values):
    told = merged([field(kind)], [said(values[0], quote="a"), NOTHING, said(values[1], quote="b")])["f"]
    assert (told["state"], told["value"], told["quote"]) == ("found", values[0], "a")


def test_a_field_is_not_found_rather_than_not_reported_when_one_part_cannot_tell():
    assert merged([field("string")], [NOTHING, said(None, "not_found")])["f"]["state"] == "not_found"


def test_an_entry_is_there_once_with_its_first_place_when_parts_repeat_it():
    found = [said(["UK", "Peru"], evidence=[1, 2]), said(["uk", "Chile"], evidence=[3, 4])]
    told: Any = merged([field("[string]")], found)["f"]
    assert (told["value"], told["evidence"]) == (["UK", "Peru", "Chile"], [1, 2, 4])


def test_the_fuller_of_two_entries_is_kept_and_contradictions_both_when_parts_repeat_an_arm():
    rest, more = {"name": "Rest", "evidence": ["x"]}, {"name": "rest", "n": "60", "evidence": ["y"]}
    other = {"name": "Rest", "n": "61", "evidence": ["z"]}
    columns = field("[object]", "name", "n")
    assert merged([columns], [said([rest]), said([more])])["f"]["value"] == [more]
    assert merged([columns], [said([rest]), said([rest | {"evidence": ["w"]}])])["f"]["value"] == [rest]
    assert merged([columns], [said([more]), said([other])])["f"]["value"] == [more, other]
