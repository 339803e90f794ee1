"""The API's description, from the same decorators that make its routes: what is not described is not there."""

import html
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver

from sheaf import standing

Handler = Callable[..., Any]

TEXT = {"type": "string"}
COUNT = {"type": "integer", "minimum": 0}
INSTANT = {"type": "string", "format": "date-time"}
ID = {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,40}$"}
KEY = {"type": "string", "pattern": "^[\\x21-\\x7e]{1,128}$"}
DOLLARS = {"type": ["number", "null"], "minimum": 0}
ANYTHING: dict[str, Any] = {"type": ["object", "null"]}
SHA256 = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
DOCUMENT_STATE = ["uploading", "reading", "ready", "needs_ocr", "unreadable"]
ROW_STATUS = ["pending", "extracting", "completed", "error", "cancelled"]


def _object(required: str = "", /, **properties: Any) -> dict[str, Any]:
    shape: dict[str, Any] = {"type": "object", "properties": properties}
    return {**shape, "required": required.split()} if required else shape


def _closed(required: str = "", /, **properties: Any) -> dict[str, Any]:
    return {**_object(required, **properties), "additionalProperties": False}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


def _or_null(shape: dict[str, Any]) -> dict[str, Any]:
    return {**shape, "type": [shape["type"], "null"]}


def _listed(shape: dict[str, Any], **limits: int) -> dict[str, Any]:
    return {"type": "array", "items": shape, **limits}


def _file_state(required: str = "", /, **more: Any) -> dict[str, Any]:
    """What is said of a file that was announced: by a document, and by a newer version of it."""
    return _object(
        f"state reason advice filename size sha256 contentType {required}".strip(),
        state={"enum": DOCUMENT_STATE},
        reason=_or_null(TEXT),
        advice=_or_null(TEXT),
        filename=TEXT,
        size=COUNT,
        sha256=SHA256,
        contentType=TEXT,
        **more,
    )


