"""The API's description, from the same decorators that make its routes: what is not described is not there."""

import html
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver

from sheaf import ids, paging, requests, standing
from sheaf.desks import extract_paper
from sheaf.errors import InvalidRequest
from sheaf.library import names
from sheaf.library import requests as wishes
from sheaf.templates import editing, inputs
from sheaf.templates.fields import TYPES
from sheaf.visible import PATTERN

Handler = Callable[..., Any]

TEXT = {"type": "string"}
COUNT = {"type": "integer", "minimum": 0}
INSTANT = {"type": "string", "format": "date-time"}
ID = {"type": "string", "pattern": f"^{ids.NAME.pattern}$"}
KEY = {"type": ["string", "null"], "pattern": f"^{requests.IDEMPOTENCY_KEY.pattern}$"}
DOLLARS = {"type": ["number", "null"], "minimum": 0}
ANYTHING: dict[str, Any] = {"type": ["object", "null"]}
SHA256 = {"type": "string", "pattern": f"^{wishes.SHA256.pattern}$"}
WHOLE = {"type": "integer", "minimum": 1, "maximum": requests.WHOLE_MAX}
BUDGET = {"type": ["number", "null"], "exclusiveMinimum": 0, "maximum": requests.BUDGET_MAX_USD}
DOCUMENT_STATUS = ["uploading", "reading", "ready", "needs_ocr", "unreadable"]
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


def _listed(shape: dict[str, Any], **limits: Any) -> dict[str, Any]:
    return {"type": "array", "items": shape, **limits}


def _announced_file(required: str = "", /, **more: Any) -> dict[str, Any]:
    """What is said of a file that was announced: by a document, and by a newer version of it."""
    return _object(
        f"status reason advice filename size sha256 contentType {required}".strip(),
        status={"enum": DOCUMENT_STATUS},
        reason=_or_null(TEXT),
        advice=_or_null(TEXT),
        filename=TEXT,
        size=COUNT,
        sha256=SHA256,
        contentType=TEXT,
        **more,
    )


def _text(most: int, **more: Any) -> dict[str, Any]:
    return {"type": "string", "maxLength": most, **more}


def _seen(most: int) -> dict[str, Any]:
    """A text of which something is to be seen."""
    return _text(most, pattern=PATTERN)


def _if_type(*types: str, **then: Any) -> dict[str, Any]:
    """What more is asked of a field of one of these types."""
    asked = {"properties": {"type": {"enum": list(types)}}, "required": ["type"]}
    return {"if": asked, "then": then}


FIELD_NAME = {"type": "string", "pattern": f"^{editing.NAME.pattern}$"}
FIELD_TYPES = list(TYPES)
CHOICES = ("enum", "[string]")


def _new_field(types: Sequence[str], fields: dict[str, Any]) -> dict[str, Any]:
    """A field of a template, or a part of one: what its type allows beside it, and what it needs."""
    without = [kind for kind in types if kind not in CHOICES]
    shape = _closed(
        "name type label",
        name={**FIELD_NAME, "not": {"enum": sorted(editing.RESERVED)}},
        type={"enum": list(types)},
        label={**_seen(editing.LABEL_MAX), "description": "No two fields beside one another have the same."},
        labelZh=_text(editing.LABEL_MAX),
        description=_text(editing.DESCRIPTION_MAX),
        section=_text(editing.LABEL_MAX),
        sectionLabel={"description": "Not read: it follows from the section."},
        sectionLabelZh={"description": "Not read: it follows from the section."},
        options={
            "type": ["array", "null"],
            "items": _seen(editing.OPTION_MAX),
            "maxItems": editing.OPTIONS_MAX,
            "uniqueItems": True,
            "description": "What an enum, or each entry of a [string], may be; distinct in small letters too.",
        },
        fields=fields,
    )
    enum = _if_type("enum", properties={"options": {"type": "array", "minItems": 2}}, required=["options"])
    return {**shape, "allOf": [_if_type(*without, properties={"options": {"maxItems": 0}}), enum]}


