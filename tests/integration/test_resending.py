"""Messages vanish; rows do not. When the sweep sends a row's message again, and when it does not."""

import itertools
import json

import pytest

from tests.support.calls import Killed
from tests.support.items import HOUR, MINUTE, NOW


def sweeps(bench, seconds, step=30):
    """A pass every half minute, for so long; gives when messages were sent, in seconds from the start."""
    began, sent = bench.clock.now, []
    before = set(bench.held)
    while bench.clock.now < began + seconds * 1000:
        bench.sweep_once()
        new = set(bench.held) - before
        sent += [(bench.clock.now - began) // 1000] * len(new)
        before |= new
        bench.pass_time(seconds=step - 1)
    return sent


def noise(bench):
    """A message of another task, in flight for ever: the queue is busy."""
    bench.message('{"v": 1, "s": "p1/other/0000", "r": 0}').visible_at = NOW + 99 * HOUR


def test_a_lost_message_is_sent_again_within_minutes_when_the_queue_is_empty(bench):
    """Two looks a minute apart found nothing visible, in flight or delayed: the row's message is gone."""
    task = bench.probes("ok")
    assert bench.lose_messages() == 1
    sent = sweeps(bench, 5 * 60)
    assert sent
    assert 60 <= sent[0] <= 180
    row = bench.row()
    assert (row.sends, row.status, row.tries) == (len(sent), "pending", 0)
    assert row.waiting_since is not None
    bench.settle("probe")
    assert bench.runs() == {(task, 0): 1}


def test_nothing_is_sent_again_when_the_queue_was_empty_at_one_look_only(bench):
    """What a queue says of itself is approximate: mutation caught: believing it at once."""
    bench.probes("ok")
    bench.pass_time(minutes=3)
    bench.queue_says_empty = True
    bench.sweep_once()
    bench.queue_says_empty = False
    assert sweeps(bench, 4 * 60) == []


def test_nothing_is_sent_again_when_the_two_looks_are_less_than_a_minute_apart(bench):
    bench.probes("ok")
    bench.pass_time(minutes=3)
    bench.queue_says_empty = True
    bench.sweep_once()
    bench.pass_time(seconds=50)
    bench.sweep_once()
    assert len(bench.held) == 1
    bench.pass_time(seconds=31)
    bench.sweep_once()
    assert len(bench.held) == 2


@pytest.mark.parametrize("state", ["visible", "in flight", "delayed"])
def test_the_queue_is_not_empty_when_a_message_is(bench, state, monkeypatch):
    """Hidden messages are the ones that wait for a lease or a back-off: all three numbers count."""
    names = {
        "visible": "ApproximateNumberOfMessages",
        "in flight": "ApproximateNumberOfMessagesNotVisible",
        "delayed": "ApproximateNumberOfMessagesDelayed",
    }
    bench.probes("ok")
    bench.lose_messages()

    def one(_client, _operation, arguments):
        numbers = dict.fromkeys(arguments["AttributeNames"], "0") | {names[state]: "1"}
        return {"Attributes": {name: numbers[name] for name in arguments["AttributeNames"]}}

    with bench.calls.watch() as calls:
        calls.instead["GetQueueAttributes"] = one
        assert sweeps(bench, 5 * 60) == []


def test_a_lost_message_is_sent_again_when_the_queue_is_busy_with_others(bench):
    """Ten minutes of silence, then twenty, and so on up to four hours: per row, whatever its neighbours do."""
    bench.probes("ok")
    bench.lose_messages()
    noise(bench)
    sent = []
    began = bench.clock.now
    for _ in range(24 * 6):
        before = len(bench.held)
        bench.sweep_once()
        if len(bench.held) > before:
            sent.append(round((bench.clock.now - began) / MINUTE))
            bench.held.popitem()
        bench.pass_time(seconds=599)
    gaps = [after - before for before, after in itertools.pairwise([0, *sent])]
    wanted = [10, 20, 40, 80, 160, 240, 240, 240, 240]
    assert all(0 <= gap - want <= 11 for gap, want in zip(gaps, wanted, strict=True)), gaps
    assert bench.row().status == "pending"


def test_a_lost_row_is_sent_again_when_its_neighbour_is_throttled_for_days(bench):
    """Per row, not per task: mutation caught: taking the task's last movement for the row's."""
    task = bench.open([bench.probe("throttle:60"), bench.probe("ok")], kind="probe")
    held = next(held for held in bench.held.values() if json.loads(held.record["body"])["r"] == 1)
    del bench.held[held.record["messageId"]]
    for _ in range(15):
        bench.deliver("probe")
        bench.sweep_once()
        bench.pass_time(seconds=59)
    assert bench.statuses(task) == ["pending", "completed"]


def test_nothing_is_sent_again_when_a_row_merely_waits_in_a_long_queue_for_nine_minutes(bench):
    bench.probes("ok")
    assert sweeps(bench, 9 * 60) == []


def test_nothing_is_sent_again_when_a_row_is_not_due(bench):
    """It waits for its back-off; its message waits with it."""
    bench.probes("throttle:7200")
    bench.deliver("probe")
    before = len(bench.held)
    for _ in range(11):
        bench.sweep_once()
        bench.pass_time(minutes=10)
    assert len(bench.held) == before


def test_a_row_has_a_stamp_of_its_first_resend_when_it_is_sent_again_and_again(bench):
    """◆ `waiting_since` is when it was first sent again and starts its deadline; `sent_at` is the last time."""
    bench.probes("ok")
    bench.lose_messages()
    noise(bench)
    bench.pass_time(minutes=11)
    bench.sweep_once()
    first = bench.row()
    assert first.waiting_since == first.sent_at
    bench.lose_messages()
    noise(bench)
    bench.pass_time(minutes=21)
    bench.sweep_once()
    second = bench.row()
    assert (second.sends, second.waiting_since) == (2, first.waiting_since)
    assert second.sent_at > first.sent_at


def test_a_row_ends_when_all_its_messages_have_been_lost_for_a_week(bench):
    """◆ The deadline of a row that was never claimed runs from `waiting_since`: without it the task never closes."""
    task = bench.probes("ok")
    for _ in range(70):
        bench.lose_messages()
        noise(bench)
        bench.sweep_once()
        bench.pass_time(hours=2.5)
    row = bench.row()
    assert (row.status, row.error_class, row.attempt) == ("error", "deadline", 0)
    bench.sweep_once()
    assert bench.task(task).status == "completed"


def test_an_expired_row_is_sent_after_it_was_given_back(bench):
    """Its message may be gone with its worker; the send comes after the write, and is stamped."""
    bench.probes("ok")
    with bench.calls.watch() as calls:
        calls.cut_before = 3
        bench.deliver("probe")
    bench.lose_messages()
    bench.pass_time(seconds=91)
    with bench.calls.watch() as calls:
        bench.sweep_once()
    kinds = [
        (operation, arguments.get("TableName"))
        for _, operation, arguments in calls.made
        if operation == "SendMessageBatch" or arguments.get("TableName") == "ResultsTable"
    ]
    assert kinds[:4] == [
        ("Query", "ResultsTable"), ("UpdateItem", "ResultsTable"), ("SendMessageBatch", None), ("UpdateItem", "ResultsTable"),
    ]  # fmt: skip
    row = bench.row()
    assert (row.status, row.sends, len(bench.queued())) == ("pending", 1, 1)


def test_a_message_is_sent_before_the_row_is_stamped_when_it_is_sent_again(bench):
    """A crash between the two costs a second message; the other way round it would cost the row its message."""
    bench.probes("ok")
    bench.lose_messages()
    noise(bench)
    bench.pass_time(minutes=11)
    with bench.calls.watch() as calls:
        calls.die_when = lambda operation, _arguments: operation == "SendMessageBatch"
        with pytest.raises(Killed):
            bench.sweep_once()
    assert bench.row().sent_at is None
    bench.pass_time(minutes=1)
    bench.sweep_once()
    assert (bench.row().sends, len(bench.queued())) == (1, 2)


def test_a_silent_row_is_not_sent_again_when_its_task_still_needs_hours(bench):
    """It waits its turn. A lost one would not make the task later: it is sent again when the time left is that short."""
    bench.open([bench.probe("ok") for _ in range(40)], kind="probe")
    noise(bench)
    bench.pass_time(hours=1)
    bench.deliver("probe", limit=8)
    assert sweeps(bench, 30 * 60) == []
    bench.deliver("probe", limit=30)
    bench.lose_messages()
    noise(bench)
    assert sweeps(bench, 30 * 60)
