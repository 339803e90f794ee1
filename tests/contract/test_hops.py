"""How far an event is from AWS: `tests/support/hops.py` walks a task's whole life and counts the modules on each way."""

from tests.support import hops

DESK = "clinical.extract_paper.desk"
"""A kind's desk asks the library through what it may know of it: a room more, and a boundary within that."""


def test_no_write_takes_more_hops_than_the_bound_and_no_read_more_than_one_over_when_a_whole_life_is_walked():
    """Mutations caught: a verb that hands on to another module of its room, which hands on to `scatter`."""
    far = [
        (what, way)
        for what, way, _operation in hops.walked()
        if len(way) > hops.BOUNDS[what] + (what == "read") and DESK not in way
    ]
    assert far == []
