"""When a task is swept again: in proportion to the time that it still needs. Pure."""

from dataclasses import dataclass
from typing import Any

from sheaf.counting import Tally, pending
from sheaf.deciding import paused
from sheaf.lifecycle import CLOSED, GateState, Outlook
from sheaf.models import Gate, Task

FEW_ROWS = 200
PASS_MIN_MS = 1_000
PASS_FEW_MAX_MS = 5_000
PASS_MAX_MS = 30_000
PASS_LONG_MAX_MS = 5 * 60 * 1000
"""Between two passes over a task that still needs hours; its counts move by a twentieth meanwhile."""
QUIET_MAX_MS = 60_000
NEAR_BUDGET = 0.5
"""From half of its budget on a task is counted every second: what is overspent is what starts between two counts."""
ENOUGH_TO_GUESS = 5
"""Rows whose end was seen before an estimate is shown."""


@dataclass
class Watch:
    """What one sweeper remembers of a task between its passes; nothing that has to be right."""

    due_at: int = 0
    asked: bool = False
    """Somebody left word of it: it is swept at once, whatever the last sweeper said."""
    first_at: int | None = None
    first_ended: int = 0


def due_at(task: Task, gate: Gate | None) -> int:
    """When a task is to be swept next, for a sweeper that has not seen it yet: as the last one said, or at once.

    At once wherever something was asked for that a lost nudge would have told.
    """
    told = task.counted_at is None or task.count_every is None or task.dispatch_until is not None
    turned = task.cancel_requested or (gate is not None and (gate.opened_at or 0) > (task.counted_at or 0))
    behind = task.gate_version > ((gate.version or 0) if gate else 0)
    if told or turned or behind or task.status in CLOSED:
        return 0
    return int(task.counted_at + task.count_every)


def outlook(
    task: Task,
    tally: Tally,
    rest: float | None,
    now: int,
    *,
    waiting: dict[str, Any] | None = None,
    asked: bool = False,
) -> Outlook:
    """When to come again: about every second while few rows are open or the end is near, seldom otherwise.

    A tenth of the time that the open rows still need keeps the cost of counting in proportion to the work;
    a twentieth of the time since a count changed keeps a task that waits cheap. Nobody knows when one that waits for its
    provider will end; once the provider is back, its rows are sent again by the next count. `asked`: that it be tried now.
    """
    told = (task.extracting, task.completed, task.error, task.cancelled)
    counted = tuple(tally.counts[name] for name in ("extracting", "completed", "error", "cancelled"))
    moved_at = now if counted != told else task.moved_at or now
    wait = max(PASS_MIN_MS, by_work(_still_open(task, tally), rest), min((now - moved_at) / 20, QUIET_MAX_MS))
    if task.budget is not None and tally.paid["cost"] >= NEAR_BUDGET * task.budget and task.gate == GateState.OPEN:
        wait = PASS_MIN_MS
    if waiting:
        return Outlook(PASS_MIN_MS if asked else int(min(wait, QUIET_MAX_MS)), moved_at, None, waiting)
    known = rest is not None and task.gate == GateState.OPEN
    return Outlook(int(wait), moved_at, now + int(rest) if rest is not None and known else None)


def by_work(still_open: int, rest: float | None) -> float:
    """How long the work itself lets a count wait."""
    if still_open <= FEW_ROWS:
        return min((rest or 0) / 10, PASS_FEW_MAX_MS)
    if rest is None:
        return min(still_open, PASS_MAX_MS)
    return min(rest / 10, max(PASS_MAX_MS, min(rest / 20, PASS_LONG_MAX_MS)))


def _still_open(task: Task, tally: Tally) -> int:
    return pending(task.total, tally.counts) + tally.extracting


def time_left(watch: Watch, task: Task, tally: Tally, now: int) -> float | None:
    """How long the open rows need at the pace seen by this sweeper, or, while it has seen little, since the scatter.

    None while too little was seen to say.
    """
    still_open = _still_open(task, tally)
    ended = task.total - still_open
    if watch.first_at is None:
        watch.first_at, watch.first_ended = now, ended
    seen, passed = ended - watch.first_ended, now - watch.first_at
    if seen < ENOUGH_TO_GUESS and task.scattered_at is not None:
        start = int(task.scattered_at)
        seen, passed = ended, now - start - paused(task.pauses, start, now)
    return still_open * passed / seen if seen >= ENOUGH_TO_GUESS and passed > 0 else None
