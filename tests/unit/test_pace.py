"""When the sweep comes again, and what it takes for lost: in proportion to the time that a task still needs."""

from typing import Any

import pytest

from sheaf.aggregator import schedule
from sheaf.aggregator.schedule import FEW_ROWS, Watch, due_at
from sheaf.items import ProviderGate
from sheaf.protocol.counts import Counts, Tally
from tests.support.items import HOUR, MINUTE, NOW, SECOND, a_row, a_task

MANY = FEW_ROWS + 1


@pytest.mark.parametrize(
    ("still_open", "rest", "wait"),
    [
        (10, None, 0),
        (10, 2 * SECOND, 0.2 * SECOND),
        (FEW_ROWS, HOUR, 5 * SECOND),
        (MANY, None, MANY),
        (MANY, 3 * SECOND, SECOND),
        (MANY, 10 * SECOND, 2 * SECOND),
        (100_000, None, 30 * SECOND),
        (MANY, 100 * SECOND, 10 * SECOND),
        (MANY, 10 * MINUTE, 30 * SECOND),
        (MANY, 20 * MINUTE, MINUTE),
        (MANY, 16 * HOUR, 5 * MINUTE),
    ],
)
def test_a_count_waits_in_proportion_when_the_work_takes_long(still_open, rest, wait):
    """A twentieth of what is left, never more than five minutes; the last rows are looked at every few seconds."""
    assert schedule.by_work(still_open, rest) == wait


@pytest.mark.parametrize(
    ("still_open", "row_ms", "wait"),
    [
        (10, 60, schedule.PASS_MIN_MS),
        (10, 20 * SECOND, 5 * SECOND),
        (10, HOUR, 15 * SECOND),
        (100_000, MINUTE, 100 * SECOND),
    ],
)
def test_an_empty_place_waits_a_quarter_of_a_rows_time_when_there_is_a_limit(still_open, row_ms, wait):
    """Never sooner than any pass, 15 s at most, and longer where a look costs a second of a processor and more."""
    assert schedule.by_limit(still_open, row_ms) == wait


def counted(**told):
    return a_task(**{"counted_at": NOW, "count_every": 5 * MINUTE, **told})


@pytest.mark.parametrize("pauses", [[], [NOW - 2, NOW - 1], [NOW - 1]])
def test_a_task_is_left_until_its_next_count_when_a_new_sweeper_finds_it(pauses):
    assert due_at(counted(pauses=pauses)) == NOW + 5 * MINUTE


@pytest.mark.parametrize(
    "told",
    [
        {"counted_at": None},
        {"count_every": None},
        {"dispatch_until": 0},
        {"gate": "cancelled"},
        {"pauses": [NOW + 1]},
        {"pauses": [NOW - 1, NOW + 1]},
        {"status": "completed"},
    ],
)
def test_a_task_is_swept_at_once_when_something_was_asked_and_its_nudge_may_be_lost(told):
    """Never counted, a scatter to finish, a cancel, a gate turned since, a notice to send."""
    assert due_at(counted(**told)) == 0


def left(task, ended, watch=None, now=NOW, moved_at=0):
    return guessed(task, ended, watch, now, times=[moved_at, 0, 0, 0]).rest


def guessed(task, ended, watch=None, now=NOW, *, rows=(), times=(0, 0, 0, 0)):
    tally = Tally.of(task)
    tally.ended = Counts(ended)
    tally.times = list(times)
    return schedule.guess(watch or Watch(), task, tally, rows, now)


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


def test_a_standstill_is_no_pace_when_the_time_left_is_guessed():
    """Half of them in ten minutes and then nothing for an hour. Mutation caught: counting the hour as work."""
    task = a_task(total=200, scattered_at=NOW - 70 * MINUTE, created_at=NOW - 70 * MINUTE)
    assert left(task, 100, moved_at=NOW - HOUR) == pytest.approx(10 * MINUTE)


def test_the_interval_holds_the_slowest_row_when_the_pace_is_guessed():
    """10 of 20 in ten minutes, one a minute: not sooner than a row that has just begun, and room for a slow one."""
    task = a_task(total=20, created_at=NOW - 10 * MINUTE, scattered_at=NOW - 10 * MINUTE)
    told = guessed(task, 10, rows=[a_row("extracting")], times=[NOW, 10, 20 * MINUTE, 5 * MINUTE])
    assert (told.row_ms, told.slow_after) == (2 * MINUTE, 10 * MINUTE)
    assert told.finish_at == NOW + 10 * MINUTE
    assert NOW + 15 * MINUTE < told.finish_by < NOW + 20 * MINUTE
    late = guessed(a_task(total=11, created_at=NOW - MINUTE), 10, rows=[a_row()], times=[NOW, 10, HOUR, HOUR])
    assert late.finish_at == NOW + HOUR // 10


def test_what_rows_take_is_remembered_when_none_of_them_can_be_seen():
    """Every shard that has ended rows is sealed, and not read."""
    task = a_task(total=20, created_at=NOW - 10 * MINUTE, row_ms=7, slow_after=9_000)
    told = guessed(task, 10)
    assert (told.row_ms, told.slow_after) == (7, 9_000)


# ---------------------------------------------------------------------------------------------------- coming again


def wait(rows, *, acted=False, moved_at=NOW - 10 * MINUTE, provider=None):
    """After how many seconds the next count is due."""
    task = a_task(total=30, moved_at=moved_at, created_at=NOW - 2 * HOUR)
    events = schedule.events(rows, provider, NOW, acted=acted)
    return schedule.outlook(task, Tally.of(task), schedule.Guess(), NOW, events=events).count_every / SECOND


OLD: dict[str, Any] = {"updated_at": NOW - 10 * MINUTE, "created_at": NOW - 10 * MINUTE}


def test_a_task_is_looked_at_seldom_when_nothing_has_happened_to_its_rows_for_long():
    assert wait([a_row(**OLD)]) == 30
    assert wait([a_row(**OLD, sent_at=NOW - 31 * SECOND)]) == 30, "whoever was there would have taken it by now"
    assert wait([a_row(updated_at=NOW - HOUR, created_at=NOW - HOUR)], moved_at=NOW - HOUR) == 60


@pytest.mark.parametrize(
    ("row", "seconds"),
    [
        (a_row(**OLD, sent_at=NOW), 0.5),
        (a_row("extracting", **(OLD | {"updated_at": NOW - 40 * SECOND})), 2),
        (a_row("extracting", **(OLD | {"updated_at": NOW - 2 * SECOND})), 0.5),
        (a_row(**OLD, not_before=NOW - SECOND), 0.5),
        (a_row(**OLD, not_before=NOW + 7 * SECOND), 7),
    ],
)
def test_what_ends_a_row_hurries_its_close_when_nothing_had_ended_for_minutes(row, seconds):
    """Sent again, claimed, or due: it is looked at soon after that, and then in proportion."""
    assert wait([a_row(**OLD), row]) == seconds


def test_it_is_looked_at_soon_when_the_sweep_itself_did_something():
    """A row that it has just sent again may end at once."""
    assert wait([a_row(**OLD)], acted=True) == 0.5


def test_it_is_looked_at_when_the_provider_may_be_tried_again():
    assert wait([a_row(**OLD)], provider=ProviderGate(gate="provider/openai", shut_until=NOW + 9 * SECOND)) == 9
    assert wait([a_row(**OLD)], provider=ProviderGate(gate="provider/openai", shut_until=NOW - 9 * SECOND)) == 0.5
