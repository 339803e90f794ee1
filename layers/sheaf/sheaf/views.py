"""Items as the API shows them: the seeds' names, JSON types only. Pure."""

import json
from collections.abc import Mapping
from typing import Any

from sheaf import standing
from sheaf.counting import pending, percent
from sheaf.lifecycle import CLOSED
from sheaf.models import Row, Task
from sheaf.standing import instant

NOTHING_YET = {"extracting": 0, "completed": 0, "error": 0, "cancelled": 0}
"""The counts of a task that was opened this moment."""


def task(item: Task, now: int, counted: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A task. `counted` are counts made just now; without them, those of the last sweep."""
    closed = item.status in CLOSED
    counts = counted or {
        "extracting": item.extracting,
        "completed": item.completed,
        "error": item.error,
        "cancelled": item.cancelled,
        "moved_at": item.moved_at or 0,
    }
    as_of = now if counted else item.counted_at or item.created_at
    not_moving = standing.not_moving(item, counts, as_of, now)
    return {
        "taskId": item.id,
        "projectId": item.project,
        "kind": item.kind,
        "status": item.status,
        "paused": item.gate == "paused",
        "cancelRequested": bool(item.cancel_requested),
        "totalCount": item.total,
        "pendingCount": pending(item.total, counts),
        "extractingCount": counts["extracting"],
        "completedCount": counts["completed"],
        "errorCount": counts["error"],
        "cancelledCount": counts["cancelled"],
        "percent": percent(item.total, counts, closed=closed),
        "asOf": instant(as_of),
        "stale": not closed and (standing.is_left(item, now) or not (counted or standing.is_fresh(item, now))),
        "costUsd": _cost(item, counts),
        "tokens": counts.get("tokens", item.tokens) if item.provider else None,
        "budgetUsd": dollars(item.budget),
        "budgetReached": item.gate == "budget" and (item.cost or 0) >= (item.budget or 0),
        "waiting": _waiting(item),
        "notMoving": not_moving,
        "estimatedFinish": None if not_moving else standing.expected(item, now),
        "createdAt": instant(item.created_at),
        "completedAt": instant(item.completed_at) if item.completed_at else None,
        **({"retryOf": item.retry_of.partition("/")[2]} if item.retry_of else {}),
    }


def _cost(item: Task, counts: Mapping[str, int]) -> float | None:
    """None where nothing is paid for, and where tokens were used whose price nobody knows."""
    cost, tokens = counts.get("cost", item.cost), counts.get("tokens", item.tokens)
    return None if item.provider is None or (tokens and not cost) else dollars(cost or 0)


def _waiting(item: Task) -> dict[str, Any] | None:
    """What its pending rows wait for, why, since and until when, as the last sweep found it; today, a provider."""
    told = item.waiting_for
    if not told or item.status in CLOSED:
        return None
    return {**told, "since": instant(told["since"]), "until": instant(told["until"])}


def result(row: Row, data: str | None) -> dict[str, Any]:
    """A row. `data` is the payload as it is stored."""
    task_id = row.task.partition("/")[2]
    return {
        "resultId": f"{task_id}-{row.row}",
        "taskId": task_id,
        "row": row.row,
        "documentId": row.document,
        "snapshotStorageKey": row.snapshot_key,
        "snapshotVersion": row.snapshot_version,
        "snapshotFilename": row.filename,
        "status": row.status,
        "attempts": row.attempt,
        "engine": row.provider or "rules",
        "costUsd": dollars(row.cost),
        "tokens": row.tokens,
        "extractedData": json.loads(data) if data else None,
        "summary": row.summary,
        "errorClass": row.error_class,
        "errorMessage": row.error_message,
        "updatedAt": instant(row.updated_at),
    }


def dollars(micro: int | None) -> float | None:
    return None if micro is None else micro / 1_000_000
