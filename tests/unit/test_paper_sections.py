"""Headings of all fashions, and lines that only look like one."""

import time

import pytest

from clinical.papers import Page, sections


def found(*texts):
    return [
        (each.kind, each.title, each.page)
        for each in sections.find([Page(at, text) for at, text in enumerate(texts, 1)])
    ]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("METHODS", "methods"),
        ("2. Materials and Methods", "methods"),
        ("2 | METHODS", "methods"),
        ("III. Results", "results"),
        ("Patients and methods", "methods"),
        ("Methods/Design", "methods"),
        ("Introduction:", "introduction"),
        ("Background", "introduction"),
        ("4. Discussion", "discussion"),
        ("Conclusions", "conclusion"),
        ("REFERENCES", "references"),
        ("Sources of Funding", "funding"),
        ("Declaration of interests", "conflicts"),
        ("Conflict of Interests", "conflicts"),
        ("Conflicts of interest", "conflicts"),
        ("Disclosures", "conflicts"),
        ("参考文献", "references"),
        ("资料与方法", "methods"),
        ("利益冲突", "conflicts"),
        ("Data availability statement", "other"),
    ],
)
def test_a_heading_is_known_when_it_stands_alone(line, kind):
    assert [each[0] for each in found(f"text\n{line}\nmore text", "x", "x", "x")] == [kind]


@pytest.mark.parametrize("line", ["results", "The results", "Results were good", "and methods", "findings"])
def test_a_line_is_no_heading_when_a_sentence_runs_through_it(line):
    assert found(f"as shown by the\n{line}\nof others") == []


@pytest.mark.parametrize(
    "line", ["Methods" + " " * 300_000 + "x", " " * 300_000 + "x", "Funding" + " " * 300_000 + "x", "1" * 300_000]
)
def test_a_line_costs_its_length_when_it_was_made_to_cost_more(line):
    """Looking for headings never goes over the same spaces twice."""
    started = time.process_time()
    assert found(f"text\n{line}\ntext") == []
    assert time.process_time() - started < 20


def test_a_statement_is_found_when_its_heading_is_on_its_line():
    text = "text\nFunding: A fund paid for it.\nCompeting interests: None.\nThe funding was small."
    assert [each[:2] for each in found(text)] == [("funding", "Funding"), ("conflicts", "Competing interests")]


def test_an_abstracts_headings_are_left_out_when_the_paper_has_them_again():
    told = found(
        "Abstract\nIntroduction\na\nMethods\nb\nResults\nc\nConclusions\nd",
        "Introduction\ne\nMethods\nf",
        "Results\ng\nDiscussion\nh",
    )
    assert [each[::2] for each in told] == [
        ("abstract", 1), ("introduction", 2), ("methods", 2), ("results", 3), ("discussion", 3),
    ]  # fmt: skip


def test_an_abstract_is_found_when_it_has_no_heading():
    assert found("Journal\nBACKGROUND: We tried.\nMETHODS: So.", "INTRODUCTION\nx")[0] == ("abstract", "BACKGROUND", 1)
