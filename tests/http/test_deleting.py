"""Deleting a closed task: a tombstone stays for its key, everything else of it is erased."""

from contextlib import suppress

import pytest

import janitor
from tests.http import front as fronts
from tests.http.front import BUSY, TASKS, key_of
from tests.support.calls import Killed, aws_error
from tests.support.clients import client
from tests.support.items import NOW, a_task


@pytest.fixture
def two(bench, front) -> tuple[str, str]:
    """Two closed tasks over the same documents."""
    documents = [bench.probe(), bench.probe("permanent"), bench.probe()]
    made = front.started(documents, key="one"), front.started(documents, key="two")
    bench.settle("probe")
    return made


def of(bench, task_id: str) -> tuple[int, int]:
    """How many rows there are of a task, and payloads and object versions, but for the mark of its having been erased."""
    found = fronts.objects(bench, f"tasks/{key_of(task_id)}/")
    payloads = [item for item in bench.payloads() if item.shard.startswith(f"{key_of(task_id)}/")]
    return len(bench.rows(task_id)), len(payloads) + sum(not key.endswith("/erased") for key, _ in found)


def test_the_janitor_is_called_for_this_task_when_it_is_deleted(bench, front, two):
    bench.nudges.clear()
    answer = front.verb("delete", two[0])
    assert (answer.status, answer.text) == (204, "")
    assert bench.nudges == [{"source": "api", "task": key_of(two[0])}]


def test_only_a_tombstone_is_left_when_the_janitor_has_been(bench, front, two):
    """Rows, payloads, manifest, every version; the other task over the same documents keeps its own, and the papers stay."""
    gone, kept = two
    papers = fronts.objects(bench, "documents/")
    before = of(bench, kept), front.table(kept)
    assert of(bench, gone) == (3, 3)
    front.verb("delete", gone)
    assert fronts.erase(bench) == 3
    assert of(bench, gone) == (0, 0)
    assert (of(bench, kept), front.table(kept)) == before
    assert fronts.objects(bench, "documents/") == papers
    tombstone = bench.task(gone)
    assert (tombstone.listed_in, tombstone.deleted_at) == (None, bench.clock.now)


def test_older_versions_go_as_well_when_a_task_is_erased(bench, front, two):
    """A repetition of the request had stored the manifest anew: an object that cannot be seen is still there."""
    assert front.start([row.document for row in bench.rows(two[0])], key="one").status == 200
    assert of(bench, two[0]) == (3, 4)
    front.verb("delete", two[0])
    fronts.erase(bench)
    assert of(bench, two[0]) == (0, 0)


def test_nobody_else_is_touched_when_one_id_is_the_beginning_of_another(bench, front):
    """tasks/p1/t1 is the beginning of tasks/p1/t10 as well."""
    for name in ("t1", "t10"):
        bench.put(a_task(task=f"p1/{name}", status="completed", completed=1, completed_at=NOW, listed_in="p1"))
        with bench.calls.unwatched():
            client("s3").put_object(Bucket="databucket", Key=f"tasks/p1/{name}/manifest-0.json", Body=b"{}")
    front.verb("delete", "t1")
    fronts.erase(bench)
    assert [key for key, _ in fronts.objects(bench, "tasks/")] == ["tasks/p1/t1/erased", "tasks/p1/t10/manifest-0.json"]


def test_nothing_of_a_task_can_be_had_when_it_was_deleted(bench, front, two):
    """Also before the janitor has been: deleted is deleted."""
    row = front.table(two[0])[0]
    front.verb("delete", two[0])
    for verb in ("get", "results", "cancel", "pause", "resume", "retry", "delete"):
        assert front.verb(verb, two[0]).status == 404, verb
    assert front.get(f"{fronts.RESULTS}/{row['resultId']}").status == 404
    assert [task["taskId"] for task in front.get(TASKS).body["tasks"]] == [two[1]]


@pytest.mark.parametrize("how", ["busy", "no such function", "never arrives"])
def test_the_daily_round_erases_a_task_when_the_call_to_the_janitor_is_lost(bench, front, two, how):
    with bench.calls.watch() as calls:
        if how != "never arrives":
            calls.fail("Invoke", aws_error(BUSY if how == "busy" else "ResourceNotFoundException"))
        assert front.verb("delete", two[0]).status == 204
    bench.nudges.clear()
    bench.tidy()
    assert of(bench, two[0]) == (0, 0)
    assert of(bench, two[1]) == (3, 3)


@pytest.mark.parametrize("cut", range(9))
def test_a_task_is_erased_all_the_same_when_the_janitor_dies_at_a_call(bench, front, two, cut):
    """Objects are erased after rows, so that the next round still finds what is left."""
    front.verb("delete", two[0])
    with bench.calls.watch() as calls, suppress(Killed):
        calls.cut_after = cut
        janitor.lambda_handler(bench.nudges.pop(), bench.context(900))
    assert len(calls.made) == cut + 1
    bench.tidy()
    assert of(bench, two[0]) == (0, 0)
    assert of(bench, two[1]) == (3, 3)


def test_a_task_is_deleted_once_when_two_delete_it_at_once(bench, front, two):
    """Before the one write of the one, the whole of the other; after it there is nothing to delete."""
    answers = []
    with bench.calls.watch() as calls:
        calls.on_call = lambda _n, operation, _a: (
            answers.append(front.verb("delete", two[0]).status) if operation == "UpdateItem" else None
        )
        answers.append(front.verb("delete", two[0]).status)
    assert answers == [204, 204]
    assert front.verb("delete", two[0]).status == 404
    assert bench.task(two[0]).deleted_at == bench.clock.now


def test_a_late_payload_is_erased_when_its_task_was_deleted_before_it_came(bench, front, two):
    """A worker that was given up may still write; the daily round finds it."""
    front.verb("delete", two[0])
    fronts.erase(bench)
    with bench.calls.unwatched():
        client("s3").put_object(Bucket="databucket", Key=f"tasks/{key_of(two[0])}/rows/0-9.json", Body=b"{}")
    bench.tidy()
    assert of(bench, two[0]) == (0, 0)


@pytest.mark.parametrize("status", ["pending", "completed"])
def test_late_rows_are_erased_a_day_later_when_a_request_stood_still_until_its_task_was_deleted(
    bench, front, two, status
):
    """It goes on in the middle of its wave, and its rows find none in their way. Mutation caught: erased only once."""
    late = bench.rows(two[0])[0]
    front.verb("delete", two[0])
    fronts.erase(bench)
    late.status = status
    bench.put(late)
    bench.pass_time(minutes=60 * 24 + 1)
    bench.tidy()
    assert of(bench, two[0]) == (0, 0)
    assert fronts.objects(bench, f"tasks/{key_of(two[0])}/") == []


def test_the_mark_of_an_erased_task_is_made_once_when_the_daily_round_comes_within_the_day(bench, front, two):
    front.verb("delete", two[0])
    fronts.erase(bench)
    bench.tidy()
    assert len(fronts.objects(bench, f"tasks/{key_of(two[0])}/")) == 1


def test_a_retry_can_be_deleted_and_its_parent_stays_when_both_have_closed(bench, front, two):
    child = front.verb("retry", two[0]).body["taskId"]
    bench.settle("probe")
    front.verb("delete", child)
    fronts.erase(bench)
    assert of(bench, child) == (0, 0)
    assert len(front.table(two[0])) == 3
