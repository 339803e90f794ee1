"""A task whose documents are named by reference: gathered behind the answer, by one of however many try, or closed in words."""

import itertools
import json
from dataclasses import replace
from typing import Any

import pytest

from sheaf.aggregator import gather_task
from sheaf.outside import objects, wiring
from sheaf.protocol import manifest
from tests.support import model_engines
from tests.support.bench import TASKS
from tests.support.calls import Killed, aws_error
from tests.support.clients import client
from tests.support.items import SECOND
from tests.support.provider import serving
from tests.support.shelf import a_document

LEASE_SECONDS = gather_task.LEASE_MS / SECOND + 1


def shelved(bench, base, count=3, acts=("ok",), project="p1") -> list[str]:
    """So many probes in this knowledge base, the oldest first."""
    named = []
    for _ in range(count):
        bench.pass_time(seconds=1)
        bench.papers += 1
        script = json.dumps({"acts": acts, "sleep_ms": 0, "echo": bench.papers})
        place = {"project": project, "read": script.encode(), "knowledge_base": base}
        named.append(bench.paper(script, f"{bench.papers}.txt", **place))
    return named


def opened(bench, **named: Any) -> str:
    status, task = bench.http("POST", TASKS, {"templateId": "rct", "kind": "probe", **named})
    assert (status, task["status"], task["totalCount"], task["percent"]) == (202, "gathering", None, None), task
    return str(task["taskId"])


def laid(bench, text: str | bytes, key="manifests/p1/list.txt") -> str:
    """A manifest in the bucket; gives its key."""
    with bench.calls.unwatched():
        client("s3").put_object(Bucket="databucket", Key=key, Body=text)
    return str(key)


def shown(bench, task) -> dict[str, Any]:
    return dict(bench.http("GET", f"{TASKS}/{task}")[1])


def ended(bench, task) -> tuple[str, str | None]:
    """How it closed without rows, and why; its quota's place is the only trace."""
    bench.sweep_once()
    bench.sweep_once()
    told = shown(bench, task)
    assert bench.rows(task) == bench.queued() == []
    assert (told["totalCount"], told["percent"], told["completedAt"] is None) == (None, None, False)
    assert [notice["status"] for notice in bench.notices if notice["taskId"] == task] == [told["status"]]
    return told["status"], told["errorMessage"]


def limit(bench, **numbers: int) -> None:
    """Other numbers in the deployment, for every function that has them."""
    for name, world in bench.worlds.items():
        known = {key: value for key, value in numbers.items() if hasattr(world.settings, key)}
        bench.worlds[name] = replace(world, settings=replace(world.settings, **known))
        wiring.worlds[type(world.settings)] = bench.worlds[name]


def asked_to_gather(bench, task) -> None:
    """Somebody holds the task by now; his event is on the way."""
    bench.sweep_once(parts=0)
    bench.parts = [{"source": "gather", "task": f"p1/{task}", "until": bench.task(task).dispatch_until}]


def weight(bench) -> int:
    return int(bench.gate("places/p1/tasks").weight)


def test_the_answer_waits_for_no_document_when_a_knowledge_base_is_named(bench, base):
    """◆ The base and the template, a place, the task, a nudge. Mutation caught: listing before the answer."""
    shelved(bench, base)
    with bench.calls.watch() as calls:
        opened(bench, knowledgeBaseId=base)
    assert calls.operations == ["GetItem", "UpdateItem", "PutItem", "Invoke"]


def test_every_document_becomes_a_row_when_a_knowledge_base_is_gathered(bench, base, small):
    """Newest first, as its list is shown, and in as many parts as there are."""
    named = shelved(bench, base, 30)
    task = opened(bench, knowledgeBaseId=base)
    bench.sweep_once()
    assert [row.document for row in bench.rows(task)] == named[::-1]
    bench.settle("probe")
    told = shown(bench, task)
    assert (told["status"], told["totalCount"], told["completedCount"], told["percent"]) == ("completed", 30, 30, 100)
    assert bench.runs() == {(task, number): 1 for number in range(30)}
    assert told["knowledgeBaseId"] == base


