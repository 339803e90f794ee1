"""The API's shapes, by the names that its description has for them. Made by `python -m tests.support.client_shapes`.

Types alone: import them under `TYPE_CHECKING`.
"""

from typing import Any, Literal, NotRequired, TypedDict

class Problem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    field: NotRequired[str]
    reason: NotRequired[str]

class KnowledgeBase(TypedDict):
    knowledgeBaseId: str
    name: str
    createdAt: str
    documentCount: NotRequired[int]

class KnowledgeBaseList(TypedDict):
    knowledgeBases: list[KnowledgeBase]

class File(TypedDict):
    status: Literal["uploading", "reading", "ready", "needs_ocr", "unreadable"]
    reason: str | None
    advice: str | None
    filename: str
    size: int
    sha256: str
    contentType: str

class Document(TypedDict):
    status: Literal["uploading", "reading", "ready", "needs_ocr", "unreadable"]
    reason: str | None
    advice: str | None
    filename: str
    size: int
    sha256: str
    contentType: str
    documentId: str
    knowledgeBaseId: str
    pageCount: int | None
    label: str | None
    tags: list[str]
    title: str | None
    firstAuthor: str | None
    year: int | None
    createdAt: str
    updatedAt: str
    replacement: File | None

class DocumentList(TypedDict):
    documents: list[Document]
    nextCursor: str | None

class NewFile(TypedDict):
    filename: str
    size: int
    sha256: str

class UploadForm(TypedDict):
    url: str
    fields: dict[str, str]

class Upload(TypedDict):
    document: Document
    upload: UploadForm | None

class UploadList(TypedDict):
    uploads: list[Upload]

class NewTask(TypedDict):
    kind: NotRequired[str]
    name: NotRequired[str | None]
    mostAtWork: NotRequired[int | None]
    idempotencyKey: NotRequired[str | None]
    templateId: str
    documentIds: NotRequired[list[str]]
    knowledgeBaseId: NotRequired[str | None]
    selection: NotRequired[dict[str, Any] | None]
    manifest: NotRequired[str | None]
    onNotReady: NotRequired[Literal["refuse", "error"]]
    engine: NotRequired[str | None]
    fresh: NotRequired[bool]
    budgetUsd: NotRequired[float | None]
    templateInputs: NotRequired[dict[str, str] | None]

class Price(TypedDict):
    model: str
    inputUsdPerMillion: float
    outputUsdPerMillion: float
    readOn: str | None
    source: str

class Estimate(TypedDict):
    costUsd: float | None
    engine: str
    documents: int
    calls: int
    inputTokens: int
    outputTokens: int
    price: Price | None

Waiting = TypedDict(
    "Waiting",
    {
        "for": Literal["provider"],
        "provider": str,
        "reason": Literal["throttled", "unavailable", "account"],
        "since": str,
        "until": str,
        "rows": int,
    },
)

class NotMoving(TypedDict):
    reason: Literal["paused", "project_budget", "budget", "provider", "not_swept", "mapping_disabled", "queue_not_consumed", "concurrency_taken", "messages_hidden", "messages_lost", "gathering", "not_started", "nothing_ended"]
    since: str
    detail: str
    advice: str

class Expected(TypedDict):
    p50: str
    p90: str

class Cells(TypedDict):
    found: int
    unsupported: int
    contradictory: int
    not_found: int
    not_attempted: int
    not_reported: int

class Checked(TypedDict):
    cells: int
    checked: int

class Task(TypedDict):
    taskId: str
    projectId: str
    kind: str
    name: str | None
    status: Literal["gathering", "processing", "completed", "cancelled", "failed"]
    paused: bool
    cancelRequested: bool
    totalCount: int | None
    pendingCount: int
    extractingCount: int
    completedCount: int
    errorCount: int
    cancelledCount: int
    percent: int | None
    asOf: str
    stale: bool
    costUsd: float | None
    tokens: int | None
    budgetUsd: float | None
    budgetReached: bool
    mostAtWork: int | None
    waiting: Waiting | None
    notMoving: NotMoving | None
    estimatedFinish: Expected | None
    createdAt: str
    completedAt: str | None
    errorMessage: str | None
    retryOf: NotRequired[str]
    templateId: NotRequired[str]
    templateVersion: NotRequired[int]
    templateInputs: NotRequired[dict[str, str]]
    knowledgeBaseId: NotRequired[str | None]
    engine: NotRequired[str]
    cells: NotRequired[Cells]
    checked: NotRequired[Checked | None]

class Place(TypedDict):
    quote: NotRequired[str | None]
    page: int | None
    start: NotRequired[int | None]
    end: NotRequired[int | None]

class Evidence(TypedDict):
    quote: NotRequired[str | None]
    page: int | None
    start: NotRequired[int | None]
    end: NotRequired[int | None]
    match: Literal["exact", "fuzzy", "not_found"] | None
    reason: NotRequired[Literal["no_quote", "quote_not_found", "quote_too_short", "number_not_in_quote", "cue_not_in_quote", "judged", "words_not_in_quote", "not_a_count", "wrong_place", "denied", "future", "other_study", "other_group", "wrong_type", "not_an_option", "claimed"]]
    continued: NotRequired[list[Place]]

