"""Trying again what did not succeed: a new task over the old one's error and cancelled rows. One chain, never a fork."""

from typing import Any

from sheaf import library, lifecycle, manifest, queries, scatter
from sheaf.access import Caller
from sheaf.counting import shards
from sheaf.errors import Conflict, Unavailable
from sheaf.lifecycle import CLOSED, RowStatus
from sheaf.manifest import Frozen
from sheaf.models import Row, Task
from sheaf.scatter import Opened, Order
from sheaf.store import Refused
from sheaf.wiring import World

AGAIN = (RowStatus.ERROR, RowStatus.CANCELLED)
READS = 4


def retry(world: World[Any], caller: Caller, parent: Task, *, key: str | None, refresh: bool) -> Opened:
    """Open the retry of a closed task, or find it open already. Raises Conflict, Unavailable.

    The same frozen versions, unless `refresh` asks for the library's current ones.
    """
    if parent.status not in CLOSED:
        raise Conflict("task-open", "The task is still running. Wait for it to close, or cancel it first.")
    if not parent.error + parent.cancelled:
        raise Conflict("nothing-to-retry", "Every document of this task was completed.")
    order = Order(
        project=caller.project,
        task_id=scatter.task_id(caller.project, f"retry {parent.task} {key or ''}"),
        user=caller.user,
        body_sha256=f"retry:{parent.task}:{refresh}",
        kind=parent.kind,
        template=parent.template,
        knowledge_base=parent.knowledge_base,
        documents=_documents(world, caller, parent, refresh=refresh),
        retry_of=parent,
    )
    until = world.now() + scatter.API_MS
    child = scatter.prepare(world, order, until)
    opened = lifecycle.open_retry(world, child, parent)
    if isinstance(opened, Refused):
        return _refused(world, opened.item, order, parent)
    return scatter.start(world, opened, order.documents, until)


def _refused(world: World[Any], child: Task | None, order: Order, parent: Task) -> Opened:
    """Our own child is there already: a repetition. Otherwise the chain has gone on without us."""
    if child is not None and child.body_sha256 != order.body_sha256:
        raise Conflict("idempotency-key-reused", "This idempotency key was used for a different retry.")
    if child is not None:
        return Opened(child, replayed=True)
    family = queries.family(world, parent)
    newest = family.newest.partition("/")[2] if family else parent.id
    raise Conflict("retried-before", "It was retried before; retry the newest of the chain.", newestTaskId=newest)


def _documents(world: World[Any], caller: Caller, parent: Task, *, refresh: bool) -> list[Frozen]:
    frozen = [
        Frozen(row.document, row.snapshot_key, row.snapshot_version, row.snapshot_sha256, row.filename or row.document)
        for row in _unsuccessful(world, parent)
    ]
    if not refresh:
        return frozen
    names = [item.document for item in frozen]
    return library.freeze(world, caller.project, parent.knowledge_base, names, refuse=False)


def _unsuccessful(world: World[Any], parent: Task) -> list[Row]:
    """The rows to try again: as many as the parent's final counts say, or read once more."""
    for _ in range(READS):
        rows = [row for number in range(shards(parent)) for row in queries.shard_rows(world, parent, number)]
        again = [row for row in rows if row.status in AGAIN]
        if len(again) == parent.error + parent.cancelled:
            return again
    raise Unavailable("rows of a closed task are not all to be seen yet")


def chain(world: World[Any], task: Task) -> list[Task]:
    """The retries that came after this task, newest first."""
    family = queries.family(world, task)
    found: list[Task] = []
    key = family.newest if family else task.task
    while key != task.task:
        newer = queries.task(world, key)
        if newer is None or newer.retry_of is None:
            return []
        found.append(newer)
        key = newer.retry_of
    return found


def rows_of_documents(world: World[Any], task: Task) -> dict[str, int]:
    """Which row of a task has which document."""
    return {frozen.document: number for number, frozen in enumerate(manifest.load(world, task))}
