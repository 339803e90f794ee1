"""When the sweep comes again, and what it takes for lost: in proportion to the time that a task still needs."""

import pytest

from sheaf import pace
from sheaf.counting import Tally
from sheaf.models import Gate
from sheaf.pace import FEW_ROWS, Watch, due_at
from tests.support.items import HOUR, MINUTE, NOW, SECOND, a_task

MANY = FEW_ROWS + 1


@pytest.mark.parametrize(
    ("still_open", "rest", "wait"),
    [
        (10, None, 0),
        (10, 2 * SECOND, 0.2 * SECOND),
        (FEW_ROWS, HOUR, 5 * SECOND),
        (MANY, None, MANY),
        (100_000, None, 30 * SECOND),
        (MANY, 100 * SECOND, 10 * SECOND),
        (MANY, 10 * MINUTE, 30 * SECOND),
        (MANY, 20 * MINUTE, MINUTE),
        (MANY, 16 * HOUR, 5 * MINUTE),
    ],
)
def test_a_count_waits_in_proportion_when_the_work_takes_long(still_open, rest, wait):
    """A twentieth of what is left, never more than five minutes; the last rows are looked at every few seconds."""
    assert pace.by_work(still_open, rest) == wait


def counted(**told):
    return a_task(**{"counted_at": NOW, "count_every": 5 * MINUTE, "gate_version": 1, **told})


def gate(**told):
    return Gate(**{"gate": "task/p1/t1", "version": 1, "state": "open", **told})


def test_a_task_is_left_until_its_next_count_when_a_new_sweeper_finds_it():
    assert due_at(counted(), gate()) == NOW + 5 * MINUTE
    assert due_at(counted(), gate(opened_at=NOW - 1)) == NOW + 5 * MINUTE


@pytest.mark.parametrize(
    ("task", "found"),
    [
        (counted(counted_at=None), gate()),
        (counted(count_every=None), gate()),
        (counted(dispatch_until=0), gate()),
        (counted(cancel_requested=True), gate()),
        (counted(gate_version=2), gate()),
        (counted(), None),
        (counted(), gate(opened_at=NOW + 1)),
        (counted(status="completed"), gate()),
    ],
)
def test_a_task_is_swept_at_once_when_something_was_asked_and_its_nudge_may_be_lost(task, found):
    """Never counted, a scatter to finish, a flag not carried out, a gate opened since, a notice to send."""
    assert due_at(task, found) == 0


def left(task, ended, watch=None, now=NOW):
    tally = Tally.of(task)
    tally.open_ended = [ended, 0, 0]
    return pace.time_left(watch or Watch(), task, tally, now)


def test_the_pace_is_known_to_a_new_sweeper_when_the_task_was_scattered_long_ago():
    """100 of 200 in an hour: an hour more."""
    assert left(a_task(total=200, scattered_at=NOW - HOUR), 100) == pytest.approx(HOUR)


def test_a_pause_is_no_pace_when_the_time_left_is_guessed():
    """Half of that hour it was paused."""
    task = a_task(total=200, scattered_at=NOW - HOUR, pauses=[NOW - HOUR // 2, NOW])
    assert left(task, 100) == pytest.approx(HOUR // 2)


def test_the_sweepers_own_view_counts_when_it_has_seen_enough():
    """The last minutes say more than the whole task: 10 of 100 in one minute."""
    task, watch = a_task(total=200, scattered_at=NOW - HOUR), Watch(first_at=NOW - MINUTE, first_ended=90)
    assert left(task, 100, watch) == pytest.approx(10 * MINUTE)
