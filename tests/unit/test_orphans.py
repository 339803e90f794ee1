"""What the janitor may delete: nothing that is pointed at, nothing that is younger than a day."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheaf.janitor.task_objects import Stored, orphans
from tests.support.items import DAY, NOW


@pytest.mark.parametrize(
    ("pointed_at", "age", "goes"),
    [
        (set(), DAY + 1, True),
        (set(), DAY, False),
        (set(), 0, False),
        ({"a"}, 30 * DAY, False),
        ({"b"}, DAY + 1, True),
    ],
)
def test_an_object_goes_when_nothing_points_at_it_and_it_is_older_than_a_day(pointed_at, age, goes):
    """◆ A day, because a request or a worker that is still under way points at it only at its end."""
    found = Stored("a", "v1", NOW - age)
    assert orphans([found], pointed_at, NOW) == ([found] if goes else [])


def test_every_version_stays_when_its_key_is_pointed_at():
    """A task pins a version; which one is not the janitor's to judge."""
    versions = [Stored("a", f"v{number}", NOW - 9 * DAY) for number in range(3)]
    assert orphans(versions, {"a"}, NOW) == []


@given(st.lists(st.builds(Stored, st.sampled_from("abc"), st.text(max_size=2), st.integers(NOW - 3 * DAY, NOW))))
def test_what_is_pointed_at_or_young_never_goes_when_there_is_anything_at_all(found):
    for item in orphans(found, {"a"}, NOW):
        assert item.key != "a"
        assert item.written_at < NOW - DAY
