"""Closing: by recount and never by countdown, once, in one write, told of at least once, and final."""

from typing import Any

import pytest

from sheaf.items import shard_key
from sheaf.protocol import scatter
from tests.support.bench import TASKS

SHARD = 4


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(scatter, "SHARD_ROWS", SHARD)


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
    assert (bench.task(task).status, bench.task(task).sealed) == ("processing", {"shards": "1", "sum": [4, 0, 0]})
    bench.settle("probe")
    assert bench.task(task).completed == 5


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
    assert names >= {
        "status",
        "completed",
        "error",
        "cancelled",
        "extracting",
        "sealed",
        "completed_at",
        "dispatch_until",
    }
    assert bench.task(task).status == "completed"


def test_nothing_is_counted_any_more_when_another_sweeper_has_closed_the_task(bench):
    """◆ A late count is refused, though it is the newer: mutation caught: counting without `processing`.

    The first sweeper has read that a row is at work and is about to expire it; while it stands still, another one
    expires it, the row is done and the task is closed.
    """
    task = bench.probes("ok")
    with bench.calls.watch() as calls:
        calls.cut_before = 3
        bench.deliver("probe")
    bench.pass_time(minutes=2)
    closed: list[Any] = []

    def finish(_number, operation, arguments):
        if operation == "UpdateItem" and arguments["TableName"] == "ResultsTable" and not closed:
            bench.pass_time(seconds=20)
            bench.sweep_once()
            bench.deliver("probe")
            bench.sweep_once()
            closed.append(bench.task(task).attribute_values)
            bench.pass_time(seconds=20)

    with bench.calls.watch() as calls:
        calls.on_call = finish
        bench.sweep_once()
    assert (closed[0]["status"], closed[0]["completed"]) == ("completed", 1)
    assert bench.task(task).attribute_values == closed[0]


def test_a_task_closes_once_when_two_sweepers_close_it(bench):
    """The second is refused and takes that for the end; both may tell, with one id."""
    task = bench.probes("ok")
    bench.deliver("probe")
    closed: list[Any] = []

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
    """Messages, redriven ones too, sweeps, cancels, pauses and a late scatter: the tables stay byte for byte."""
    task = bench.open([bench.probe("ok"), bench.probe("permanent")], kind="probe", key="k")
    bodies = bench.queued()
    stale = bench.task(task)
    bench.settle("probe")
    bench.sweep_once()
    before = {name: items for name, items in bench.raw().items() if name != "GatesTable"}
    for body in bodies:
        bench.message(body)
    bench.deliver("probe")
    for action in ("cancel", "pause", "resume"):
        assert bench.http("POST", f"{TASKS}/{task}/{action}")[0] == 409
    scatter.take_over(bench.sweep_world, stale)
    assert bench.parts == []
    bench.pass_time(hours=30)
    bench.sweep(f"p1/{task}")
    bench.tidy()
    assert {name: items for name, items in bench.raw().items() if name != "GatesTable"} == before
    assert bench.http("GET", f"{TASKS}/{task}")[1]["completedCount"] == 1


def test_what_runs_is_kept_when_the_user_cancels(bench):
    """A worker in mid-work finishes; its row is completed, the others are cancelled, the task is `cancelled`."""
    task = bench.probes("ok", count=3)

    def cancel(_number, operation, _arguments):
        if operation == "GetObject" and bench.task(task).gate == "open":
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