TEMPLATE_HEAD: dict[str, Any] = {
    "templateId": ID,
    "version": {"type": "integer", "minimum": 1},
    "builtIn": {"type": "boolean"},
    "label": TEXT,
    "labelZh": TEXT,
    "description": TEXT,
    "fieldCount": COUNT,
}
NO_PARTS = {"type": ["array", "null"], "maxItems": 0}
PARTS = _listed(_ref("NewPart"), minItems=1, maxItems=editing.PARTS_MAX)
NEW_FIELD = _new_field(TYPES, {"type": ["array", "null"], "description": "The columns of an [object]."})
NEW_FIELD["allOf"] += [
    _if_type("[object]", properties={"fields": PARTS}, required=["fields"]),
    _if_type(*(kind for kind in TYPES if kind != "[object]"), properties={"fields": NO_PARTS}),
]
SCHEMAS: dict[str, dict[str, Any]] = {
    "Health": _object("ok", ok={"type": "boolean"}),
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
        documentIds=_listed(ID, minItems=1, maxItems=requests.DOCUMENTS_MAX, uniqueItems=True),
        knowledgeBaseId=_or_null(ID),
        kind=ID,
        onNotReady={"enum": ["refuse", "error"]},
        engine=_or_null(TEXT),
        fresh={"type": "boolean"},
        budgetUsd=BUDGET,
        templateInputs={
            "type": ["object", "null"],
            "additionalProperties": _text(inputs.TEXT_MAX),
            "maxProperties": extract_paper.INPUTS_MAX,
            "description": "What the template is told of the review, by the names of its `inputs`.",
        },
        idempotencyKey=KEY,
    ),
    "Budget": _closed("budgetUsd", budgetUsd=BUDGET),
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
        budgetUsd={**BUDGET, "description": "Without it, what is left of the task's own."},
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
        waiting={
            **_or_null(
                _object(
                    "for provider reason since until rows",
                    **{"for": {"enum": ["provider"]}},
                    provider=TEXT,
                    reason={"enum": ["throttled", "unavailable", "account"]},
                    since=INSTANT,
                    until={**INSTANT, "description": "When it is tried again; what is past is being tried."},
                    rows=COUNT,
                )
            ),
            "description": "What its pending rows wait for, while something keeps them.",
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
    "NewKnowledgeBase": _closed("name", name=_seen(wishes.NAME_MAX), idempotencyKey=KEY),
    "KnowledgeBaseName": _closed("name", name=_seen(wishes.NAME_MAX)),
    "KnowledgeBase": _object(
        "knowledgeBaseId name createdAt", knowledgeBaseId=ID, name=TEXT, createdAt=INSTANT, documentCount=COUNT
    ),
    "KnowledgeBaseList": _object("knowledgeBases", knowledgeBases=_listed(_ref("KnowledgeBase"))),
    "NewFile": _closed(
        "filename size sha256",
        filename=_text(wishes.FILENAME_MAX, pattern=names.ENDING.pattern),
        size={"type": "integer", "minimum": 0, "maximum": wishes.FILE_BYTES_MAX},
        sha256=SHA256,
    ),
    "NewFiles": _closed("files", files=_listed(_ref("NewFile"), minItems=1, maxItems=wishes.FILES_MAX)),
    "Document": _announced_file(
        "documentId knowledgeBaseId createdAt updatedAt replacement",
        documentId=ID,
        knowledgeBaseId=ID,
        pageCount={"type": ["integer", "null"], "minimum": 1},
        title=_or_null(TEXT),
        firstAuthor=_or_null(TEXT),
        year=_or_null({"type": "integer"}),
        createdAt=INSTANT,
        updatedAt=INSTANT,
        replacement={"oneOf": [_announced_file(), {"type": "null"}]},
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
            "description": "A form: POST its fields and then the file, as `file`, to its url, within `secondsPerUpload`.",
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
    "Clone": _closed(label=_text(editing.LABEL_MAX), labelZh=_text(editing.LABEL_MAX), idempotencyKey=KEY),
    "NewField": NEW_FIELD,
    "NewPart": _new_field([kind for kind in TYPES if kind != "[object]"], NO_PARTS),
    "TemplateChange": _closed(
        "version fields",
        version={**WHOLE, "description": "The version that was changed: the newest."},
        label=_text(editing.LABEL_MAX),
        labelZh=_text(editing.LABEL_MAX),
        description=_text(editing.DESCRIPTION_MAX),
        fields=_listed(_ref("NewField"), minItems=1, maxItems=editing.FIELDS_MAX),
    ),
    "Problem": _object(
        "type title status detail", type=TEXT, title=TEXT, status=COUNT, detail=TEXT, field=TEXT, reason=TEXT
    ),
}
GIVEN = "The nextCursor of the page before."
QUERY: dict[str, dict[str, Any]] = {
    "cursor": {"schema": {"type": "string", "pattern": f"^{paging.PLACE.pattern}$"}, "description": GIVEN},
    "rowCursor": {"schema": {"type": "string", "pattern": f"^{paging.NUMBER.pattern}$"}, "description": GIVEN},
    "rowStatus": {"schema": {"enum": ROW_STATUS}, "description": "Only rows with this status."},
    "documentStatus": {"schema": {"enum": DOCUMENT_STATUS}, "description": "Only documents with this status."},
    "page": {"schema": WHOLE, "description": "Only this page; else from the first on."},
    "version": {"schema": WHOLE, "description": "This version; else the newest."},
    "view": {"schema": {"enum": ["latest"]}, "description": "What retries made of a row, in its place."},
}
NAMES = {"rowCursor": "cursor", "rowStatus": "status", "documentStatus": "status"}
"""What parameters are called that are not called as here, because two of a name take different things."""
REFUSALS = {
    "400": "Bad input, with the field.",
    "401": "No valid token. Said by API Gateway before we are asked, in its own words.",
    "403": "Not your project or role.",
    "404": "No such thing, or another project's.",
    "409": "Not as it stands.",
    "429": "More at once than a project may have, or more rows a minute than a user may read.",
    "500": "A defect of ours.",
    "503": "AWS is busy: the same request again, after a wait.",
}
ABOUT = (
    "N documents in, one table out. Every refusal is application/problem+json. API Gateway answers some requests by "
    "itself, as application/json with a message: 429 where requests come too fast, 503 where none could be taken. "
    "Objects name nothing twice. Where a key stands in the header and in the body, it is the same."
)
KEYED = {"NewTask", "Retry", "NewKnowledgeBase", "Clone"}
"""Requests that take an idempotency key. (Files need none: the same bytes are the same document.)"""
HEADERS = {
    "201": {"Location": "The address of what was made, or of what it holds; relative to the request's."},
    "202": {"Location": "The task's address, where one was opened; relative to the request's."},
    "200": {"Idempotency-Replayed": "true where an earlier request had done it."},
    "429": {"Retry-After": "Seconds to wait."},
    "503": {"Retry-After": "Seconds to wait."},
}
ETAG = {"ETag": "For If-None-Match: changes whenever anything but asOf does. None where it may change at any moment."}


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
    of_project: bool
    refuses: tuple[str, ...]

    @property
    def asked(self) -> dict[str, dict[str, Any]]:
        """Its query's parameters, by name."""
        return {NAMES.get(key, key): QUERY[key] for key in self.query}

    @property
    def keyed(self) -> bool:
        """Whether it takes an idempotency key: it makes something, and is asked for it in one of these requests."""
        return self.takes in KEYED and self.status != 200  # noqa: PLR2004 - HTTP's own number

    @property
    def methods(self) -> tuple[str, ...]:
        return ("GET", "HEAD") if self.method == "GET" else (self.method,)


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
    of_project: bool = True,
    refuses: tuple[str, ...] = (),
) -> Callable[[Handler], Handler]:
    """Make a route and describe it. `refuses` are the refusals that do not follow from the rest."""

    def describe(handler: Handler) -> Handler:
        shown = re.sub(r"<(\w+)>", r"{\1}", path)
        belongs = of_project and not open_to_all
        told = (method, shown, handler.__name__, summary, open_to_all, takes, gives, status, query, tagged)
        item = Operation(*told, belongs, refuses)
        OPERATIONS.append(item)

        @wraps(handler)
        def asked(**place: str) -> Any:
            _refuse_unknown(app.current_event.query_string_parameters, item)
            return handler(**place)

        app.route(path, method=list(item.methods))(asked)
        return handler

    return describe


