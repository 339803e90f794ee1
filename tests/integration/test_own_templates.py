"""A task over a project's own template, from the request to the row: read by its pin, whatever became of the copy since."""

from collections import Counter

import pytest

from clinical.answered import cells
from clinical.own_templates import stored_versions
from tests.support import model_engines
from tests.support.clients import client
from tests.support.provider import reporting, serving
from tests.support.stack_file import ROOT

TEMPLATES = "/asl/extraction/templates"
PAPER = (ROOT / "tests" / "data" / "wu-2015.txt").read_text(encoding="utf-8")


def the_copy(bench, *names: str) -> str:
    """A copy of the trial's template with these of its fields."""
    _, made = bench.http("POST", f"{TEMPLATES}/rct/clone", {"label": "Ours"})
    fields = [field for field in made["fields"] if field["name"] in names]
    status, _ = bench.http("PUT", f"{TEMPLATES}/{made['templateId']}", {"version": 1, "fields": fields})
    assert status == 200
    return str(made["templateId"])


def opened(bench, template: str) -> str:
    status, task = bench.post([bench.paper(PAPER)], kind="extract_paper", templateId=template)
    assert status == 202
    return str(task["taskId"])


def finish(bench) -> None:
    bench.deliver("extract_paper")
    bench.sweep()


def test_a_row_has_the_fields_of_the_version_that_was_pinned_when_the_copy_went_on(bench):
    """Deleted, even: the object stays."""
    own = the_copy(bench, "doi", "year")
    task = opened(bench, own)
    assert bench.http("DELETE", f"{TEMPLATES}/{own}")[0] == 204
    finish(bench)
    (row,) = bench.http("GET", f"/asl/extraction/tasks/{task}/results")[1]["results"]
    assert row["status"] == "completed"
    assert row["extractedData"]["template"] == f"{own}@2"
    assert list(row["extractedData"]["fields"]) == ["doi", "year"]
    assert row["extractedData"]["fields"]["doi"]["value"] == "10.1371/journal.pone.0120231"
    states = Counter(value["state"] for value in row["extractedData"]["fields"].values())
    study = row["extractedData"]["studyId"]
    assert row["summary"] == {"cells": cells(states), "doubts": 0, "study": study}


def test_a_row_ends_in_error_and_says_why_when_its_template_is_gone_from_storage(bench):
    """Trying task would not help."""
    own = the_copy(bench, "doi")
    task = opened(bench, own)
    client("s3").delete_object(Bucket="databucket", Key=stored_versions.object_key("p1", own, 2))
    finish(bench)
    (row,) = bench.rows(task)
    assert (row.status, row.error_class, row.attempt) == ("error", "template_gone", 1)


def test_a_task_counts_its_cells_by_state_when_rows_have_ended(bench):
    """Live, at each sweep, and when it has closed."""
    papers = [bench.paper(f"{PAPER}{number}") for number in range(3)]
    task = bench.open(papers, kind="extract_paper")
    bench.deliver("extract_paper")
    marks: list[dict[str, int]] = [{"found": 4, "not_found": 1}, {"found": 2, "contradictory": 3}, {}]
    for row, told in zip(bench.rows(task), marks, strict=False):
        row.marks = told
        bench.put(row)
    bench.sweep()
    shown = bench.http("GET", f"/asl/extraction/tasks/{task}")[1]
    assert shown["status"] == "completed"
    assert shown["cells"] == cells({"found": 6, "not_found": 1, "contradictory": 3})


GIVEN = {"mainConfounder": "age at entry", "adequateFollowUp": "5 years"}


def of_qc(bench) -> str:
    """A copy of `qc` with the questions that need an input."""
    _, made = bench.http("POST", f"{TEMPLATES}/qc/clone", {"label": "Ours"})
    fields = [field for field in made["fields"] if field["name"].startswith("nos_")]
    assert bench.http("PUT", f"{TEMPLATES}/{made['templateId']}", {"version": 1, "fields": fields})[0] == 200
    return str(made["templateId"])


@pytest.mark.parametrize("own", [False, True])
def test_a_model_is_told_the_inputs_and_the_row_says_them_when_a_task_gave_some(bench, own):
    """Also when the copy is deleted before the row is worked on, and in the retry of a task."""
    with serving() as provider:
        model_engines.configure(bench, provider)
        provider.replies = reporting(nos_c1=("a", "Adjusted for age.", 1))
        template = of_qc(bench) if own else "qc"
        paper = [bench.paper("A cohort study of rest.\nAdjusted for age.")]
        status, task = bench.post(
            paper, kind="extract_paper", engine="openai", templateId=template, templateInputs=GIVEN
        )
        assert status == 202, task
        if own:
            bench.http("DELETE", f"{TEMPLATES}/{template}")
        bench.deliver()
        bench.sweep()
        asked = provider.calls[0].system
    assert "This review holds the most important confounder to be: age at entry." in asked
    assert "For this review long enough is: 5 years." in asked
    (row,) = bench.http("GET", f"/asl/extraction/tasks/{task['taskId']}/results")[1]["results"]
    assert row["status"] == "completed", row
    assert row["extractedData"]["template"].startswith(f"{template}@{2 if own else 1}~")
    told = row["extractedData"]["judgements"]["inputs"]
    assert told == ({} if own else {"assessedOutcome": None}) | GIVEN
    assert row["extractedData"]["judgements"]["nos"]["stars"]["nos_c1"] == 1


def test_a_retry_has_the_inputs_of_the_task_that_it_retries(bench):
    status, task = bench.post([bench.probe("permanent")], kind="probe", templateId="qc", templateInputs=GIVEN)
    assert status == 202, task
    bench.deliver("probe")
    bench.sweep()
    status, again = bench.http("POST", f"/asl/extraction/tasks/{task['taskId']}/retry", {})
    assert status == 202, again
    assert again["templateInputs"] == GIVEN
    first, second = sorted(bench.tasks(), key=lambda each: each.retry_of or "")
    assert first.options == second.options
