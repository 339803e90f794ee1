"""When a task is swept again: in proportion to the time that it still needs. Pure."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from sheaf.aggregator.decide_row import paused
from sheaf.items import AnyRow, ProviderGate, Task
from sheaf.protocol.counts import Tally, pending
from sheaf.protocol.lifecycle import CLOSED, GateState, Outlook, RowStatus

FEW_ROWS = 200
PASS_MIN_MS = 500
PASS_FEW_MAX_MS = 5_000
PASS_MANY_MS = 2_000  # of many rows each pass reads much: no sooner than this, or a third of what is left
PASS_MAX_MS = 30_000
PASS_LONG_MAX_MS = 5 * 60 * 1000  # between passes of a task that needs hours; its counts move by a twentieth meanwhile
QUIET_MAX_MS = 60_000
ENOUGH_TO_GUESS = 5  # rows whose end was seen before an estimate is shown
FRONT_MAX_MS = 15_000  # the longest that the place of a row that ended stays empty, where there is a limit at work
UNKNOWN_ROW_MS = 20_000
HURRY_MS = 30_000  # within this a message that was sent, or a row that is due, is taken, if anybody is there to take it
SPREAD = 1.28  # of a normal distribution: nine of ten lie below its mean and so many deviations
SLOW_MIN_MS = 5_000  # quicker than this nobody is told that nothing has ended


@dataclass
class Watch:
    """What one sweeper remembers of a task between its passes; nothing that has to be right."""

    due_at: int = 0
    asked: bool = False  # somebody left word of it: it is swept at once, whatever the last sweeper said
    at_risk: int = 0  # what its rows that run may cost
    elsewhere: int = 0  # what those of its project's other tasks may
    first_at: int | None = None
    first_ended: int = 0
    task: Task | None = None  # as it was last read


@dataclass(frozen=True)
class Guess(Outlook):
    """What the rows tell of an outlook, and how long the open ones still need; None where too little was seen."""

    rest: float | None = None


class Events(NamedTuple):
    last: int
    next: int


def due_at(task: Task) -> int:
    """When a new sweeper is to sweep it: as the last one said; at once where a lost nudge would have told of something."""
    at_once = task.counted_at is None or task.count_every is None or task.dispatch_until is not None
    turned = task.gate == GateState.CANCELLED or max(task.pauses, default=0) > (task.counted_at or 0)
    if at_once or turned or task.status in CLOSED:
        return 0
    return int(task.counted_at + task.count_every)


def outlook(
    task: Task,
    tally: Tally,
    guess: Guess,
    now: int,
    *,
    events: Events,
    soon: bool = False,
    waiting: dict[str, Any] | None = None,
    asked: bool = False,
) -> Outlook:
    """Each second near the end; else a tenth of the time still needed, or a twentieth of that since the last event."""
    moved_at = max(events.last, tally.moved_at, task.created_at)
    quiet = min((now - moved_at) / 20, QUIET_MAX_MS, events.next - now)
    wait = int(max(PASS_MIN_MS, by_work(_still_open(task, tally), guess.rest), quiet))
    if task.most_at_work is not None and task.front < task.total:
        wait = min(wait, by_limit(_still_open(task, tally), guess.row_ms or UNKNOWN_ROW_MS))
    if soon and task.gate == GateState.OPEN:
        wait = PASS_MIN_MS
    if waiting:
        wait = PASS_MIN_MS if asked else int(min(wait, QUIET_MAX_MS))
    whole = replace(guess, count_every=wait, waiting_for=waiting)
    ends = task.gate == GateState.OPEN and not waiting
    return whole if ends else replace(whole, finish_at=None, finish_by=None)


def events(rows: Sequence[AnyRow], provider: ProviderGate | None, now: int, *, acted: bool) -> Events:
    """What last happened to the open rows, and what is due next. A claim counts while its row is at work, a message for as long as it may be taken."""
    at_work = [row for row in rows if row.status == RowStatus.EXTRACTING]
    waiting = [row for row in rows if row.status == RowStatus.PENDING]
    due = [instant for row in waiting for instant in (row.updated_at, row.sent_at or 0, row.not_before)]
    due += [now if acted else 0, (provider.shut_until if provider else None) or 0]
    lately = [instant for instant in due if now - HURRY_MS <= instant <= now]
    later = [instant for instant in [*due, *(row.lease_until or 0 for row in at_work)] if instant > now]
    last = max([*lately, *(row.updated_at for row in at_work)], default=0)
    return Events(last, min(later, default=now + QUIET_MAX_MS))


def by_work(still_open: int, rest: float | None) -> float:
    if still_open <= FEW_ROWS:
        return min((rest or 0) / 10, PASS_FEW_MAX_MS)
    if rest is None:
        return min(still_open, PASS_MAX_MS)
    soonest = min(rest / 3, PASS_MANY_MS)
    return min(max(rest / 10, soonest), max(PASS_MAX_MS, min(rest / 20, PASS_LONG_MAX_MS)))


def by_limit(still_open: int, row_ms: int) -> int:
    """How long a row that ended may leave its place empty: a quarter of what rows take, and longer where a look costs much."""
    return max(PASS_MIN_MS, min(row_ms // 4, FRONT_MAX_MS), still_open)


def _still_open(task: Task, tally: Tally) -> int:
    return pending(task.row_count, tally.counts) + tally.extracting


def guess(watch: Watch, task: Task, tally: Tally, rows: Sequence[AnyRow], now: int) -> Guess:
    _, many, together, slowest = tally.times
    row_ms = together // many if many else task.row_ms
    seen = pace_seen(watch, task, tally, now)
    if seen is None:
        return Guess(row_ms=row_ms, slow_after=task.slow_after)
    count, gap = seen
    left = _still_open(task, tally)
    usual = row_ms or 0
    begun = (row.first_claimed_at or now if row.status == RowStatus.EXTRACTING else now for row in rows)
    finish_at = max(now + PASS_MIN_MS, (tally.moved_at or now) + left * gap, max(begun, default=now) + usual)
    spread = SPREAD * gap * math.sqrt(left + left * left / count) + max(0, slowest - usual)
    slow = max(SLOW_MIN_MS, 2 * slowest, 5 * gap)
    slow_after = int(slow) if many else task.slow_after
    return Guess(0, int(finish_at), int(finish_at + spread), row_ms, slow_after, rest=left * gap)


def pace_seen(watch: Watch, task: Task, tally: Tally, now: int) -> tuple[int, float] | None:
    """How many ends were seen, and the time between two: silence after the last says nothing. None of too few."""
    ended, till = task.row_count - _still_open(task, tally), tally.moved_at or now
    if watch.first_at is None:
        watch.first_at, watch.first_ended = now, ended
    seen, passed = ended - watch.first_ended, till - watch.first_at
    if seen < ENOUGH_TO_GUESS and task.scattered_at is not None:
        start = min(task.created_at, task.scattered_at)
        seen, passed = ended, till - start - paused(task.pauses, start, till)
    return (seen, passed / seen) if seen >= ENOUGH_TO_GUESS and passed > 0 else None
