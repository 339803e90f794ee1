"""What a GET of a task's status costs while the aggregator's count is fresh."""

import time
from dataclasses import dataclass

from bench.place import TASKS, Place, Recording
from bench.report import RUNS
from bench.units import item_size


@dataclass(frozen=True)
class Status:
    """The most AWS requests of one GET, over how many, and the largest that the task's item was."""

    requests: int
    asked: int
    item_bytes: int


def ask(at: Place, api: Recording, task_id: str) -> Status:
    """Ask while the work is under way, after the first count; a count that has gone stale is not asked for."""
    while at.task(task_id).counted_at is None:
        time.sleep(0.2)
    counts: list[int] = []
    size = 0
    while len(counts) < RUNS:
        since = time.time()
        _, shown = at.ask("GET", f"{TASKS}/{task_id}")
        if not shown["stale"]:
            counts.append(len(api.operations(since)))
        size = max(size, item_size(at.raw_task(task_id)))
        time.sleep(1)
    return Status(max(counts), len(counts), size)
