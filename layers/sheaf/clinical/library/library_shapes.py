"""What callers of the library send, read and checked before anything is written, and what they are shown. Pure."""

from typing import Annotated, Any, NotRequired, TypedDict

from clinical.library import file_names
from clinical.library.document_lifecycle import State
from clinical.library.for_tasks import DocumentStatus
from clinical.library.library_items import Document, KnowledgeBase
from clinical.papers import Paper
from clinical.papers.limits import sent_bytes
from sheaf import schemas
from sheaf.api.bodies import Key, fields_of
from sheaf.errors import InvalidRequest
from sheaf.outside.objects import UploadFormView
from sheaf.schemas import Count, Id, Instant, Said, Sha256, instant, show

TEXT_BYTES, FILE_BYTES_MAX = 4_000_000, 50_000_000
FILES_MAX, NAME_MAX, FILENAME_MAX, TAG_MAX, TAGS_MOST = 100, 120, 2_000, 40, 20

OF_USABLE = {"pageCount": "pages", "title": "title", "firstAuthor": "first_author", "year": "year"}
ENDINGS = f"a name that ends in one of {', '.join(file_names.TYPES)}. Save any other file as PDF and upload that"


LABEL = Said(maxLength=NAME_MAX, description="What people call the study; null for what was found.")
TAGS = Said(maxItems=TAGS_MOST, description="In place of those that it has.")
FILENAME = Said(maxLength=FILENAME_MAX, pattern=file_names.ENDING.pattern, title=ENDINGS, examples=["lee-2021.pdf"])


class KnowledgeBaseNameBody(TypedDict):
    name: Annotated[str, schemas.visible_text(NAME_MAX), Said(examples=["Aspirin after stroke"])]


class NewKnowledgeBaseBody(KnowledgeBaseNameBody):
    idempotencyKey: NotRequired[Key | None]


class DocumentLabelBody(TypedDict):
    label: NotRequired[Annotated[str | None, LABEL, Said(examples=["Wu 2015"])]]
    tags: NotRequired[Annotated[list[Annotated[str, Said(maxLength=TAG_MAX)]], TAGS]]


class NewFileBody(TypedDict):
    filename: Annotated[str, FILENAME]
    size: Annotated[int, Said(minimum=0, maximum=FILE_BYTES_MAX, examples=[482_113])]
    sha256: Annotated[Sha256, Said(examples=["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"])]


class NewFilesBody(TypedDict):
    files: Annotated[list[NewFileBody], Said(minItems=1, maxItems=FILES_MAX)]


class KnowledgeBaseView(TypedDict):
    knowledgeBaseId: Id
    name: str
    createdAt: Instant
    documentCount: NotRequired[Count]


class KnowledgeBaseListView(TypedDict):
    knowledgeBases: list[KnowledgeBaseView]


class FileView(TypedDict):
    """A file that was announced, and what has become of it."""

    status: DocumentStatus
    reason: str | None
    advice: str | None
    filename: str
    size: Count
    sha256: Sha256
    contentType: str


class DocumentView(FileView):
    """What can be used of a document, and in `replacement` what has become of a newer version meanwhile."""

    documentId: Id
    knowledgeBaseId: Id
    pageCount: Annotated[int | None, Said(minimum=1)]
    label: str | None
    tags: list[str]
    title: str | None
    firstAuthor: str | None
    year: int | None
    createdAt: Instant
    updatedAt: Instant
    replacement: FileView | None


class DocumentListView(TypedDict):
    documents: list[DocumentView]
    nextCursor: str | None


class UploadView(TypedDict):
    document: DocumentView
    upload: UploadFormView | None


class UploadListView(TypedDict):
    uploads: list[UploadView]


class TextPageView(TypedDict):
    number: Count
    label: str | None
    text: str


class TextSectionView(TypedDict):
    title: str
    kind: str
    page: Count
    start: Count


class DocumentTextView(TypedDict):
    documentId: Id
    pageCount: Count
    pages: list[TextPageView]
    nextPage: int | None
    sections: list[TextSectionView]


def base_name(body: str | None, shape: type[KnowledgeBaseNameBody] = KnowledgeBaseNameBody) -> tuple[str, Any]:
    """A knowledge base's name, and the idempotency key if the body names one. Raises InvalidRequest."""
    fields = fields_of(body, shape)
    name = file_names.shown_name(fields["name"])
    if not name:
        raise InvalidRequest("name", "has nothing in it that can be seen.")
    return name, fields.get("idempotencyKey")


def base(item: KnowledgeBase, count: int | None = None) -> KnowledgeBaseView:
    counted = {} if count is None else {"documentCount": count}
    created = instant(item.created_at)
    return show(KnowledgeBaseView, item, knowledgeBaseId=item.knowledge_base, createdAt=created, **counted)


def document(item: Document) -> DocumentView:
    usable = item.pinned
    newest = show(FileView, item, status=item.state)
    ready = show(FileView, usable, status=State.READY, reason=None, advice=None) if usable else newest
    names: Any = {"documentId": item.document, "knowledgeBaseId": item.knowledge_base, "tags": sorted(item.tags or ())}
    names |= {view: getattr(usable, name, None) for view, name in OF_USABLE.items()}
    times: Any = {"createdAt": instant(item.created_at), "updatedAt": instant(item.updated_at)}
    replacement = newest if usable and item.state != State.READY else None
    return show(DocumentView, item, **ready, **names, **times, replacement=replacement)


def text(document_id: str, paper: Paper, page: int | None) -> DocumentTextView:
    """As many pages as fit into an answer, then `nextPage`. Raises InvalidRequest for a page behind the end."""
    asked = [found for found in paper.pages if page in {None, found.number}]
    if page is not None and not asked:
        raise InvalidRequest("page", f"is behind the end; the text has {len(paper.pages)} pages.")
    shown: list[TextPageView] = []
    size = sum(sent_bytes(each.title) for each in paper.sections)
    for found in asked:
        size += sent_bytes(found.text) + sent_bytes(found.label or "")
        if shown and size > TEXT_BYTES:
            break
        shown.append(show(TextPageView, found))
    left = asked[len(shown) :]
    sections = [show(TextSectionView, each) for each in paper.sections]
    counted: Any = {"documentId": document_id, "pageCount": len(paper.pages), "sections": sections}
    return show(DocumentTextView, paper, **counted, pages=shown, nextPage=left[0].number if left else None)
