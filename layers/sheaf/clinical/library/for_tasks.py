"""All that work on tasks may know of the library: two questions, answered in words of its own.

No item of the library, and none of its tables, passes through here: what comes out is what a task pins, and stays true when the library changes.
"""

from collections.abc import Sequence
from typing import NamedTuple

from clinical.library import library_queries
from clinical.library.document_lifecycle import State
from clinical.library.library_items import Document
from sheaf.outside.needs import BatchTables, Tables
from sheaf.protocol.manifest import PinnedItem


class DocumentForExtraction(NamedTuple):
    """A document as a task may take it: refused while there is no version that was read to its end."""

    knowledge_base: str
    state: str
    pinned: PinnedItem


def has_knowledge_base(world: Tables, project: str, knowledge_base: str) -> bool:
    """Whether this project has it."""
    found = library_queries.base(world, project, knowledge_base)
    return found is not None and found.deleted_at is None


def get_documents_for_extraction(
    world: BatchTables, project: str, documents: Sequence[str]
) -> dict[str, DocumentForExtraction]:
    """Those of these documents that this project has, by id."""
    found = library_queries.documents(world, project, documents)
    return {name: _for_extraction(item) for name, item in found.items() if item.state != State.DELETED}


def _for_extraction(item: Document) -> DocumentForExtraction:
    name, usable = item.document, item.pinned
    if usable is None:
        why = f"; {item.reason}" if item.reason else ""
        refusal = f"The document was not ready to be read ({item.state}{why})."
        return DocumentForExtraction(
            item.knowledge_base, item.state, PinnedItem(name, "", None, None, item.filename, refusal)
        )
    key, version, sha256 = usable.text_key, usable.text_version, usable.text_sha256
    pinned = PinnedItem(name, key, version, sha256, usable.filename, size=usable.text_bytes)
    return DocumentForExtraction(item.knowledge_base, State.READY, pinned)