def test_what_cannot_be_worked_on_becomes_a_row_with_an_error_when_it_is_gathered(bench, base):
    """◆ Not read yet, deleted this moment, nobody's, another project's. Mutation caught: any of them left out."""
    (ready, deleted), (theirs,) = shelved(bench, base, 2), shelved(bench, "kb", 1, project="p2")
    bench.put(a_document("p1", base, "waits", state="reading", created_at=bench.clock.now))
    text = f"waits\n{ready}\n{deleted}\n\nnobodys\n{theirs}\n{ready}"
    task = opened(bench, manifest=laid(bench, text))
    assert bench.http("DELETE", f"/pkb/documents/{deleted}")[0] == 204
    bench.settle("probe")
    rows = bench.rows(task)
    assert [(row.document, row.status) for row in rows] == [
        ("waits", "error"), (ready, "completed"), (deleted, "error"), ("nobodys", "error"), (theirs, "error"),
    ]  # fmt: skip
    assert {row.error_message for row in rows[2:]} == {"The document is not in the library any more."}
    assert rows[0].error_message == "The document was not ready to be read (reading)."
    assert shown(bench, task)["status"] == "completed"


@pytest.mark.parametrize("form", ["\n".join, json.dumps, lambda ids: "\ufeff" + "\r\n".join(map(json.dumps, ids))])
def test_a_manifest_is_read_when_it_has_ids_in_any_of_its_forms(bench, base, form):
    named = shelved(bench, base)
    task = opened(bench, manifest=laid(bench, form(named)))
    bench.sweep_once()
    assert [row.document for row in bench.rows(task)] == named


def test_the_manifest_that_was_there_is_taken_when_another_is_laid_over_it(bench, base):
    """Mutation caught: reading whatever is there by then."""
    first, second = shelved(bench, base, 2)
    task = opened(bench, manifest=laid(bench, first))
    laid(bench, second)
    bench.sweep_once()
    assert [row.document for row in bench.rows(task)] == [first]


def test_documents_of_one_status_are_taken_when_a_selection_names_it(bench, base):
    """Mutation caught: taking all of the base."""
    ready = shelved(bench, base, 2)
    bench.put(a_document("p1", base, "waits", state="needs_ocr", created_at=bench.clock.now))
    tasks = [opened(bench, selection={"knowledgeBaseId": base, "status": each}) for each in ("ready", "needs_ocr")]
    bench.sweep_once()
    assert [[row.document for row in bench.rows(task)] for task in tasks] == [ready[::-1], ["waits"]]


NO_IDS = "The manifest holds neither document ids, one a line, nor a JSON array of them."


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "There are no documents there."),
        ("[]", "There are no documents there."),
        ("d1\n../d2", "Entry 2 of the manifest is no document's id."),
        ('["d1", {"documentId": "d2"}]', "Entry 2 of the manifest is no document's id."),
        ('["d1", "d2"', NO_IDS),
        (b"\xff\xfe\x00d", NO_IDS),
        ("[" * 200_000, NO_IDS),
    ],
)
def test_a_task_fails_in_words_when_its_manifest_gives_no_documents(bench, text, why):
    assert ended(bench, opened(bench, manifest=laid(bench, text))) == ("failed", why)


def test_a_task_fails_in_words_when_its_manifest_was_erased(bench):
    task = opened(bench, manifest=laid(bench, "d1"))
    with bench.calls.unwatched():
        found = client("s3").list_object_versions(Bucket="databucket", Prefix="manifests/")["Versions"]
        for each in found:
            client("s3").delete_object(Bucket="databucket", Key=each["Key"], VersionId=each["VersionId"])
    assert ended(bench, task) == ("failed", "The manifest is not there any more.")


def test_a_task_fails_in_words_when_its_knowledge_base_is_empty(bench, base):
    assert ended(bench, opened(bench, knowledgeBaseId=base)) == ("failed", "There are no documents there.")


def test_a_task_fails_in_words_when_it_has_more_documents_than_a_task_may(bench, base, small):
    """Mutation caught: counting after the last part only."""
    shelved(bench, base, 14)
    limit(bench, documents_per_task=13)
    why = "There are more than 13 documents, the most of one task. Start several tasks."
    assert ended(bench, opened(bench, knowledgeBaseId=base)) == ("failed", why)


