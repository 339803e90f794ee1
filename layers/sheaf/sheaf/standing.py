"""How a task stands for those who wait: when it may be done, or in a word and a sentence why nobody can say. Pure."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sheaf.lifecycle import CLOSED, GateState
from sheaf.models import Task

FRESH_INTERVALS = 3
SLACK_MS = 1_000
AWAY_MS = 120_000
"""So long after its next count was due, nobody looks after a task: what is lost stays lost, what ends is not told."""
SENTENCES = {
    "paused": "Paused.",
    "budget": "Nothing more starts: its rows have cost, or may cost while they run, what the task may.",
    "project_budget": "The project has spent what it may today; the task goes on by itself from midnight (UTC) on.",
    "provider": "Waiting for {provider}.",
    "not_swept": "Nobody has looked after this task since then: rows may end, but nothing is sent again or closed.",
    "not_started": "Nothing has started yet.",
    "nothing_ended": "Nothing has ended since then; rows of this task take about {seconds:g} s.",
}
"""Why a task does not move: a word for programs, a sentence for people."""


def instant(milliseconds: int) -> str:
    """RFC 3339 in UTC with milliseconds."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def is_fresh(task: Task, now: int) -> bool:
    """Whether the aggregator's last count is recent enough to be shown as it is."""
    return task.counted_at is not None and now <= task.counted_at + _allowed_ms(task)


def is_left(task: Task, now: int) -> bool:
    """Whether the aggregator has been away for minutes."""
    return now > (task.counted_at or task.created_at) + _allowed_ms(task) + AWAY_MS


def _allowed_ms(task: Task) -> int:
    return FRESH_INTERVALS * (task.count_every or 0) + SLACK_MS


def not_moving(task: Task, counts: Mapping[str, int], as_of: int, now: int) -> dict[str, Any] | None:
    """Why it does not move, since when, and that in a sentence; None while it does. The counts are of `as_of`."""
    found = None if task.status in CLOSED or task.cancel_requested else _why(task, counts, as_of, now)
    if found is None:
        return None
    reason, since = found
    provider, seconds = (task.waiting_for or {}).get("provider"), round((task.row_ms or 0) / 1000, 1)
    detail = SENTENCES[reason].format(provider=provider, seconds=seconds)
    return {"reason": reason, "since": instant(since), "detail": detail}


def _why(task: Task, counts: Mapping[str, int], as_of: int, now: int) -> tuple[str, int] | None:
    """The first of these that is so, and since when."""
    ended = counts["completed"] + counts["error"] + counts["cancelled"]
    moved_at = counts.get("moved_at") or task.created_at
    reasons = {
        "paused": (task.gate == GateState.PAUSED, (task.pauses or [task.created_at])[-1]),
        "project_budget": (task.gate == GateState.BUDGET and task.held_by == "project", (task.pauses or [0])[-1]),
        "budget": (task.gate == GateState.BUDGET, (task.pauses or [task.created_at])[-1]),
        "provider": (bool(task.waiting_for), (task.waiting_for or {}).get("since")),
        "not_swept": (is_left(task, now), task.counted_at or task.created_at),
        "not_started": (not ended and not counts["extracting"], task.created_at),
        "nothing_ended": (task.slow_after is not None and as_of - moved_at > task.slow_after, moved_at),
    }
    return next(((reason, since) for reason, (is_so, since) in reasons.items() if is_so), None)


def expected(task: Task, now: int) -> dict[str, str] | None:
    """When the last sweep expected the end; None once that says nothing: of what was stopped since, or of the past."""
    if task.status in CLOSED or task.gate != GateState.OPEN or (task.finish_at or 0) <= now:
        return None
    return {"p50": instant(task.finish_at), "p90": instant(task.finish_by)}
