"""A sweeper's lease. For thrift only, since all that a sweep does is conditional writes; it loses no word."""

from zlib import crc32

from sheaf.items import SweeperLease, sweeper_gate
from sheaf.outside.needs import Tables
from sheaf.outside.store import Key, Refused, Written, assign, update

LEASE_MS = 15_000
SLOTS = 256


def slot(task: str) -> str:
    """Under which word is left of a task. Few tasks share one, and the lease stays small, however many tasks there are."""
    return f"{crc32(task.encode()) % SLOTS:x}"


def nudge(world: Tables, sweeper: str, tasks: set[str], now: int) -> bool:
    """Leave word of these tasks with the live holder. False when there is none."""
    actions = [SweeperLease.wanted.add({slot(task) for task in tasks})]
    written = update(world, SweeperLease, _key(sweeper), actions, SweeperLease.lease_until >= now)
    return not isinstance(written, Refused)


def take(world: Tables, sweeper: str, me: str, *, ends_at: int, now: int) -> Written[SweeperLease]:
    actions = assign(SweeperLease, holder=me, lease_until=now + LEASE_MS, ends_at=ends_at)
    free = SweeperLease.lease_until.does_not_exist() | (SweeperLease.lease_until < now)
    return update(world, SweeperLease, _key(sweeper), actions, free, already=lambda found: bool(found.holder == me))


def hear(world: Tables, sweeper: str, me: str, now: int) -> set[str] | None:
    """Slots of `wanted`; None when the lease went. In two writes: one alone would, repeated, tell of nothing."""
    mine = SweeperLease.holder == me
    held = update(world, SweeperLease, _key(sweeper), [SweeperLease.lease_until.set(now + LEASE_MS)], mine)
    if isinstance(held, Refused):
        return None
    wanted = set(held.wanted or ())
    if wanted:
        update(world, SweeperLease, _key(sweeper), [SweeperLease.wanted.delete(wanted)], mine)
    return wanted


def leave(world: Tables, sweeper: str, me: str, *, even_if_wanted: bool = False) -> bool:
    """Give the lease up. False when a nudge came since the pass began: then there is one more pass to do."""
    unwanted = SweeperLease.wanted.does_not_exist()
    mine = SweeperLease.holder == me
    actions = assign(SweeperLease, holder=None, lease_until=None, ends_at=None)
    written = update(world, SweeperLease, _key(sweeper), actions, mine if even_if_wanted else mine & unwanted)
    if not isinstance(written, Refused):
        return True
    return not (written.item and written.item.holder == me)


def _key(sweeper: str) -> Key:
    return {"gate": sweeper_gate(sweeper)}
