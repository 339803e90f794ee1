"""Paths of the library: knowledge bases, documents, their texts and files."""

from aws_lambda_powertools.event_handler import Response

import front
import problems
from front import app
from openapi import operation
from sheaf import reading, requests, tasks
from sheaf.access import Role
from sheaf.errors import NotFound
from sheaf.library import bases, documents, showing, views
from sheaf.library.showing import Link
from sheaf.models import Row
from sheaf.standing import instant

BASES = "/api/v1/pkb/knowledge-bases"
DOCUMENTS = "/api/v1/pkb/documents"
RESULTS = "/api/v1/asl/extraction/results"
CONFLICT = ("409",)
TOO_MUCH = ("409", "429")


def _nothing() -> Response[str]:
    return Response(204, None, "", problems.SECURITY_HEADERS)


def _link(link: Link) -> Response[str]:
    shown = {"url": link.url, "expiresAt": instant(link.until), "contentType": link.content_type}
    return front.answer(200, {**shown, "filename": link.filename})


@operation(app, "GET", BASES, "The project's knowledge bases.", gives="KnowledgeBaseList")
def list_bases() -> Response[str]:
    found = bases.page(front.world(), front.caller())
    return front.answer(200, {"knowledgeBases": [views.base(item, count) for item, count in found]})


@operation(
    app,
    "POST",
    BASES,
    "A new knowledge base.",
    takes="NewKnowledgeBase",
    gives="KnowledgeBase",
    status=201,
    refuses=CONFLICT,
)
def create_base() -> Response[str]:
    header = app.current_event.headers.get("idempotency-key")
    opened = bases.create(front.world(), front.caller(), front.body(front.SMALL_BODY), header)
    shown = views.base(opened.item)
    if opened.replayed:
        return front.answer(200, shown, {"Idempotency-Replayed": "true"})
    return front.made(201, shown, f"{BASES}/{opened.item.knowledge_base}")


@operation(app, "GET", f"{BASES}/<base_id>", "One knowledge base.", gives="KnowledgeBase")
def get_base(base_id: str) -> Response[str]:
    return front.answer(200, views.base(*bases.look(front.world(), front.caller(), base_id)))


@operation(app, "PUT", f"{BASES}/<base_id>", "Another name.", takes="KnowledgeBaseName", gives="KnowledgeBase")
def rename_base(base_id: str) -> Response[str]:
    body = front.body(front.SMALL_BODY)
    return front.answer(200, views.base(bases.rename(front.world(), front.caller(), base_id, body)))


@operation(app, "DELETE", f"{BASES}/<base_id>", "Take it away, with its documents.", status=204)
def delete_base(base_id: str) -> Response[str]:
    bases.remove(front.world(), front.caller(), base_id)
    return _nothing()


@operation(app, "POST", f"{BASES}/<base_id>/restore", "Undo its deletion, with its documents.", gives="KnowledgeBase")
def restore_base(base_id: str) -> Response[str]:
    return front.answer(200, views.base(bases.restore(front.world(), front.caller(), base_id)))


@operation(
    app,
    "GET",
    f"{BASES}/<base_id>/documents",
    "Its documents.",
    query=("cursor", "documentStatus"),
    gives="DocumentList",
)
def list_documents(base_id: str) -> Response[str]:
    world, caller = front.world(), front.caller()
    base = bases.find(world, caller, base_id)
    found, cursor = documents.page(world, caller, base, cursor=front.query("cursor"), status=front.query("status"))
    return front.answer(200, {"documents": [views.document(item) for item in found], "nextCursor": cursor})


@operation(
    app,
    "POST",
    f"{BASES}/<base_id>/documents",
    "Announce files.",
    takes="NewFiles",
    gives="UploadList",
    status=201,
    refuses=CONFLICT,
)
def announce_files(base_id: str) -> Response[str]:
    world, caller = front.world(), front.caller()
    caller.must_be(Role.EDITOR)
    base = bases.find(world, caller, base_id)
    announced = documents.announce(world, caller, base, front.body())
    return front.answer(201, {"uploads": [views.announced(each) for each in announced]})


@operation(app, "GET", f"{DOCUMENTS}/<document_id>", "One document.", gives="Document", tagged=True)
def get_document(document_id: str) -> Response[str]:
    return front.tagged(views.document(documents.find(front.world(), front.caller(), document_id)))


@operation(app, "DELETE", f"{DOCUMENTS}/<document_id>", "Take it out of the library.", status=204)
def delete_document(document_id: str) -> Response[str]:
    documents.remove(front.world(), front.caller(), document_id)
    return _nothing()


@operation(app, "POST", f"{DOCUMENTS}/<document_id>/restore", "Undo its deletion.", gives="Document")
def restore_document(document_id: str) -> Response[str]:
    return front.answer(200, views.document(documents.restore(front.world(), front.caller(), document_id)))


@operation(
    app,
    "POST",
    f"{DOCUMENTS}/<document_id>/versions",
    "Other bytes.",
    takes="NewFile",
    gives="Upload",
    status=201,
    refuses=CONFLICT,
)
def replace_document(document_id: str) -> Response[str]:
    body = front.body(front.SMALL_BODY)
    return front.answer(201, views.announced(documents.replace(front.world(), front.caller(), document_id, body)))


@operation(
    app, "POST", f"{DOCUMENTS}/<document_id>/reread", "Read it again.", gives="Document", status=202, refuses=TOO_MUCH
)
def reread_document(document_id: str) -> Response[str]:
    return front.answer(202, views.document(documents.reread(front.world(), front.caller(), document_id)))


@operation(
    app, "GET", f"{DOCUMENTS}/<document_id>/text", "Its text.", query=("page",), gives="DocumentText", refuses=CONFLICT
)
def get_text(document_id: str) -> Response[str]:
    world, page = front.world(), requests.number("page", front.query("page"))
    item = documents.find(world, front.caller(), document_id)
    return front.answer(200, views.text(item.document, showing.text_of(world, item), page))


@operation(app, "GET", f"{DOCUMENTS}/<document_id>/file", "Its file, for a while.", gives="FileLink", refuses=CONFLICT)
def get_file(document_id: str) -> Response[str]:
    world = front.world()
    return _link(showing.file_of(world, documents.find(world, front.caller(), document_id)))


def _row(result_id: str) -> Row:
    world, place = front.world(), requests.result_id(result_id)
    if place is None:
        raise NotFound("There is no such result.")
    return reading.row(world, tasks.find(world, front.caller(), place[0]), place[1])


@operation(app, "GET", f"{RESULTS}/<result_id>/text", "The text it is of.", query=("page",), gives="DocumentText")
def get_result_text(result_id: str) -> Response[str]:
    page, row = requests.number("page", front.query("page")), _row(result_id)
    return front.answer(200, views.text(row.document, showing.text_of_row(front.world(), row), page))


@operation(app, "GET", f"{RESULTS}/<result_id>/file", "The file it is of, for a while.", gives="FileLink")
def get_result_file(result_id: str) -> Response[str]:
    row = _row(result_id)
    return _link(showing.file_of_row(front.world(), row))
