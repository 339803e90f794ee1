"""All that work on tasks may know of the library: no item of it passes through here, only what a task pins."""

import json
from collections.abc import Sequence
from typing import Annotated, NamedTuple

from clinical.library import library_queries
from clinical.library.document_lifecycle import State
from clinical.library.library_items import Document, Usable, document_key
from sheaf.outside.needs import BatchTables, Tables
from sheaf.outside.store import Raw, get_many_parts
from sheaf.protocol.manifest import PinnedItem
from sheaf.schemas import one_of

DocumentStatus = Annotated[str, one_of(state for state in State if state != State.DELETED)]
PARTS = ("document", "knowledge_base", "state", "reason", "filename", "usable")
GONE = "The document is not in the library any more."


class DocumentForExtraction(NamedTuple):
    """A document as a task may take it: refused while there is no version that was read to its end."""

    knowledge_base: str
    state: str
    pinned: PinnedItem


def has_knowledge_base(world: Tables, project: str, knowledge_base: str) -> bool:
    found = library_queries.base(world, project, knowledge_base)
    return found is not None and found.deleted_at is None


listed_in = library_queries.names
"""The documents that a knowledge base has, newest first. Its list lags a moment, and may name one that is gone."""


def get_documents_for_extraction(
    world: BatchTables, project: str, documents: Sequence[str]
) -> dict[str, DocumentForExtraction]:
    keys = [document_key(project, name) for name in documents]
    parts = get_many_parts(world, Document, keys, PARTS)
    return {each.pinned.name: each for each in map(_for_extraction, parts) if each.state != State.DELETED}


def _for_extraction(item: Raw) -> DocumentForExtraction:
    """From the item as it was sent: of many documents, models would be most of a request's time."""
    said = {name: value["S"] for name, value in item.items()}
    name, state, base = said["document"], said["state"], said["knowledge_base"]
    if state == State.DELETED or "usable" not in said:
        why = f"; {said['reason']}" if "reason" in said else ""
        refusal = f"The document was not ready to be read ({state}{why})."
        return DocumentForExtraction(base, state, PinnedItem(name, "", None, None, said["filename"], refusal))
    usable = Usable(**json.loads(said["usable"]))
    key, version, sha256 = usable.text_key, usable.text_version, usable.text_sha256
    pinned = PinnedItem(name, key, version, sha256, usable.filename, size=usable.text_bytes)
    return DocumentForExtraction(base, State.READY, pinned)
