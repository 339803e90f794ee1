"""Writing N rows and sending N messages: in an order that survives a crash anywhere, and finished by whoever comes next."""

import json

import pytest

from sheaf import scatter
from sheaf.models import shard_key, task_key
from tests.support.bench import T0
from tests.support.calls import aws_error
from tests.support.clients import client

WAVE, SHARD = 10, 7


@pytest.fixture
def small(monkeypatch):
    """Waves of ten rows and shards of seven, so that sixty documents are many."""
    monkeypatch.setattr(scatter, "WAVE", WAVE)
    monkeypatch.setattr(scatter, "SHARD_ROWS", SHARD)


def opened_slowly(bench, count, seconds_a_call=1.0):
    """A task of so many probes, opened by an API each of whose calls takes this long. Gives its id."""
    documents = [bench.probe("ok") for _ in range(count)]
    with bench.calls.watch() as calls:
        calls.on_call = lambda *_: bench.pass_time(seconds=seconds_a_call)
        status, task = bench.post(documents)
    assert status == 202
    return str(task["taskId"])


def finished(bench, task, count):
    """It closes with this many completed rows, each worked on once."""
    bench.settle("probe")
    assert bench.statuses(task) == ["completed"] * count
    assert bench.task(task).completed == count
    assert bench.runs() == {(task, number): 1 for number in range(count)}


def test_everything_is_durable_before_what_points_at_it_when_a_task_is_opened(bench):
    """◆ Manifest, task, rows, messages, `scattered`, word to the aggregator: in this order and in no other."""
    documents = [bench.probe() for _ in range(3)]
    with bench.calls.watch() as calls:
        bench.post(documents)
    assert [made for made in calls.operations if made not in {"BatchGetItem", "Query"}] == [
        "PutObject", "PutItem", "TransactWriteItems", "SendMessageBatch", "UpdateItem", "Invoke",
    ]  # fmt: skip


def test_every_wave_writes_its_rows_before_it_sends_their_messages(bench, small):
    """◆ At each send, each of its rows exists: mutation caught: sending first, which a fast worker finds rowless."""
    documents = [bench.probe() for _ in range(25)]
    missing, sent = [], []

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
    """The API died right after opening the task: the aggregator writes the same rows, frozen versions and all."""
    task = bench.probes("ok", count=3)
    rows = bench.raw()["ResultsTable"]
    for row in bench.rows(task):
        client("dynamodb").delete_item(TableName="ResultsTable", Key={"shard": {"S": row.shard}, "row": {"N": str(row.row)}})
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
    begun = []

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


def refusing(bench, count, *, times):
    """An SQS that takes no entry of these numbers of a batch, for the first so many calls."""
    left = [times]
    asked = []

    def answer(sqs, operation, arguments):
        asked.append([entry["Id"] for entry in arguments["Entries"]])
        left[0] -= 1
        refused = [entry for entry in arguments["Entries"] if left[0] >= 0 and int(entry["Id"]) in count]
        taken = [entry for entry in arguments["Entries"] if entry not in refused]
        reply = bench.calls.answer(sqs, operation, {**arguments, "Entries": taken}) if taken else {}
        failed = [{"Id": entry["Id"], "Code": "InternalError", "SenderFault": False} for entry in refused]
        return {**reply, "Failed": failed}

    return answer, asked


def test_the_rest_of_a_batch_is_sent_again_when_some_of_it_was_not_taken(bench):
    """HTTP 200 with failed entries raises nothing: mutation caught: not looking at `Failed`."""
    documents = [bench.probe() for _ in range(5)]
    answer, asked = refusing(bench, {1, 3}, times=2)
    with bench.calls.watch() as calls:
        calls.instead["SendMessageBatch"] = answer
        status, task = bench.post(documents)
    assert status == 202
    assert asked == [["0", "1", "2", "3", "4"], ["1", "3"], ["1", "3"]]
    assert len(bench.queued()) == 5
    finished(bench, task["taskId"], 5)


def test_the_task_is_handed_over_when_the_queue_will_not_take_a_message(bench):
    """202, because it is durable; not `scattered`, because it is not all sent; the aggregator sends it."""
    documents = [bench.probe() for _ in range(5)]
    answer, asked = refusing(bench, {2}, times=10**6)
    with bench.calls.watch() as calls:
        calls.instead["SendMessageBatch"] = answer
        status, body = bench.post(documents)
    task = body["taskId"]
    assert status == 202
    assert len(asked) == 4
    assert (bench.task(task).dispatch_until, bench.task(task).scattered_at) == (0, None)
    finished(bench, task, 5)


@pytest.mark.parametrize("operation", ["TransactWriteItems", "SendMessageBatch", "UpdateItem", "Invoke"])
@pytest.mark.parametrize("times", [1, 100])
def test_a_request_is_accepted_when_aws_fails_after_its_task_is_durable(bench, operation, times):
    """Saying 503 would make the caller open a second task: mutation caught: letting any of these through."""
    documents = [bench.probe() for _ in range(3)]
    with bench.calls.watch() as calls:
        calls.fail(operation, aws_error("ServiceUnavailable", 503), times=times)
        status, body = bench.post(documents)
    assert status == 202
    finished(bench, body["taskId"], 3)