FIELD_NAME = {"type": "string", "pattern": "^[a-z][a-z0-9_]{0,39}$"}
FIELD_TYPES = ["string", "integer", "number", "boolean", "enum", "[string]", "[object]"]
TEMPLATE_HEAD: dict[str, Any] = {
    "templateId": ID,
    "version": {"type": "integer", "minimum": 1},
    "builtIn": {"type": "boolean"},
    "label": TEXT,
    "labelZh": TEXT,
    "description": TEXT,
    "fieldCount": COUNT,
}
SCHEMAS: dict[str, dict[str, Any]] = {
    "Health": _object("status", status=TEXT),
    "OpenApi": {"type": "object"},
    "Html": TEXT,
    "Me": _object(
        "projects engines defaultEngine limits",
        userId=_or_null(TEXT),
        projects={"type": "array", "items": _object("projectId role", projectId=TEXT, role=TEXT)},
        engines={"type": "array", "items": TEXT},
        defaultEngine={**TEXT, "description": "Whose work a task is that names no engine: one of engines."},
        limits={"type": "object", "additionalProperties": {"type": "number", "minimum": 0}},
    ),
    "NewTask": _closed(
        "templateId documentIds",
        templateId=ID,
        documentIds={"type": "array", "items": ID, "minItems": 1, "maxItems": 10000, "uniqueItems": True},
        knowledgeBaseId=_or_null(ID),
        kind=ID,
        onNotReady={"enum": ["refuse", "error"]},
        engine=TEXT,
        fresh={"type": "boolean"},
        budgetUsd={"type": ["number", "null"], "exclusiveMinimum": 0},
        templateInputs={
            "type": ["object", "null"],
            "additionalProperties": {"type": "string", "maxLength": 200},
            "maxProperties": 10,
            "description": "What the template is told of the review, by the names of its `inputs`.",
        },
        idempotencyKey=KEY,
    ),
    "Budget": _closed("budgetUsd", budgetUsd={"type": ["number", "null"], "exclusiveMinimum": 0}),
    "Estimate": _object(
        "engine documents inputTokens outputTokens costUsd price",
        engine=TEXT,
        documents=COUNT,
        inputTokens=COUNT,
        outputTokens=COUNT,
        costUsd=DOLLARS,
        price=_or_null(
            _object(
                "model inputUsdPerMillion outputUsdPerMillion readOn source",
                model=TEXT,
                inputUsdPerMillion={"type": "number", "minimum": 0},
                outputUsdPerMillion={"type": "number", "minimum": 0},
                readOn=_or_null({**TEXT, "format": "date"}),
                source=TEXT,
            )
        ),
    ),
    "Retry": _closed(
        refresh={"type": "boolean"},
        budgetUsd={
            "type": ["number", "null"],
            "exclusiveMinimum": 0,
            "description": "Without it, what is left of the task's own.",
        },
        idempotencyKey=KEY,
    ),
    "Task": _object(
        "taskId projectId status totalCount pendingCount extractingCount completedCount errorCount cancelledCount "
        "percent asOf stale createdAt",
        taskId=ID,
        projectId=TEXT,
        kind=TEXT,
        templateId=TEXT,
        templateVersion=COUNT,
        templateInputs={"type": "object", "additionalProperties": TEXT},
        knowledgeBaseId=_or_null(TEXT),
        status={"enum": ["processing", "completed", "cancelled"]},
        paused={"type": "boolean"},
        cancelRequested={"type": "boolean"},
        totalCount=COUNT,
        pendingCount=COUNT,
        extractingCount=COUNT,
        completedCount=COUNT,
        errorCount=COUNT,
        cancelledCount=COUNT,
        incompleteCount={**COUNT, "description": "Completed rows that something is missing from."},
        unverifiedCount={**COUNT, "description": "Completed rows with a value that its quote does not bear out."},
        percent={"type": "integer", "minimum": 0, "maximum": 100},
        asOf=INSTANT,
        stale={"type": "boolean", "description": "The counts are older than they should be, or nobody looks after it."},
        engine=TEXT,
        costUsd=DOLLARS,
        tokens=_or_null(COUNT),
        budgetUsd=DOLLARS,
        budgetReached={"type": "boolean"},
        waitingFor={
            "type": ["object", "null"],
            "properties": {
                "provider": TEXT,
                "since": INSTANT,
                "reason": {"enum": ["throttled", "unavailable", "account"]},
            },
        },
        createdAt=INSTANT,
        completedAt=_or_null(INSTANT),
        estimatedFinish={
            "type": ["object", "null"],
            "description": "As likely done before p50 as after it, nine times of ten before p90; null where nobody can say.",
            "properties": {"p50": INSTANT, "p90": INSTANT},
        },
        notMoving={
            "type": ["object", "null"],
            "description": "Why it does not move, since when, and that in a sentence.",
            "properties": {"reason": {"enum": list(standing.SENTENCES)}, "since": INSTANT, "detail": TEXT},
        },
        retryOf=ID,
    ),
    "TaskList": _object("tasks", tasks={"type": "array", "items": _ref("Task")}, nextCursor=_or_null(TEXT)),
    "Result": _object(
        "resultId taskId row documentId status attempts updatedAt",
        resultId=TEXT,
        taskId=ID,
        row=COUNT,
        documentId=ID,
        snapshotStorageKey=TEXT,
        snapshotVersion=_or_null(TEXT),
        snapshotFilename=_or_null(TEXT),
        status={"enum": ROW_STATUS},
        attempts=COUNT,
        engine=TEXT,
        costUsd=DOLLARS,
        tokens=_or_null(COUNT),
        extractedData=ANYTHING,
        summary=ANYTHING,
        errorClass=_or_null(TEXT),
        errorMessage=_or_null(TEXT),
        updatedAt=INSTANT,
    ),
    "ResultList": _object("results", results={"type": "array", "items": _ref("Result")}, nextCursor=_or_null(TEXT)),
    "NewKnowledgeBase": _closed("name", name={"type": "string", "minLength": 1, "maxLength": 120}, idempotencyKey=KEY),
    "KnowledgeBase": _object(
        "knowledgeBaseId name createdAt", knowledgeBaseId=ID, name=TEXT, createdAt=INSTANT, documentCount=COUNT
    ),
    "KnowledgeBaseList": _object("knowledgeBases", knowledgeBases=_listed(_ref("KnowledgeBase"))),
    "NewFile": _closed(
        "filename size sha256",
        filename={"type": "string", "minLength": 1, "maxLength": 2000},
        size={"type": "integer", "minimum": 0, "maximum": 50_000_000},
        sha256=SHA256,
    ),
    "NewFiles": _closed("files", files=_listed(_ref("NewFile"), minItems=1, maxItems=100)),
    "Document": _file_state(
        "documentId knowledgeBaseId createdAt updatedAt replacement",
        documentId=ID,
        knowledgeBaseId=ID,
        pageCount={"type": ["integer", "null"], "minimum": 1},
        title=_or_null(TEXT),
        firstAuthor=_or_null(TEXT),
        year=_or_null({"type": "integer"}),
        createdAt=INSTANT,
        updatedAt=INSTANT,
        replacement={"oneOf": [_file_state(), {"type": "null"}]},
    ),
    "DocumentList": _object("documents nextCursor", documents=_listed(_ref("Document")), nextCursor=_or_null(TEXT)),
    "Upload": _object(
        "document upload",
        document=_ref("Document"),
        upload={
            **_or_null(
                _object(
                    "url fields",
                    url=TEXT,
                    fields={"type": "object", "additionalProperties": TEXT},
                )
            ),
            "description": "A form: POST its fields and then the file, as `file`, to its url within the hour.",
        },
    ),
    "UploadList": _object("uploads", uploads=_listed(_ref("Upload"))),
    "DocumentText": _object(
        "documentId pageCount pages nextPage sections",
        documentId=ID,
        pageCount=COUNT,
        pages=_listed(_object("number label text", number=COUNT, label=_or_null(TEXT), text=TEXT)),
        nextPage=_or_null({"type": "integer"}),
        sections=_listed(_object("title kind page start", title=TEXT, kind=TEXT, page=COUNT, start=COUNT)),
    ),
    "FileLink": _object(
        "url expiresAt contentType filename", url=TEXT, expiresAt=INSTANT, contentType=TEXT, filename=TEXT
    ),
    "TemplateField": _object(
        "name type label labelZh description section sectionLabel sectionLabelZh options fields",
        name=FIELD_NAME,
        type={"enum": FIELD_TYPES},
        label=TEXT,
        labelZh=TEXT,
        description=TEXT,
        section=TEXT,
        sectionLabel=TEXT,
        sectionLabelZh=TEXT,
        options=_listed(TEXT),
        fields=_listed(_ref("TemplateField")),
    ),
    "TemplateSummary": _object("templateId version builtIn label labelZh description fieldCount", **TEMPLATE_HEAD),
    "Template": _object(
        "templateId version builtIn label labelZh description fieldCount fields inputs",
        **TEMPLATE_HEAD,
        fields=_listed(_ref("TemplateField")),
        inputs=_listed(
            _object("name label labelZh description", name=TEXT, label=TEXT, labelZh=TEXT, description=TEXT)
        ),
    ),
    "TemplateList": _object("templates", templates=_listed(_ref("TemplateSummary"))),
    "Clone": _closed(label={"type": "string", "maxLength": 80}, idempotencyKey=KEY),
    "NewField": _closed(
        "name type label",
        name=FIELD_NAME,
        type={"enum": FIELD_TYPES},
        label={"type": "string", "minLength": 1, "maxLength": 80},
        labelZh={"type": "string", "maxLength": 80},
        description={"type": "string", "maxLength": 600},
        section={"type": "string", "maxLength": 80},
        sectionLabel=TEXT,
        sectionLabelZh=TEXT,
        options=_listed({"type": "string", "minLength": 1, "maxLength": 60}, maxItems=30),
        fields=_listed(_ref("NewField"), maxItems=30),
    ),
    "TemplateChange": _closed(
        "version fields",
        version={"type": "integer", "minimum": 1, "description": "The version that was changed: the newest."},
        label={"type": "string", "maxLength": 80},
        labelZh={"type": "string", "maxLength": 80},
        description={"type": "string", "maxLength": 600},
        fields=_listed(_ref("NewField"), minItems=1, maxItems=120),
    ),
    "Problem": _object(
        "type title status detail", type=TEXT, title=TEXT, status=COUNT, detail=TEXT, field=TEXT, reason=TEXT
    ),
}
QUERY: dict[str, dict[str, Any]] = {
    "cursor": {"schema": TEXT, "description": "The nextCursor of the page before."},
    "status": {"schema": {"enum": ROW_STATUS}, "description": "Only rows in this state."},
    "state": {"schema": {"enum": DOCUMENT_STATE}, "description": "Only documents in this state."},
    "page": {"schema": {"type": "integer", "minimum": 1}, "description": "Only this page; else from the first on."},
    "version": {"schema": {"type": "integer", "minimum": 1}, "description": "This version; else the newest."},
    "view": {"schema": {"enum": ["latest"]}, "description": "What retries made of a row, in its place."},
}
REFUSALS = {
    "400": "Bad input, with the field.",
    "403": "Not your project or role.",
    "404": "No such thing, or another project's.",
    "409": "Not as it stands.",
    "429": "More at once than a project may have.",
    "500": "A defect of ours.",
    "503": "AWS is busy: the same request again, after a wait.",
}
KEYED = {"NewTask", "Retry", "NewKnowledgeBase", "Clone"}
"""Requests that take an idempotency key. (Files need none: the same bytes are the same document.)"""
HEADERS = {
    "201": {"Location": "The address of what was made, or of what it holds."},
    "202": {"Location": "The task's address, where one was opened."},
    "200": {"Idempotency-Replayed": "true where an earlier request had done it."},
    "429": {"Retry-After": "Seconds to wait."},
    "503": {"Retry-After": "Seconds to wait."},
}
ETAG = {"ETag": "For If-None-Match: changes whenever anything but asOf does."}


