"""One document's trouble is its own: the others are done meanwhile, and a lost worker costs one try."""

import pytest

from tests.support.items import MAX_TRIES


@pytest.mark.parametrize("acts", [["permanent"], ["defect"], ["throttle:3600"], ["transient"], ["hang"]])
def test_the_other_rows_are_not_held_up_when_one_document(bench, acts):
    """Failed, broken, throttled or hanging: its neighbours are completed in the same delivery."""
    bench.tolerated = (ZeroDivisionError,)
    task = bench.open([bench.probe("ok"), bench.probe(*acts), bench.probe("ok")], kind="probe")
    bench.deliver("probe")
    assert [bench.rows(task)[0].status, bench.rows(task)[2].status] == ["completed", "completed"]


def test_the_other_rows_are_not_held_up_when_one_kills_its_worker(bench):
    """The worker dies in mid-work, four times; the row ends as `worker_lost`, the others are done at once."""
    doomed = bench.probe("ok")
    task = bench.open([bench.probe("ok"), doomed, bench.probe("ok")], kind="probe")
    key = bench.rows(task)[1].pinned_key

    with bench.calls.watch() as calls:
        calls.die_when = lambda operation, arguments: operation == "GetObject" and arguments["Key"] == key
        bench.deliver("probe")
        assert bench.statuses(task) == ["completed", "extracting", "completed"]
        bench.settle("probe")
    row = bench.rows(task)[1]
    assert (row.status, row.error_class, row.tries) == ("error", "worker_lost", MAX_TRIES)
    assert bench.task(task).status == "completed"
    assert bench.runs() == {(task, 0): 1, (task, 2): 1}


@pytest.mark.parametrize("by", ["redelivery", "the sweep"])
def test_a_lost_worker_costs_one_try_when_its_row_is_taken_over_by(bench, by):
    """The same two numbers either way: attempt 2, tries 2, one more run."""
    task = bench.probes("ok")
    with bench.calls.watch() as calls:
        calls.cut_before = 3
        bench.deliver("probe")
    assert bench.row().status == "extracting"
    bench.pass_time(seconds=91)
    if by == "the sweep":
        bench.sweep_once()
        assert bench.row().status == "pending"
        bench.lose_messages("extract_paper")
    bench.deliver("probe")
    bench.pass_time(seconds=180)
    bench.deliver("probe")
    row = bench.row()
    assert (row.status, row.attempt, row.tries) == ("completed", 2, 2)
    assert bench.runs() == {(task, 0): 2}
