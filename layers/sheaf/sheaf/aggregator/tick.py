"""The schedule's tick: looks at all open tasks, wakes the sweepers with something to do, and is one itself."""

from collections.abc import Sequence

from sheaf.aggregator.schedule import due_at
from sheaf.items import TICK, Task, Tick
from sheaf.logs import say
from sheaf.outside.needs import SweeperWorld
from sheaf.outside.store import Key, update
from sheaf.protocol import queries, scatter
from sheaf.protocol.counts import pending
from sheaf.protocol.lifecycle import GateState

TICK_MS = 60_000  # the schedule's interval: a task that is due before the next tick is for this one
SOURCE = "tick"
KEY: Key = {"gate": TICK}


def come(world: SweeperWorld) -> str | None:
    """The sweeper that this invocation is to be, None where nothing is due. The others that have something to do are woken."""
    now = world.now()
    tasks = queries.open_tasks(world)
    update(world, Tick, KEY, [Tick.came_at.set(now)], Tick.came_at.does_not_exist() | (Tick.came_at < now))
    for kind in world.settings.kinds if tasks else ():
        say("work_open", kind=kind, measured=measured([task for task in tasks if task.kind == kind], now))
    due = {task.active: task.task for task in tasks if due_at(task) < now + TICK_MS}
    for task in list(due.values())[1:]:
        scatter.invoke(world, world.settings.aws_lambda_function_name, {"source": SOURCE, "task": task})
    return next(iter(due), None)


def measured(tasks: Sequence[Task], now: int) -> dict[str, float]:
    """What is open of one kind, by its tasks' last counts. A row is as old as its task, or its gate's opening."""
    left = [(task, 1 if task.total is None else pending(task.total, task.counts)) for task in tasks]
    wanted = [(task, rows) for task, rows in left if rows and task.gate == GateState.OPEN]
    waiting = [(task, rows) for task, rows in wanted if task.waiting_for is None]
    moved = [max(task.moved_at or 0, _began(task)) for task, _ in waiting]
    return {
        "TasksOpen": len(tasks),
        "RowsPending": sum(rows for _, rows in left),
        "RowsWaiting": sum(rows for _, rows in waiting),
        "RowsHeld": sum(rows for _, rows in wanted) - sum(rows for _, rows in waiting),
        "RowsExtracting": sum(task.extracting for task in tasks),
        "OldestPendingSeconds": max((now - _began(task) for task, _ in wanted), default=0) / 1000,
        "QuietSeconds": (now - max(moved)) / 1000 if moved else 0,
        # Of those alone that wait for their next count: nothing is known of the others.
        "SweepLateMilliseconds": max((now - at for task in tasks if 0 < (at := due_at(task)) < now), default=0),
    }


def _began(task: Task) -> int:
    return max(task.created_at, task.opened_at or 0)
