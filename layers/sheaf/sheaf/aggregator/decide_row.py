"""What the sweep does with one row: pure, from the row, the time and what is known of its task and queue."""

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from sheaf.items import ProviderGate, Row
from sheaf.protocol.lifecycle import TERMINAL, GateState, RowStatus
from sheaf.protocol.provider_gate import PARKS_MS, is_shut

WINDOW_MAX_MS = 4 * 3600 * 1000
QUEUE_EMPTY_MS = 60_000
"""Two looks this far apart find a queue empty before that is believed: what it says of itself is approximate."""
PROBE_WAIT_MS = 20_000
"""Messages that were only hidden come back first."""
PROBE_AGAIN_MS = 5 * 60_000


class Do(Enum):
    LEAVE = "leave"
    EXPIRE = "expire"
    GIVE_UP = "give_up"
    CANCEL = "cancel"
    RESEND = "resend"
    STAMP = "stamp"


class Facts(NamedTuple):
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
    provider: ProviderGate | None = None
    """The gate of the engine's provider, where there is one."""

    @property
    def provider_shut_since(self) -> int | None:
        return self.provider.since if self.provider is not None and is_shut(self.provider) else None

    @property
    def opened_last(self) -> int | None:
        """When the task's gate or the provider's last opened; the latter, after messages had been let go."""
        opened = [self.opened_at, self.provider.opened_at if self.provider else None]
        return max((at for at in opened if at is not None), default=None)


def decide(row: Row, facts: Facts) -> tuple[Do, str]:
    """The one thing to do with this row now, and why."""
    if row.status in TERMINAL:
        return Do.LEAVE, "terminal"
    if row.status == RowStatus.EXTRACTING:
        return (Do.EXPIRE, "lease over") if (row.lease_until or 0) < facts.now else (Do.LEAVE, "at work")
    return _decide_pending(row, facts)


def _decide_pending(row: Row, facts: Facts) -> tuple[Do, str]:
    if facts.gate == GateState.CANCELLED:
        return Do.CANCEL, "cancel requested"
    if row.tries >= facts.max_tries:
        return Do.GIVE_UP, "tries spent"
    if facts.gate in {GateState.PAUSED, GateState.BUDGET}:
        return (Do.STAMP, "found behind a shut gate") if row.waiting_since is None else (Do.LEAVE, "paused")
    if started_before(row, facts) is not None:
        return Do.GIVE_UP, "past the deadline"
    return _decide_due(row, facts)


def _decide_due(row: Row, facts: Facts) -> tuple[Do, str]:
    """What may be worked on as far as the task is concerned: whether it needs another message."""
    if facts.provider_shut_since is not None:
        long = row.waiting_since is None and facts.now - facts.provider_shut_since > PARKS_MS
        return (Do.STAMP, "found behind a shut gate") if long else (Do.LEAVE, "waiting for the provider")
    if row.not_before > facts.now:
        return Do.LEAVE, "not due"
    reason = _why_send_again(row, facts)
    return (Do.RESEND, reason) if reason else (Do.LEAVE, "its message is under way")


def probing(rows: Sequence[Row], facts: Facts) -> list[Row]:
    """One row whose message may try a provider that could be there again: those of its long closure were let go."""
    gate, now = facts.provider, facts.now
    if facts.provider_shut_since is None or gate is None or facts.gate != GateState.OPEN:
        return []
    wait = 0 if gate.asked_at == gate.shut_until else PROBE_WAIT_MS
    if now < (gate.shut_until or 0) + wait or (gate.probe_until or 0) >= now:
        return []
    sent_before = max(gate.shut_until or 0, now - PROBE_AGAIN_MS)
    due = sorted(
        (row for row in rows if row.status == RowStatus.PENDING and row.not_before <= now),
        # First those that never were refused as accounts are: such a refusal may be their paper's.
        key=lambda row: row.refused is not None,
    )
    return [row for row in due if (row.sent_at or 0) < sent_before and row.tries < facts.max_tries][:1]


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


def _why_send_again(row: Row, facts: Facts) -> str | None:
    """A message may have vanished: three signs of it. Each row for itself."""
    if facts.scattered_at is None:
        return None
    sent = max(facts.scattered_at, row.sent_at or 0)
    heard = max(sent, row.updated_at)
    if facts.opened_last is not None and sent < facts.opened_last:
        return "gate opened since"
    if facts.queue_empty and facts.queue_empty[1] - max(facts.queue_empty[0], heard) >= QUEUE_EMPTY_MS:
        return "queue empty"
    if facts.now - heard > min(facts.stall_window * 2**row.sends, WINDOW_MAX_MS):
        return "nothing heard"
    return None
