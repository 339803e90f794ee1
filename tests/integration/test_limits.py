"""The most rows that a task may have at work at once: what is sent, what may start, and what a change does while it runs."""

import json

import pytest

from tests.support.bench import TASKS
from tests.support.calls import Killed
from tests.support.items import SECOND


def limited(bench, count=6, most=2, parts="ok"):
    """A task that was opened with a limit and swept once."""
    documents = [bench.probe(parts) for _ in range(count)]
    status, task = bench.post(documents, mostAtWork=most)
    assert (status, task["mostAtWork"]) == (202, most)
    sweep(bench)
    return str(task["taskId"])


def sweep(bench):
    bench.pass_time(seconds=1)
    bench.sweep_once()


def out(bench):
    """The rows that have a message."""
    return sorted(json.loads(body)["r"] for body in bench.queued())


def at_work(bench, task, *numbers, seconds=300):
    """Workers have claimed these rows: their messages are hidden, so that none is left to be given out."""
    bench.lose_messages()
    for number in numbers:
        row = bench.rows(task)[number]
        row.status, row.attempt, row.tries, row.token = "extracting", row.attempt + 1, row.tries + 1, f"of {number}"
        row.updated_at = row.first_claimed_at = bench.clock.now
        row.lease_until = bench.clock.now + seconds * SECOND
        bench.put(row)


def ended(bench, task, *numbers, status="completed"):
    for number in numbers:
        row = bench.rows(task)[number]
        row.status, row.lease_until, row.updated_at, row.summary = status, None, bench.clock.now, {}
        bench.put(row)


def change(bench, task, most):
    status, told = bench.http("POST", f"{TASKS}/{task}/limit", {"mostAtWork": most})
    assert (status, told["mostAtWork"]) == (202, most)


def test_only_so_many_rows_are_sent_when_a_task_is_opened_with_a_limit(bench):
    """◆ The next one when one has ended, and none while as many are at work."""
    task = limited(bench)
    assert out(bench) == [0, 1]
    at_work(bench, task, 0, 1)
    sweep(bench)
    assert out(bench) == []
    ended(bench, task, 1)
    sweep(bench)
    assert out(bench) == [2]
    sweep(bench)
    assert out(bench) == [2], "once"


def test_every_row_is_worked_on_once_when_one_may_be_at_work(bench):
    task = limited(bench, count=4, most=1)
    bench.settle("probe")
    assert bench.runs() == {(task, row): 1 for row in range(4)}
    assert all(row.tries == 1 for row in bench.rows(task)), "waiting spends no try"


def test_a_message_is_let_go_when_its_row_is_behind_the_front(bench):
    """◆ As behind a shut gate: no claim, no try, no call more than before; the front's passing sends it again."""
    task = bench.probes("ok", count=3)
    change(bench, task, 1)
    with bench.calls.watch() as calls:
        bench.deliver("probe")
    assert calls.operations.count("UpdateItem") == 0
    assert calls.operations == ["GetItem"] * 3
    assert bench.statuses(task) == ["pending"] * 3
    sweep(bench)
    assert out(bench) == [0]
    bench.settle("probe")
    assert bench.runs() == {(task, row): 1 for row in range(3)}


def test_what_is_at_work_ends_and_nothing_starts_when_the_limit_is_lowered_below_it(bench):
    task = limited(bench, count=8, most=4)
    at_work(bench, task, 0, 1, 2, 3)
    change(bench, task, 2)
    sweep(bench)
    assert (bench.task(task).front, out(bench)) == (0, [])
    ended(bench, task, 0, 3)
    sweep(bench)
    assert (bench.task(task).front, out(bench)) == (4, [])
    ended(bench, task, 1)
    sweep(bench)
    assert out(bench) == [4]


def test_more_start_when_the_limit_is_raised_and_all_when_it_is_taken_away(bench):
    task = limited(bench, count=8, most=1)
    change(bench, task, 3)
    sweep(bench)
    assert set(out(bench)) == {0, 1, 2}
    change(bench, task, None)
    sweep(bench)
    assert set(out(bench)) == set(range(8))
    bench.settle("probe")
    assert bench.runs() == {(task, row): 1 for row in range(8)}


