"""A worker process that dies at its work, on the deployed stack: SIGKILL, as an exhausted memory would."""

import pytest

pytestmark = pytest.mark.emulator


def test_only_the_killed_row_is_done_again_when_a_worker_dies_at_its_work(deployed, kill):
    """The sweep finds the lease over and sends the row again; the other rows never notice."""
    task = deployed.closed(kill.task_id)
    rows = deployed.rows(kill.task_id)
    calls = deployed.calls(kill.task_id)
    assert (task["completedCount"], task["errorCount"]) == (3, 0)
    assert [row.status for row in rows] == ["completed"] * 3
    # One attempt more where the worker died, and where the provider throttled; only the first cost a try.
    assert [(row.attempt, row.tries) for row in rows] == [(2, 2), (1, 1), (2, 1)]
    assert sorted((call["row"], call["attempt"]) for call in calls) == [(0, 1), (0, 2), (1, 1), (2, 1), (2, 2)]
    by_the_dead, by_another = (call["pid"] for call in calls if call["row"] == kill.row)
    assert by_the_dead == kill.pid != by_another


def test_the_row_waits_for_the_end_of_the_lease_when_its_worker_died(deployed, kill):
    """Not earlier, because the worker might still be at it: claimed for its function's 30 seconds and the slack of 60."""
    deployed.closed(kill.task_id)
    row = deployed.rows(kill.task_id)[kill.row]
    assert 60_000 < kill.lease_until - row.first_claimed_at <= 90_000
    assert row.updated_at > kill.lease_until
