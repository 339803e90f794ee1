"""Paths of the library: knowledge bases, documents, their texts and files."""

from typing import Annotated

from aws_lambda_powertools.event_handler import Response

import front
import task_paths
from clinical.library import documents, downloads, knowledge_bases
from clinical.library import library_shapes as shapes
from clinical.library.for_tasks import DocumentStatus
from clinical.library.library_shapes import NewFilesBody, NewKnowledgeBaseBody
from routes import CONFLICT, TOO_MUCH, Routes
from sheaf.api import task_table
from sheaf.api.bodies import Cursor, Whole
from sheaf.outside.objects import FileLinkView
from sheaf.schemas import Said

BASES = "/api/v1/pkb/knowledge-bases"
BASE = f"{BASES}/<base_id>"
DOCUMENT = "/api/v1/pkb/documents/<document_id>"
RESULT = "/api/v1/asl/extraction/results/<result_id>"
Status = Annotated[DocumentStatus, Said(description="Only documents with this status.")]
PageAsked = Annotated[Whole, Said(description="Only this page; else from the first on.")]

routes = Routes()


@routes.operation("GET", BASES, "The project's knowledge bases.")
def list_bases() -> shapes.KnowledgeBaseListView:
    return {"knowledgeBases": [shapes.base(*found) for found in knowledge_bases.page(front.world(), front.caller())]}


@routes.operation("POST", BASES, "A new knowledge base.", body=NewKnowledgeBaseBody, status=201, refuses=CONFLICT)
def create_base() -> Response[shapes.KnowledgeBaseView]:
    made = knowledge_bases.create(front.world(), front.caller(), front.body(front.SMALL_BODY), front.key())
    return front.opened(201, made.replayed, shapes.base(made.item), f"{BASES}/{made.item.knowledge_base}")


@routes.operation("GET", BASE, "One knowledge base.")
def get_base(base_id: str) -> shapes.KnowledgeBaseView:
    return shapes.base(*knowledge_bases.look(front.world(), front.caller(), base_id))


@routes.operation("PUT", BASE, "Another name.", body=shapes.KnowledgeBaseNameBody)
def rename_base(base_id: str) -> shapes.KnowledgeBaseView:
    return shapes.base(knowledge_bases.rename(front.world(), front.caller(), base_id, front.body(front.SMALL_BODY)))


@routes.operation("DELETE", BASE, "Take it away, with its documents.", status=204)
def delete_base(base_id: str) -> None:
    knowledge_bases.remove(front.world(), front.caller(), base_id)


@routes.operation("POST", f"{BASE}/restore", "Undo its deletion, with its documents.")
def restore_base(base_id: str) -> shapes.KnowledgeBaseView:
    return shapes.base(knowledge_bases.restore(front.world(), front.caller(), base_id))


@routes.operation("GET", f"{BASE}/documents", "Its documents.")
def list_documents(base_id: str, cursor: Cursor | None = None, status: Status | None = None) -> shapes.DocumentListView:
    found, after = documents.page(front.world(), front.caller(), base_id, cursor=cursor, status=status)
    return {"documents": [shapes.document(item) for item in found], "nextCursor": after}


@routes.operation("POST", f"{BASE}/documents", "Announce files.", body=NewFilesBody, status=201, refuses=CONFLICT)
def announce_files(base_id: str) -> shapes.UploadListView:
    return {"uploads": documents.announce(front.world(), front.caller(), base_id, front.body())}


@routes.operation("GET", DOCUMENT, "One document.", tagged=True)
def get_document(document_id: str) -> shapes.DocumentView:
    return shapes.document(documents.find(front.world(), front.caller(), document_id))


@routes.operation("PUT", DOCUMENT, "What its study is called.", body=shapes.DocumentLabelBody)
def relabel_document(document_id: str) -> shapes.DocumentView:
    return shapes.document(documents.relabel(front.world(), front.caller(), document_id, front.body(front.SMALL_BODY)))


@routes.operation("DELETE", DOCUMENT, "Take it out of the library.", status=204)
def delete_document(document_id: str) -> None:
    documents.remove(front.world(), front.caller(), document_id)


@routes.operation("POST", f"{DOCUMENT}/restore", "Undo its deletion.")
def restore_document(document_id: str) -> shapes.DocumentView:
    return shapes.document(documents.restore(front.world(), front.caller(), document_id))


@routes.operation("POST", f"{DOCUMENT}/versions", "Other bytes.", body=shapes.NewFileBody, status=201, refuses=CONFLICT)
def replace_document(document_id: str) -> shapes.UploadView:
    return documents.replace(front.world(), front.caller(), document_id, front.body(front.SMALL_BODY))


@routes.operation("POST", f"{DOCUMENT}/reread", "Read it again.", status=202, refuses=TOO_MUCH)
def reread_document(document_id: str) -> shapes.DocumentView:
    return shapes.document(documents.reread(front.world(), front.caller(), document_id))


@routes.operation("GET", f"{DOCUMENT}/text", "Its text.", refuses=CONFLICT)
def get_text(document_id: str, page: PageAsked | None = None) -> shapes.DocumentTextView:
    world = front.world()
    item = documents.find(world, front.caller(), document_id)
    return shapes.text(item.document, downloads.text_of(world, item), page)


@routes.operation("GET", f"{DOCUMENT}/file", "Its file, for a while.", refuses=CONFLICT)
def get_file(document_id: str) -> FileLinkView:
    world = front.world()
    return downloads.file_of(world, documents.find(world, front.caller(), document_id))


@routes.operation("GET", f"{RESULT}/text", "The text it is of.")
def get_result_text(result_id: str, page: PageAsked | None = None) -> shapes.DocumentTextView:
    row = task_table.row(front.world(), *task_paths.place(result_id))
    return shapes.text(row.document, downloads.text_of_row(front.world(), row), page)


@routes.operation("GET", f"{RESULT}/file", "The file it is of, for a while.")
def get_result_file(result_id: str) -> FileLinkView:
    row = task_table.row(front.world(), *task_paths.place(result_id))
    return downloads.file_of_row(front.world(), row)
