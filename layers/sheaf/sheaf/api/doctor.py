"""What is wrong, in one answer that always costs the same. Of all projects' queues it gives numbers alone."""

from collections import Counter
from typing import Annotated, TypedDict

from botocore.exceptions import ClientError

from sheaf.api import queue_looks, read_allowance, task_table
from sheaf.api.access import Caller
from sheaf.api.forecast import WORDS, StandingView
from sheaf.api.queue_looks import DISABLED
from sheaf.errors import Unavailable
from sheaf.items import TICK, Row, Task, Tick
from sheaf.outside.needs import ApiWorld
from sheaf.outside.store import get
from sheaf.protocol import counts, queries
from sheaf.protocol.lifecycle import CLOSED, RowStatus
from sheaf.schemas import Count, Id, Instant, Said, instant, show
from sheaf.settings import Kind

TASKS_MOST = 200
SHARDS_MOST = 8
ROWS_SHOWN = 50
READS = 500  # what one answer takes of its reader's allowance
DAY_MS = 24 * 3600 * 1000
AWAY_MS = 180_000  # three ticks of the schedule


class SweepView(TypedDict):
    lastAt: Instant | None
    detail: str | None


class KindView(TypedDict):
    """Messages of a kind of work, of all projects, as its queue says, and what is wrong with them."""

    kind: str
    waiting: Count
    hidden: Count
    deadLetters: Count
    detail: str | None


class LastDayView(TypedDict):
    """Tasks that were opened within a day."""

    tasks: Count
    closed: Count
    rowsCompleted: Count
    rowsFailed: Count
    failedBy: Annotated[dict[str, Count], Said(description="By class, of those that were looked at.")]


class FailedRowView(TypedDict):
    taskId: Id
    resultId: str
    documentId: Id
    errorClass: str | None
    errorMessage: str | None
    advice: str


class DoctorView(TypedDict):
    """What is wrong, and what to do."""

    asOf: Instant
    sweep: SweepView
    kinds: list[KindView]
    lastDay: LastDayView
    notMoving: list[StandingView]
    failedRows: list[FailedRowView]


def examine(world: ApiWorld, caller: Caller) -> DoctorView:
    """Look at everything once. Raises TooFast."""
    now, kinds = world.now(), world.settings.kinds
    read_allowance.spend(world, caller.user, READS, now)
    listed = queries.listed_tasks(world, caller.project, None, TASKS_MOST).items
    tasks = [task for task in listed if task.deleted_at is None]
    today = [task for task in tasks if task.created_at > now - DAY_MS]
    places = [(task, number) for task in today if task.error for number in range(counts.shards(task))]
    read = world.parallel(lambda place: queries.shard_rows(world, *place), places[:SHARDS_MOST])
    failed = [row for rows in read for row in rows if row.status == RowStatus.ERROR]
    return {
        "asOf": instant(now),
        "sweep": _sweep(world, now),
        "kinds": world.parallel(lambda kind: _kind(world, kind), kinds.values()),
        "lastDay": {
            "tasks": len(today),
            "closed": sum(task.status in CLOSED for task in today),
            "rowsCompleted": sum(task.completed for task in today),
            "rowsFailed": sum(task.error for task in today),
            "failedBy": Counter(str(row.error_class) for row in failed),
        },
        "notMoving": [found for task in tasks if (found := _standing(world, task))],
        "failedRows": [_failed_row(row) for row in failed[:ROWS_SHOWN]],
    }


def _sweep(world: ApiWorld, now: int) -> SweepView:
    tick = get(world, Tick, {"gate": TICK})
    at = tick.came_at if tick else None
    return {"lastAt": instant(at) if at else None, "detail": WORDS["noSweep"] if now - (at or 0) > AWAY_MS else None}


def _kind(world: ApiWorld, kind: Kind) -> KindView:
    try:
        look, dead = queue_looks.look(world, kind), queue_looks.dead_letters(world, kind)
    except (ClientError, Unavailable):
        return KindView(kind=kind.name, waiting=0, hidden=0, deadLetters=0, detail=WORDS["queueNotSeen"])
    # That a queue is busy is no fault of it: whom it keeps waiting is said of the task.
    off = " ".join(WORDS["notMoving"][look.reason]).format(kind=kind.name) if look.reason == DISABLED else None
    detail = off or (WORDS["deadLetters"] if dead else None)
    return {"kind": kind.name, "waiting": look.waiting, "hidden": look.hidden, "deadLetters": dead, "detail": detail}


def _standing(world: ApiWorld, task: Task) -> StandingView | None:
    shown = task_table.shown(world, task)
    why = shown["notMoving"]
    return {"taskId": task.id, "kind": task.kind, "rows": shown["pendingCount"], **why} if why else None


def _failed_row(row: Row) -> FailedRowView:
    task_id, advice = row.task.partition("/")[2], WORDS["failed"]
    ids = {"taskId": task_id, "resultId": f"{task_id}-{row.row}", "documentId": row.document}
    return show(FailedRowView, row, **ids, advice=advice.get(row.error_class, advice[""]))
