"""Closing: by recount and never by countdown, once, in one write, told of at least once, and final."""

import pytest

from sheaf import scatter
from sheaf.models import shard_key
from tests.support.bench import TASKS
from tests.support.calls import Killed, aws_error
from tests.support.items import a_row

SHARD = 4


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(scatter, "SHARD_ROWS", SHARD)


def read_shards(calls):
    """The shards that were counted, by number, as often as they were."""
    queried = [arguments for _, operation, arguments in calls.made if operation == "Query" and "IndexName" not in arguments]
    return [int(next(iter(query["ExpressionAttributeValues"].values()))["S"].rpartition("/")[2]) for query in queried]


def test_a_task_closes_with_the_counts_of_its_rows_when_the_last_one_ends(bench, small):
    """Completed, failed and failed-at-once rows alike; `completed` because none was cancelled."""
    bench.tolerated = (ZeroDivisionError,)
    documents = [bench.probe("ok") for _ in range(5)] + [bench.probe("permanent"), bench.probe("transient")]
    task = bench.open(documents, kind="probe")
    bench.settle("probe")
    item = bench.task(task)
    assert (item.status, item.completed, item.error, item.cancelled, item.extracting) == ("completed", 5, 2, 0, 0)
    assert (item.completed_at, item.dispatch_until) == (item.counted_at, None)
    _, shown = bench.http("GET", f"{TASKS}/{task}")
    assert (shown["percent"], shown["stale"], shown["errorCount"]) == (100, False, 2)


@pytest.mark.parametrize("left", ["pending", "extracting"])
def test_a_task_does_not_close_when_one_row_is_still(bench, small, left):
    """However many have ended: mutation caught: closing when nothing is pending."""
    task = bench.probes("ok", count=5)
    bench.deliver("probe", limit=4)
    if left == "extracting":
        with bench.calls.watch() as calls:
            calls.cut_before = 3
            bench.deliver("probe")
    bench.sweep_once()
    item = bench.task(task)
    assert (item.status, item.completed, item.completed_at) == ("processing", 4, None)
    _, shown = bench.http("GET", f"{TASKS}/{task}")
    assert (shown["percent"], shown[f"{left}Count"]) == (80, 1)


def test_a_task_does_not_close_when_rows_are_missing(bench, small):
    """◆ Terminal rows must be as many as the manifest gives, not as many as there are: an empty shard has no open row."""
    from tests.support.clients import client  # noqa: PLC0415

    task = bench.probes("ok", count=5)
    bench.deliver("probe")
    key = {"shard": {"S": shard_key(f"p1/{task}", 1)}, "row": {"N": "4"}}
    client("dynamodb").delete_item(TableName="ResultsTable", Key=key)
    bench.sweep_once()
    assert (bench.task(task).status, bench.task(task).sealed) == ("processing", {"0": [4, 0, 0]})
    bench.settle("probe")
    assert bench.task(task).completed == 5


def test_a_sealed_shard_is_not_read_again_when_others_are_open(bench, small):
    """Recounting costs what is still open."""
    bench.open([bench.probe("ok") for _ in range(8)] + [bench.probe("throttle:600")], kind="probe")
    bench.deliver("probe")
    with bench.calls.watch() as calls:
        bench.sweep_once()
    assert set(read_shards(calls)) == {0, 1, 2}
    bench.pass_time(minutes=1)
    with bench.calls.watch() as calls:
        bench.sweep_once()
    assert set(read_shards(calls)) == {2}
    bench.pass_time(minutes=1)
    with bench.calls.watch() as calls:
        bench.http("GET", f"{TASKS}/{bench.tasks()[0].id}")
    assert set(read_shards(calls)) == {2}


def test_the_close_is_one_write_when_it_happens(bench):
    """◆ Status, counts, instant and the end of the scatter together: no reader ever sees half of it."""
    task = bench.probes("ok", count=2)
    bench.deliver("probe")
    with bench.calls.watch() as calls:
        bench.sweep_once()
    closes = [
        arguments
        for _, operation, arguments in calls.made
        if operation == "UpdateItem" and "completed" in str(arguments["ExpressionAttributeValues"])
        and arguments["TableName"] == "TasksTable" and "completed_at" in str(arguments["ExpressionAttributeNames"])
    ]  # fmt: skip
    assert len(closes) == 1
    names = set(closes[0]["ExpressionAttributeNames"].values())
    assert names >= {"status", "completed", "error", "cancelled", "extracting", "sealed", "completed_at", "dispatch_until"}
    assert bench.task(task).status == "completed"