def test_a_request_is_accepted_when_all_of_aws_is_gone_once_its_task_is_durable(bench):
    """Not even the hand-over can be written: the scatter's lease runs out and the sweep takes it over."""
    documents = [bench.probe() for _ in range(3)]
    with bench.calls.watch() as calls:
        for operation in ("TransactWriteItems", "SendMessageBatch", "UpdateItem", "Invoke"):
            calls.fail(operation, aws_error("ThrottlingException"), times=100)
        status, body = bench.post(documents)
    assert status == 202
    assert bench.task(body["taskId"]).dispatch_until > bench.clock.now
    finished(bench, body["taskId"], 3)


@pytest.mark.parametrize("operation", ["BatchGetItem", "PutObject", "PutItem"])
def test_a_request_is_told_to_come_back_when_nothing_was_opened(bench, operation):
    """503 with Retry-After; and coming back works."""
    documents = [bench.probe() for _ in range(3)]
    with bench.calls.watch() as calls:
        calls.fail(operation, aws_error("ServiceUnavailable", 503))
        status, body = bench.post(documents, key="k")
    assert (status, body["type"]) == (503, "urn:sheaf:problem:try-again")
    assert bench.last_headers["Retry-After"] == "5"
    assert bench.tasks() == []
    status, body = bench.post(documents, key="k")
    assert status == 202
    finished(bench, body["taskId"], 3)


def test_no_row_is_sent_when_the_user_cancels_in_mid_scatter(bench, small):
    """What is still to be written is written as cancelled; what was sent is cancelled by the sweep; all is counted."""
    task = opened_slowly(bench, 40)
    sent = len(bench.queued())
    assert bench.http("POST", f"/asl/extraction/tasks/{task}/cancel")[0] == 202
    bench.settle("probe")
    assert bench.statuses(task) == ["cancelled"] * 40
    assert (bench.task(task).status, bench.task(task).cancelled) == ("cancelled", 40)
    assert len(bench.queued()) <= sent
    assert bench.probe_calls() == []


def test_what_was_completed_is_kept_when_the_user_cancels_in_mid_scatter(bench, small):
    task = opened_slowly(bench, 40)
    bench.deliver("probe", limit=4)
    bench.http("POST", f"/asl/extraction/tasks/{task}/cancel")
    bench.settle("probe")
    item = bench.task(task)
    assert (item.status, item.completed, item.cancelled) == ("cancelled", 4, 36)


def test_nothing_is_claimed_when_the_user_pauses_in_mid_scatter(bench, small):
    """The scatter itself goes on; its messages are parked at the gate and sent again after the resume."""
    task = opened_slowly(bench, 40)
    bench.http("POST", f"/asl/extraction/tasks/{task}/pause")
    for _ in range(3):
        bench.sweep_once()
        bench.deliver("probe")
        bench.pass_time(minutes=1)
    assert len(bench.rows(task)) == 40
    assert bench.probe_calls() == []
    assert bench.queued() == []
    bench.http("POST", f"/asl/extraction/tasks/{task}/resume")
    finished(bench, task, 40)


def not_ready(bench, document):
    client("dynamodb").update_item(
        TableName="LibraryTable",
        Key={"entry": {"S": f"p1/document/{document}"}},
        UpdateExpression="SET #s = :s",
        ExpressionAttributeNames={"#s": "state"},
        ExpressionAttributeValues={":s": {"S": "parsing"}},
    )


def test_a_document_that_is_not_ready_is_refused_when_nothing_else_was_asked_for(bench):
    """409, naming it; nothing is opened."""
    documents = [bench.probe(), bench.probe()]
    not_ready(bench, documents[1])
    status, body = bench.post(documents)
    assert (status, body["type"]) == (409, "urn:sheaf:problem:documents-not-ready")
    assert body["documents"] == [{"documentId": documents[1], "state": "parsing"}]
    assert bench.tasks() == []


def test_a_document_that_is_not_ready_is_an_error_row_at_once_when_asked_for(bench):
    """It gets no message and no work; the task closes with the others' results."""
    documents = [bench.probe(), bench.probe(), bench.probe()]
    not_ready(bench, documents[1])
    status, body = bench.post(documents, onNotReady="error")
    task = body["taskId"]
    assert status == 202
    assert bench.statuses(task) == ["pending", "error", "pending"]
    assert (bench.rows(task)[1].error_class, bench.rows(task)[1].attempt) == ("not_ready", 0)
    assert len(bench.queued()) == 2
    bench.settle("probe")
    assert (bench.task(task).completed, bench.task(task).error) == (2, 1)


def test_a_task_closes_when_none_of_its_documents_is_ready(bench):
    documents = [bench.probe()]
    not_ready(bench, documents[0])
    _, body = bench.post(documents, onNotReady="error")
    assert bench.queued() == []
    bench.settle("probe")
    assert bench.task(body["taskId"]).status == "completed"


@pytest.mark.parametrize("count", [260, pytest.param(1_100, marks=pytest.mark.slow)])
def test_many_documents_are_accepted_in_one_request_when_they_fill_several_shards(bench, count):
    """Shards of the real size, one message a row, each with its project as group."""
    documents = [bench.probe() for _ in range(count)]
    groups = set()

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
