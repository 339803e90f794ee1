"""What the sweep does with one row: pure, from the row, the time and what is known of its task and queue."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from sheaf.lifecycle import LEASELESS_EXPIRY_MS, TERMINAL, GateState, RowStatus
from sheaf.models import Row

WINDOW_MAX_MS = 4 * 3600 * 1000
DEAD_LETTER_WINDOW_MS = 60_000
QUEUE_EMPTY_MS = 60_000
"""Two looks this far apart find a queue empty before that is believed: what it says of itself is approximate."""


class Do(Enum):
    LEAVE = "leave"
    EXPIRE = "expire"
    GIVE_UP = "give_up"
    CANCEL = "cancel"
    RESEND = "resend"
    STAMP = "stamp"


@dataclass(frozen=True)
class Facts:
    """What is known beside the row. Instants and durations in milliseconds."""

    now: int
    max_tries: int
    scattered_at: int | None
    gate: GateState
    opened_at: int | None
    pauses: Sequence[int]
    queue_empty: tuple[int, int] | None
    """The queue was empty at every look from the first instant to the second."""
    deadline: int
    stall_window: int


def decide(row: Row, facts: Facts) -> tuple[Do, str]:
    """The one thing to do with this row now, and why."""
    if row.status in TERMINAL:
        return Do.LEAVE, "terminal"
    if row.status == RowStatus.EXTRACTING:
        return (Do.EXPIRE, "lease over") if _lease_over(row, facts.now) else (Do.LEAVE, "at work")
    return _decide_pending(row, facts)


def _decide_pending(row: Row, facts: Facts) -> tuple[Do, str]:
    if facts.gate == GateState.CANCELLED:
        return Do.CANCEL, "cancel requested"
    if row.tries >= facts.max_tries:
        return Do.GIVE_UP, "tries spent"
    if facts.gate == GateState.PAUSED:
        return (Do.STAMP, "found behind a shut gate") if row.waiting_since is None else (Do.LEAVE, "paused")
    if started_before(row, facts) is not None:
        return Do.GIVE_UP, "past the deadline"
    if row.not_before > facts.now:
        return Do.LEAVE, "not due"
    reason = _why_send_again(row, facts)
    return (Do.RESEND, reason) if reason else (Do.LEAVE, "its message is under way")


def started_before(row: Row, facts: Facts) -> int | None:
    """The instant before which this row's clock must have started for it to be past its deadline; None if it is not.

    The clock starts at the first claim or at the first sign of waiting, and a user's pauses do not count.
    """
    starts = [start for start in (row.first_claimed_at, row.waiting_since) if start is not None]
    if not starts:
        return None
    limit = facts.now - facts.deadline - paused(facts.pauses, min(starts), facts.now)
    return limit if min(starts) < limit else None


def paused(pauses: Sequence[int], start: int, now: int) -> int:
    """How much of start..now the user had it paused. `pauses` holds pause and resume in turn."""
    ends = [*pauses, now] if len(pauses) % 2 else list(pauses)
    spans = zip(ends[::2], ends[1::2], strict=True)
    return sum(max(0, min(till, now) - max(since, start)) for since, till in spans)


def _lease_over(row: Row, now: int) -> bool:
    if row.lease_until is None:
        return row.updated_at < now - LEASELESS_EXPIRY_MS
    return row.lease_until < now


def _why_send_again(row: Row, facts: Facts) -> str | None:
    """A message may have vanished: three signs of it, and a dead letter. Each row for itself."""
    if facts.scattered_at is None:
        return None
    sent = max(facts.scattered_at, row.sent_at or 0)
    heard = max(sent, row.updated_at)
    if facts.opened_at is not None and sent < facts.opened_at:
        return "gate opened since"
    if facts.queue_empty and facts.queue_empty[1] - max(facts.queue_empty[0], heard) >= QUEUE_EMPTY_MS:
        return "queue empty"
    if facts.now - heard > min(facts.stall_window * 2**row.sends, WINDOW_MAX_MS):
        return "nothing heard"
    died = row.dead_letter_at or 0
    if died > sent and facts.now - died > min(DEAD_LETTER_WINDOW_MS * 2**row.sends, WINDOW_MAX_MS):
        return "dead letter"
    return None
