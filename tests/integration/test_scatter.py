"""Writing N rows and sending N messages: in an order that survives a crash anywhere, and finished by whoever comes next."""

import json
from typing import Any

import pytest

from sheaf.items import shard_key, task_key
from sheaf.protocol import scatter
from tests.support.bench import T0
from tests.support.clients import client
from tests.support.scattering import SHARD, WAVE, finished, opened_slowly


def test_everything_is_durable_before_what_points_at_it_when_a_task_is_opened(bench):
    """◆ A place of the quota, manifest, task, rows, messages, `scattered`, word to the aggregator: in this order and in no other."""
    documents = [bench.probe() for _ in range(3)]
    with bench.calls.watch() as calls:
        bench.post(documents)
    assert [made for made in calls.operations if made not in {"BatchGetItem", "Query"}] == [
        "UpdateItem", "PutObject", "PutItem", "TransactWriteItems", "SendMessageBatch", "UpdateItem", "Invoke",
    ]  # fmt: skip


def test_every_wave_writes_its_rows_before_it_sends_their_messages(bench, small):
    """◆ At each send, each of its rows exists: mutation caught: sending first, which a fast worker finds rowless."""
    documents = [bench.probe() for _ in range(25)]
    missing: list[Any] = []
    sent: list[Any] = []

    def look(_number, operation, arguments):
        if operation == "SendMessageBatch":
            there = {(row.shard, row.row) for row in bench.all_rows()}
            named = [json.loads(entry["MessageBody"]) for entry in arguments["Entries"]]
            sent.extend(named)
            missing.extend(body for body in named if (body["s"], body["r"]) not in there)

    with bench.calls.watch() as calls:
        calls.on_call = look
        bench.post(documents)
    assert missing == []
    assert [body["r"] for body in sent] == list(range(25))


