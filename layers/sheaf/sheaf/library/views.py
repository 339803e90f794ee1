"""The library as the API shows it. Pure."""

from typing import Any

from sheaf.errors import InvalidRequest
from sheaf.library import documents
from sheaf.library.lifecycle import State
from sheaf.library.models import Document, KnowledgeBase
from sheaf.papers import Paper
from sheaf.papers.limits import sent_bytes
from sheaf.standing import instant

TEXT_BYTES = 4_000_000


def base(item: KnowledgeBase, count: int | None = None) -> dict[str, Any]:
    told = {
        "knowledgeBaseId": item.knowledge_base,
        "name": item.name,
        "createdAt": instant(item.created_at),
    }
    return told if count is None else {**told, "documentCount": count}


def document(item: Document) -> dict[str, Any]:
    """A document: what can be used of it, and in `replacement` what has become of a newer version meanwhile."""
    usable = item.pinned
    newest = {
        "status": item.state,
        "reason": item.reason,
        "advice": item.advice,
        "filename": item.filename,
        "size": item.size,
        "sha256": item.sha256,
        "contentType": item.content_type,
    }
    ready = (
        {
            "status": str(State.READY),
            "reason": None,
            "advice": None,
            "filename": usable.filename,
            "size": usable.size,
            "sha256": usable.sha256,
            "contentType": usable.content_type,
        }
        if usable
        else newest
    )
    return {
        "documentId": item.document,
        "knowledgeBaseId": item.knowledge_base,
        **ready,
        "pageCount": usable.pages if usable else None,
        "title": usable.title if usable else None,
        "firstAuthor": usable.first_author if usable else None,
        "year": usable.year if usable else None,
        "createdAt": instant(item.created_at),
        "updatedAt": instant(item.updated_at),
        "replacement": newest if usable and item.state != State.READY else None,
    }


def announced(told: documents.Announced) -> dict[str, Any]:
    return {"document": document(told.document), "upload": told.form}


def text(document_id: str, paper: Paper, page: int | None) -> dict[str, Any]:
    """The text of one page, or of as many as fit into an answer; `nextPage` says where to go on.

    Raises InvalidRequest for a page behind the end.
    """
    asked = [found for found in paper.pages if page in {None, found.number}]
    if page is not None and not asked:
        raise InvalidRequest("page", f"is behind the end; the text has {len(paper.pages)} pages.")
    shown: list[dict[str, Any]] = []
    size = sum(sent_bytes(each.title) for each in paper.sections)
    for found in asked:
        size += sent_bytes(found.text) + sent_bytes(found.label or "")
        if shown and size > TEXT_BYTES:
            break
        shown.append({"number": found.number, "label": found.label, "text": found.text})
    left = asked[len(shown) :]
    return {
        "documentId": document_id,
        "pageCount": len(paper.pages),
        "pages": shown,
        "nextPage": left[0].number if left else None,
        "sections": [
            {"title": each.title, "kind": each.kind, "page": each.page, "start": each.start} for each in paper.sections
        ],
    }
