"""Counts of a task: made by recounting rows, and always adding up."""

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheaf.protocol.counts import Counts, Seen, Tally, expected, pending, percent, shards
from sheaf.protocol.lifecycle import TaskStatus
from tests.support.items import a_row, a_task

ENDS = ("completed", "error", "cancelled")


def seen(completed=0, error=0, cancelled=0, extracting=0, waiting=0, **counted):
    """What a look at one shard finds."""
    open_rows = [a_row("extracting")] * extracting + [a_row("pending")] * waiting
    return Seen(Counts(completed, error, cancelled, **counted), open_rows)


@pytest.mark.parametrize(
    ("total", "rows"),
    [(1, [1]), (3, [3]), (4, [4]), (5, [4, 1]), (8, [4, 4]), (9, [4, 4, 1])],
)
def test_every_row_has_a_place_when_the_last_shard_is_short(total, rows):
    """The shards' rows add up to the total, and only the last may be short."""
    task = a_task(total=total, shard_rows=4)
    assert [expected(task, number) for number in range(shards(task))] == rows


def test_a_shard_is_sealed_when_all_the_rows_that_the_manifest_gives_it_have_ended():
    """Sealed: its numbers are kept and it is not read again."""
    tally = Tally.of(a_task(total=6, shard_rows=4))
    tally.add(1, seen(completed=1, cancelled=1))
    assert tally.sealed.item == {"shards": "2", "sum": [1, 0, 1]}
    assert tally.open_shards == [0]


@pytest.mark.parametrize(
    "found", [seen(completed=3), seen(completed=3, waiting=1), seen(error=3, extracting=1), seen()]
)
def test_a_shard_stays_open_when_a_row_is_missing_or_open(found):
    """Mutation caught: sealing when no open row is *seen*; a shard half written has none."""
    tally = Tally.of(a_task(total=4, shard_rows=4))
    tally.add(0, found)
    assert tally.sealed.item == {"shards": "0", "sum": [0, 0, 0]}
    assert not tally.closed


def test_sealed_shards_count_as_they_did_when_they_are_not_read_again():
    """What was sealed at an earlier sweep comes from the task."""
    task = a_task(total=8, shard_rows=4, sealed={"shards": "1", "sum": [2, 1, 1]})
    tally = Tally.of(task)
    tally.add(1, seen(error=1, extracting=1, waiting=2))
    assert tally.counts == {"extracting": 1, "completed": 2, "error": 2, "cancelled": 1}
    assert pending(task.total, tally.counts) == 2
    assert task.sealed == {"shards": "1", "sum": [2, 1, 1]}, "the task itself is not changed"


def test_it_is_closed_when_every_shard_is_sealed_and_not_before():
    """Terminal rows = total, shard by shard."""
    tally = Tally.of(a_task(total=5, shard_rows=4))
    tally.add(0, seen(completed=4))
    assert not tally.closed
    tally.add(1, seen(error=1))
    assert tally.closed


@pytest.mark.parametrize(
    ("found", "status"),
    [
        (seen(completed=1), TaskStatus.COMPLETED),
        (seen(error=1), TaskStatus.COMPLETED),
        (seen(cancelled=1), TaskStatus.CANCELLED),
    ],
)
def test_the_task_ends_as_cancelled_when_any_row_was_cancelled(found, status):
    """A task whose rows all failed has still completed: it has its table."""
    tally = Tally.of(a_task())
    tally.add(0, found)
    assert tally.final_status is status


@pytest.mark.parametrize(
    ("ended", "total", "shown"),
    [(0, 3, 0), (1, 3, 33), (2, 3, 66), (3, 3, 99), (199, 200, 99), (1, 1000, 0), (995, 1000, 99)],
)
def test_percent_is_rounded_down_when_it_is_not_whole(ended, total, shown):
    """And 100 is not shown before the close, however few are missing: mutation caught: `round`."""
    counts = {"extracting": 0, "completed": ended, "error": 0, "cancelled": 0}
    assert percent(total, counts, closed=False) == shown


@given(st.data(), st.integers(1, 30), st.integers(1, 7))
def test_the_five_counts_add_up_when_any_part_of_the_shards_has_been_seen(data, total, shard_rows):
    """At every moment, however little of it is written or read, and none of them is ever negative."""
    task = a_task(total=total, shard_rows=shard_rows)
    tally = Tally.of(task)
    for number in data.draw(st.sets(st.integers(0, shards(task) - 1))):
        kinds = data.draw(st.lists(st.sampled_from(["extracting", "waiting", *ENDS]), max_size=expected(task, number)))
        tally.add(number, seen(**{kind: kinds.count(kind) for kind in set(kinds)}))
    counts = {**tally.counts, "pending": pending(total, tally.counts)}
    assert sum(counts.values()) == total
    assert min(counts.values()) >= 0
    ended = sum(counts[name] for name in ENDS)
    assert tally.closed == (ended == total)
    assert 0 <= percent(total, counts, closed=tally.closed) <= 100
    assert (percent(total, counts, closed=tally.closed) == 100) == tally.closed


def test_marks_are_added_up_by_name_when_rows_are_completed():
    """In open shards and in sealed ones, also where one has none, or one of them only."""
    tally = Tally.of(a_task(total=12, shard_rows=4, sealed={"shards": "1", "sum": [4, 0, 0]}))
    tally.add(1, seen(completed=4, marks=Counter(long=1, doubtful=3)))
    tally.add(2, seen(completed=2, waiting=2, marks=Counter(doubtful=1)))
    assert tally.sealed.item == {"shards": "3", "sum": [8, 0, 0, {"long": 1, "doubtful": 3}]}
    assert tally.shown["marks"] == {"long": 1, "doubtful": 4}
    assert tally.counts == {"extracting": 0, "completed": 10, "error": 0, "cancelled": 0}
    again = Tally.of(a_task(total=12, shard_rows=4, sealed=tally.sealed.item))
    assert again.shown["marks"] == {"long": 1, "doubtful": 3}


@pytest.mark.parametrize(
    ("counts", "item"),
    [
        (Counts(1, 2, 3), [1, 2, 3]),
        (Counts(1, 2, 3, tokens=5), [1, 2, 3, 0, 5]),
        (Counts(1, 2, 3, cost=4), [1, 2, 3, 4, 0]),
        (Counts(1, 2, 3, marks=Counter(long=6)), [1, 2, 3, {"long": 6}]),
        (Counts(1, 2, 3, 4, 5, Counter(long=6)), [1, 2, 3, 4, 5, {"long": 6}]),
    ],
)
def test_a_sum_is_stored_as_short_as_it_can_be_and_read_back_when_counted_on(counts, item):
    assert counts.item == item
    assert Counts.of(item) == counts


def test_what_is_sealed_stays_small_when_a_task_has_many_shards():
    """A hundred thousand rows, each with a number for every state: one sum, and a bit a shard."""
    tally = Tally.of(a_task(total=100_000, shard_rows=250))
    marks = Counter(dict.fromkeys(("found", "unsupported", "contradictory", "not_found", "not_attempted"), 2_000))
    for number in range(400):
        tally.add(number, seen(completed=250, marks=marks))
    assert tally.closed
    assert len(json.dumps(tally.sealed.item)) < 400
    assert tally.shown["marks"]["found"] == 800_000
