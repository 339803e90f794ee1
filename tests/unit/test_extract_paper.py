"""The built-in kind: a paper's text in, a row of values out, and a plain reason for what is no paper's text."""

import time
from dataclasses import replace
from typing import Any

import pytest

from clinical import templates
from clinical.answered import without_quotes
from clinical.extract_paper import work
from clinical.papers import Page, Paper
from sheaf.errors import Permanent
from sheaf.jobs import Job, load
from sheaf.protocol.manifest import PinnedItem
from sheaf.work_budget import WORK_MAX, Budget
from tests.support.stack_file import ROOT


def job(content: bytes) -> Job:
    """A job over these bytes."""
    item = PinnedItem("d1", "texts/p1/d1.json", "v1", None, "a.txt")
    return Job("p1/t1", 0, 1, item, {"template": "rct@1"}, lambda: content, lambda _: b"", lambda: 60.0)


def paper(text: str) -> bytes:
    """As the intake stores it."""
    return Paper("text", (Page(1, text),)).to_json().encode()


def test_a_row_of_values_comes_out_when_a_real_paper_goes_in():
    """Every field of the template is answered, found or not, and the summary counts what was found."""
    done = work.work(job(paper((ROOT / "tests" / "data" / "wu-2015.txt").read_text())))
    fields = done.data["fields"]
    assert list(fields) == [field.name for field in templates.find("rct").fields]
    assert fields["doi"]["value"] == "10.1371/journal.pone.0120231"
    assert fields["year"]["value"] == 2015
    found = sum(value["state"] == "found" for value in fields.values())
    assert (done.summary["cells"]["found"], sum(done.summary["cells"].values())) == (found, 48)
    assert done.marks == {state: count for state, count in done.summary["cells"].items() if count}
    assert {"v", "engine", "template", "studyId", "doubts", "fields", "usage"} == done.data.keys()


@pytest.mark.parametrize("content", [b"%PDF-1.7 ...", b"", b"[]", b"null", b"{}", b'{"format": "text", "pages": [1]}'])
def test_it_fails_for_good_when_it_is_given_no_papers_text(content):
    """Trying again would not help, so no try is spent on it."""
    with pytest.raises(Permanent) as raised:
        work.work(job(content))
    assert raised.value.error_class == "unreadable"


def test_a_kind_is_found_when_its_module_is_named():
    assert load("clinical.extract_paper.work") is work


@pytest.mark.parametrize(
    ("author", "year", "study"),
    [("Luo", 2017, "Luo 2017"), ("Luo", None, "Luo"), (None, 2017, None), (None, None, None)],
)
def test_a_study_is_named_by_its_author_when_there_is_one(author, year, study):
    """A year alone names nothing; the page shows the file's name then."""
    told = {"first_author": author, "year": year}
    fields = {name: value_of(value) for name, value in told.items()}
    assert work.study_id(fields) == study


def value_of(value):
    if value is None:
        return {
            "value": None,
            "state": "not_found",
            "quote": None,
            "page": None,
            "start": None,
            "end": None,
            "match": None,
        }
    return {
        "value": value,
        "state": "found",
        "quote": str(value),
        "page": 1,
        "start": 0,
        "end": 4,
        "match": "exact",
    }


@pytest.mark.parametrize(
    "piece", ["mask", "blinded and masked to treatment and ", "double-blind aaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbb "]
)
def test_a_text_that_is_made_to_be_slow_is_read_in_seconds(piece):
    """Of one line of "maskmask..." 0.3 MB took half a minute, and 2.7 MB all of a worker's time, four times."""
    before = time.process_time()
    work.work(job(paper(piece * (300_000 // len(piece)))))
    assert time.process_time() - before < 10


@pytest.mark.slow
def test_the_text_that_once_never_ended_is_read_in_seconds():
    """4 s and 7 s; the worker's time limit is 280 s."""
    for piece in ("mask", "blinded and masked to treatment and "):
        before, half = time.process_time(), piece * (1_350_000 // len(piece))
        work.work(job(Paper("text", (Page(1, half), Page(2, half))).to_bytes()))
        assert time.process_time() - before < 60


def test_it_ends_at_once_when_a_text_is_more_than_a_job_may_read():
    """With the budget that a job has. Nothing is read of it first."""
    before = time.process_time()
    with pytest.raises(Permanent) as raised:
        work.work(job(paper("Sixty patients were randomised. " * 500_000)))
    assert raised.value.error_class == "too_much_work"
    assert time.process_time() - before < 5


@pytest.mark.parametrize(("pages", "ends"), [(1, False), (8, True)])
def test_it_ends_for_good_when_a_text_is_far_longer_than_a_paper(pages, ends):
    """The same text always, wherever it is read: the work is counted, and not timed. A hundredth of the budget here."""
    content = paper("Sixty patients were randomised to two groups. " * 400 * pages)
    asked = replace(job(content), budget=Budget(WORK_MAX / 100))
    if not ends:
        work.work(asked)
        return
    with pytest.raises(Permanent) as raised:
        work.work(asked)
    assert raised.value.error_class == "too_much_work"


def test_entries_and_contradictions_keep_their_values_and_lose_their_quotes_when_a_payload_is_brief():
    """Mutation caught: an entry that is dropped with its quotes, a part of a value that is taken for a quote's."""
    quote: Any = {"quote": "q", "page": 1, "start": 0, "end": 1, "match": "exact"}
    brief: Any = {"page": 1, "match": "exact"}
    entry: Any = {"state": "found", "value": {"quote": "a part that is called so", "start": 3}}
    fields: Any = {
        "arms": {
            "state": "found",
            "value": ["a"],
            **quote,
            "evidence": [{**entry, **quote, "evidence": [quote, quote]}],
        },
        "n": {"state": "contradictory", "value": None, **quote, "evidence": [{"state": "found", "value": 3, **quote}]},
        "year": {"state": "found", "value": 2020, **quote, "continued": {**quote}},
        "countries": {"state": "found", "value": [{"state": "found", "value": "Chad", **quote}], **quote},
    }
    assert without_quotes({"v": 1, "fields": fields}) == {
        "v": 1,
        "fields": {
            "arms": {"state": "found", "value": ["a"], **brief, "evidence": [{**entry, **brief}]},
            "n": {
                "state": "contradictory",
                "value": None,
                **brief,
                "evidence": [{"state": "found", "value": 3, **brief}],
            },
            "year": {"state": "found", "value": 2020, **brief},
            "countries": {"state": "found", "value": [{"state": "found", "value": "Chad", **brief}], **brief},
        },
    }