def test_a_project_has_its_places_taken_when_a_total_is_known(bench, base):
    """◆ For none at first, and once for all of them however often it is gathered. Mutation caught: a place for each gathering."""
    shelved(bench, base, 5)
    task = opened(bench, knowledgeBaseId=base)
    assert weight(bench) == 0
    asked_to_gather(bench, task)
    with bench.calls.watch() as calls:
        calls.fail("UpdateItem", aws_error("ThrottlingException"), after=1)
        bench.scatter()
    assert (weight(bench), bench.task(task).status) == (5, "gathering")
    bench.sweep_once()
    assert weight(bench) == 5
    bench.settle("probe")


def test_a_task_fails_in_words_when_its_documents_are_more_than_its_project_may_have_under_way(bench, base):
    """And those of closed tasks do not count. Mutation caught: no look at who is over."""
    named = shelved(bench, base, 5)
    limit(bench, documents_per_project=8)
    first = opened(bench, knowledgeBaseId=base)
    bench.sweep_once()
    second = opened(bench, manifest=laid(bench, "\n".join(named[:4])))
    bench.sweep_once()
    told = shown(bench, second)
    assert (told["status"], told["errorMessage"].partition(";")[0]) == (
        "failed", "5 documents are under way in this project",
    )  # fmt: skip
    bench.settle("probe")
    assert shown(bench, first)["status"] == "completed"
    opened(bench, manifest=laid(bench, "\n".join(named[:4])))
    bench.settle("probe")
    assert weight(bench) == 4


def test_nothing_is_left_and_nothing_double_when_a_gatherer_dies_at_any_of_its_calls(bench, base, small):
    """◆ Before the call or after it: another begins anew when the lease is over, and every document has one row."""
    named = shelved(bench, base, 14)
    for number, way in itertools.product(range(40), ("cut_before", "cut_after")):
        task = opened(bench, knowledgeBaseId=base)
        asked_to_gather(bench, task)
        with bench.calls.watch() as calls:
            setattr(calls, way, number)
            try:
                bench.scatter()
            except Killed:
                bench.calls.dead = False
        died = len(calls.operations) > number
        bench.parts = []
        bench.pass_time(seconds=LEASE_SECONDS)
        bench.settle("probe")
        assert [row.document for row in bench.rows(task)] == named[::-1], (number, way)
        if not died:
            break
    assert number > 10


def test_one_of_two_is_believed_when_both_gather(bench, base, small, monkeypatch):
    """◆ The late one's write is refused, and its parts are under a mark of its own. Mutation caught: one mark for both."""
    named = shelved(bench, base, 13)
    task = opened(bench, knowledgeBaseId=base)
    asked_to_gather(bench, task)
    slow = bench.parts
    met: list[str] = []

    def another(_number, operation, arguments):
        if operation == "PutObject" and arguments["Key"].endswith("/0000") and not met:
            met.append(arguments["Key"])
            bench.pass_time(seconds=LEASE_SECONDS)
            assert bench.http("DELETE", f"/pkb/documents/{named[0]}")[0] == 204
            bench.sweep_once()

    bench.parts = slow
    with bench.calls.watch() as calls:
        calls.on_call = another
        bench.scatter()
    item = bench.task(task)
    assert (item.total, item.manifest_key) != (13, met[0].rpartition("/")[0])
    bench.settle("probe")
    assert [row.document for row in bench.rows(task)] == named[:0:-1]


def test_a_gathering_is_left_alone_when_somebody_is_at_it_or_it_is_done(bench, base):
    """Its event comes twice, or late: an older holder's changes nothing."""
    shelved(bench, base, 2)
    task = opened(bench, knowledgeBaseId=base)
    asked_to_gather(bench, task)
    (event,), bench.parts = bench.parts, []
    bench.sweep_once()
    assert bench.parts == []
    for until in (event["until"] - 1, event["until"], event["until"]):
        bench.parts = [event | {"until": until}]
        bench.scatter()
    bench.settle("probe")
    assert bench.statuses(task) == ["completed"] * 2
    assert bench.runs() == {(task, 0): 1, (task, 1): 1}


