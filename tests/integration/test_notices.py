"""A close is told of at least once, with an id, before the task leaves the index of active tasks."""

import pytest

from tests.support.calls import Killed, aws_error


def test_the_close_is_told_before_the_task_leaves_the_index(bench):
    """At least once, with an id, and what a listener needs."""
    task = bench.probes("ok", count=2)
    bench.settle("probe")
    (notice,) = bench.notices
    assert notice == {
        "noticeId": f"p1/{task}/closed", "taskId": task, "projectId": "p1", "status": "completed",
        "totalCount": 2, "completedCount": 2, "errorCount": 0, "cancelledCount": 0, "tasksTable": "TasksTable", "isExport": False,
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
    assert (bench.task(task).status, bench.task(task).active) == ("completed", "0")
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
