"""A request that names its documents by reference: what is refused before anything is written, and what is shown of the task."""

import pytest

from clinical.extract_paper.references import MANIFEST_BYTES_MAX
from sheaf.api import bodies
from tests.http import front as fronts
from tests.http.front import TASKS, stored
from tests.support.clients import client

KEY = "manifests/p1/list.txt"


@pytest.fixture
def base(front):
    return front.post("/pkb/knowledge-bases", {"name": "Papers"}).body["knowledgeBaseId"]


def asked(front, **named):
    return front.post(TASKS, {"templateId": "rct", "kind": "probe", **named})


def lay(bench, key, size=2):
    with bench.calls.unwatched():
        client("s3").put_object(Bucket="databucket", Key=key, Body=b"d" * size)


SELECTION = {"knowledgeBaseId": "b", "status": "ready"}


@pytest.mark.parametrize(
    ("named", "field"),
    [
        ({}, "documentIds"),
        ({"knowledgeBaseId": None, "selection": None, "manifest": None}, "documentIds"),
        ({"documentIds": ["d1"], "selection": SELECTION}, "selection"),
        ({"documentIds": ["d1"], "manifest": KEY}, "manifest"),
        ({"selection": SELECTION, "manifest": KEY}, "manifest"),
        ({"selection": SELECTION, "knowledgeBaseId": "b"}, "knowledgeBaseId"),
        ({"manifest": KEY, "knowledgeBaseId": "b"}, "knowledgeBaseId"),
        ({"documentIds": ["d1"], "knowledgeBaseId": "b", "manifest": KEY}, "manifest"),
        ({"manifest": KEY, "onNotReady": "refuse"}, "onNotReady"),
        ({"manifest": KEY, "templateId": "no-such"}, "templateId"),
        ({"knowledgeBaseId": "unknown"}, "knowledgeBaseId"),
        ({"selection": {"status": "ready"}}, "selection.knowledgeBaseId"),
        ({"selection": {"knowledgeBaseId": "b"}}, "selection.status"),
        ({"selection": {"knowledgeBaseId": "b", "status": "deleted"}}, "selection.status"),
        ({"selection": SELECTION | {"title": "a"}}, "selection.title"),
        ({"selection": SELECTION}, "selection.knowledgeBaseId"),
        *[
            ({"manifest": key}, "manifest")
            for key in [
                "", 7, "manifests/p1/", "manifests/p1", "manifests/p1/none.txt", "manifests/p2/list.txt", "manifests/p1/../p2/list.txt",
                "manifests/p1//list.txt", "manifests/p1/.hidden", "manifests/p1/%2e%2e/list.txt", "manifests/p1/a b", "/manifests/p1/list.txt",
                "s3://databucket/manifests/p1/list.txt", "documents/p1/d1/x.txt", "manifests/p12/list.txt", f"manifests/p1/{'a' * 600}",
            ]
        ],
    ],
    ids=lambda value: str(value)[:60],
)  # fmt: skip
def test_a_reference_is_refused_before_anything_is_written_when_it_is_wrong(bench, front, named, field):
    """◆ Named in two ways or in none, of another shape, not there, not this project's."""
    for key in (
        "manifests/p2/list.txt",
        "manifests/p12/list.txt",
        "manifests/p1/.hidden",
        "documents/p1/d1/x.txt",
        "manifests/p1/a b",
    ):
        lay(bench, key)
    before = stored(bench)
    answer = asked(front, **named)
    assert (answer.status, answer.body["field"]) == (400, field), answer
    assert answer.body["reason"]
    assert stored(bench) == before


@pytest.mark.parametrize("name", ["knowledgeBaseId", "selection", "manifest"])
def test_the_same_words_refuse_another_projects_and_none(bench, front, base, name):
    """Mutation caught: an answer that says that somebody else has it."""
    lay(bench, "manifests/p1/list.txt")
    stranger = fronts.Front(bench, "p2")
    theirs, none = {
        "knowledgeBaseId": (base, "none"),
        "selection": ({"knowledgeBaseId": base, "status": "ready"}, {"knowledgeBaseId": "none", "status": "ready"}),
        "manifest": ("manifests/p1/list.txt", "manifests/p2/list.txt"),
    }[name]
    answers = [asked(stranger, **{name: each}) for each in (theirs, none)]
    assert [(each.status, each.body["reason"]) for each in answers] == [(400, answers[0].body["reason"])] * 2


