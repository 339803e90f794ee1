"""Tasks of many parts and shards out of few rows."""

from typing import Any

WAVE, SHARD, PART = 10, 7, 12


def opened(bench: Any, count: int) -> str:
    """A task of so many probes, durable and otherwise left to the aggregator. Gives its id."""
    return str(bench.probes("ok", count=count))


def begun(bench: Any, count: int) -> str:
    """One whose first part is sent, and no other: whoever was asked for them has died."""
    task = opened(bench, count)
    bench.sweep_once(parts=1)
    return task


def finished(bench: Any, task: str, count: int) -> None:
    """It closes with this many completed rows, each worked on once."""
    bench.settle("probe")
    assert bench.statuses(task) == ["completed"] * count
    assert bench.task(task).completed == count
    assert bench.runs() == {(task, number): 1 for number in range(count)}
