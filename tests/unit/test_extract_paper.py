"""The built-in kind: a paper's text in, a row of values out, and a plain reason for what is no paper's text."""

from typing import Any

import pytest

from sheaf import templates
from sheaf.errors import Permanent
from sheaf.kinds import Job, extract_paper, load
from sheaf.papers import Page, Paper
from tests.support.template import ROOT


def job(content: bytes) -> Job:
    """A job over these bytes."""
    told: dict[str, Any] = {"task": "p1/t1", "row": 0, "attempt": 1, "document": "d1", "template": "rct@1"}
    return Job(**told, filename="a.txt", read=lambda: content, seconds_left=lambda: 60.0)


def paper(text: str) -> bytes:
    """As the intake stores it."""
    return Paper("text", (Page(1, text),)).to_json().encode()


def test_a_row_of_values_comes_out_when_a_real_paper_goes_in():
    """Every field of the template is answered, found or not, and the summary counts what was found."""
    done = extract_paper.work(job(paper((ROOT / "samples" / "wu-2015.txt").read_text())))
    fields = done.data["fields"]
    assert list(fields) == [field.name for field in templates.find("rct").fields]
    assert fields["doi"]["value"] == "10.1371/journal.pone.0120231"
    assert fields["year"]["value"] == 2015
    found = sum(value["status"] == "reported" for value in fields.values())
    assert (done.summary["reported"], done.summary["of"]) == (found, 48)
    assert {"v", "engine", "template", "studyId", "complete", "reasons", "fields", "usage"} == done.data.keys()


@pytest.mark.parametrize("content", [b"%PDF-1.7 ...", b"", b"[]", b"null", b"{}", b'{"format": "text", "pages": [1]}'])
def test_it_fails_for_good_when_it_is_given_no_papers_text(content):
    """Trying again would not help, so no try is spent on it."""
    with pytest.raises(Permanent) as raised:
        extract_paper.work(job(content))
    assert raised.value.error_class == "unreadable"


def test_a_kind_is_found_when_its_module_is_named():
    assert load("sheaf.kinds.extract_paper") is extract_paper


@pytest.mark.parametrize(
    ("author", "year", "study"),
    [("Luo", 2017, "Luo 2017"), ("Luo", None, "Luo"), (None, 2017, None), (None, None, None)],
)
def test_a_study_is_named_by_its_author_when_there_is_one(author, year, study):
    """A year alone names nothing; the page shows the file's name then."""
    told = {"first_author": author, "year": year}
    fields = {name: value_of(value) for name, value in told.items()}
    assert extract_paper.study_id(fields) == study


def value_of(value):
    if value is None:
        return {
            "value": None,
            "status": "not_reported",
            "quote": None,
            "page": None,
            "start": None,
            "end": None,
            "match": None,
        }
    return {
        "value": value,
        "status": "reported",
        "quote": str(value),
        "page": 1,
        "start": 0,
        "end": 4,
        "match": "exact",
    }
