"""How a task stands for those who wait: when it may be done, or why nobody can say and what to do about it. Pure."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, TypedDict

from sheaf.items import Task
from sheaf.protocol.counts import pending
from sheaf.protocol.lifecycle import CLOSED, GateState, TaskStatus
from sheaf.schemas import Count, Id, Instant, instant, one_of

FRESH_INTERVALS = 3
SLACK_MS = 1_000
AWAY_MS = 120_000  # so long after its next count was due nobody looks after a task: what is lost stays lost
STILL_MS = 60_000  # so long after something last happened, its queue is asked why nothing does
WORDS = json.loads(Path(__file__).with_name("words.json").read_text("utf-8"))  # by a word for programs

QueueSays = Callable[[], str | None]


class NotMovingView(TypedDict):
    """Why it does not move, since when, that in a sentence, and what to do."""

    reason: Annotated[str, one_of(WORDS["notMoving"])]
    since: Instant
    detail: str
    advice: str


class StandingView(NotMovingView):
    """A task that does not move, and how many of its rows wait."""

    taskId: Id
    kind: str
    rows: Count


class ExpectedView(TypedDict):
    """As likely done before p50 as after it, nine times of ten before p90; null where nobody can say."""

    p50: Instant
    p90: Instant


def is_fresh(task: Task, now: int) -> bool:
    if task.status == TaskStatus.GATHERING:
        return True
    return task.counted_at is not None and now <= task.counted_at + _allowed_ms(task)


def is_left(task: Task, now: int) -> bool:
    last = max(task.dispatch_until or 0, task.created_at) if task.status == TaskStatus.GATHERING else task.counted_at
    return now > (last or task.created_at) + _allowed_ms(task) + AWAY_MS


def _allowed_ms(task: Task) -> int:
    return FRESH_INTERVALS * (task.count_every or 0) + SLACK_MS


def not_moving(task: Task, counts: Mapping[str, int], as_of: int, now: int, queue: QueueSays) -> NotMovingView | None:
    """Why it does not move, by counts of `as_of`; None while it does. `queue` says why it stands still, and is asked only then."""
    found = None if task.status in CLOSED or task.gate == GateState.CANCELLED else _why(task, counts, as_of, now, queue)
    if found is None:
        return None
    reason, since = found
    until = instant((task.waiting_for or {}).get("until") or now)
    about = {"kind": task.kind, "by": task.paused_by, "provider": task.provider, "until": until}
    pace = f"; rows of this task take about {round(task.row_ms / 1000, 1):g} s" if task.row_ms is not None else ""
    detail, advice = (text.format(**about, pace=pace) for text in WORDS["notMoving"][reason])
    return {"reason": reason, "since": instant(since), "detail": detail, "advice": advice}


def _why(task: Task, counts: Mapping[str, int], as_of: int, now: int, queue: QueueSays) -> tuple[str, int] | None:
    ended = counts["completed"] + counts["error"] + counts["cancelled"]
    moved_at = max(counts.get("moved_at") or task.created_at, task.opened_at or 0)
    may_start = task.gate == GateState.OPEN and not task.waiting_for and pending(task.row_count, counts) > 0
    is_idle = may_start and not counts["extracting"] and not is_left(task, now)
    slow, still = task.slow_after is not None and as_of - moved_at > task.slow_after, now - moved_at >= STILL_MS
    still = still and is_idle
    why = queue() if still else None
    reasons = {
        "paused": (task.gate == GateState.PAUSED, (task.pauses or [task.created_at])[-1]),
        "project_budget": (task.gate == GateState.BUDGET and task.held_by == "project", (task.pauses or [0])[-1]),
        "budget": (task.gate == GateState.BUDGET, (task.pauses or [task.created_at])[-1]),
        "provider": (bool(task.waiting_for), (task.waiting_for or {}).get("since")),
        "not_swept": (is_left(task, now), task.counted_at or task.created_at),
        str(why): (why is not None, moved_at),
        "gathering": (task.total is None and now > task.created_at + AWAY_MS, task.created_at),
        "not_started": (task.total is not None and not ended and not counts["extracting"], task.created_at),
        "nothing_ended": (slow or still, moved_at),
    }
    return next(((reason, since) for reason, (is_so, since) in reasons.items() if is_so), None)


def expected(task: Task, now: int) -> ExpectedView | None:
    if task.status in CLOSED or task.gate != GateState.OPEN or (task.finish_at or 0) <= now:
        return None
    return {"p50": instant(task.finish_at), "p90": instant(task.finish_by)}