@dataclass(frozen=True)
class Operation:
    """One method of one path."""

    method: str
    path: str
    name: str
    summary: str
    open_to_all: bool
    takes: str | None
    gives: str | None
    status: int
    query: tuple[str, ...]
    tagged: bool


OPERATIONS: list[Operation] = []


def operation(  # noqa: PLR0913 - what there is to say of an operation, each by name
    app: APIGatewayHttpResolver,
    method: str,
    path: str,
    summary: str,
    *,
    open_to_all: bool = False,
    takes: str | None = None,
    gives: str | None = None,
    status: int = 200,
    query: tuple[str, ...] = (),
    tagged: bool = False,
) -> Callable[[Handler], Handler]:
    """Make a route and describe it."""

    def describe(handler: Handler) -> Handler:
        shown = re.sub(r"<(\w+)>", r"{\1}", path)
        OPERATIONS.append(
            Operation(method, shown, handler.__name__, summary, open_to_all, takes, gives, status, query, tagged)
        )
        app.route(path, method=method)(handler)
        return handler

    return describe


def document() -> dict[str, Any]:
    """OpenAPI 3.1."""
    paths: dict[str, Any] = {}
    for item in OPERATIONS:
        paths.setdefault(item.path, {})[item.method.lower()] = _described(item)
    bearer = {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Sheaf", "version": "1", "description": "N documents in, one table out."},
        "paths": paths,
        "components": {"schemas": SCHEMAS, "securitySchemes": {"token": bearer}},
        "security": [{"token": []}],
    }


