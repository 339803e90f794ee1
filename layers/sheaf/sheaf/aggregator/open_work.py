"""What is open of one kind, as its tasks' last counts have it: what the dashboard shows and the alarms watch. Pure."""

from collections.abc import Sequence

from sheaf.items import Task
from sheaf.protocol.counts import pending
from sheaf.protocol.lifecycle import GateState


def measured(tasks: Sequence[Task], now: int) -> dict[str, float]:
    """By the names that are measured; zeros where nothing is open.

    A row is as old as its task. It waits where nothing holds it back: no pause, no spent budget, no provider's shut gate.
    """
    left = [(task, pending(task.total, task.counts)) for task in tasks]
    wanted = [(task, rows) for task, rows in left if rows and task.gate == GateState.OPEN]
    waiting = [(task, rows) for task, rows in wanted if task.waiting_for is None]
    moved = [max(task.moved_at or 0, task.created_at, task.opened_at or 0) for task, _ in waiting]
    return {
        "TasksOpen": len(tasks),
        "RowsPending": sum(rows for _, rows in left),
        "RowsWaiting": sum(rows for _, rows in waiting),
        "RowsHeld": sum(rows for _, rows in wanted) - sum(rows for _, rows in waiting),
        "RowsExtracting": sum(task.extracting for task in tasks),
        "OldestPendingSeconds": max((now - task.created_at for task, _ in wanted), default=0) / 1000,
        "QuietSeconds": (now - max(moved)) / 1000 if moved else 0,
    }
