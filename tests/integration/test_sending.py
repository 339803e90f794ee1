"""When AWS does not take what a scatter writes and sends: the task is accepted once it is durable, and finished later."""

import itertools

import pytest

from tests.support.bench import T0
from tests.support.calls import aws_error


def finished(bench, task, count):
    """It closes with this many completed rows, each worked on once."""
    bench.settle("probe")
    assert bench.statuses(task) == ["completed"] * count
    assert bench.task(task).completed == count
    assert bench.runs() == {(task, number): 1 for number in range(count)}


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


def test_ten_messages_are_sent_at_a_time_when_there_are_more(bench):
    """SQS takes no more in one batch."""
    documents = [bench.probe() for _ in range(23)]
    with bench.calls.watch() as calls:
        bench.post(documents)
    sizes = [len(arguments["Entries"]) for _, operation, arguments in calls.made if operation == "SendMessageBatch"]
    assert sizes == [10, 10, 3]


@pytest.mark.parametrize("chance", [0.0, 0.999])
def test_a_queue_is_given_time_when_it_does_not_take_a_message(bench, chance):
    """A tenth, a half and two seconds, give or take a half, and none before the first try."""
    bench.chance = chance
    documents = [bench.probe()]
    answer, asked = refusing(bench, {0}, times=10**6)
    at = []

    def timed(*call):
        at.append(bench.clock.now)
        return answer(*call)

    with bench.calls.watch() as calls:
        calls.instead["SendMessageBatch"] = timed
        bench.post(documents)
    waits = [after - before for before, after in itertools.pairwise(at)]
    assert waits == [int(pause * (0.5 + chance)) for pause in (100, 500, 2_000)]
    assert at[0] == T0
    assert len(asked) == 4


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


BEFORE = {"UpdateItem": 1}
"""Calls that are made before the task is durable: a place of the quota is taken."""


@pytest.mark.parametrize("operation", ["TransactWriteItems", "SendMessageBatch", "UpdateItem", "Invoke"])
@pytest.mark.parametrize("times", [1, 100])
def test_a_request_is_accepted_when_aws_fails_after_its_task_is_durable(bench, operation, times):
    """Saying 503 would make the caller open a second task: mutation caught: letting any of these through."""
    documents = [bench.probe() for _ in range(3)]
    with bench.calls.watch() as calls:
        calls.fail(operation, aws_error("ServiceUnavailable", 503), times=times, after=BEFORE.get(operation, 0))
        status, body = bench.post(documents)
    assert status == 202
    finished(bench, body["taskId"], 3)


def test_a_request_is_accepted_when_all_of_aws_is_gone_once_its_task_is_durable(bench):
    """Not even the hand-over can be written: the scatter's lease runs out and the sweep takes it over."""
    documents = [bench.probe() for _ in range(3)]
    with bench.calls.watch() as calls:
        for operation in ("TransactWriteItems", "SendMessageBatch", "UpdateItem", "Invoke"):
            calls.fail(operation, aws_error("ThrottlingException"), times=100, after=BEFORE.get(operation, 0))
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