def test_rows_lie_in_shards_and_in_the_order_of_the_request_when_there_are_many(bench, small):
    """The table has the order in which the documents were named; the last shard is short."""
    documents = [bench.probe() for _ in range(25)]
    task = bench.open(documents, kind="probe")
    rows = sorted(bench.rows(task), key=lambda row: row.row)
    assert [row.document for row in rows] == documents
    assert [row.shard for row in rows] == [shard_key(task_key("p1", task), n // SHARD) for n in range(25)]
    assert (bench.task(task).total, bench.task(task).scatter_cursor, bench.task(task).dispatch_until) == (25, 25, None)
    assert len(bench.queued()) == 25


def test_every_row_can_be_made_again_when_only_the_manifest_is_left(bench):
    """The API died right after opening the task: the aggregator writes the same rows, pinned versions and all."""
    task = bench.probes("ok", count=3)
    rows = bench.raw()["ResultsTable"]
    for row in bench.rows(task):
        client("dynamodb").delete_item(
            TableName="ResultsTable", Key={"shard": {"S": row.shard}, "row": {"N": str(row.row)}}
        )
    bench.lose_messages()
    item = bench.task(task)
    item.dispatch_until, item.scatter_cursor, item.scattered_at = T0 - 1, 0, None
    bench.put(item)
    bench.sweep_once()
    assert bench.raw()["ResultsTable"] == rows
    finished(bench, task, 3)


def test_the_rest_is_left_to_the_aggregator_when_the_api_runs_out_of_time(bench, small):
    """◆ It answers 202, says how far it came, and never that it was done: mutation caught: removing `dispatch_until`."""
    task = opened_slowly(bench, 40)
    item = bench.task(task)
    assert item.dispatch_until == 0
    assert item.scattered_at is None
    assert 0 < item.scatter_cursor < 40
    assert item.scatter_cursor % WAVE == 0
    assert len(bench.rows(task)) == len(bench.queued()) == item.scatter_cursor
    finished(bench, task, 40)


def test_rows_before_the_cursor_are_not_written_again_when_a_scatter_is_resumed(bench, small):
    """Mutation caught: beginning anew, which makes a large task's resume as long as its start, for ever."""
    task = opened_slowly(bench, 40)
    cursor = bench.task(task).scatter_cursor
    with bench.calls.watch() as calls:
        bench.sweep_once()
    written = [
        int(put["Put"]["Item"]["row"]["N"])
        for _, operation, arguments in calls.made
        if operation == "TransactWriteItems"
        for put in arguments["TransactItems"]
    ]
    assert written == list(range(cursor, 40))


def test_the_aggregator_hands_over_to_itself_when_it_runs_out_of_time_too(bench, small):
    """Eight seconds a pass, again and again, until all are sent."""
    task = opened_slowly(bench, 60, seconds_a_call=2)
    seen = [bench.task(task).scatter_cursor]
    while bench.task(task).dispatch_until is not None:
        with bench.calls.watch() as calls:
            calls.on_call = lambda _n, operation, _a: bench.pass_time(seconds=3 * (operation == "SendMessageBatch"))
            bench.sweep_once()
        seen.append(bench.task(task).scatter_cursor)
        assert len(seen) < 20
    assert seen == sorted(seen)
    assert len(set(seen)) > 2
    finished(bench, task, 60)


def test_nobody_takes_a_scatter_over_when_its_holder_is_still_at_it(bench):
    """Not before its lease is over: two scatters at once would send everything twice."""
    task = bench.probes("ok", count=2)
    item = bench.task(task)
    item.dispatch_until, item.scatter_cursor, item.scattered_at = bench.clock.now + 60_000, 0, None
    bench.put(item)
    with bench.calls.watch() as calls:
        bench.sweep_once()
    assert "TransactWriteItems" not in calls.operations
    bench.pass_time(minutes=2)
    with bench.calls.watch() as calls:
        bench.sweep_once()
    assert "TransactWriteItems" in calls.operations


def test_only_one_of_two_aggregators_scatters_when_both_see_the_same_late_task(bench):
    """Take-over names what was seen: the second is refused."""
    task = bench.probes("ok", count=2)
    item = bench.task(task)
    item.dispatch_until, item.scatter_cursor, item.scattered_at = 0, 0, None
    bench.put(item)
    bench.lose_messages()
    begun: list[bool] = []

    def another(_number, operation, _arguments):
        if operation == "GetObject" and not begun:
            begun.append(scatter.resume(bench.sweep_world, item, bench.clock.now + 8_000))

    with bench.calls.watch() as calls:
        calls.on_call = another
        bench.sweep_once()
    assert begun == [False]
    assert len(bench.queued()) == 2


def test_completed_rows_stay_completed_when_a_scatter_goes_over_them_again(bench, small):
    """A cursor may go back; that costs messages and nothing else."""
    task = bench.probes("ok", count=12)
    bench.deliver("probe")
    before = bench.raw()["ResultsTable"]
    item = bench.task(task)
    item.dispatch_until, item.scatter_cursor, item.scattered_at = 0, 0, None
    bench.put(item)
    bench.sweep_once()
    assert bench.raw()["ResultsTable"] == before
    assert len(bench.queued()) == 12
    assert bench.deliver("probe") == 12
    finished(bench, task, 12)
    assert bench.raw()["ResultsTable"] == before


@pytest.mark.parametrize("gone", [[0], [8], [8, 9], [3, 23], list(range(25))])
def test_a_task_is_set_back_when_a_shard_lacks_rows_of_its_manifest(bench, small, gone):
    """◆ Said to be scattered, yet rows are missing: it would otherwise wait for them for ever."""
    task = bench.probes("ok", count=25)
    rows = {row.row: row for row in bench.rows(task)}
    for number in gone:
        key = {"shard": {"S": rows[number].shard}, "row": {"N": str(number)}}
        client("dynamodb").delete_item(TableName="ResultsTable", Key=key)
    bench.lose_messages()
    bench.sweep_once()
    item = bench.task(task)
    assert (item.dispatch_until, item.scatter_cursor) == (0, gone[0] // SHARD * SHARD)
    finished(bench, task, 25)


def test_a_task_is_not_set_back_when_its_rows_are_still_being_written(bench, small):
    """While somebody scatters, missing rows are no accident."""
    task = opened_slowly(bench, 40)
    item = bench.task(task)
    item.dispatch_until = bench.clock.now + 60_000
    bench.put(item)
    before = bench.task(task).attribute_values
    bench.sweep_once()
    after = bench.task(task).attribute_values
    assert (after["dispatch_until"], after["scatter_cursor"]) == (before["dispatch_until"], before["scatter_cursor"])


def test_the_counts_add_up_when_most_rows_do_not_exist_yet(bench, small):
    """Pending is what is left, rows unwritten included; and no percent of rows that are not there."""
    task = opened_slowly(bench, 40)
    cursor = bench.task(task).scatter_cursor
    bench.deliver("probe")
    item = bench.task(task)
    item.dispatch_until = bench.clock.now + 60_000
    bench.put(item)
    bench.sweep_once()
    _, shown = bench.http("GET", f"/asl/extraction/tasks/{task}")
    assert (shown["totalCount"], shown["completedCount"], shown["pendingCount"]) == (40, cursor, 40 - cursor)
    assert shown["status"] == "processing"


@pytest.mark.parametrize("count", [260, pytest.param(1_100, marks=pytest.mark.slow)])
def test_many_documents_are_accepted_in_one_request_when_they_fill_several_shards(bench, count):
    """Shards of the real size, one message a row, each with its project as group."""
    documents = [bench.probe() for _ in range(count)]
    groups: set[str] = set()

    def look(_number, operation, arguments):
        if operation == "SendMessageBatch":
            groups.update(entry["MessageGroupId"] for entry in arguments["Entries"])

    with bench.calls.watch() as calls:
        calls.on_call = look
        task = bench.open(documents, kind="probe")
    item = bench.task(task)
    assert (item.total, item.dispatch_until, item.shard_rows) == (count, None, 250)
    rows = bench.rows(task)
    assert [row.document for row in sorted(rows, key=lambda row: row.row)] == documents
    assert {row.shard.rpartition("/")[2] for row in rows} == {f"{number:04d}" for number in range(-(-count // 250))}
    assert len(bench.queued()) == count
    assert groups == {"p1"}
