"""What is counted and what it costs: open shards only, to their last page, one read for what is closed."""

import pytest

from sheaf.items import shard_key
from sheaf.protocol import scatter
from tests.support.bench import TASKS
from tests.support.items import a_row

SHARD = 4


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(scatter, "SHARD_ROWS", SHARD)


def read_shards(calls):
    """The shards that were counted, by number, as often as they were."""
    queried = [
        arguments for _, operation, arguments in calls.made if operation == "Query" and "IndexName" not in arguments
    ]
    return [int(next(iter(query["ExpressionAttributeValues"].values()))["S"].rpartition("/")[2]) for query in queried]


def test_a_sealed_shard_is_not_read_again_when_others_are_open(bench, small):
    """Recounting costs what is still open."""
    bench.open([bench.probe("ok") for _ in range(8)] + [bench.probe("throttle:600")], kind="probe")
    bench.deliver("probe")
    with bench.calls.watch() as calls:
        bench.sweep_once()
    assert set(read_shards(calls)) == {0, 1, 2}
    bench.pass_time(minutes=1)
    with bench.calls.watch() as calls:
        bench.sweep_once()
    assert set(read_shards(calls)) == {2}
    bench.pass_time(minutes=1)
    with bench.calls.watch() as calls:
        bench.http("GET", f"{TASKS}/{bench.tasks()[0].id}")
    assert set(read_shards(calls)) == {2}


def test_a_status_costs_one_read_when_the_task_is_closed(bench):
    """For ever: nothing is counted."""
    task = bench.probes("ok", count=3)
    bench.settle("probe")
    bench.pass_time(hours=999)
    with bench.calls.watch() as calls:
        bench.http("GET", f"{TASKS}/{task}")
    assert calls.operations == ["GetItem"]


def test_a_status_is_counted_live_when_the_sweep_is_away(bench, small):
    """True while the aggregator is away, and as of now."""
    task = bench.probes("ok", count=5)
    bench.deliver("probe", limit=3)
    _, shown = bench.http("GET", f"{TASKS}/{task}")
    assert (shown["completedCount"], shown["pendingCount"], shown["stale"]) == (3, 2, False)
    bench.sweep_once()
    bench.deliver("probe")
    bench.pass_time(minutes=5)
    _, shown = bench.http("GET", f"{TASKS}/{task}")
    assert (shown["completedCount"], shown["percent"], shown["status"]) == (5, 99, "processing")


def test_a_status_is_the_sweeps_when_that_is_fresh(bench):
    """One read while the aggregator's count is recent."""
    task = bench.probes("ok", count=3)
    bench.sweep_once()
    with bench.calls.watch() as calls:
        bench.http("GET", f"{TASKS}/{task}")
    assert calls.operations == ["GetItem"]


def test_a_row_of_another_task_is_not_counted_when_its_key_begins_alike(bench):
    """p1/t1 and p1/t10 are two tasks."""
    task = bench.probes("ok")
    bench.put(a_row("completed", shard=shard_key(f"p1/{task}0", 0)))
    bench.sweep_once()
    assert (bench.task(task).completed, bench.task(task).status) == (0, "processing")


def test_pages_are_read_to_the_end_when_a_shard_does_not_fit_into_one(bench, small):
    """Mutation caught: counting the first page only, which never closes or closes early."""
    task = bench.probes("ok", count=4)
    bench.deliver("probe")

    def one_at_a_time(sqs, operation, arguments):
        limited = arguments if "IndexName" in arguments else {**arguments, "Limit": 1}
        return bench.calls.answer(sqs, operation, limited)

    with bench.calls.watch() as calls:
        calls.instead["Query"] = one_at_a_time
        bench.sweep_once()
    assert (bench.task(task).status, bench.task(task).completed) == ("completed", 4)
