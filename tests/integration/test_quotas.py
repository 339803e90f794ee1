"""Places of a quota: taken before the thing is made, exactly as many as there are, and found again when things are over."""

import pytest

from sheaf.items import Places
from sheaf.protocol import quotas
from sheaf.protocol.quotas import IN_FLIGHT_MS, Quota
from tests.support.calls import aws_error
from tests.support.items import SECOND


class Things:
    """What exists, and what is over."""

    def __init__(self):
        self.alive: dict[str, bool] = {}
        self.looks = 0

    def look(self, _world, _project, names):
        self.looks += 1
        return {name: alive for name, alive in self.alive.items() if name in names}


@pytest.fixture
def things():
    return Things()


def take(bench, things, name, *, most=2, weight=1, heaviest=None, exists=True):
    """Whether there was a place; then the thing is made."""
    full = quotas.take(bench.api_world, "p1", Quota("things", most, things.look, heaviest), name, weight)
    if full is None and exists:
        things.alive[name] = True
    return full is None


def places(bench) -> Places:
    (raw,) = [item for item in bench.raw()["GatesTable"] if item["gate"]["S"] == "places/p1/things"]
    return Places.from_raw_data(raw)


def test_as_many_get_a_place_as_there_are_when_more_come(bench, things):
    assert [take(bench, things, name) for name in "abcd"] == [True, True, False, False]
    assert places(bench).many == 2


def test_one_gets_the_last_place_when_two_come_between_each_others_calls(bench, things):
    """Played turn by turn, another comes before every call of the first. Mutation caught: looking first and writing then."""
    took: list[bool] = [take(bench, things, "a")]

    def another(_number, _operation, _arguments):
        took.append(take(bench, things, f"other-{len(took)}"))

    with bench.calls.watch() as calls:
        calls.on_call = another
        took.append(take(bench, things, "b"))
    assert took.count(True) == 2


def test_a_place_is_free_again_when_its_thing_is_over(bench, things):
    """By looking, and only where none is left."""
    assert [take(bench, things, name) for name in "ab"] == [True, True]
    assert things.looks == 0
    things.alive["a"] = False
    assert (take(bench, things, "c"), take(bench, things, "d")) == (True, False)
    assert {place.split(" ")[0] for place in places(bench).places} == {"b", "c"}


def test_a_place_without_a_thing_is_kept_for_who_is_about_to_make_it_and_free_a_minute_later(bench, things):
    """Mutation caught: clearing the places of requests that are under way."""
    assert [take(bench, things, name, exists=False) for name in "ab"] == [True, True]
    assert not take(bench, things, "c")
    bench.pass_time(seconds=IN_FLIGHT_MS / SECOND + 1)
    assert take(bench, things, "c")


def test_the_weight_counts_when_places_are_left(bench, things):
    assert take(bench, things, "a", most=9, weight=6, heaviest=10)
    assert not take(bench, things, "b", most=9, weight=5, heaviest=10)
    assert not take(bench, things, "b", most=9, weight=11, heaviest=10)
    assert take(bench, things, "b", most=9, weight=4, heaviest=10)
    things.alive["a"] = False
    assert take(bench, things, "c", most=9, weight=6, heaviest=10)
    assert (places(bench).many, places(bench).weight) == (2, 10)


def test_a_thing_has_one_place_when_it_was_asked_for_twice(bench, things):
    """The same idempotency key: its second place is found where room is wanted."""
    assert take(bench, things, "a")
    bench.pass_time(seconds=1)
    assert take(bench, things, "a")
    assert take(bench, things, "b")
    assert places(bench).many == 2


def test_one_place_is_taken_when_the_reply_is_lost(bench, things):
    with bench.calls.watch() as calls:
        calls.lose_reply_of = 0
        assert take(bench, things, "a")
    assert places(bench).many == 1


def test_places_are_cleared_once_when_two_clear_them_at_the_same_time(bench, things):
    """Mutation caught: taking what was cleared off the number a second time."""
    assert [take(bench, things, name, most=3) for name in "abc"] == [True] * 3
    things.alive |= {"a": False, "b": False}
    done: list[bool] = []

    def another(_number, operation, _arguments):
        if not done:
            done.append(take(bench, things, "d", most=3))

    with bench.calls.watch() as calls:
        calls.on_call = another
        assert take(bench, things, "e", most=3)
    assert done == [True]
    assert (places(bench).many, len(places(bench).places)) == (3, 3)


def test_nothing_is_made_when_the_place_cannot_be_asked_for(bench):
    documents = [bench.paper("A paper.")]
    with bench.calls.watch() as calls:
        calls.fail("UpdateItem", aws_error("ThrottlingException"))
        assert bench.post(documents, kind="extract_paper")[0] == 503
    assert bench.tasks() == []


LIBRARY = Quota("things", 6, weight=10)


def take_many(bench, number, there):
    return quotas.take_many(bench.api_world, "p1", LIBRARY, number, lambda: there) is None


def test_so_many_are_taken_at_once_as_there_is_room_for(bench):
    """The count is what an index shows, in which nothing of this minute stands yet. Mutation caught: taking it for all there is."""
    assert [take_many(bench, number, 0) for number in (4, 6, 1)] == [True, True, False]
    assert places(bench).weight == 10


def test_there_is_room_again_when_what_was_taken_is_counted_and_is_less(bench):
    assert take_many(bench, 10, 0)
    bench.pass_time(seconds=61)
    assert not take_many(bench, 4, 7)
    assert take_many(bench, 3, 7)
    assert (places(bench).weight, places(bench).many) == (10, 2)


def test_two_do_not_get_the_same_room_when_both_have_counted(bench):
    assert take_many(bench, 10, 0)
    bench.pass_time(seconds=61)
    took: list[bool] = []

    def another(_number, _operation, _arguments):
        if not took:
            took.append(take_many(bench, 2, 8))

    with bench.calls.watch() as calls:
        calls.on_call = another
        took.append(take_many(bench, 2, 8))
    assert sorted(took) == [False, True]


def test_many_small_takes_are_counted_together_when_they_come_within_a_minute(bench):
    """Nobody is refused because of how many asked, while there is room."""
    assert [take_many(bench, 1, 0) for _ in range(11)] == [True] * 10 + [False]
    assert places(bench).weight == 10
