"""A task's gate: set from the task's flag, shut for its rows, and what happens when it opens."""

import json

import pytest

from tests.support.bench import TASKS
from tests.support.calls import Killed
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


def test_the_gate_is_set_from_the_tasks_flag_when_the_api_died_between_the_two(bench):
    """◆ The flag first, then the gate; the sweep sets the gate that the API did not."""
    task = bench.probes("ok")
    with bench.calls.watch() as calls:
        calls.die_when = lambda operation, arguments: arguments.get("TableName") == "GatesTable"
        with pytest.raises(Killed):
            bench.http("POST", f"{TASKS}/{task}/cancel")
    assert (bench.task(task).cancel_requested, bench.gate(f"task/p1/{task}")) == (True, None)
    bench.sweep_once()
    assert bench.gate(f"task/p1/{task}").state == "cancelled"
    assert bench.statuses(task) == ["cancelled"]


def test_the_flag_is_there_before_the_gate_when_a_user_cancels(bench):
    """◆ Mutation caught: the gate first: an API that dies then has shut workers out of a task that nobody ends."""
    task = bench.probes("ok")
    flags = []

    def look(_number, operation, arguments):
        if operation == "UpdateItem" and arguments["TableName"] == "GatesTable":
            flags.append(bench.task(task).cancel_requested)

    with bench.calls.watch() as calls:
        calls.on_call = look
        bench.http("POST", f"{TASKS}/{task}/cancel")
    assert flags == [True]