def _described(item: Operation) -> dict[str, Any]:
    described = {"operationId": item.name, "summary": item.summary, "responses": _responses(item)}
    parameters = [_in_path(name) for name in re.findall(r"{(\w+)}", item.path)]
    parameters += [{"name": name, "in": "query", **QUERY[name]} for name in item.query]
    if item.tagged:
        parameters.append({"name": "If-None-Match", "in": "header", "schema": TEXT, "description": "An ETag."})
    if not item.open_to_all:
        project = {"name": "Sheaf-Project", "in": "header", "schema": TEXT, "description": "If you have several."}
        parameters.append(project)
    if item.takes:
        described["requestBody"] = {
            "required": item.takes not in {"Retry", "Clone"},
            "content": {"application/json": {"schema": _ref(item.takes)}},
        }
    if item.takes in KEYED:
        parameters.append({"name": "Idempotency-Key", "in": "header", "schema": KEY})
    return {**described, "parameters": parameters, **({"security": []} if item.open_to_all else {})}


def _responses(item: Operation) -> dict[str, Any]:
    kind = "text/html" if item.gives == "Html" else "application/json"
    content = {"content": {kind: {"schema": _ref(item.gives)}}} if item.gives else {}
    given: dict[str, Any] = {str(item.status): {"description": "Done.", **content}}
    if item.takes in KEYED:
        given["200"] = {"description": "Done by an earlier request with this idempotency key.", **content}
        given = {status: {**told, "headers": _headers(HEADERS[status])} for status, told in given.items()}
    if item.tagged:
        given["200"]["headers"] = _headers(ETAG)
        given["304"] = {"description": "As you have it already.", "headers": _headers(ETAG)}
    return given if item.open_to_all else {**given, **_refusals()}