def test_the_place_of_a_row_is_free_when_it_was_released_or_lost_behind_the_front(bench):
    """It was at work when the limit came: now it waits its turn, and its own message is let go."""
    task = bench.probes("ok", count=4)
    at_work(bench, task, 3, seconds=1)
    change(bench, task, 1)
    bench.pass_time(seconds=2)
    sweep(bench)
    assert bench.statuses(task) == ["pending"] * 4
    sweep(bench)
    assert out(bench) == [0]
    bench.settle("probe")
    assert bench.runs() == {(task, row): 1 for row in range(4)}


def test_the_rows_are_sent_by_the_next_sweep_when_one_dies_before_it_has_sent_them(bench):
    """◆ The front is written first: its rows that were never sent say so themselves."""
    _, task = bench.post([bench.probe("ok") for _ in range(3)], mostAtWork=2)
    with bench.calls.watch() as calls:
        calls.die_when = lambda operation, _: operation == "SendMessageBatch"
        with pytest.raises(Killed):
            sweep(bench)
    assert bench.task(task["taskId"]).front == 2
    assert out(bench) == []
    bench.pass_time(minutes=1)
    sweep(bench)
    assert out(bench) == [0, 1]


def test_a_lost_message_is_sent_again_within_minutes_when_there_is_a_limit(bench):
    """Its place is kept for it: with a limit of one, nothing else would start either."""
    task = limited(bench, count=2, most=1)
    assert bench.lose_messages() == 1
    for _ in range(8):
        bench.pass_time(seconds=30)
        sweep(bench)
    assert set(out(bench)) == {0}
    bench.settle("probe")
    assert bench.statuses(task) == ["completed"] * 2


def test_a_limited_task_is_paused_and_goes_on_when_asked(bench):
    """What is behind the front has no clock running; what is before it is sent again after the pause."""
    task = limited(bench)
    bench.http("POST", f"{TASKS}/{task}/pause")
    bench.deliver("probe")
    change(bench, task, 3)
    sweep(bench)
    assert bench.task(task).gate == "paused"
    assert [row.waiting_since is not None for row in bench.rows(task)] == [True] * 3 + [False] * 3
    assert out(bench) == []
    bench.pass_time(seconds=5)
    bench.http("POST", f"{TASKS}/{task}/resume")
    sweep(bench)
    assert out(bench) == [0, 1, 2]
    bench.settle("probe")
    assert set(bench.runs().values()) == {1}


def test_a_limited_task_is_cancelled_behind_its_front_too_when_asked(bench):
    task = limited(bench)
    bench.http("POST", f"{TASKS}/{task}/cancel")
    assert bench.http("POST", f"{TASKS}/{task}/limit", {"mostAtWork": 3})[0] == 409
    bench.settle("probe")
    assert bench.statuses(task) == ["cancelled"] * 6


def test_a_limit_is_changed_by_one_write_when_it_is_another(bench):
    task = limited(bench)
    for most, writes in ((3, 1), (3, 1), (2, 1)):
        before = bench.task(task)
        with bench.calls.watch() as calls:
            change(bench, task, most)
        assert calls.operations.count("UpdateItem") == writes
        same = before.most_at_work == most
        assert (bench.task(task).pauses == before.pauses) is same, "asked again, nothing is sent again"


def test_a_retry_has_the_limit_of_its_parent_when_it_is_opened(bench):
    task = limited(bench, count=3, most=1, parts="permanent")
    bench.settle("probe")
    status, child = bench.http("POST", f"{TASKS}/{task}/retry", {})
    assert (status, child["mostAtWork"]) == (202, 1)
    sweep(bench)
    assert out(bench) == [0]


@pytest.mark.parametrize("most", [0, -1, 10_001, "2", 1.5, True])
def test_a_limit_is_refused_before_anything_is_written_when_it_is_no_number_of_rows(bench, most):
    task = bench.probes("ok")
    before = bench.raw()
    status, problem = bench.http("POST", f"{TASKS}/{task}/limit", {"mostAtWork": most})
    assert (status, problem["field"]) == (400, "mostAtWork")
    status, problem = bench.post([bench.probe("ok")], mostAtWork=most)
    assert (status, problem["field"]) == (400, "mostAtWork")
    assert bench.raw() == before


def test_the_same_key_is_refused_when_the_limit_is_another(bench):
    document = bench.probe("ok")
    assert bench.post([document], key="k", mostAtWork=2)[0] == 202
    assert bench.post([document], key="k", mostAtWork=2)[0] == 200
    assert bench.post([document], key="k")[0] == 409