def test_another_is_asked_at_once_when_nobody_could_be_asked_or_a_table_was_busy(bench, base):
    """Mutation caught: a lease that nobody holds, for minutes."""
    shelved(bench, base, 2)
    task = opened(bench, knowledgeBaseId=base)
    with bench.calls.watch() as calls:
        calls.fail("Invoke", aws_error("TooManyRequestsException", 429))
        bench.sweep_once()
    assert bench.task(task).dispatch_until == 0
    with bench.calls.watch() as calls:
        calls.fail("BatchGetItem", aws_error("ThrottlingException"), after=1)
        bench.sweep_once()
    bench.sweep_once()
    assert len(bench.rows(task)) == 2


@pytest.mark.parametrize("when", ["before", "meanwhile"])
def test_a_task_closes_without_rows_when_it_is_cancelled_while_it_is_gathered(bench, base, when):
    """◆ Mutation caught: a gatherer that goes on to rows behind a cancel."""
    shelved(bench, base)
    task = opened(bench, knowledgeBaseId=base)

    def cancel(*_):
        calls.on_call = lambda *_: None
        assert bench.http("POST", f"{TASKS}/{task}/cancel")[1]["cancelRequested"]

    with bench.calls.watch() as calls:
        if when == "before":
            cancel()
        else:
            asked_to_gather(bench, task)
            calls.on_call = lambda _, operation, __: cancel() if operation == "PutObject" else None
            bench.scatter()
    assert ended(bench, task) == ("cancelled", None)
    assert bench.http("DELETE", f"{TASKS}/{task}")[0] == 204


def test_a_pause_holds_when_it_was_asked_for_while_a_task_was_gathered(bench, base):
    shelved(bench, base)
    task = opened(bench, knowledgeBaseId=base)
    assert bench.http("POST", f"{TASKS}/{task}/pause")[0] == 202
    bench.sweep_once()
    bench.deliver("probe")
    assert (bench.statuses(task), bench.runs()) == (["pending"] * 3, {})
    bench.http("POST", f"{TASKS}/{task}/resume")
    bench.settle("probe")
    assert shown(bench, task)["completedCount"] == 3


def test_a_rows_cost_is_known_when_a_task_with_a_budget_was_gathered(bench, base):
    """As much as that of the same documents by their ids. Mutation caught: no cost, so that a budget stops too late."""
    named = [
        bench.paper(f"Paper {number}. {'word ' * 90}", f"{number}.txt", knowledge_base=base) for number in range(3)
    ]
    with serving() as provider:
        model_engines.configure(bench, provider)
        asked = {"kind": "extract_paper", "engine": "openai", "budgetUsd": 2}
        by_ids = bench.post(named, **asked)[1]["taskId"]
        task = opened(bench, knowledgeBaseId=base, **asked)
        bench.sweep_once()
    costs = [bench.task(each).row_cost for each in (by_ids, task)]
    assert costs[0] == pytest.approx(costs[1], abs=2)
    assert costs[1] > 0


def test_a_manifest_is_in_parts_that_hold_all_of_it_when_it_was_gathered(bench, base, small):
    shelved(bench, base, 25)
    task = opened(bench, knowledgeBaseId=base)
    bench.sweep_once()
    item = bench.task(task)
    contents = [objects.get(bench.sweep_world, key) for key in manifest.keys(item)]
    assert [len(manifest.part(item, number, content)) for number, content in enumerate(contents)] == [12, 12, 1]


@pytest.mark.slow
def test_a_task_is_one_small_item_when_a_hundred_thousand_were_gathered(bench):
    """Fifty parts are asked for, and a status stays one read. (Of no such document is there more than a row with an error.)"""
    count = 100_000
    task = opened(bench, manifest=laid(bench, "\n".join(f"d{number:019d}" for number in range(count))))
    bench.sweep(seconds=16, parts=1)
    item = bench.task(task)
    assert (item.total, item.status, item.shard_rows, len(item.unsent)) == (count, "processing", 1_000, 50)
    assert len(json.dumps(item.serialize())) < 4_000
    parts = [objects.get(bench.sweep_world, key) for key in manifest.keys(item)]
    assert sum(1 for _ in manifest.rows(item, parts)) == count
