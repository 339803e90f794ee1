"""Tasks and rows as the API shows them. Pure."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NotRequired, TypedDict, cast

from sheaf.api import forecast
from sheaf.api.forecast import ExpectedView, NotMovingView, QueueSays
from sheaf.items import COUNTED, Row, Task
from sheaf.plain_json import JsonObject
from sheaf.protocol.counts import pending, percent
from sheaf.protocol.lifecycle import CLOSED, RowStatus, TaskStatus
from sheaf.schemas import Count, Dollars, Id, Instant, Said, instant, one_of, show

NOTHING_YET = dict.fromkeys(COUNTED, 0)

Status = Annotated[str, one_of(RowStatus)]
WaitingView = TypedDict(
    "WaitingView",
    {
        "for": Literal["provider"],
        "provider": str,
        "reason": Literal["throttled", "unavailable", "account"],
        "since": Instant,
        "until": Annotated[Instant, Said(description="When it is tried again; what is past is being tried.")],
        "rows": Count,
    },
)


class TaskView(TypedDict):
    """What every task says of itself, and what its kind of work adds to that."""

    taskId: Id
    projectId: str
    kind: str
    name: str | None
    status: Annotated[str, one_of(TaskStatus)]
    paused: bool
    cancelRequested: bool
    totalCount: Annotated[Count | None, Said(description="Null until its documents are gathered.")]
    pendingCount: Count
    extractingCount: Count
    completedCount: Count
    errorCount: Count
    cancelledCount: Count
    percent: Annotated[int | None, Said(minimum=0, maximum=100, description="Null where the total is.")]
    asOf: Instant
    stale: Annotated[bool, Said(description="The counts are older than they should be, or nobody looks after it.")]
    costUsd: Dollars | None
    tokens: Count | None
    budgetUsd: Dollars | None
    budgetReached: bool
    mostAtWork: Count | None
    waiting: Annotated[
        WaitingView | None, Said(description="What its pending rows wait for, while something keeps them.")
    ]
    notMoving: NotMovingView | None
    estimatedFinish: ExpectedView | None
    createdAt: Instant
    completedAt: Instant | None
    errorMessage: Annotated[str | None, Said(description="Why it failed as a whole: it has no rows then.")]
    retryOf: NotRequired[Id]


class ResultView(TypedDict):
    resultId: str
    taskId: Id
    row: Count
    documentId: Id
    snapshotStorageKey: str
    snapshotVersion: str | None
    snapshotFilename: str | None
    status: Status
    attempts: Count
    engine: str
    costUsd: Dollars | None
    tokens: Count | None
    extractedData: dict[str, object] | None
    review: Annotated[dict[str, object] | None, Said(description="What people decided on it; null where nobody did.")]
    summary: dict[str, object] | None
    errorClass: str | None
    errorMessage: str | None
    startedAt: Annotated[Instant | None, Said(description="When it was first claimed.")]
    askingSince: Annotated[Instant | None, Said(description="Since when its present attempt asks a model.")]
    dueAt: Annotated[
        Instant | None, Said(description="Of a pending row that was tried: not before this instant again.")
    ]
    updatedAt: Instant


class EstimateView(TypedDict):
    costUsd: Dollars | None


class TaskListView(TypedDict):
    tasks: list[TaskView]
    nextCursor: str | None


class ResultListView(TypedDict):
    results: list[ResultView]
    nextCursor: str | None


def task(item: Task, now: int, counted: Mapping[str, Any] | None = None, queue: QueueSays = lambda: None) -> TaskView:
    """`counted` are counts made just now, else the last sweep's are shown; `queue` is asked only if it stands still."""
    closed = item.status in CLOSED
    counts = counted or {**item.counts, "moved_at": item.moved_at or 0}
    as_of = now if counted else item.counted_at or item.created_at
    not_moving = forecast.not_moving(item, counts, as_of, now, queue)
    shown: TaskView = {
        "taskId": item.id,
        "projectId": item.project,
        "kind": item.kind,
        "name": item.name,
        "status": item.status,
        "paused": item.gate == "paused",
        "cancelRequested": item.gate == "cancelled",
        "totalCount": item.total,
        "pendingCount": pending(item.row_count, counts),
        "extractingCount": counts["extracting"],
        "completedCount": counts["completed"],
        "errorCount": counts["error"],
        "cancelledCount": counts["cancelled"],
        "percent": None if item.total is None else percent(item.total, counts, closed=closed),
        "asOf": instant(as_of),
        "stale": not closed and (forecast.is_left(item, now) or not (counted or forecast.is_fresh(item, now))),
        "costUsd": _cost(item, counts),
        "tokens": counts.get("tokens", item.tokens) if item.provider else None,
        "budgetUsd": dollars(item.budget),
        "budgetReached": item.gate == "budget" and (item.cost or 0) >= (item.budget or 0),
        "mostAtWork": item.most_at_work,
        "waiting": _waiting(item),
        "notMoving": not_moving,
        "estimatedFinish": None if not_moving else forecast.expected(item, now),
        "createdAt": instant(item.created_at),
        "completedAt": _instant(item.completed_at),
        "errorMessage": item.error_message,
    }
    if item.retry_of:
        shown["retryOf"] = item.retry_of.partition("/")[2]
    return shown


def _cost(item: Task, counts: Mapping[str, int]) -> float | None:
    """None where nothing is paid for, and where tokens were used whose price nobody knows."""
    cost, tokens = counts.get("cost", item.cost), counts.get("tokens", item.tokens)
    return None if item.provider is None or (tokens and not cost) else dollars(cost or 0)


def _waiting(item: Task) -> WaitingView | None:
    waiting = item.waiting_for
    if not waiting or item.status in CLOSED:
        return None
    return cast("WaitingView", {**waiting, "since": instant(waiting["since"]), "until": instant(waiting["until"])})


def result(row: Row, data: JsonObject | None, beside: Mapping[str, Any] | None = None) -> ResultView:
    task_id = row.task.partition("/")[2]
    return show(
        ResultView,
        row,
        resultId=f"{task_id}-{row.row}",
        taskId=task_id,
        documentId=row.document,
        snapshotStorageKey=row.pinned_key,
        snapshotVersion=row.pinned_version,
        snapshotFilename=row.filename,
        attempts=row.attempt,
        engine=row.provider or "rules",
        costUsd=dollars(row.cost),
        extractedData=data,
        startedAt=_instant(row.first_claimed_at),
        askingSince=_instant(row.step_at) if step_now(row) == "asking" else None,
        dueAt=_instant(row.not_before or None) if row.status == RowStatus.PENDING else None,
        review=beside,
        updatedAt=instant(row.updated_at),
    )


def step_now(row: Row) -> str | None:
    """A claim changes the row; what is older is of an attempt before it."""
    at_work = row.status == RowStatus.EXTRACTING and (row.step_at or 0) >= row.updated_at
    return row.step if at_work else None


def _instant(milliseconds: int | None) -> str | None:
    return None if milliseconds is None else instant(milliseconds)


def dollars(micro: int | None) -> float | None:
    return None if micro is None else micro / 1_000_000