class Entry(TypedDict):
    quote: NotRequired[str | None]
    page: int | None
    start: NotRequired[int | None]
    end: NotRequired[int | None]
    match: Literal["exact", "fuzzy", "not_found"] | None
    reason: NotRequired[Literal["no_quote", "quote_not_found", "quote_too_short", "number_not_in_quote", "cue_not_in_quote", "judged", "words_not_in_quote", "not_a_count", "wrong_place", "denied", "future", "other_study", "other_group", "wrong_type", "not_an_option", "claimed"]]
    continued: NotRequired[list[Place]]
    state: Literal["found", "unsupported", "contradictory", "not_found", "not_attempted", "not_reported"]
    value: Any
    quotation: NotRequired[bool]
    evidence: NotRequired[list[Evidence]]

class Value(TypedDict):
    quote: NotRequired[str | None]
    page: int | None
    start: NotRequired[int | None]
    end: NotRequired[int | None]
    match: Literal["exact", "fuzzy", "not_found"] | None
    reason: NotRequired[Literal["no_quote", "quote_not_found", "quote_too_short", "number_not_in_quote", "cue_not_in_quote", "judged", "words_not_in_quote", "not_a_count", "wrong_place", "denied", "future", "other_study", "other_group", "wrong_type", "not_an_option", "claimed"]]
    continued: NotRequired[list[Place]]
    state: Literal["found", "unsupported", "contradictory", "not_found", "not_attempted", "not_reported"]
    value: Any
    quotation: NotRequired[bool]
    evidence: NotRequired[list[Entry]]

class RiskOfBias(TypedDict):
    domains: dict[str, str | None]
    overall: str | None
    manySomeConcerns: bool

class Stars(TypedDict):
    stars: dict[str, int]
    selection: int
    comparability: int
    outcome: int
    total: int | None
    level: str | None
    unanswered: list[str]

class Judgements(TypedDict):
    toolUsed: str | None
    needsHumanReview: bool
    inputs: dict[str, str | None]
    rob2: NotRequired[RiskOfBias]
    nos: NotRequired[Stars]

class PaperData(TypedDict):
    v: int
    engine: str
    template: str
    studyId: str | None
    doubts: list[str]
    fields: dict[str, Value]
    judgements: NotRequired[Judgements]
    usage: dict[str, Any]

class Cell(TypedDict):
    id: str
    verb: Literal["agree", "correct", "absent", "comment", "undo"]
    value: NotRequired[Any]
    quote: NotRequired[str]
    page: NotRequired[int | None]
    start: NotRequired[int | None]
    end: NotRequired[int | None]
    state: NotRequired[Literal["found", "unsupported", "contradictory", "not_found", "not_attempted", "not_reported"]]
    reason: NotRequired[Literal["no_quote", "quote_not_found", "quote_too_short", "number_not_in_quote", "cue_not_in_quote", "judged", "words_not_in_quote", "not_a_count", "wrong_place", "denied", "future", "other_study", "other_group", "wrong_type", "not_an_option", "claimed"]]
    comment: NotRequired[str]
    by: str
    at: str
    how: Literal["one", "block"]
    taskId: str
    stale: NotRequired[bool]

class Review(TypedDict):
    checked: int
    cells: dict[str, Cell]

class PaperSummary(TypedDict):
    cells: Cells
    doubts: int
    study: str | None

class Result(TypedDict):
    resultId: str
    taskId: str
    row: int
    documentId: str
    snapshotStorageKey: str
    snapshotVersion: str | None
    snapshotFilename: str | None
    status: Literal["pending", "extracting", "completed", "error", "cancelled"]
    attempts: int
    engine: str
    costUsd: float | None
    tokens: int | None
    extractedData: PaperData | None
    review: Review | None
    summary: PaperSummary | None
    errorClass: str | None
    errorMessage: str | None
    startedAt: str | None
    askingSince: str | None
    dueAt: str | None
    updatedAt: str

class ResultList(TypedDict):
    results: list[Result]
    nextCursor: str | None

class Export(TypedDict):
    exportId: str
    taskId: str
    format: Literal["xlsx", "csv", "csv-long", "jsonl"]
    language: Literal["en", "zh", "both"]
    columns: list[str] | None
    status: Literal["waiting", "writing", "ready", "failed"]
    partial: bool
    rows: int | None
    bytes: int | None
    errorMessage: str | None
    filename: str
    url: str | None
    lineSchema: dict[str, Any] | None
    createdAt: str
    expiresAt: str

class Sweep(TypedDict):
    lastAt: str | None
    detail: str | None

class Kind(TypedDict):
    kind: str
    waiting: int
    hidden: int
    deadLetters: int
    detail: str | None

class LastDay(TypedDict):
    tasks: int
    closed: int
    rowsCompleted: int
    rowsFailed: int
    failedBy: dict[str, int]

class Standing(TypedDict):
    reason: Literal["paused", "project_budget", "budget", "provider", "not_swept", "mapping_disabled", "queue_not_consumed", "concurrency_taken", "messages_hidden", "messages_lost", "gathering", "not_started", "nothing_ended"]
    since: str
    detail: str
    advice: str
    taskId: str
    kind: str
    rows: int

class FailedRow(TypedDict):
    taskId: str
    resultId: str
    documentId: str
    errorClass: str | None
    errorMessage: str | None
    advice: str

class Doctor(TypedDict):
    asOf: str
    sweep: Sweep
    kinds: list[Kind]
    lastDay: LastDay
    notMoving: list[Standing]
    failedRows: list[FailedRow]
