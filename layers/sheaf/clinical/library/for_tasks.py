"""All that work on tasks may know of the library: a few questions, answered in words of its own.

No item, key or table passes through here: what comes out is what a task pins, and stays true when the library changes.
"""

from collections.abc import Sequence
from typing import NamedTuple

from clinical.library import library_queries
from clinical.library.document_lifecycle import State
from clinical.library.library_items import Document
from sheaf.outside.needs import BatchTables, Tables


class KnowledgeBaseForExtraction(NamedTuple):
    """A place to choose documents from."""

    knowledge_base: str
    name: str


class Pinned(NamedTuple):
    """The exact text of one version of a document: an object's key and version, and the hash of what it holds."""

    key: str
    version: str | None
    sha256: str
    size: int


class DocumentForExtraction(NamedTuple):
    """A document as a task may take it. `text` is None while there is no version that was read to its end."""

    document: str
    knowledge_base: str
    filename: str
    state: str
    reason: str | None
    text: Pinned | None


def list_knowledge_bases(world: BatchTables, project: str) -> list[KnowledgeBaseForExtraction]:
    """Those of this project."""
    return [
        KnowledgeBaseForExtraction(base.knowledge_base, base.name) for base in library_queries.bases(world, project)
    ]


def has_knowledge_base(world: Tables, project: str, knowledge_base: str) -> bool:
    """Whether this project has it."""
    found = library_queries.base(world, project, knowledge_base)
    return found is not None and found.deleted_at is None


def list_documents(world: BatchTables, project: str, knowledge_base: str) -> list[DocumentForExtraction]:
    """Every document of one knowledge base."""
    return [
        _told(item) for item in library_queries.all_listed(world, project, knowledge_base) if item.deleted_at is None
    ]


def get_documents_for_extraction(
    world: BatchTables, project: str, documents: Sequence[str]
) -> dict[str, DocumentForExtraction]:
    """Those of these documents that this project has, by id."""
    found = library_queries.documents(world, project, documents)
    return {name: _told(item) for name, item in found.items() if item.state != State.DELETED}


def get_document_for_extraction(world: BatchTables, project: str, document: str) -> DocumentForExtraction | None:
    """One of them."""
    return get_documents_for_extraction(world, project, [document]).get(document)


def _told(item: Document) -> DocumentForExtraction:
    usable = item.pinned
    if usable is None:
        return DocumentForExtraction(
            item.document, item.knowledge_base, item.filename, item.state, item.reason, text=None
        )
    text = Pinned(usable.text_key, usable.text_version, usable.text_sha256, usable.text_bytes)
    return DocumentForExtraction(
        item.document, item.knowledge_base, usable.filename, State.READY, reason=None, text=text
    )
