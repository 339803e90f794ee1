"""A dead letter says that a message died and not that its row did: nobody reads it, and the sweep sends the row again."""

import pytest

from tests.support.items import HOUR, NOW


def dies(bench):
    """The last receive of the only message that there is."""
    (held,) = bench.held.values()
    held.record["attributes"]["ApproximateReceiveCount"] = str(bench.made.values["MaxReceives"])
    held.visible_at = bench.clock.now
    bench.deliver("probe")


def noise(bench):
    """A message of another task, in flight for ever: the queue is busy."""
    bench.message('{"v": 1, "s": "p1/other/0000", "r": 0}').visible_at = NOW + 99 * HOUR


def test_a_row_is_worked_on_when_its_message_has_died(bench):
    """◆ The whole way: a hundred receives, the dead-letter queue, the sweep's re-send, the work."""
    task = bench.probes("ok")
    before = bench.raw()
    dies(bench)
    assert (bench.queued(), len(bench.dead_letters)) == ([], 1)
    assert bench.raw() == before
    bench.settle("probe")
    assert bench.statuses(task) == ["completed"]
    assert bench.runs() == {(task, 0): 1}


@pytest.mark.parametrize(("minutes", "sent"), [(9, 0), (11, 1)])
def test_its_row_is_sent_again_after_the_window_when_the_queue_is_busy(bench, minutes, sent):
    """◆ With a status and tries as they were: the deadline is far, and nothing was heard of it."""
    bench.probes("ok")
    dies(bench)
    noise(bench)
    bench.pass_time(minutes=minutes)
    bench.sweep_once()
    row = bench.row()
    assert (row.sends, row.status, row.tries, row.error_class) == (sent, "pending", 0, None)
    assert len(bench.queued()) == 1 + sent


def test_a_row_is_not_ended_when_its_messages_die_again_and_again(bench):
    """◆ Every wait is a receive, so an innocent message may die often."""
    task = bench.probes("throttle:1", "ok")
    for _ in range(10):
        dies(bench)
        bench.pass_time(hours=5)
        bench.sweep_once()
    assert bench.row().status == "pending"
    bench.settle("probe")
    assert bench.statuses(task) == ["completed"]


def test_a_redriven_message_changes_nothing_when_its_row_has_ended(bench):
    task = bench.probes("ok")
    dies(bench)
    bench.settle("probe")
    before = bench.raw()
    for body in bench.dead_letters:
        bench.message(body)
    bench.deliver("probe")
    assert bench.raw() == before
    assert (bench.queued(), bench.statuses(task)) == ([], ["completed"])
