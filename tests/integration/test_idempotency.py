"""One request, one task: however often it is sent, whatever became of the first answer, and whoever is faster."""

from typing import Any

import pytest

from tests.support.bench import TASKS
from tests.support.clients import client

KEY = "one-key"


def documents(bench, count=3):
    return [bench.probe("ok") for _ in range(count)]


def test_the_same_task_is_answered_when_the_same_request_comes_again(bench):
    """202 and then 200 with the header; nothing is written or sent the second time."""
    named = documents(bench)
    first = bench.post(named, key=KEY)
    assert "Idempotency-Replayed" not in bench.last_headers
    assert bench.last_headers["Location"].endswith(first[1]["taskId"])
    before = bench.raw(), bench.queued()
    second = bench.post(named, key=KEY)
    assert (first[0], second[0]) == (202, 200)
    assert second[1]["taskId"] == first[1]["taskId"]
    assert bench.last_headers["Idempotency-Replayed"] == "true"
    assert (bench.raw(), bench.queued()) == before


def test_the_key_may_stand_in_the_body_when_it_is_not_in_the_header(bench):
    """Either place names the same task."""
    named = documents(bench)
    first = bench.post(named, key=KEY)[1]["taskId"]
    status, body = bench.post(named, idempotencyKey=KEY)
    assert (status, body["taskId"], len(bench.tasks())) == (200, first, 1)


def test_the_present_state_is_answered_when_the_task_has_gone_on_since(bench):
    """A replay after the close shows the closed task."""
    named = documents(bench)
    bench.post(named, key=KEY)
    bench.settle("probe")
    status, body = bench.post(named, key=KEY)
    assert (status, body["status"], body["completedCount"]) == (200, "completed", 3)


@pytest.mark.parametrize("other", [{"documentIds": "fewer"}, {"onNotReady": "error"}, {"kind": "extract_paper"}])
def test_a_request_is_refused_when_its_key_was_used_for_another(bench, other):
    """409, and the first task is untouched. (A place of the quota may be taken; it is cleared when room is wanted.)"""
    named = documents(bench)
    bench.post(named, key=KEY)
    before = bench.raw() | {"GatesTable": None}
    changed = named[:2] if other == {"documentIds": "fewer"} else named
    more = {} if other == {"documentIds": "fewer"} else other
    status, body = bench.post(changed, key=KEY, **more)
    assert (status, body["type"]) == (409, "urn:sheaf:problem:idempotency-key-reused")
    assert bench.raw() | {"GatesTable": None} == before


def test_the_same_task_is_answered_when_its_documents_were_deleted_since(bench):
    """What would be refused today was accepted then: mutation caught: checking the library before the key."""
    named = documents(bench)
    first = bench.post(named, key=KEY)[1]["taskId"]
    for document in named:
        client("dynamodb").delete_item(TableName="LibraryTable", Key={"entry": {"S": f"p1/document/{document}"}})
    status, body = bench.post(named, key=KEY)
    assert (status, body["taskId"]) == (200, first)
    assert bench.post(named[:1], key=KEY)[0] == 409
    assert bench.post(named, key="another")[0] == 400


def test_two_tasks_are_opened_when_there_is_no_key(bench):
    """Without a key each request is its own."""
    named = documents(bench)
    assert bench.post(named)[1]["taskId"] != bench.post(named)[1]["taskId"]
    assert len(bench.tasks()) == 2


def test_two_tasks_are_opened_when_two_projects_use_the_same_key(bench):
    """A key is the project's own: mutation caught: a key that is global, which gives one tenant another's task."""
    mine = bench.paper("10.1000/mine is the doi of this paper")
    theirs = bench.paper("10.1000/mine is the doi of this paper", project="p2")
    answers = [
        bench.http(
            "POST",
            TASKS,
            {"templateId": "rct", "documentIds": [document]},
            project=project,
            headers={"idempotency-key": KEY},
        )
        for project, document in (("p1", mine), ("p2", theirs))
    ]
    assert [status for status, _ in answers] == [202, 202]
    assert answers[0][1]["taskId"] != answers[1][1]["taskId"]


def test_a_deleted_tasks_key_opens_nothing_when_it_is_used_again(bench):
    """◆ Deleting leaves a tombstone: the item is the record of its key."""
    named = documents(bench)
    task = bench.post(named, key=KEY)[1]["taskId"]
    bench.settle("probe")
    assert bench.http("DELETE", f"{TASKS}/{task}")[0] == 204
    assert bench.post(named, key=KEY)[0] == 409
    assert len(bench.tasks()) == 1


def test_an_open_task_is_not_deleted_when_asked_to(bench):
    """◆ Deleting is for closed tasks."""
    task = bench.probes("ok")
    before = bench.raw()
    assert bench.http("DELETE", f"{TASKS}/{task}")[0] == 409
    assert bench.raw() == before


def interleaved(bench, named, others):
    """Two requests with one key; the second is made whole in the middle of the first, before its n-th call, for each n.

    Gives for each n the two answers.
    """
    n = 0
    while True:
        key = f"key-{n}"
        answers: list[Any] = []

        def another(number, _operation, _arguments, n=n, key=key, answers=answers):
            if number == n:
                answers.append(bench.post(others, key=key))

        with bench.calls.watch() as calls:
            calls.on_call = another
            answers.append(bench.post(named, key=key))
        if len(answers) == 1:
            assert n >= 7, "every call of the first was interrupted"
            return
        yield n, answers
        n += 1


def test_one_task_is_opened_when_the_same_request_is_made_twice_at_once(bench):
    """At every interleaving: one 202, one 200, one task, N rows, N messages."""
    named = documents(bench, 2)
    for n, answers in interleaved(bench, named, named):
        ids = {body["taskId"] for _, body in answers}
        assert (sorted(status for status, _ in answers), len(ids)) == ([200, 202], 1), n
        (task,) = ids
        assert len(bench.rows(task)) == 2, n
        assert sum(task in body for body in bench.queued()) == 2, n
        assert bench.task(task).dispatch_until is None, n
    bench.settle("probe")
    assert set(bench.runs().values()) == {1}


def test_one_task_is_opened_when_two_requests_with_one_key_are_made_at_once(bench):
    """At every interleaving: one is accepted, the other is 409, and every row is one of the winner's documents."""
    named, others = documents(bench, 2), documents(bench, 3)
    for n, answers in interleaved(bench, named, others):
        assert sorted(status for status, _ in answers) == [202, 409], n
        won = next(body for status, body in answers if status == 202)
        rows = [row.document for row in bench.rows(won["taskId"])]
        assert rows in (named, others), n
        assert len(rows) == won["totalCount"], n
    bench.settle("probe")
    assert set(bench.runs().values()) == {1}
