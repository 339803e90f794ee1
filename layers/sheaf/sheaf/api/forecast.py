"""How a task stands for those who wait: when it may be done, or in a word and a sentence why nobody can say. Pure."""

from collections.abc import Mapping
from typing import Annotated, TypedDict

from sheaf.items import Task
from sheaf.protocol.lifecycle import CLOSED, GateState
from sheaf.schemas import Instant, instant, one_of

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


class NotMovingView(TypedDict):
    """Why it does not move, since when, and that in a sentence."""

    reason: Annotated[str, one_of(SENTENCES)]
    since: Instant
    detail: str


class ExpectedView(TypedDict):
    """As likely done before p50 as after it, nine times of ten before p90; null where nobody can say."""

    p50: Instant
    p90: Instant


def is_fresh(task: Task, now: int) -> bool:
    """Whether the aggregator's last count is recent enough to be shown as it is."""
    return task.counted_at is not None and now <= task.counted_at + _allowed_ms(task)


def is_left(task: Task, now: int) -> bool:
    """Whether the aggregator has been away for minutes."""
    return now > (task.counted_at or task.created_at) + _allowed_ms(task) + AWAY_MS


def _allowed_ms(task: Task) -> int:
    return FRESH_INTERVALS * (task.count_every or 0) + SLACK_MS


def not_moving(task: Task, counts: Mapping[str, int], as_of: int, now: int) -> NotMovingView | None:
    """Why it does not move, since when, and that in a sentence; None while it does. The counts are of `as_of`."""
    found = None if task.status in CLOSED or task.gate == GateState.CANCELLED else _why(task, counts, as_of, now)
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


def expected(task: Task, now: int) -> ExpectedView | None:
    """When the last sweep expected the end; None once that says nothing: of what was stopped since, or of the past."""
    if task.status in CLOSED or task.gate != GateState.OPEN or (task.finish_at or 0) <= now:
        return None
    return {"p50": instant(task.finish_at), "p90": instant(task.finish_by)}
