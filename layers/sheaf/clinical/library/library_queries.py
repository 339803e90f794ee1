"""Reads of the library."""

from collections.abc import Iterable, Iterator

from clinical.library import library_items
from clinical.library.library_items import Document, KnowledgeBase, Listed, Replacing
from sheaf.outside.needs import BatchTables, Tables
from sheaf.outside.store import Page, get, get_many, query, query_raw

BASE = "/kb/"


def base(world: Tables, project: str, knowledge_base: str) -> KnowledgeBase | None:
    """A knowledge base, its tombstone included."""
    return get(world, KnowledgeBase, library_items.base_key(project, knowledge_base))


def bases(world: BatchTables, project: str) -> list[KnowledgeBase]:
    listed = KnowledgeBase.listed_in == library_items.bases_list(project)
    keys = query_raw(world, KnowledgeBase, listed, IndexName="by_list")
    found = get_many(world, KnowledgeBase, [{"entry": key["entry"]["S"]} for key in keys])
    return sorted((each for each in found if each.deleted_at is None), key=lambda each: (each.created_at, each.entry))


def bases_alive(world: BatchTables, project: str, identifiers: Iterable[str]) -> dict[str, bool]:
    """Of these knowledge bases, those that there are, and whether they are still in the list."""
    found = get_many(world, KnowledgeBase, (library_items.base_key(project, identifier) for identifier in identifiers))
    return {base.knowledge_base: base.deleted_at is None for base in found}


def count(world: Tables, project: str, knowledge_base: str) -> int:
    """How many documents a knowledge base has, by its index, which lags."""
    return sum(1 for _ in names(world, project, knowledge_base))


def names(world: Tables, project: str, knowledge_base: str) -> Iterator[str]:
    """The ids of a knowledge base's documents, newest first, by its index."""
    listed = Document.listed_in == library_items.documents_list(project, knowledge_base)
    for key in query_raw(world, Document, listed, IndexName="by_list", ScanIndexForward=False):
        yield key["entry"]["S"].rpartition("/")[2]


def document(world: Tables, project: str, name: str) -> Document | None:
    """A document, its tombstone included."""
    return get(world, Document, library_items.document_key(project, name))


def documents(world: BatchTables, project: str, names: Iterable[str]) -> dict[str, Document]:
    """Those that there are, tombstones included."""
    found = get_many(world, Document, [library_items.document_key(project, name) for name in names])
    return {item.document: item for item in found}


def replacing(world: BatchTables, project: str, identifiers: Iterable[str]) -> dict[str, Document]:
    """Documents in which bytes took the place of others, by the ids that documents of the bytes' own would have."""
    hints = get_many(world, Replacing, [library_items.bytes_key(project, identifier) for identifier in identifiers])
    found = documents(world, project, {hint.document for hint in hints})
    return {hint.entry.rpartition("/")[2]: found[hint.document] for hint in hints if hint.document in found}


def page(
    world: BatchTables, project: str, knowledge_base: str, start: dict[str, dict[str, str]] | None, limit: int
) -> Page[Document]:
    after = {"ExclusiveStartKey": start} if start else {}
    listed = Document.listed_in == library_items.documents_list(project, knowledge_base)
    keys = query(world, Listed, listed, IndexName="by_list", ScanIndexForward=False, Limit=limit, **after)
    found = {item.entry: item for item in by_keys(world, [key.entry for key in keys.items])}
    live = [found[key.entry] for key in keys.items if key.entry in found]
    return Page([item for item in live if item.deleted_at is None], keys.after)


def listed(world: Tables, name: str, limit: int) -> list[str]:
    condition = Document.listed_in == name
    return [key.entry for key in query(world, Listed, condition, IndexName="by_list", Limit=limit).items]


def by_keys(world: BatchTables, entries: Iterable[str]) -> list[Document]:
    """These documents, tombstones included, in no order."""
    return get_many(world, Document, [{"entry": entry} for entry in entries])


def due(world: BatchTables, now: int, limit: int) -> tuple[list[Document], list[KnowledgeBase]]:
    """What the sweep is to look at now: documents under way, and knowledge bases that were deleted or brought back."""
    condition = (Listed.active == "1") & (Listed.due_at <= now)
    keys = [key.entry for key in query(world, Listed, condition, IndexName="by_due", Limit=limit).items]
    bases = get_many(world, KnowledgeBase, [{"entry": key} for key in keys if BASE in key])
    return by_keys(world, [key for key in keys if BASE not in key]), bases