def _refusals() -> dict[str, Any]:
    problem = {"content": {"application/problem+json": {"schema": _ref("Problem")}}}
    told = {status: {"description": text, **problem} for status, text in REFUSALS.items()}
    waits = {status: {**told[status], "headers": _headers(HEADERS[status])} for status in ("429", "503")}
    # Said by API Gateway before we are asked, in its own words.
    return {"401": {"description": "No valid token."}, **told, **waits}


def _headers(told: dict[str, str]) -> dict[str, Any]:
    return {name: {"description": text, "schema": TEXT} for name, text in told.items()}


def _in_path(name: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": TEXT}


STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#1b2733}"
    "h2{font:600 1rem/1.4 ui-monospace,monospace;margin:2rem 0 .25rem}code{background:#eef2f5;padding:.1em .3em}"
    "dt{font-family:ui-monospace,monospace}dd{margin:0 0 .3rem 1.5rem}"
)


def page() -> str:
    """The same for a reader: one section an operation, no script."""
    sections = "".join(_section(item) for item in OPERATIONS)
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Sheaf API</title><style>{STYLE}</style>'
        "<h1>Sheaf API</h1><p>Sign in with Cognito and send the ID token as <code>Authorization: Bearer …</code>. "
        f'The same for programs: <a href="openapi.json">openapi.json</a>.</p>{sections}</html>'
    )


def _section(item: Operation) -> str:
    shape = SCHEMAS.get(item.takes or "", {}).get("properties", {})
    fields = "".join(f"<dt>{name}</dt><dd>{html.escape(_said(value))}</dd>" for name, value in shape.items())
    asked = "".join(f"<dt>?{name}</dt><dd>{html.escape(QUERY[name]['description'])}</dd>" for name in item.query)
    access = "open to all" if item.open_to_all else "signed in"
    return (
        f"<h2>{item.method} {html.escape(item.path)}</h2><p>{html.escape(item.summary)} Answers {item.status}, "
        f"{access}.</p><dl>{fields}{asked}</dl>"
    )


def _said(shape: dict[str, Any]) -> str:
    if "enum" in shape:
        return " or ".join(shape["enum"])
    kind = shape["type"]
    return kind if isinstance(kind, str) else " or ".join(kind)
