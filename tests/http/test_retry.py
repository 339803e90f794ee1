"""Trying again: a new task over what did not succeed, one chain and never a fork. DESIGN 3.3."""

from collections import Counter
from typing import Any

import pytest

from tests.http import front as fronts
from tests.http.front import BUSY, TASKS, Answer, key_of
from tests.support.calls import aws_error


def closed(bench, front, *acts: str) -> tuple[str, list[str]]:
    """A task that has closed, with a document for each act."""
    documents = [bench.probe(act) for act in acts or ("ok", "permanent", "permanent")]
    task_id = front.started(documents)
    bench.settle("probe")
    return task_id, documents


def retried(front, task_id: str, *, key: str | None = None, **body):
    headers = {"idempotency-key": key} if key else None
    return front.post(f"{TASKS}/{task_id}/retry", body or None, headers=headers)


def stored_of(bench, task_id: str) -> list[dict[str, Any]]:
    return [item.serialize() for item in (bench.task(task_id), *bench.rows(task_id))]


def pinned(rows) -> list[tuple[str | None, ...]]:
    return [(row.document, row.pinned_key, row.pinned_version, row.pinned_sha256) for row in rows]


# ---------------------------------------------------------------------------------------------------- what it opens


def test_a_new_task_is_opened_over_what_did_not_succeed(bench, front):
    """In the parent's order, as the parent was in everything else; the parent stays as it is, and names its child."""
    task_id, documents = closed(bench, front)
    parent_item, *rows = stored_of(bench, task_id)
    opened = retried(front, task_id)
    assert opened.status == 202
    child = opened.body
    assert opened.headers["Location"] == f"../{child['taskId']}"
    assert (child["retryOf"], child["totalCount"], child["status"]) == (task_id, 2, "processing")
    parent = front.task(task_id)
    assert [child[name] for name in ("kind", "templateId", "templateVersion", "knowledgeBaseId")] == [
        parent[name] for name in ("kind", "templateId", "templateVersion", "knowledgeBaseId")
    ]
    assert [row.document for row in bench.rows(child["taskId"])] == documents[1:]
    named = {"retried_by": {"S": key_of(child["taskId"])}}
    assert stored_of(bench, task_id) == [parent_item | named, *rows]
    bench.settle("probe")
    assert front.task(child["taskId"])["errorCount"] == 2


def test_cancelled_rows_are_tried_again_as_well(bench, front):
    task_id = front.started([bench.probe(), bench.probe("permanent"), bench.probe()])
    bench.deliver("probe", limit=2)
    front.verb("cancel", task_id)
    bench.settle("probe")
    statuses = Counter(bench.statuses(task_id))
    assert statuses["cancelled"] == 1
    child = retried(front, task_id).body
    assert child["totalCount"] == statuses["cancelled"] + statuses["error"]


def test_the_same_frozen_versions_are_tried_when_the_library_has_changed(bench, front):
    """Also of documents that are gone from it: the bytes are pinned."""
    task_id, documents = closed(bench, front, "permanent", "permanent", "permanent")
    frozen = pinned(bench.rows(task_id))
    fronts.replace_document(bench, documents[0], {"acts": ["ok"]})
    fronts.change_entry(bench, documents[1], state="parsing")
    fronts.remove_entry(bench, documents[2])
    child = retried(front, task_id).body["taskId"]
    assert pinned(bench.rows(child)) == frozen
    bench.settle("probe")
    assert bench.statuses(child) == ["error"] * 3


def test_the_librarys_current_versions_are_tried_when_the_retry_refreshes(bench, front):
    task_id, (document,) = closed(bench, front, "permanent")
    version = fronts.replace_document(bench, document, {"acts": ["ok"]})
    child = retried(front, task_id, refresh=True).body["taskId"]
    assert [row.pinned_version for row in bench.rows(child)] == [version]
    bench.settle("probe")
    assert bench.statuses(child) == ["completed"]


def test_what_is_not_ready_is_an_error_at_once_when_the_retry_refreshes(bench, front):
    """A retry has one answer for all its rows; those that can be worked on are."""
    task_id, documents = closed(bench, front, "permanent", "permanent")
    fronts.change_entry(bench, documents[0], state="parsing")
    fronts.replace_document(bench, documents[1], {"acts": ["ok"]})
    child = retried(front, task_id, refresh=True).body["taskId"]
    bench.settle("probe")
    assert bench.statuses(child) == ["error", "completed"]


def test_a_refresh_is_refused_when_a_document_is_not_in_the_library_any_more(bench, front):
    """With the way out: without refreshing, what was pinned is tried again."""
    task_id, documents = closed(bench, front, "permanent", "permanent")
    fronts.remove_entry(bench, documents[0])
    refused = retried(front, task_id, refresh=True)
    assert (refused.status, refused.body["field"], refused.body["documentIds"]) == (400, "refresh", [documents[0]])
    assert len(bench.tasks()) == 1
    assert retried(front, task_id).status == 202


# ---------------------------------------------------------------------------------------------------- once


@pytest.mark.parametrize("key", [None, "k"])
@pytest.mark.parametrize("meanwhile", ["nothing", "closed", "retried again", "over quota", "gone from the library"])
@pytest.mark.parametrize("refresh", [False, True])
def test_the_same_child_is_answered_when_a_retry_is_repeated(bench, front, key, meanwhile, refresh):
    """Replay first: also when the chain has gone on since, and when it would be refused by now."""
    task_id, documents = closed(bench, front, "permanent")
    first = retried(front, task_id, key=key, refresh=refresh)
    child = first.body["taskId"]
    match meanwhile:
        case "closed":
            bench.settle("probe")
        case "retried again":
            bench.settle("probe")
            assert retried(front, child).status == 202
        case "over quota":
            fronts.limit(bench, open_tasks_per_project=0)
        case "gone from the library":
            fronts.remove_entry(bench, documents[0])
    before = bench.raw()
    second = retried(front, task_id, key=key, refresh=refresh)
    assert (first.status, second.status) == (202, 200)
    assert (second.body["taskId"], second.headers["Idempotency-Replayed"]) == (child, "true")
    assert bench.raw() == before


