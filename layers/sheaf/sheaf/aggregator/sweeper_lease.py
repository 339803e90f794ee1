"""The sweeper's lease: one item that lets forty-nine of fifty aggregators leave without losing what they were told.

It is for thrift only. Two sweepers at once are harmless, because all that a sweep does is conditional writes.
"""

from sheaf.items import SWEEPER, QueueNotes, SweeperLease, queue_gate
from sheaf.outside.needs import Tables
from sheaf.outside.store import Key, Refused, update

KEY: Key = {"gate": SWEEPER}
LEASE_MS = 15_000
TICK_MS = 60_000
"""The schedule's interval: a sweeper whose end is nearer than this is awaited by the tick that finds it."""
LOOKS_TOGETHER_MS = 90_000
"""Two looks at a queue within this are taken to say something of the time between them."""


def nudge(world: Tables, tasks: set[str], now: int) -> bool:
    """Leave word of these tasks with the live holder. False when there is none."""
    written = update(world, SweeperLease, KEY, [SweeperLease.wanted.add(tasks)], SweeperLease.lease_until >= now)
    return not isinstance(written, Refused)


def take(world: Tables, me: str, *, ends_at: int, now: int) -> Refused[SweeperLease] | SweeperLease:
    """Become the holder, if there is no live one."""
    actions = [
        SweeperLease.holder.set(me),
        SweeperLease.lease_until.set(now + LEASE_MS),
        SweeperLease.swept_at.set(now),
        SweeperLease.ends_at.set(ends_at),
    ]
    free = SweeperLease.lease_until.does_not_exist() | (SweeperLease.lease_until < now)
    return update(world, SweeperLease, KEY, actions, free, already=lambda found: bool(found.holder == me))


def begin_pass(world: Tables, me: str, now: int) -> set[str] | None:
    """Prolong the lease and empty `wanted`, giving what was in it. None when the lease went to another.

    Two writes: of one that empties and tells at once, a repetition after a lost reply would tell of nothing.
    """
    held = prolong(world, me, now)
    if isinstance(held, Refused):
        return None
    wanted = set(held.wanted or ())
    if wanted:
        update(world, SweeperLease, KEY, [SweeperLease.wanted.delete(wanted)], SweeperLease.holder == me)
    return wanted


def prolong(world: Tables, me: str, now: int) -> SweeperLease | Refused[SweeperLease]:
    """Keep the lease; also in the middle of a long pass."""
    actions = [SweeperLease.lease_until.set(now + LEASE_MS), SweeperLease.swept_at.set(now)]
    return update(world, SweeperLease, KEY, actions, SweeperLease.holder == me)


def leave(world: Tables, me: str, *, even_if_wanted: bool = False) -> bool:
    """Give the lease up. False when a nudge came since the pass began: then there is one more pass to do."""
    unwanted = SweeperLease.wanted.does_not_exist()
    mine = SweeperLease.holder == me
    actions = [SweeperLease.holder.remove(), SweeperLease.lease_until.remove(), SweeperLease.ends_at.remove()]
    written = update(world, SweeperLease, KEY, actions, mine if even_if_wanted else mine & unwanted)
    if not isinstance(written, Refused):
        return True
    return not (written.item and written.item.holder == me)


def note_queue(world: Tables, kind: str, seen: QueueNotes | None, *, empty: bool, now: int) -> QueueNotes | None:
    """A look at the queue: since when it has been empty at every look. Looks too far apart count as none before."""
    since = now
    if seen and seen.empty_since and seen.looked_at and now - seen.looked_at <= LOOKS_TOGETHER_MS:
        since = seen.empty_since
    action = QueueNotes.empty_since.set(since) if empty else QueueNotes.empty_since.remove()
    older = QueueNotes.looked_at.does_not_exist() | (QueueNotes.looked_at < now)
    written = update(world, QueueNotes, {"gate": queue_gate(kind)}, [QueueNotes.looked_at.set(now), action], older)
    return written.item if isinstance(written, Refused) else written
