"""A deleted or restored knowledge base's documents: moved by whoever asks, what time leaves by the sweep."""

from typing import TypeVar

from clinical.library import library_queries
from clinical.library.document_lifecycle import State, bury, restore
from clinical.library.library_items import Kept, KnowledgeBase, documents_list, gone_list
from sheaf.errors import Conflict, Unavailable
from sheaf.janitor.task_objects import DAY_MS
from sheaf.outside.needs import Aws, BatchAws, BatchTables, HasUndoDays, TimedAws
from sheaf.outside.store import Refused

K = TypeVar("K", bound=Kept)
TOGETHER = 200
SLACK_MS = 30 * 60 * 1000  # what came back in time may take so long to bring its documents; the janitor waits longer


def go_on(world: BatchAws[HasUndoDays], base: KnowledgeBase, until: int) -> bool:
    """Whichever of the two this knowledge base asks for, for as long as there is time. True when nothing was found."""
    return refill(world, base, until) if base.deleted_at is None else clear(world, base, until)


def clear(world: BatchTables, base: KnowledgeBase, until: int) -> bool:
    """Bury what is listed in a deleted knowledge base. True when nothing was found."""
    while True:
        keys = library_queries.listed(world, documents_list(base.project, base.knowledge_base), TOGETHER)
        if not keys or world.now() >= until:
            return not keys
        buried = world.parallel(lambda key: bury(world, key, base.deleted_by, world.now(), with_base=base), keys)
        if not any(not isinstance(written, Refused) and written.deleted_at >= world.now() for written in buried):
            # All of them were buried before: it is the index that lags. The sweep looks once more.
            return False


def refill(world: BatchAws[HasUndoDays], base: KnowledgeBase, until: int) -> bool:
    """Bring back what was deleted with a knowledge base. True when nothing was found that can be."""
    since = undo_since(world) - SLACK_MS
    while True:
        keys = library_queries.listed(world, gone_list(base.project, base.knowledge_base), TOGETHER)
        if not keys or world.now() >= until:
            return not keys
        found = library_queries.by_keys(world, keys)
        gone = [item for item in found if item.state == State.DELETED and item.deleted_at >= since]
        if not gone:
            # Too old, all of them; or back already, and the index lags.
            return all(item.state == State.DELETED for item in found)
        world.parallel(lambda item: restore(world, item, world.token(), since=since, now=world.now()), gone)


def undo_since(world: TimedAws[HasUndoDays]) -> int:
    return int(world.now() - world.settings.undo_days * DAY_MS)


def undone(world: Aws[HasUndoDays], back: K | Refused[K], since: int) -> K:
    """What came back now, or had before. Raises Conflict where it is too old, Unavailable where it was deleted once more."""
    if not isinstance(back, Refused):
        return back
    if back.item is not None and back.item.deleted_at is None:
        return back.item
    if back.item is not None and back.item.deleted_at >= since:
        raise Unavailable("it was deleted again this moment")
    days = world.settings.undo_days
    raise Conflict("undo-over", f"It was deleted more than {days} days ago, and cannot be brought back any more.")
