"""What a caller can do with tasks: open one, look at it, read its rows, stop it."""

import base64
import hashlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from sheaf import library, lifecycle, objects, queries, requests, scatter, templates, views
from sheaf.counting import Tally, shards
from sheaf.errors import Conflict, InvalidRequest, NotFound, Unavailable
from sheaf.lifecycle import CLOSED, RowStatus
from sheaf.models import Row, Task, task_key
from sheaf.requests import NewTask
from sheaf.scatter import Order
from sheaf.store import Refused
from sheaf.telemetry import say
from sheaf.wiring import World

SCATTER_MS = 6_000
"""How long the API scatters before it answers and leaves the rest to the aggregator."""
PAGE_ROWS = 500
PAGE_BYTES = 4_000_000
LIVE_COUNT_ROWS = 1_000
ROW_BYTES = 1_200


@dataclass(frozen=True)
class Caller:
    """Who asks, for which project. Both from the verified token, never from the request."""

    project: str
    user: str | None


@dataclass(frozen=True)
class Opened:
    task: Task
    replayed: bool


def create(world: World[Any], caller: Caller, body: str | None, header_key: str | None) -> Opened:
    """Open a task, write its rows and send its messages; what is not done in time the aggregator does.

    Raises InvalidRequest, Conflict; Unavailable only when nothing was opened.
    """
    request, body_key = requests.new_task(body, set(world.settings.kinds))
    key = requests.idempotency_key(header_key, body_key)
    task_id = _task_id(world, caller.project, key)
    try:
        order = _order(world, caller, request, task_id)
    except (InvalidRequest, Conflict):
        # What is refused today may be the repetition of what was accepted before the library changed.
        before = queries.task(world, task_key(caller.project, task_id)) if key is not None else None
        if before is None:
            raise
        return _replay(before, request)
    until = world.now() + SCATTER_MS
    opened = scatter.open_task(world, order, until)
    if isinstance(opened, Refused):
        return _replay(opened.item, request)
    _scatter(world, opened, order, until)
    scatter.nudge(world, opened.task)
    return Opened(opened, replayed=False)


def _scatter(world: World[Any], task: Task, order: Order, until: int) -> None:
    """The task is durable: whatever happens from here on, it is accepted, and the aggregator finishes it."""
    try:
        scatter.scatter(world, task, order.documents, until)
    except Unavailable as error:
        say("scatter_left", task=task.task, reason=str(error))
        _if_available(lambda: lifecycle.hand_over(world, task))


def _order(world: World[Any], caller: Caller, request: NewTask, task_id: str) -> Order:
    template = templates.find(request.template_id)
    documents = library.freeze(
        world, caller.project, request.knowledge_base_id, request.document_ids, refuse=request.refuse_not_ready
    )
    return Order(
        project=caller.project,
        task_id=task_id,
        user=caller.user,
        body_sha256=request.sha256,
        kind=request.kind,
        template=template.pin,
        knowledge_base=request.knowledge_base_id,
        documents=documents,
    )


def _task_id(world: World[Any], project: str, key: str | None) -> str:
    """Derived from project and key, so that the same request finds its own task; random without a key."""
    seed = f"{project}\n{key}" if key is not None else world.token()
    return base64.b32encode(hashlib.sha256(seed.encode()).digest()).decode().lower()[:20]


def _replay(task: Task | None, request: NewTask) -> Opened:
    if task is None or task.body_sha256 != request.sha256:
        reason = "This idempotency key was used for a different request. Use a new key for a new request."
        raise Conflict("idempotency-key-reused", reason)
    return Opened(task, replayed=True)


def find(world: World[Any], caller: Caller, task_id: str) -> Task:
    """Raises NotFound, in the same words for a task of another project as for none."""
    task = queries.task(world, task_key(caller.project, task_id)) if requests.NAME.fullmatch(task_id) else None
    if task is None:
        raise NotFound("There is no such task.")
    return task


def progress(world: World[Any], task: Task) -> dict[str, Any]:
    """The task with counts that add up: the last sweep's while they are fresh, counted now otherwise."""
    now = world.now()
    if task.status in CLOSED or views.is_fresh(task, now) or task.total > LIVE_COUNT_ROWS:
        return views.task(task, now)
    tally = Tally.of(task)
    for number in range(shards(task)):
        if number in tally.open_shards:
            tally.add(number, queries.shard(world, task, number, consistent=True))
    return views.task(task, now, counted=tally.counts)


def results(world: World[Any], task: Task, *, cursor: str | None, status: str | None) -> dict[str, Any]:
    """A page of rows with their data, cut by rows and by bytes."""
    if status is not None and status not in set(RowStatus):
        raise InvalidRequest("status", f"is one of {', '.join(RowStatus)}.")
    page: list[dict[str, Any]] = []
    start, size = requests.cursor(cursor), 0
    while start < task.total and len(page) < PAGE_ROWS and size < PAGE_BYTES:
        end = min(task.total, (start // task.shard_rows + 1) * task.shard_rows)
        rows = queries.rows_from(world, task, start, min(end - start, PAGE_ROWS - len(page)))
        chosen = [row for row in rows if status in (None, row.status)]
        for row, data in zip(chosen, world.parallel(lambda row: _data(world, row), chosen), strict=True):
            page.append(views.result(row, data))
            size += len(data or "") + ROW_BYTES
            start = row.row + 1
            if size >= PAGE_BYTES:
                break
        else:
            start = rows[-1].row + 1 if rows else end
    return {"results": page, "nextCursor": str(start) if start < task.total else None}


def _data(world: World[Any], row: Row) -> str | None:
    return objects.get(world, row.data_key).decode() if row.data_key else None


def cancel(world: World[Any], caller: Caller, task_id: str) -> Task:
    """Ask for it: pending rows will end, running work finishes and is kept. Raises Conflict when it has closed."""
    return _stop(
        world, find(world, caller, task_id), lifecycle.request_cancel(world, task_key(caller.project, task_id))
    )


def _stop(world: World[Any], found: Task, written: Task | Refused[Task]) -> Task:
    if isinstance(written, Refused):
        raise Conflict("task-closed", f"The task is {found.status} and stays so.")
    _if_available(lambda: lifecycle.set_gate(world, written, world.now()))
    scatter.nudge(world, written.task)
    return written


def _if_available(write: Callable[[], Any]) -> None:
    """A write that hastens what the aggregator would do anyway: if AWS is busy, it is left to it."""
    with suppress(Unavailable):
        write()
