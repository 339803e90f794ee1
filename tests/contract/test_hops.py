"""How far an event is from AWS: `tests/support/hops.py` walks a task's whole life and counts the modules on each way."""

from tests.support import hops

ACROSS = {"clinical.extract_paper.desk", "clinical.extract_paper.gather"}
"""A kind's desk and its gatherer ask the library through what they may know of it: a room more, and a boundary within that."""
ASKED = "sheaf.worker.work_row"
"""What a kind of work reads, it asks its job for: counted as if the worker had read it by itself."""


def counted(way: tuple[str, ...]) -> tuple[str, ...]:
    """The way without the kind's own modules."""
    return (*way[:1], *way[len(way) - 1 - way[::-1].index(ASKED) :]) if ASKED in way else way


def test_no_write_takes_more_hops_than_the_bound_and_no_read_more_than_one_over_when_a_whole_life_is_walked():
    """Mutations caught: a verb that hands on to another module of its room, which hands on to `scatter`."""
    far = [
        (what, way)
        for what, way, _operation in hops.walked()
        if len(counted(way)) > hops.BOUNDS[what] + (what == "read") and not ACROSS & {*way}
    ]
    assert far == []
