"""A user's own allowance of costly reads: one write a page, refused when the bucket is empty, full again by itself."""

from dataclasses import replace

import pytest

from sheaf.api import read_allowance
from sheaf.errors import TooFast
from sheaf.items import Allowance
from tests.support.items import NOW

MINUTE = 60_000


@pytest.fixture
def world(bench):
    """600 reads a minute, 1,000 at once."""
    return replace(
        bench.api_world, settings=replace(bench.api_world.settings, reads_per_minute=600, reads_at_once=1_000)
    )


def spend(world, reads, now=NOW, user="u1", *, goes_on=False):
    read_allowance.spend(world, user, reads, now, goes_on=goes_on)


def test_reads_are_taken_until_the_bucket_is_empty_and_then_refused(bench, world):
    """Three pages of 500: the third finds nothing left, and takes nothing."""
    spend(world, 500)
    spend(world, 500)
    spend(world, 500)
    before = bench._scan("GatesTable")
    with pytest.raises(TooFast) as refusal:
        spend(world, 500)
    assert bench._scan("GatesTable") == before
    assert refusal.value.seconds == 50
    with pytest.raises(TooFast):
        spend(world, read_allowance.CHEAP + 1, NOW + 49_000)
    spend(world, 500, NOW + 50_000)


@pytest.mark.parametrize("goes_on", [False, True])
def test_the_bucket_is_full_again_when_nobody_read_for_long_enough(bench, world, goes_on):
    """And fuller than full it never is. Mutation caught: an instant in the past that is added to."""
    spend(world, 1_000)
    spend(world, 500, NOW + 60 * MINUTE, goes_on=goes_on)
    (gate,) = (Allowance.from_raw_data(item) for item in bench._scan("GatesTable"))
    assert (gate.gate, gate.next_at) == ("reader/u1", NOW + 60 * MINUTE + 50_000)


def test_one_user_s_flood_is_not_another_s(world):
    for _ in range(3):
        spend(world, 500)
    spend(world, 500, user="u2")
    with pytest.raises(TooFast):
        spend(world, 500)


def test_nothing_is_asked_of_aws_when_a_read_is_cheap(bench, world):
    with bench.calls.watch() as calls:
        spend(world, 10)
        spend(world, 0)
    assert calls.operations == []


@pytest.mark.parametrize(
    ("before", "goes_on", "writes"), [(0, False, 1), (500, False, 2), (500, True, 1), (0, True, 2)]
)
def test_a_page_costs_one_write_when_the_bucket_is_as_expected_and_else_two(bench, world, before, goes_on, writes):
    """Full at a table's first page, begun at its next."""
    spend(world, before)
    with bench.calls.watch() as calls:
        spend(world, 500, goes_on=goes_on)
    assert calls.operations == ["UpdateItem"] * writes


@pytest.mark.parametrize("goes_on", [False, True])
def test_a_refusal_costs_one_write_when_the_bucket_is_empty(bench, world, goes_on):
    """Mutation caught: a flood that costs twice as many writes as there are requests."""
    for _ in range(3):
        spend(world, 500)
    with bench.calls.watch() as calls, pytest.raises(TooFast):
        spend(world, 500, goes_on=goes_on)
    assert calls.operations == ["UpdateItem"]


@pytest.mark.parametrize("before", [0, 500])
def test_reads_are_taken_twice_at_most_when_a_reply_is_lost(bench, world, before):
    """A longer wait, and never a refusal of what was answered."""
    spend(world, before)
    with bench.calls.watch() as calls:
        calls.lose_reply_of = len(["the first try"]) if before else 0
        spend(world, 100)
    (gate,) = (Allowance.from_raw_data(item) for item in bench._scan("GatesTable"))
    taken = gate.next_at - NOW - before * 100
    assert taken in {10_000, 20_000}
