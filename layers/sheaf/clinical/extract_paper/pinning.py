"""Pinning documents: what a task works on is decided once, when it is opened, and no library can change it later."""

from collections.abc import Sequence

from clinical.library.for_tasks import get_documents_for_extraction, has_knowledge_base
from sheaf.errors import Conflict, InvalidRequest
from sheaf.outside.needs import BatchTables
from sheaf.protocol.manifest import PinnedItem

NAMED_AT_MOST = 20


def pin(
    world: BatchTables, project: str, knowledge_base: str | None, documents: Sequence[str], *, refuse: bool
) -> list[PinnedItem]:
    """The text of the current version of each of these documents, in their order.

    Raises InvalidRequest for unknown ones (or another project's: the same words). Those that cannot be read yet raise
    Conflict, or, unless `refuse`, are given with the reason why they cannot be worked on.
    """
    found = get_documents_for_extraction(world, project, documents)
    unknown = [
        d for d in documents if d not in found or found[d].knowledge_base != (knowledge_base or found[d].knowledge_base)
    ]
    if unknown:
        if knowledge_base and not has_knowledge_base(world, project, knowledge_base):
            raise InvalidRequest("knowledgeBaseId", "is not a knowledge base of this project.")
        place = "knowledge base" if knowledge_base else "project's library"
        reason = f"{len(unknown)} of {len(documents)} are not in this {place}."
        raise InvalidRequest("documentIds", reason, documentIds=unknown[:NAMED_AT_MOST])
    waiting = [d for d in documents if found[d].pinned.refusal]
    if waiting and refuse:
        reason = f"{len(waiting)} of {len(documents)} documents are not ready to be read."
        waited = [{"documentId": d, "status": found[d].state} for d in waiting[:NAMED_AT_MOST]]
        raise Conflict("documents-not-ready", reason, documents=waited)
    return [found[d].pinned for d in documents]


def pin_late(world: BatchTables, project: str, documents: Sequence[str]) -> dict[str, PinnedItem]:
    """Documents that could not be pinned when their task was opened, as they are now; refused where they still cannot."""
    found = get_documents_for_extraction(world, project, documents)
    gone = {d: PinnedItem(d, "", None, None, d, "The document is not in the library any more.") for d in documents}
    return gone | {name: document.pinned for name, document in found.items()}