def _refuse_unknown(told: dict[str, str] | None, item: Operation) -> None:
    """Raises InvalidRequest for a query parameter that the operation does not have."""
    unknown = sorted((told or {}).keys() - item.asked.keys())
    if unknown:
        there = f"there are: {', '.join(sorted(item.asked))}" if item.asked else "there are none"
        raise InvalidRequest(requests.shown(unknown[0]), f"is not a parameter of this address; {there}.")


def allowed(path: str) -> list[str]:
    """The methods that an address takes; none where there is nothing at it."""
    of_path = [item for item in OPERATIONS if re.fullmatch(re.sub(r"{\w+}", "[^/]+", item.path), path)]
    return sorted({method for item in of_path for method in (*item.methods, "OPTIONS")})


def document(kinds: Sequence[str] = (), engines: Sequence[str] = ()) -> dict[str, Any]:
    """OpenAPI 3.1; of a deployment, with the kinds of work and the engines that it has."""
    paths: dict[str, Any] = {}
    for item in OPERATIONS:
        paths.setdefault(item.path, {})[item.method.lower()] = _described(item)
    bearer = {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Sheaf", "version": "1", "description": ABOUT},
        "servers": [{"url": "../..", "description": "Where this description is."}],
        "paths": paths,
        "components": {"schemas": _schemas(kinds, engines), "securitySchemes": {"token": bearer}},
        "security": [{"token": []}],
    }


