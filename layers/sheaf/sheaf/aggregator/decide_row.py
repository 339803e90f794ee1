"""What the sweep does with one row: pure, from the row, the time and what is known of its task and queue."""

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from sheaf.items import AnyRow, ProviderGate, Task
from sheaf.protocol.lifecycle import TERMINAL, GateState, RowStatus
from sheaf.protocol.provider_gate import PARKS_MS, is_shut

WINDOW_MAX_MS = 4 * 3600 * 1000
QUEUE_EMPTY_MS = 60_000  # two looks this far apart find a queue empty before it is believed: it is approximate
PROBE_WAIT_MS = 20_000  # messages that were only hidden come back first
PROBE_AGAIN_MS = 5 * 60_000


class Do(Enum):
    LEAVE = "leave"
    EXPIRE = "expire"
    GIVE_UP = "give_up"
    CANCEL = "cancel"
    RESEND = "resend"
    SILENT = "silent"
    STAMP = "stamp"


class Looks(NamedTuple):
    since: int
    till: int
    most: int


class Facts(NamedTuple):
    """What is known beside the row. Instants and durations in milliseconds."""

    now: int
    max_tries: int
    scattered_at: int | None
    gate: GateState
    opened_at: int | None
    pauses: Sequence[int]
    looks: Looks | None
    deadline: int
    stall_window: int
    moved_at: int = 0  # when a row of the task last ended
    provider: ProviderGate | None = None  # the gate of the engine's provider, where there is one
    front: int | None = None  # only rows before it may start, where the task has or had a limit of rows at work

    def may_start(self, row: AnyRow) -> bool:
        return self.front is None or row.row < self.front

    @property
    def provider_shut_since(self) -> int | None:
        return self.provider.since if self.provider is not None and is_shut(self.provider) else None

    @property
    def opened_last(self) -> int | None:
        """When the task's gate or the provider's last opened; the latter, after messages had been let go."""
        opened = [self.opened_at, self.provider.opened_at if self.provider else None]
        return max((at for at in opened if at is not None), default=None)


def decide(row: AnyRow, facts: Facts) -> tuple[Do, str]:
    if row.status in TERMINAL:
        return Do.LEAVE, "terminal"
    if row.status == RowStatus.EXTRACTING:
        return (Do.EXPIRE, "lease over") if (row.lease_until or 0) < facts.now else (Do.LEAVE, "at work")
    return _decide_pending(row, facts)


def _decide_pending(row: AnyRow, facts: Facts) -> tuple[Do, str]:
    if facts.gate == GateState.CANCELLED:
        return Do.CANCEL, "cancel requested"
    if row.tries >= facts.max_tries:
        return Do.GIVE_UP, "tries spent"
    if not facts.may_start(row):
        return Do.LEAVE, "behind the front"
    if facts.gate in {GateState.PAUSED, GateState.BUDGET}:
        return (Do.STAMP, "found behind a shut gate") if row.waiting_since is None else (Do.LEAVE, "paused")
    if started_before(row, facts) is not None:
        return Do.GIVE_UP, "past the deadline"
    return _decide_due(row, facts)


def _decide_due(row: AnyRow, facts: Facts) -> tuple[Do, str]:
    if facts.provider_shut_since is not None:
        long = row.waiting_since is None and facts.now - facts.provider_shut_since > PARKS_MS
        return (Do.STAMP, "found behind a shut gate") if long else (Do.LEAVE, "waiting for the provider")
    if row.not_before > facts.now:
        return Do.LEAVE, "not due"
    return _whether_to_send_again(row, facts)


def probing(rows: Sequence[AnyRow], facts: Facts) -> list[AnyRow]:
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
    able = [row for row in due if facts.may_start(row) and row.tries < facts.max_tries]
    return [row for row in able if (row.sent_at or 0) < sent_before][:1]


def front_of(task: Task, rows: Sequence[AnyRow]) -> int:
    """Before it wait as many open rows as places are free. The first row while too many are at work: one released waits for the others."""
    at_work = sum(row.status == RowStatus.EXTRACTING for row in rows)
    waiting = sorted(row.row for row in rows if row.status == RowStatus.PENDING)
    free = (task.most_at_work or task.total) - at_work
    if free < 0:
        return 0
    return waiting[free] if free < len(waiting) else task.total


def started_before(row: AnyRow, facts: Facts) -> int | None:
    """Past its deadline is a row whose clock started before this instant. A user's pauses do not count. None if it is not."""
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


def _whether_to_send_again(row: AnyRow, facts: Facts) -> tuple[Do, str]:
    if facts.scattered_at is None:
        return Do.LEAVE, "its message is under way"
    sent = _sent(row, facts)
    heard = max(sent, row.updated_at)
    if facts.opened_last is not None and sent < facts.opened_last:
        return Do.RESEND, "gate opened since"
    if (row.parked_at or 0) > sent or (facts.front is not None and row.sent_at is None):
        return Do.RESEND, "its message was let go, or the front has passed it"
    looks = facts.looks
    if looks and looks.most == 0 and looks.till - max(looks.since, heard) >= QUEUE_EMPTY_MS:
        return Do.RESEND, "queue empty"
    if facts.now - heard > min(facts.stall_window * 2**row.sends, WINDOW_MAX_MS):
        return Do.SILENT, "nothing heard"
    return Do.LEAVE, "its message is under way"


def _sent(row: AnyRow, facts: Facts) -> int:
    return max(facts.scattered_at or 0, row.sent_at or 0)


def unheard(rows: Sequence[AnyRow], silent: Sequence[AnyRow], facts: Facts) -> list[AnyRow]:
    """Of the silent ones those to be sent again, the longest silent first: as many as the queue lacks of messages.

    More would make a long queue longer. It may hold other tasks': of a task that stands still one is sent.
    """
    if not silent:
        return []
    looks = facts.looks or Looks(0, 0, 0)
    lacking = sum(_sent(row, facts) < looks.since for row in rows) - looks.most
    moved_at = max(facts.moved_at, *(max(_sent(row, facts), row.updated_at) for row in rows))
    fewest = 1 if facts.now - moved_at > facts.stall_window else 0
    return sorted(silent, key=lambda row: (_sent(row, facts), row.row))[: max(lacking, fewest)]
