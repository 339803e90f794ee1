"""A task's gate: turned by one write, shut for its rows, and what happens when it opens."""

import json

import pytest

from tests.support.bench import TASKS
from tests.support.items import MINUTE, NOW, SECOND


def test_a_row_behind_a_shut_gate_has_a_stamp_when_it_was_never_sent_again(bench):
    """◆ Found there by the sweep: after the gate opens its deadline has begun."""
    task = bench.probes("ok")
    bench.http("POST", f"{TASKS}/{task}/pause")
    bench.pass_time(minutes=1)
    bench.sweep_once()
    row = bench.row()
    assert (row.waiting_since, row.sent_at, row.sends) == (NOW + MINUTE, None, 0)
    before = bench.raw()["ResultsTable"]
    bench.pass_time(minutes=1)
    bench.sweep_once()
    assert bench.raw()["ResultsTable"] == before


def test_due_rows_are_sent_again_when_their_gate_opens(bench):
    """◆ Their messages were acknowledged at the gate: mutation caught: waiting for the stall window instead."""
    task = bench.probes("ok", count=3)
    bench.http("POST", f"{TASKS}/{task}/pause")
    bench.deliver("probe")
    assert bench.queued() == []
    bench.pass_time(seconds=5)
    bench.http("POST", f"{TASKS}/{task}/resume")
    bench.pass_time(seconds=1)
    bench.sweep_once()
    assert len(bench.queued()) == 3
    bench.sweep_once()
    assert len(bench.queued()) == 3, "once"
    bench.settle("probe")
    assert set(bench.runs().values()) == {1}


def test_only_what_was_sent_before_the_opening_is_sent_again_when_a_gate_opens(bench):
    """◆ And only if it is due: a row that waits for its back-off has a message that waits too."""
    task = bench.open([bench.probe("throttle:900"), bench.probe("ok"), bench.probe("ok")], kind="probe")
    bench.deliver("probe", limit=1)
    bench.http("POST", f"{TASKS}/{task}/pause")
    bench.deliver("probe")
    rows = bench.rows(task)
    rows[2].sent_at = NOW + 99 * SECOND
    bench.put(rows[2])
    bench.pass_time(seconds=5)
    bench.http("POST", f"{TASKS}/{task}/resume")
    before = set(bench.held)
    bench.pass_time(seconds=1)
    bench.sweep_once()
    new = [json.loads(bench.held[identifier].record["body"])["r"] for identifier in set(bench.held) - before]
    assert new == [1]


@pytest.mark.parametrize(("action", "gate"), [("pause", "paused"), ("cancel", "cancelled")])
def test_a_turn_is_one_write_when_a_user_asks_for_it(bench, action, gate):
    """◆ What workers read is what was asked for: no second write that a request could die before."""
    task = bench.probes("ok")
    before = bench.raw()["GatesTable"]
    with bench.calls.watch() as calls:
        bench.http("POST", f"{TASKS}/{task}/{action}")
    assert calls.operations.count("UpdateItem") == 1
    assert bench.raw()["GatesTable"] == before
    bench.deliver("probe")
    assert (bench.task(task).gate, bench.queued(), bench.probe_calls()) == (gate, [], [])


def test_a_worker_reads_nothing_of_a_task_but_its_gate_and_front_when_a_message_comes(bench):
    """Its role allows no more: mutation caught: reading the whole task, with who asked for it and what."""
    bench.probes("ok")
    with bench.calls.watch() as calls:
        bench.deliver("probe")
    asked = [arguments for _, _, arguments in calls.made if "TasksTable" in str(arguments)]
    assert [request["ProjectionExpression"] for request in asked] == ["task, gate, front"]
    assert all(request["ConsistentRead"] for request in asked)
