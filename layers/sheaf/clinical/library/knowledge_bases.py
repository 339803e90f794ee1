"""What a caller can do with a knowledge base: make one, see it, rename it, take it away with everything in it."""

from contextlib import suppress
from typing import Any

from clinical.library import deleted_bases, document_lifecycle, file_names, library_queries, library_shapes
from clinical.library.library_items import KnowledgeBase, base_key, bases_list
from sheaf import ids
from sheaf.api import bodies, idempotency
from sheaf.api.access import Caller, Role
from sheaf.api.idempotency import Opened
from sheaf.errors import Conflict, NotFound, Unavailable
from sheaf.outside.needs import ApiWorld, BatchAws, BatchTables, HasUndoDays, Tables
from sheaf.outside.store import Refused, get
from sheaf.protocol import quotas

API_MS = 15_000  # how long the API takes documents away before it leaves the rest to the sweep
BATCHES = 200  # so many announcements are remembered one by one until the library is counted


def create(world: ApiWorld, caller: Caller, body: str | None, header_key: str | None) -> Opened[KnowledgeBase]:
    """Make one. Raises Forbidden, InvalidRequest, Conflict."""
    caller.must_be(Role.EDITOR)
    name, body_key = library_shapes.base_name(body, library_shapes.NewKnowledgeBaseBody)
    key = bodies.idempotency_key(header_key, body_key)
    identifier = file_names.base_id(caller.project, idempotency.seed(world, key))
    before = get(world, KnowledgeBase, base_key(caller.project, identifier)) if key is not None else None
    if before is not None:
        return _replay(before, name)
    _check_number(world, caller, identifier)
    said: Any = {"name": name, "first_name": name, "created_at": world.now(), "opening": world.token()}
    where: Any = {"listed_in": bases_list(caller.project), **base_key(caller.project, identifier)}
    opened = document_lifecycle.announce(world, KnowledgeBase(knowledge_base=identifier, **where, **said))
    return _replay(opened.item, name) if isinstance(opened, Refused) else Opened(opened, replayed=False)


def _replay(base: KnowledgeBase | None, name: str) -> Opened[KnowledgeBase]:
    gone = Conflict("base-deleted", "The knowledge base of this idempotency key was deleted. Use a new key.")
    return idempotency.replayed(base, same=base is not None and base.first_name == name, deleted=gone)


def page(world: BatchTables, caller: Caller) -> list[tuple[KnowledgeBase, int]]:
    found = library_queries.bases(world, caller.project)
    counts = world.parallel(lambda base: library_queries.count(world, caller.project, base.knowledge_base), found)
    return list(zip(found, counts, strict=True))


def find(world: Tables, caller: Caller, identifier: str, *, or_deleted: bool = False) -> KnowledgeBase:
    """Raises NotFound, in the same words for another project's as for none."""
    found = library_queries.base(world, caller.project, identifier) if ids.NAME.fullmatch(identifier) else None
    if found is None or (found.deleted_at is not None and not or_deleted):
        raise NotFound("There is no such knowledge base.")
    return found


def look(world: Tables, caller: Caller, identifier: str) -> tuple[KnowledgeBase, int]:
    """One, and how many documents it has. Raises NotFound."""
    found = find(world, caller, identifier)
    return found, library_queries.count(world, caller.project, found.knowledge_base)


def rename(world: Tables, caller: Caller, identifier: str, body: str | None) -> KnowledgeBase:
    """Give it another name; once more with the same changes nothing. Raises Forbidden, InvalidRequest, NotFound."""
    caller.must_be(Role.EDITOR)
    name, _ = library_shapes.base_name(body)
    find(world, caller, identifier)
    renamed = document_lifecycle.rename_base(world, caller.project, identifier, name)
    if isinstance(renamed, Refused):
        raise NotFound("There is no such knowledge base.")
    return renamed


def remove(world: BatchAws[HasUndoDays], caller: Caller, identifier: str) -> None:
    """It and its documents leave the library; what running tasks have pinned of them stays. Raises NotFound."""
    caller.must_be(Role.EDITOR)
    found = find(world, caller, identifier)
    buried = document_lifecycle.bury_base(world, caller.project, found.knowledge_base, caller.user, world.now())
    if isinstance(buried, Refused):
        raise NotFound("There is no such knowledge base.")
    deleted_bases.go_on(world, buried, world.now() + API_MS)


def restore(world: ApiWorld, caller: Caller, identifier: str) -> KnowledgeBase:
    """It and the documents that went with it come back. Raises NotFound, Conflict when it is too late or there are too many."""
    caller.must_be(Role.EDITOR)
    found = find(world, caller, identifier, or_deleted=True)
    if found.deleted_at is None:
        return found
    _check_number(world, caller, identifier)
    since = deleted_bases.undo_since(world)
    written = document_lifecycle.restore_base(world, found, world.token(), since=since, now=world.now())
    back = deleted_bases.undone(world, written, since)
    with suppress(Unavailable):
        deleted_bases.go_on(world, back, world.now() + API_MS)
    return back


def _check_number(world: ApiWorld, caller: Caller, identifier: str) -> None:
    most = world.settings.knowledge_bases_per_project
    if quotas.take(world, caller.project, quotas.Quota("bases", most, library_queries.bases_alive), identifier):
        raise Conflict("limit-reached", f"A project has at most {most} knowledge bases. Delete one first.")


def check_room(world: ApiWorld, caller: Caller, more: int) -> None:
    """Places for so many documents. Raises Conflict."""
    most = world.settings.library_documents_per_project
    quota = quotas.Quota("library", BATCHES, weight=most)
    full = quotas.take_many(world, caller.project, quota, more, lambda: sum(count for _, count in page(world, caller)))
    if full is not None:
        said = f"There are {full.weight} documents in this project's library; with {more} more it would be over {most}."
        advice = "Delete some that are not needed any more, and try again in a minute."
        raise Conflict("limit-reached", f"{said} {advice}")
