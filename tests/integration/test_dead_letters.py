"""A dead letter says that a message died and not that its row did."""

import pytest

from tests.support.calls import aws_error
from tests.support.items import HOUR, NOW


def noise(bench):
    """A message of another task, in flight for ever: the queue is busy."""
    bench.message('{"v": 1, "s": "p1/other/0000", "r": 0}').visible_at = NOW + 99 * HOUR


@pytest.mark.parametrize(("wait", "sent"), [(50, 0), (65, 1)])
def test_a_dead_letters_row_is_sent_again_when_it_is_pending_and_due(bench, wait, sent):
    """◆ A stamped re-send after a minute, and nothing else: the row keeps its status and all its tries."""
    bench.probes("ok")
    (body,) = bench.queued()
    bench.lose_messages()
    noise(bench)
    bench.pass_time(minutes=2)
    assert bench.dead(body) == {"batchItemFailures": []}
    row = bench.row()
    assert (row.status, row.dead_letters, row.dead_letter_at) == ("pending", 1, bench.clock.now)
    bench.pass_time(seconds=wait)
    bench.sweep_once()
    row = bench.row()
    assert (row.sends, row.status, row.tries) == (sent, "pending", 0)
    assert len(bench.queued()) == 1 + sent


def test_a_dead_letter_never_ends_a_row_when_there_are_many(bench):
    """◆ Every wait is a receive, so an innocent message may die again and again."""
    task = bench.probes("throttle:1", "ok")
    (body,) = bench.queued()
    for _ in range(10):
        bench.lose_messages()
        bench.dead(body)
        bench.pass_time(hours=3)
        bench.sweep_once()
    assert bench.row().status == "pending"
    bench.settle("probe")
    assert bench.statuses(task) == ["completed"]


def test_a_message_that_waits_too_often_is_a_dead_letter_and_its_row_lives_on(bench):
    """◆ The whole way: a hundred receives, the dead-letter function, the sweep's re-send, the work."""
    task = bench.probes("ok")
    (held,) = bench.held.values()
    held.record["attributes"]["ApproximateReceiveCount"] = "100"
    bench.deliver("probe")
    assert (bench.queued(), bench.row().dead_letters) == ([], 1)
    bench.settle("probe")
    assert bench.statuses(task) == ["completed"]
    assert bench.runs() == {(task, 0): 1}


@pytest.mark.parametrize("status", ["completed", "error", "cancelled", "none"])
def test_a_dead_letter_is_acknowledged_and_writes_nothing_when_its_row(bench, status):
    """◆ There is nothing left to decide."""
    task = bench.probes("ok")
    (body,) = bench.queued()
    row = bench.row()
    row.status = status
    if status == "none":
        body = body.replace(task, "t" * 20)
    else:
        bench.put(row)
    before = bench.raw()
    assert bench.dead(body) == {"batchItemFailures": []}
    assert bench.raw() == before


@pytest.mark.parametrize("body", ["", "{}", "garbage", "[" * 50_000])
def test_a_dead_letter_is_acknowledged_when_it_cannot_be_read(bench, body):
    assert bench.dead(body) == {"batchItemFailures": []}


def test_a_dead_letter_is_offered_again_when_it_could_not_be_written_down(bench):
    """It is a signal only, but a cheap one to keep."""
    bench.probes("ok")
    (body,) = bench.queued()
    with bench.calls.watch() as calls:
        calls.fail("UpdateItem", aws_error("InternalServerError", 500))
        reply = bench.dead(body)
    assert len(reply["batchItemFailures"]) == 1
    assert bench.dead(body) == {"batchItemFailures": []}
