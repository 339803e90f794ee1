"""What the dashboard and the alarms are told of the open tasks of a kind."""

import pytest

from sheaf.aggregator.tick import measured
from sheaf.items import Task
from tests.support.clock import T0

NOW = T0 + 3_600_000
HELD = {"for": "provider", "provider": "openai"}


def task(**more):
    return Task("p1/t1", **{"created_at": T0, "total": 10, "gate": "open", "status": "processing", **more})


def test_all_is_zero_when_nothing_is_open():
    """So that a curve ends where the work does. Mutation caught: no value at all."""
    assert set(measured([], NOW).values()) == {0}


def test_rows_are_told_by_what_they_do_when_some_have_ended():
    seen = measured([task(extracting=2, completed=3, error=1, cancelled=1), task(completed=9)], NOW)
    assert (seen["TasksOpen"], seen["RowsPending"], seen["RowsExtracting"]) == (2, 4, 2)


@pytest.mark.parametrize(
    ("about", "waiting", "held", "oldest"),
    [
        ({}, 10, 0, 3600),
        ({"gate": "paused"}, 0, 0, 0),
        ({"gate": "budget"}, 0, 0, 0),
        ({"gate": "cancelled"}, 0, 0, 0),
        ({"waiting_for": HELD}, 0, 10, 3600),
        ({"pauses": [T0 + 1, NOW - 7_000]}, 10, 0, 7),
        ({"completed": 10}, 0, 0, 0),
    ],
)
def test_a_row_waits_when_nothing_holds_it_back(about, waiting, held, oldest):
    """Whoever paused a task is not told that it is late, nor whoever lets it go on; whoever's provider is away is."""
    seen = measured([task(**about)], NOW)
    assert (seen["RowsWaiting"], seen["RowsHeld"], seen["OldestPendingSeconds"]) == (waiting, held, oldest)


@pytest.mark.parametrize(
    ("about", "quiet"),
    [
        ({}, 3600),
        ({"moved_at": NOW - 5_000}, 5),
        ({"pauses": [T0 + 1, NOW - 7_000]}, 7),
        ({"moved_at": NOW - 5_000, "waiting_for": HELD}, 0),
    ],
)
def test_quiet_is_since_something_ended_or_went_on_when_rows_wait(about, quiet):
    """Mutation caught: a task that somebody let go on after a day counts as stuck at once."""
    assert measured([task(**about)], NOW)["QuietSeconds"] == quiet


def test_a_kind_is_not_quiet_when_another_of_its_tasks_moves():
    """Its workers are busy there."""
    assert measured([task(), task(moved_at=NOW - 1_000)], NOW)["QuietSeconds"] == 1
