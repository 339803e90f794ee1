"""Writing N rows and sending N messages: in an order that survives a crash anywhere, and finished by whoever comes next."""

import json
from typing import Any

import pytest

from sheaf.items import shard_key, task_key
from sheaf.protocol import lifecycle, scatter
from tests.support.bench import T0
from tests.support.calls import aws_error
from tests.support.clients import client
from tests.support.items import SECOND
from tests.support.scattering import PART, SHARD, begun, finished, opened


def test_everything_is_durable_before_what_points_at_it_when_a_task_is_opened(bench):
    """◆ A place of the quota, manifest, task, rows, messages, `scattered`, word to the aggregator: in this order and in no other."""
    documents = [bench.probe() for _ in range(3)]
    with bench.calls.watch() as calls:
        bench.post(documents)
    assert [made for made in calls.operations if made not in {"BatchGetItem", "Query"}] == [
        "UpdateItem", "PutObject", "PutItem", "TransactWriteItems", "SendMessageBatch", "UpdateItem", "Invoke",
    ]  # fmt: skip


def test_every_part_writes_its_rows_before_it_sends_their_messages(bench, small):
    """◆ At each send, each of its rows exists: mutation caught: sending first, which a fast worker finds rowless."""
    missing: list[Any] = []
    sent: list[Any] = []

    def look(_number, operation, arguments):
        if operation == "SendMessageBatch":
            there = {(row.shard, row.row) for row in bench.all_rows()}
            named = [json.loads(entry["MessageBody"]) for entry in arguments["Entries"]]
            sent.extend(named)
            missing.extend(body for body in named if (body["s"], body["r"]) not in there)

    opened(bench, 25)
    with bench.calls.watch() as calls:
        calls.on_call = look
        bench.sweep_once()
    assert missing == []
    assert [body["r"] for body in sent] == list(range(25))


