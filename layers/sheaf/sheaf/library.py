"""Papers, as far as a task needs them: which there are, whether they can be read, and which bytes are pinned."""

import hashlib
from collections.abc import Sequence
from typing import Any

from sheaf import objects
from sheaf.errors import Conflict, InvalidRequest
from sheaf.manifest import Frozen
from sheaf.models import Entry
from sheaf.store import Key, get, get_many, put
from sheaf.wiring import World

READY = "ready"
NAMED_AT_MOST = 20


def document_key(project: str, document: str) -> Key:
    """The one place that makes a document's key; the project comes first."""
    return {"entry": f"{project}/document/{document}"}


def add_document(world: World[Any], *, project: str, knowledge_base: str, filename: str, content: bytes) -> str:
    """Put one plain-text paper into the library; the same bytes in the same place are the same document.

    Gives the document's id. For whoever has rights on the bucket and the table; upload over HTTP is its own chapter.
    """
    sha256 = hashlib.sha256(content).hexdigest()
    document = f"d{hashlib.sha256(f'{project}/{knowledge_base}/{sha256}'.encode()).hexdigest()[:19]}"
    key = f"documents/{project}/{document}/{sha256[:20]}.txt"
    if get(world, Entry, document_key(project, document)) is not None:
        return document
    version = objects.put(world, key, content, "text/plain; charset=utf-8")
    entry = Entry(
        entry=document_key(project, document)["entry"],
        list=f"{project}/kb/{knowledge_base}",
        created_at=world.now(),
        document=document,
        knowledge_base=knowledge_base,
        state=READY,
        filename=filename,
        key=key,
        key_version=version,
        sha256=sha256,
        size=len(content),
    )
    put(world, entry, Entry.entry.does_not_exist())
    return document


def freeze(
    world: World[Any], project: str, knowledge_base: str | None, documents: Sequence[str], *, refuse: bool
) -> list[Frozen]:
    """The current version of each of these documents, in their order.

    Raises InvalidRequest for unknown ones (or another project's: the same words). Those that are not ready raise
    Conflict, or, unless `refuse`, are given with the reason why they cannot be worked on.
    """
    found = {entry.document: entry for entry in get_many(world, Entry, [document_key(project, d) for d in documents])}
    unknown = [
        d for d in documents if d not in found or found[d].knowledge_base != (knowledge_base or found[d].knowledge_base)
    ]
    if unknown:
        reason = f"{len(unknown)} of {len(documents)} are not in this project's library."
        raise InvalidRequest("documentIds", reason, documentIds=unknown[:NAMED_AT_MOST])
    waiting = [d for d in documents if found[d].state != READY]
    if waiting and refuse:
        reason = f"{len(waiting)} of {len(documents)} documents are not ready to be read."
        states = [{"documentId": d, "state": found[d].state} for d in waiting[:NAMED_AT_MOST]]
        raise Conflict("documents-not-ready", reason, documents=states)
    return [_frozen(found[d]) for d in documents]


def _frozen(entry: Entry) -> Frozen:
    refusal = None if entry.state == READY else f"The document was not ready to be read ({entry.state})."
    return Frozen(entry.document, entry.key, entry.key_version, entry.sha256, entry.filename, refusal)
