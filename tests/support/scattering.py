"""Tasks of many waves and shards out of few rows, opened by an API that takes its time."""

from typing import Any

WAVE, SHARD = 10, 7


def opened_slowly(bench: Any, count: int, seconds_a_call: float = 1.0) -> str:
    """A task of so many probes, opened by an API each of whose calls takes this long. Gives its id."""
    documents = [bench.probe("ok") for _ in range(count)]
    with bench.calls.watch() as calls:
        calls.on_call = lambda *_: bench.pass_time(seconds=seconds_a_call)
        status, task = bench.post(documents)
    assert status == 202
    return str(task["taskId"])


def finished(bench: Any, task: str, count: int) -> None:
    """It closes with this many completed rows, each worked on once."""
    bench.settle("probe")
    assert bench.statuses(task) == ["completed"] * count
    assert bench.task(task).completed == count
    assert bench.runs() == {(task, number): 1 for number in range(count)}