def test_rows_lie_in_shards_and_in_the_order_of_the_request_when_there_are_many(bench, small):
    """The table has the order in which the documents were named; the last shard is short."""
    documents = [bench.probe() for _ in range(25)]
    task = bench.open(documents, kind="probe")
    bench.sweep_once()
    rows = sorted(bench.rows(task), key=lambda row: row.row)
    assert [row.document for row in rows] == documents
    assert [row.shard for row in rows] == [shard_key(task_key("p1", task), n // SHARD) for n in range(25)]
    item = bench.task(task)
    assert (item.total, item.unsent, item.dispatch_until) == (25, None, None)
    assert len(bench.queued()) == 25


def undated(bench):
    """Every row, whenever it was written."""
    return [row | {"created_at": None, "updated_at": None} for row in bench.raw()["ResultsTable"]]


def test_every_row_can_be_made_again_when_only_the_manifest_is_left(bench):
    """The API died right after opening the task: the aggregator writes the same rows, pinned versions and all."""
    task = bench.probes("ok", count=3)
    rows = undated(bench)
    for row in bench.rows(task):
        client("dynamodb").delete_item(
            TableName="ResultsTable", Key={"shard": {"S": row.shard}, "row": {"N": str(row.row)}}
        )
    bench.lose_messages()
    item = bench.task(task)
    item.dispatch_until, item.unsent, item.scattered_at = T0 - 1, {0}, None
    bench.put(item)
    bench.sweep_once()
    assert undated(bench) == rows
    finished(bench, task, 3)


def test_a_large_task_is_left_to_the_aggregator_when_it_is_opened(bench, small):
    """◆ It is durable and answered with no row written: mutation caught: removing `dispatch_until`, or naming no part unsent."""
    task = opened(bench, 40)
    item = bench.task(task)
    assert (item.dispatch_until, item.scattered_at, item.unsent) == (0, None, {0, 1, 2, 3})
    assert bench.rows(task) == bench.queued() == []
    bench.sweep_once()
    item = bench.task(task)
    assert (item.dispatch_until, item.unsent, item.scattered_at) == (None, None, bench.clock.now)
    assert len(bench.rows(task)) == len(bench.queued()) == 40
    finished(bench, task, 40)


def test_every_part_is_asked_for_at_once_when_a_large_task_is_taken_over(bench, small):
    """The sweep waits for none of them: an event each, at its own function, which names the holder's time."""
    task = opened(bench, 40)
    with bench.calls.watch() as calls:
        bench.sweep_once(parts=0)
    asked = [arguments for _, operation, arguments in calls.made if operation == "Invoke"]
    assert {(each["FunctionName"], each["InvocationType"]) for each in asked} == {("AggregatorFunction", "Event")}
    until = bench.task(task).dispatch_until
    told = [json.loads(each["Payload"]) for each in asked]
    assert told == [
        {"source": "scatter", "task": f"p1/{task}", "part": part, "until": until} for part in range(4)
    ]  # fmt: skip
    assert bench.rows(task) == []


def test_the_sweep_sends_a_part_itself_when_nobody_can_be_asked_to(bench, small):
    """Lambda refuses: without the right, or for want of executions."""
    task = opened(bench, 40)
    with bench.calls.watch() as calls:
        calls.fail("Invoke", aws_error("AccessDeniedException", 403), times=2)
        bench.sweep_once(parts=0)
    assert bench.task(task).unsent == {2, 3}
    assert [row.row for row in bench.rows(task)] == list(range(2 * PART))
    finished(bench, task, 40)


def test_only_what_is_unsent_is_sent_when_a_scatter_is_taken_over(bench, small):
    """Whoever was asked for the other parts has died. Mutation caught: beginning anew."""
    task = begun(bench, 40)
    assert bench.task(task).unsent == {1, 2, 3}
    bench.pass_time(minutes=2)
    with bench.calls.watch() as calls:
        bench.sweep_once()
    written = [
        int(put["Put"]["Item"]["row"]["N"])
        for _, operation, arguments in calls.made
        if operation == "TransactWriteItems"
        for put in arguments["TransactItems"]
    ]
    assert written == list(range(PART, 40))
    finished(bench, task, 40)


@pytest.mark.parametrize("which", ["done", "an older holder's", "of a task that has closed", "of no task"])
def test_a_part_is_left_alone_when_its_event_is(bench, small, which):
    """An event may come twice, or late: nothing is written or sent for it, and nothing is said of the task."""
    task = begun(bench, 40)
    event = {"source": "scatter", "task": f"p1/{task}", "part": 1, "until": bench.task(task).dispatch_until}
    if which == "of a task that has closed":
        bench.http("POST", f"/asl/extraction/tasks/{task}/cancel")
        bench.settle("probe")
    late = {"done": {"part": 0}, "an older holder's": {"until": event["until"] - 1}, "of no task": {"task": "p1/none"}}
    before = bench.raw()
    bench.lose_messages()
    bench.parts = [event | late.get(which, {})]
    bench.scatter()
    assert bench.raw() == before
    assert bench.queued() == []


def test_the_part_of_a_late_holder_counts_when_another_has_taken_over_meanwhile(bench, small):
    """It is written and sent, whoever did it. Another sends it once more, which costs messages and nothing else."""
    task = opened(bench, 40)
    bench.sweep_once(parts=0)
    mine = {"source": "scatter", "task": f"p1/{task}", "part": 2, "until": bench.task(task).dispatch_until}

    def stand_still(_number, operation, _arguments):
        if operation == "SendMessageBatch" and bench.task(task).dispatch_until == mine["until"]:
            bench.pass_time(minutes=2)
            lifecycle.take_over(
                bench.sweep_world, bench.task(task), dispatch_until=bench.clock.now + 60_000, now=bench.clock.now
            )

    with bench.calls.watch() as calls:
        calls.on_call = stand_still
        bench.parts = [mine]
        bench.scatter()
    assert bench.task(task).unsent == {0, 1, 3}
    finished(bench, task, 40)


@pytest.mark.parametrize("last", [0, 3])
def test_a_task_is_scattered_when_its_last_part_is_in_whatever_order(bench, small, last):
    task = opened(bench, 40)
    bench.sweep_once(parts=0)
    until = bench.task(task).dispatch_until
    events = [{"source": "scatter", "task": f"p1/{task}", "part": part, "until": until} for part in range(4)]
    bench.parts = [event for event in events if event["part"] != last]
    bench.scatter()
    assert (bench.task(task).unsent, bench.task(task).scattered_at) == ({last}, None)
    bench.parts = [events[last]]
    bench.scatter()
    assert (bench.task(task).unsent, bench.task(task).dispatch_until) == (None, None)
    assert bench.task(task).scattered_at == bench.clock.now


def test_a_task_is_scattered_when_who_sent_its_last_part_died_before_saying_so(bench, small):
    """Nothing is unsent, and nobody said that all is sent: it is said, and nothing sent again."""
    task = opened(bench, 40)
    bench.sweep_once()
    item = bench.task(task)
    item.dispatch_until, item.scattered_at = 0, None
    bench.put(item)
    bench.lose_messages()
    bench.sweep_once()
    assert (bench.task(task).dispatch_until, bench.task(task).scattered_at) == (None, T0 + SECOND // 2)
    assert bench.queued() == []


def test_nobody_takes_a_scatter_over_when_its_holder_is_still_at_it(bench):
    """Not before its lease is over: two scatters at once would send everything twice."""
    task = bench.probes("ok", count=2)
    item = bench.task(task)
    item.dispatch_until, item.unsent, item.scattered_at = bench.clock.now + 60_000, {0}, None
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
    item.dispatch_until, item.unsent, item.scattered_at = 0, {0}, None
    bench.put(item)
    bench.lose_messages()
    scatter.take_over(bench.sweep_world, item)
    scatter.take_over(bench.sweep_world, item)
    assert len(bench.parts) == 1
    bench.scatter()
    assert len(bench.queued()) == 2


def test_completed_rows_stay_completed_when_a_scatter_goes_over_them_again(bench, small):
    """A part may be sent again; that costs messages and nothing else."""
    task = opened(bench, 12)
    bench.sweep_once()
    bench.deliver("probe", limit=6)
    before = bench.raw()["ResultsTable"]
    item = bench.task(task)
    item.dispatch_until, item.unsent, item.scattered_at = 0, {0}, None
    bench.put(item)
    bench.sweep_once()
    assert bench.raw()["ResultsTable"] == before
    assert len(bench.queued()) == 6 + 12
    finished(bench, task, 12)


@pytest.mark.parametrize("gone", [[0], [8], [8, 9], [3, 23], list(range(25))])
def test_a_task_is_set_back_when_a_shard_lacks_rows_of_its_manifest(bench, small, gone):
    """◆ Said to be scattered, yet rows are missing: it would otherwise wait for them for ever."""
    task = opened(bench, 25)
    bench.sweep_once()
    rows = {row.row: row for row in bench.rows(task)}
    for number in gone:
        key = {"shard": {"S": rows[number].shard}, "row": {"N": str(number)}}
        client("dynamodb").delete_item(TableName="ResultsTable", Key=key)
    bench.lose_messages()
    bench.sweep_once()
    item = bench.task(task)
    shards = {number // SHARD for number in gone}
    lacking = {row // PART for row in range(25) if row // SHARD in shards}
    assert (item.dispatch_until, item.unsent) == (0, lacking)
    finished(bench, task, 25)


def test_a_task_is_not_set_back_when_its_rows_are_still_being_written(bench, small):
    """While somebody scatters, missing rows are no accident."""
    task = begun(bench, 40)
    before = bench.task(task)
    bench.sweep_once()
    after = bench.task(task)
    assert (after.dispatch_until, after.unsent) == (before.dispatch_until, before.unsent)


def test_the_counts_add_up_when_most_rows_do_not_exist_yet(bench, small):
    """Pending is what is left, rows unwritten included; and no percent of rows that are not there."""
    task = begun(bench, 40)
    bench.deliver("probe")
    bench.sweep_once()
    _, shown = bench.http("GET", f"/asl/extraction/tasks/{task}")
    assert (shown["totalCount"], shown["completedCount"], shown["pendingCount"]) == (40, PART, 40 - PART)
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
        bench.sweep_once()
    item = bench.task(task)
    assert (item.total, item.dispatch_until, item.shard_rows) == (count, None, 250)
    rows = bench.rows(task)
    assert [row.document for row in sorted(rows, key=lambda row: row.row)] == documents
    assert {row.shard.rpartition("/")[2] for row in rows} == {f"{number:04d}" for number in range(-(-count // 250))}
    assert len(bench.queued()) == count
    assert groups == {"p1"}