def test_nothing_is_counted_any_more_when_another_sweeper_has_closed_the_task(bench):
    """◆ A late count is refused: mutation caught: counting without `processing`, which reopens the numbers."""
    task = bench.probes("ok", count=2)
    bench.deliver("probe", limit=1)
    done = []

    def finish(_number, operation, arguments):
        if operation == "UpdateItem" and arguments["TableName"] == "TasksTable" and not done:
            done.append(None)
            bench.deliver("probe")
            bench.pass_time(seconds=20)
            bench.sweep_once()
            done[0] = bench.task(task).attribute_values
            assert bench.task(task).status == "completed"

    with bench.calls.watch() as calls:
        calls.on_call = finish
        bench.sweep_once()
    after = bench.task(task).attribute_values
    assert done
    assert {**done[0], "notified_at": None} == {**after, "notified_at": None}


def test_a_task_closes_once_when_two_sweepers_close_it(bench):
    """The second is refused and takes that for the end; both may tell, with one id."""
    task = bench.probes("ok")
    bench.deliver("probe")
    closed = []

    def another(_number, operation, arguments):
        if operation == "UpdateItem" and arguments["TableName"] == "TasksTable" and not closed:
            bench.pass_time(seconds=20)
            closed.append(bench.clock.now)
            bench.sweep_once()
            bench.pass_time(seconds=20)

    with bench.calls.watch() as calls:
        calls.on_call = another
        bench.sweep()
    item = bench.task(task)
    assert (item.status, item.active) == ("completed", None)
    assert [item.completed_at] == closed
    assert {notice["noticeId"] for notice in bench.notices} == {f"p1/{task}/closed"}


def test_closed_counts_never_change_when_everything_happens_again(bench):
    """Messages, dead letters, sweeps, cancels, pauses and a late scatter: the tables stay byte for byte."""
    task = bench.open([bench.probe("ok"), bench.probe("permanent")], kind="probe", key="k")
    bodies = bench.queued()
    stale = bench.task(task)
    bench.settle("probe")
    bench.sweep_once()
    before = {name: items for name, items in bench.raw().items() if name != "GatesTable"}
    for body in bodies:
        bench.message(body)
        bench.dead(body)
    bench.deliver("probe")
    for action in ("cancel", "pause", "resume"):
        assert bench.http("POST", f"{TASKS}/{task}/{action}")[0] == 409
    assert scatter.resume(bench.sweep_world, stale, bench.clock.now + 9_000) is False
    bench.pass_time(hours=30)
    bench.sweep(f"p1/{task}")
    bench.tidy()
    assert {name: items for name, items in bench.raw().items() if name != "GatesTable"} == before
    assert bench.http("GET", f"{TASKS}/{task}")[1]["completedCount"] == 1


def test_a_status_costs_one_read_when_the_task_is_closed(bench):
    """For ever: nothing is counted."""
    task = bench.probes("ok", count=3)
    bench.settle("probe")
    bench.pass_time(hours=999)
    with bench.calls.watch() as calls:
        bench.http("GET", f"{TASKS}/{task}")
    assert calls.operations == ["GetItem"]


def test_a_status_is_counted_live_when_the_sweep_is_away(bench, small):
    """True while the aggregator is away, and as of now."""
    task = bench.probes("ok", count=5)
    bench.deliver("probe", limit=3)
    _, shown = bench.http("GET", f"{TASKS}/{task}")
    assert (shown["completedCount"], shown["pendingCount"], shown["stale"]) == (3, 2, False)
    bench.sweep_once()
    bench.deliver("probe")
    bench.pass_time(minutes=5)
    _, shown = bench.http("GET", f"{TASKS}/{task}")
    assert (shown["completedCount"], shown["percent"], shown["status"]) == (5, 99, "processing")


def test_a_status_is_the_sweeps_when_that_is_fresh(bench):
    """One read while the aggregator's count is recent."""
    task = bench.probes("ok", count=3)
    bench.sweep_once()
    with bench.calls.watch() as calls:
        bench.http("GET", f"{TASKS}/{task}")
    assert calls.operations == ["GetItem"]