def test_a_manifest_is_refused_when_it_has_more_bytes_than_are_read(bench, front):
    lay(bench, KEY, MANIFEST_BYTES_MAX)
    assert asked(front, manifest=KEY).status == 202
    lay(bench, KEY, MANIFEST_BYTES_MAX + 1)
    assert "5000000 is the most" in asked(front, manifest=KEY).body["reason"]


def test_no_number_is_shown_when_it_is_not_known_yet(bench, front, base):
    """No percentages of nothing, no rows, no file; and it is in the list like any other."""
    opened = asked(front, knowledgeBaseId=base)
    shown = front.task(opened.body["taskId"])
    assert opened.body == shown | {"asOf": opened.body["asOf"]}
    told = [shown[name] for name in ("status", "totalCount", "percent", "pendingCount", "stale", "notMoving")]
    assert told == ["gathering", None, None, 0, False, None]
    assert front.get(TASKS).body["tasks"] == [shown | {"checked": None}]
    task = shown["taskId"]
    assert front.get(f"{TASKS}/{task}/results").body == {"results": [], "nextCursor": None}
    assert front.get(f"{TASKS}/{task}/results", query={"cursor": "1"}).status == 400
    assert front.get(f"/asl/extraction/results/{task}-0").status == 404
    refused = front.post(f"{TASKS}/{task}/exports", {"format": "csv"})
    assert (refused.status, refused.problem) == (409, "no-export")


def test_a_failed_task_never_looks_like_a_success_when_it_is_shown(bench, front, base):
    task = asked(front, knowledgeBaseId=base).body["taskId"]
    bench.settle("probe")
    shown = front.task(task)
    assert (shown["status"], shown["percent"], shown["errorMessage"]) == (
        "failed",
        None,
        "There are no documents there.",
    )
    refused = front.verb("retry", task)
    assert refused.body["detail"] == "It has no rows to try again. Start a new task."


def test_the_task_that_was_opened_is_answered_when_a_reference_is_sent_twice(bench, front, base):
    """Also when the base is gone by then; another reference under the same key is refused."""
    headers = {"idempotency-key": "k"}
    body = {"templateId": "rct", "kind": "probe", "knowledgeBaseId": base}
    first = front.post(TASKS, body, headers=headers)
    other = front.post(TASKS, {**body, "knowledgeBaseId": None, "documentIds": [bench.probe()]}, headers=headers)
    front.send("DELETE", f"/pkb/knowledge-bases/{base}")
    again = front.post(TASKS, body, headers=headers)
    assert (again.status, again.body["taskId"]) == (200, first.body["taskId"])
    assert (other.status, other.problem) == (409, "idempotency-key-reused")


def estimated(front, **named):
    return front.post(f"{TASKS}/estimate", {"templateId": "rct", "kind": "probe", **named})


def test_an_estimate_counts_what_is_there_now_when_documents_are_named_by_reference(bench, front, base, monkeypatch):
    """And is refused in words where that is too much to look at, or a manifest is none."""
    for name in "abc":
        bench.paper(name, f"{name}.txt", knowledge_base=base)
    before = stored(bench)
    assert estimated(front, knowledgeBaseId=base).body["documents"] == 3
    assert estimated(front, selection={"knowledgeBaseId": base, "status": "unreadable"}).body["documents"] == 0
    monkeypatch.setattr(bodies, "DOCUMENTS_MAX", 2)
    answer = estimated(front, knowledgeBaseId=base)
    assert (answer.status, answer.body["field"]) == (400, "documentIds")
    assert "more than 2, the most of an estimate" in answer.body["reason"]
    assert stored(bench) == before
    lay(bench, KEY, 50)
    answer = estimated(front, manifest=KEY)
    assert (answer.status, answer.body["reason"]) == (400, "Entry 1 of the manifest is no document's id.")


def test_a_gathering_task_is_shown_among_what_stands_still_when_it_takes_long(bench, front, base):
    asked(front, knowledgeBaseId=base)
    assert front.get("/asl/extraction/doctor").body["notMoving"] == []
    bench.pass_time(minutes=1)
    bench.sweep_once(parts=0)
    bench.pass_time(minutes=3)
    (found,) = front.get("/asl/extraction/doctor").body["notMoving"]
    assert (found["reason"], found["rows"]) == ("gathering", 0)