@pytest.mark.parametrize(("key", "refresh"), [("other", False), (None, True), ("other", True)])
def test_the_newest_of_the_chain_is_named_when_a_task_was_retried_before(bench, front, key, refresh):
    """By another request: another key, or none and another wish. One chain, so there is one place to go on from."""
    task_id, _ = closed(bench, front, "permanent")
    child = retried(front, task_id).body["taskId"]
    before = bench.raw()
    refused = retried(front, task_id, key=key, refresh=refresh)
    assert (refused.status, refused.problem, refused.body["newestTaskId"]) == (409, "retried-before", child)
    bench.settle("probe")
    grandchild = retried(front, child).body["taskId"]
    assert retried(front, task_id, key=key, refresh=refresh).body["newestTaskId"] == grandchild
    assert len(before["TasksTable"]) == 2


def test_the_key_is_refused_when_it_was_used_for_a_retry_with_another_wish(bench, front):
    task_id, _ = closed(bench, front, "permanent")
    retried(front, task_id, key="k")
    refused = retried(front, task_id, key="k", refresh=True)
    assert (refused.status, refused.problem) == (409, "idempotency-key-reused")


def test_the_same_key_opens_both_when_a_task_and_its_retry_use_it(bench, front):
    """A key belongs to one kind of request on one task."""
    documents = [bench.probe("permanent")]
    task_id = front.started(documents, key="k")
    bench.settle("probe")
    child = retried(front, task_id, key="k")
    assert child.status == 202
    bench.settle("probe")
    assert retried(front, child.body["taskId"], key="k").status == 202
    assert front.start(documents, key="k").body["taskId"] == task_id


def test_a_retry_is_refused_when_its_child_was_deleted(bench, front):
    """Not answered with a task that is gone: neither repeated nor shown."""
    task_id, _ = closed(bench, front, "permanent")
    child = retried(front, task_id).body["taskId"]
    bench.settle("probe")
    front.verb("delete", child)
    refused = retried(front, task_id)
    assert (refused.status, refused.problem) == (409, "task-deleted")


def test_there_is_nothing_to_retry_when_everything_was_completed(bench, front):
    task_id, _ = closed(bench, front, "ok", "ok")
    refused = retried(front, task_id)
    assert (refused.status, refused.problem) == (409, "nothing-to-retry")
    assert len(bench.tasks()) == 1


# ---------------------------------------------------------------------------------------------------- at once


@pytest.mark.parametrize("keys", [(None, None), ("a", "a"), ("a", "b")])
def test_one_child_is_there_when_two_retry_at_once(bench, front, keys):
    """Between any two calls of the one, the whole of the other."""
    for number in range(30):
        task_id, _ = closed(bench, front, "permanent", "permanent")
        overtaking: list[Answer] = []
        with bench.calls.watch() as calls:
            calls.on_call = lambda at, _o, _a, number=number, task_id=task_id, overtaking=overtaking: (
                overtaking.append(retried(front, task_id, key=keys[1])) if at == number else None
            )
            slow = retried(front, task_id, key=keys[0])
            made = len(calls.made)
        if not overtaking:
            break
        fast = overtaking[0]
        expected = [200, 202] if keys[0] == keys[1] else [202, 409]
        assert sorted((slow.status, fast.status)) == expected, number
        children = [task for task in bench.tasks() if task.retry_of == key_of(task_id)]
        assert len(children) == 1, number
        assert len(bench.rows(children[0].id)) == 2
        if slow.status == 409 or fast.status == 409:
            refused = slow if slow.status == 409 else fast
            assert refused.body["newestTaskId"] == children[0].id
    assert number == made > 6


def test_one_child_is_opened_when_the_reply_to_any_call_is_lost(bench, front):
    """The transaction that opens it recognises itself."""
    for number in range(30):
        task_id, _ = closed(bench, front, "permanent")
        with bench.calls.watch() as calls:
            calls.lose_reply_of = number
            opened = retried(front, task_id)
            made = len(calls.made)
        assert opened.status == 202, number
        assert len([task for task in bench.tasks() if task.retry_of == key_of(task_id)]) == 1
        if number == made:
            break
    assert number == made > 6


@pytest.mark.parametrize("operation", ["GetItem", "Query", "PutObject", "TransactWriteItems"])
def test_the_caller_is_told_to_come_back_when_aws_is_busy_before_the_child_is_open(bench, front, operation):
    """The first transaction is the one that opens it."""
    task_id, _ = closed(bench, front, "permanent")
    with bench.calls.watch() as calls:
        calls.fail(operation, aws_error(BUSY))
        refused = retried(front, task_id)
    assert (refused.status, refused.problem) == (503, "try-again")
    assert retried(front, task_id).status == 202


def test_a_fork_is_never_made_when_three_retry_the_same_task_and_its_child(bench, front):
    """However the requests come, following retryOf from the newest leads to the first through every task once."""
    task_id, _ = closed(bench, front, "permanent")
    for round_number in range(3):
        known = [task.id for task in bench.tasks()]
        for place, each in enumerate(known):
            retried(front, each, key=f"{round_number}-{place}")
        bench.settle("probe")
    parents = [task.retry_of for task in bench.tasks()]
    assert len(parents) == 4
    assert len(set(parents)) == 4
    assert {task.id: task.retry_of for task in bench.tasks()}[task_id] is None
