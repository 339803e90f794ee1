"""How much a kind's queue holds, as the sweepers note it for each other. What a queue says of itself is approximate."""

from collections.abc import Sequence

from sheaf.aggregator.decide_row import QUEUE_EMPTY_MS, Looks
from sheaf.items import AnyRow, QueueNotes, queue_gate
from sheaf.outside.needs import Aws, HasKinds
from sheaf.outside.store import as_it_is, get, update
from sheaf.protocol import row_messages
from sheaf.protocol.lifecycle import RowStatus


def looks(world: Aws[HasKinds], kind: str, rows: Sequence[AnyRow], now: int) -> Looks | None:
    long_ago = now - QUEUE_EMPTY_MS
    if not any(row.status == RowStatus.PENDING and max(row.updated_at, row.sent_at or 0) < long_ago for row in rows):
        return None
    seen = get(world, QueueNotes, {"gate": queue_gate(kind)})
    if seen is None or (seen.looked_at or 0) <= long_ago:
        seen = _look(world, kind, seen, now)
    if seen is None or seen.before is None or seen.before_at is None:
        return None
    return Looks(seen.before_at, seen.looked_at or 0, max(seen.before, seen.messages or 0))


def _look(world: Aws[HasKinds], kind: str, seen: QueueNotes | None, now: int) -> QueueNotes | None:
    messages = sum(row_messages.counters(world, world.settings.kinds[kind].queue))
    actions = [QueueNotes.looked_at.set(now), QueueNotes.messages.set(messages)]
    if seen and seen.messages is not None:
        actions += [QueueNotes.before_at.set(seen.looked_at), QueueNotes.before.set(seen.messages)]
    older = QueueNotes.looked_at.does_not_exist() | (QueueNotes.looked_at < now)
    return as_it_is(update(world, QueueNotes, {"gate": queue_gate(kind)}, actions, older))