def _schemas(kinds: Sequence[str], engines: Sequence[str]) -> dict[str, Any]:
    if not kinds:
        return SCHEMAS
    task = SCHEMAS["NewTask"]
    choices = {"kind": {"enum": sorted(kinds)}, "engine": {"enum": [*engines, None]}}
    return {**SCHEMAS, "NewTask": {**task, "properties": {**task["properties"], **choices}}}


def _described(item: Operation) -> dict[str, Any]:
    described = {"operationId": item.name, "summary": item.summary, "responses": _responses(item)}
    parameters = [_in_path(name) for name in re.findall(r"{(\w+)}", item.path)]
    parameters += [{"name": name, "in": "query", **told} for name, told in item.asked.items()]
    if item.tagged:
        parameters.append({"name": "If-None-Match", "in": "header", "schema": TEXT, "description": "An ETag."})
    if item.of_project:
        project = {"name": "Sheaf-Project", "in": "header", "schema": TEXT, "description": "If you have several."}
        parameters.append(project)
    if item.takes:
        described["requestBody"] = {
            "required": item.takes not in {"Retry", "Clone"},
            "content": {"application/json": {"schema": _ref(item.takes)}},
        }
    if item.keyed:
        parameters.append({"name": "Idempotency-Key", "in": "header", "schema": {**KEY, "type": "string"}})
    return {**described, "parameters": parameters, **({"security": []} if item.open_to_all else {})}


def _responses(item: Operation) -> dict[str, Any]:
    kind = "text/html" if item.gives == "Html" else "application/json"
    content = {"content": {kind: {"schema": _ref(item.gives)}}} if item.gives else {}
    given: dict[str, Any] = {str(item.status): {"description": "Done.", **content}}
    if item.keyed:
        given["200"] = {"description": "Done by an earlier request with this idempotency key.", **content}
        given = {status: {**told, "headers": _headers(HEADERS[status])} for status, told in given.items()}
    if item.tagged:
        given["200"]["headers"] = _headers(ETAG)
        given["304"] = {"description": "As you have it already.", "headers": _headers(ETAG)}
    return {**given, **{status: _refusal(status) for status in refusals(item)}}


def refusals(item: Operation) -> list[str]:
    """The refusals that an operation can give."""
    signed_in = () if item.open_to_all else ("401", "403")
    of_project = ("503",) if item.of_project else ()
    named = ("404",) if "{" in item.path else ()
    return sorted({"400", "500", *signed_in, *of_project, *named, *item.refuses})


def _refusal(status: str) -> dict[str, Any]:
    problem = {"content": {"application/problem+json": {"schema": _ref("Problem")}}}
    waits = {"headers": _headers(HEADERS[status])} if status in HEADERS else {}
    return {"description": REFUSALS[status], **({} if status == "401" else problem), **waits}


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
        "<h1>Sheaf API</h1><p>Sign in with Cognito and send the access token as <code>Authorization: Bearer …</code>. "
        f'The same for programs: <a href="openapi.json">openapi.json</a>.</p>{sections}</html>'
    )


def _section(item: Operation) -> str:
    shape = SCHEMAS.get(item.takes or "", {}).get("properties", {})
    fields = "".join(f"<dt>{name}</dt><dd>{html.escape(_said(value))}</dd>" for name, value in shape.items())
    asked = "".join(f"<dt>?{name}</dt><dd>{html.escape(told['description'])}</dd>" for name, told in item.asked.items())
    access = "open to all" if item.open_to_all else "signed in"
    return (
        f"<h2>{item.method} {html.escape(item.path)}</h2><p>{html.escape(item.summary)} Answers {item.status}, "
        f"{access}.</p><dl>{fields}{asked}</dl>"
    )


def _said(shape: dict[str, Any]) -> str:
    if "enum" in shape:
        return " or ".join(shape["enum"])
    kind = shape.get("type", "anything")
    return kind if isinstance(kind, str) else " or ".join(kind)
