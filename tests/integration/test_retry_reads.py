"""What a retry is opened over: all that did not succeed in its parent, however stale what is read."""

import pytest

from tests.support.bench import TASKS


@pytest.fixture
def parent(bench):
    """A closed task with two failed rows of three."""
    task = bench.open([bench.probe("permanent"), bench.probe("ok"), bench.probe("permanent")], kind="probe")
    bench.settle("probe")
    return task


def hiding_a_row(bench, *, times):
    """A table of which one row is not to be seen yet, at the first so many reads."""
    left = [times]

    def query(dynamodb, operation, arguments):
        reply = bench.calls.answer(dynamodb, operation, arguments)
        if arguments["TableName"] == "ResultsTable" and left[0] > 0:
            left[0] -= 1
            reply["Items"] = reply["Items"][:-1]
        return reply

    return query


@pytest.mark.parametrize("times", [0, 1, 3])
def test_rows_are_read_again_when_they_are_fewer_than_the_final_counts_say(bench, parent, times):
    """◆ Mutation caught: taking what was read: the hidden document would be in no task for ever."""
    with bench.calls.watch() as calls:
        calls.instead["Query"] = hiding_a_row(bench, times=times)
        status, child = bench.http("POST", f"{TASKS}/{parent}/retry")
    assert (status, child["totalCount"]) == (202, 2)
    rows = {row.row: row for row in bench.rows(parent)}
    assert [row.document for row in bench.rows(child["taskId"])] == [rows[0].document, rows[2].document]


def test_nothing_is_opened_when_a_row_stays_unseen(bench, parent):
    """◆ Rather no retry than half a one; the caller comes back."""
    with bench.calls.watch() as calls:
        calls.instead["Query"] = hiding_a_row(bench, times=100)
        status, _ = bench.http("POST", f"{TASKS}/{parent}/retry")
    assert status == 503
    assert len(bench.tasks()) == 1


def test_rows_are_read_consistently_when_a_retry_is_opened(bench, parent):
    """◆ Of the table itself, and as it is now."""
    with bench.calls.watch() as calls:
        bench.http("POST", f"{TASKS}/{parent}/retry")
    reads = [
        arguments for _, operation, arguments in calls.made if operation == "Query" and "IndexName" not in arguments
    ]
    assert reads
    assert all(arguments["ConsistentRead"] for arguments in reads)


def test_its_own_child_is_answered_when_a_retry_is_repeated(bench, parent):
    """◆ 200 and replayed, before any talk of a newer one; another's wish is told which is the newest."""
    first = bench.http("POST", f"{TASKS}/{parent}/retry", headers={"idempotency-key": "a"})[1]["taskId"]
    status, body = bench.http("POST", f"{TASKS}/{parent}/retry", headers={"idempotency-key": "a"})
    assert (status, body["taskId"], bench.last_headers["Idempotency-Replayed"]) == (200, first, "true")
    bench.settle("probe")
    second = bench.http("POST", f"{TASKS}/{first}/retry", headers={"idempotency-key": "b"})[1]["taskId"]
    status, body = bench.http("POST", f"{TASKS}/{parent}/retry", headers={"idempotency-key": "a"})
    assert (status, body["taskId"]) == (200, first)
    status, body = bench.http("POST", f"{TASKS}/{parent}/retry", headers={"idempotency-key": "c"})
    assert (status, body["newestTaskId"]) == (409, second)