def test_the_close_is_told_before_the_task_leaves_the_index(bench):
    """At least once, with an id, and what a listener needs."""
    task = bench.probes("ok", count=2)
    bench.settle("probe")
    (notice,) = bench.notices
    assert notice == {
        "noticeId": f"p1/{task}/closed", "taskId": task, "projectId": "p1", "status": "completed",
        "totalCount": 2, "completedCount": 2, "errorCount": 0, "cancelledCount": 0,
    }  # fmt: skip
    assert (bench.task(task).active, bench.task(task).notified_at is None) == (None, False)


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_notice_is_told_again_when_the_sweeper_died_around_it(bench, when):
    """It stays in the index of active tasks until the telling is recorded."""
    task = bench.probes("ok")
    bench.deliver("probe")
    with bench.calls.watch() as calls:
        seen = []

        def die(operation, _arguments):
            seen.append(operation)
            return operation == "PutEvents" if when == "before" else seen[-2:-1] == ["PutEvents"]

        calls.die_when = die
        with pytest.raises(Killed):
            bench.sweep()
    assert (bench.task(task).status, bench.task(task).active) == ("completed", "1")
    bench.pass_time(minutes=1)
    bench.sweep()
    assert len(bench.notices) == (1 if when == "before" else 2)
    assert bench.task(task).active is None


@pytest.mark.parametrize("how", ["raised", "refused"])
def test_a_notice_is_told_again_when_the_bus_did_not_take_it(bench, how):
    """HTTP 200 with a failed entry is no success: mutation caught: not looking at FailedEntryCount."""
    task = bench.probes("ok")
    bench.deliver("probe")
    with bench.calls.watch() as calls:
        if how == "raised":
            calls.fail("PutEvents", aws_error("InternalException", 500))
        else:
            taken = [{"FailedEntryCount": 1, "Entries": [{"ErrorCode": "InternalFailure"}]}]
            calls.instead["PutEvents"] = lambda *call: taken.pop() if taken else bench.calls.answer(*call)
        bench.sweep()
    assert bench.task(task).notified_at is not None
    assert len(bench.notices) == 1


def test_the_close_is_told_by_the_next_sweep_when_the_closes_reply_was_lost(bench):
    """The second close is refused by the first; nobody is told in this pass, and somebody in the next."""
    task = bench.probes("ok")
    bench.deliver("probe")
    with bench.calls.watch() as calls:
        bench.sweep_once()
        n = next(
            number
            for number, (_, operation, arguments) in enumerate(calls.made)
            if operation == "UpdateItem" and "completed_at" in str(arguments["ExpressionAttributeNames"])
        )
    other = bench.probes("ok")
    bench.deliver("probe")
    bench.pass_time(minutes=1)
    with bench.calls.watch() as calls:
        calls.lose_reply_of = n
        bench.sweep_once()
    bench.pass_time(minutes=1)
    bench.sweep()
    assert {notice["taskId"] for notice in bench.notices} == {task, other}
    assert bench.task(other).active is None


def test_what_runs_is_kept_when_the_user_cancels(bench):
    """A worker in mid-work finishes; its row is completed, the others are cancelled, the task is `cancelled`."""
    task = bench.probes("ok", count=3)

    def cancel(_number, operation, _arguments):
        if operation == "GetObject" and not bench.task(task).cancel_requested:
            assert bench.http("POST", f"{TASKS}/{task}/cancel")[0] == 202
            bench.sweep_once()

    with bench.calls.watch() as calls:
        calls.on_call = cancel
        bench.deliver("probe")
    assert sorted(bench.statuses(task)) == ["cancelled", "cancelled", "completed"]
    bench.settle("probe")
    item = bench.task(task)
    assert (item.status, item.completed, item.cancelled) == ("cancelled", 1, 2)
    assert sum(bench.runs().values()) == 1


def test_a_row_that_waits_for_its_backoff_is_cancelled_when_the_user_cancels(bench):
    task = bench.probes("throttle:3600")
    bench.deliver("probe")
    bench.http("POST", f"{TASKS}/{task}/cancel")
    bench.settle("probe", rounds=3)
    assert bench.statuses(task) == ["cancelled"]


def test_a_row_of_another_task_is_not_counted_when_its_key_begins_alike(bench):
    """p1/t1 and p1/t10 are two tasks."""
    task = bench.probes("ok")
    bench.put(a_row("completed", shard=shard_key(f"p1/{task}0", 0)))
    bench.sweep_once()
    assert (bench.task(task).completed, bench.task(task).status) == (0, "processing")


def test_pages_are_read_to_the_end_when_a_shard_does_not_fit_into_one(bench, small):
    """Mutation caught: counting the first page only, which never closes or closes early."""
    task = bench.probes("ok", count=4)
    bench.deliver("probe")

    def one_at_a_time(sqs, operation, arguments):
        limited = arguments if "IndexName" in arguments else {**arguments, "Limit": 1}
        return bench.calls.answer(sqs, operation, limited)

    with bench.calls.watch() as calls:
        calls.instead["Query"] = one_at_a_time
        bench.sweep_once()
    assert (bench.task(task).status, bench.task(task).completed) == ("completed", 4)
