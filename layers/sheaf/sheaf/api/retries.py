"""Trying again what did not succeed: a new task over the old one's error and cancelled rows. One chain, never a fork."""

from collections.abc import Sequence
from typing import NamedTuple

from sheaf import jobs
from sheaf.api import bodies, tasks
from sheaf.api.access import Caller, Role
from sheaf.api.bodies import RetryBody
from sheaf.api.idempotency import Opened, replayed
from sheaf.errors import Conflict, InvalidRequest, TooMuch, Unavailable
from sheaf.items import Row, Task, task_key
from sheaf.jobs import Desk, Ordered
from sheaf.model_calls import kept_inside
from sheaf.outside.needs import ApiWorld, Tables
from sheaf.outside.store import Refused
from sheaf.protocol import manifest, queries, quotas, scatter, spending
from sheaf.protocol.counts import shards
from sheaf.protocol.latest import AGAIN
from sheaf.protocol.lifecycle import CLOSED
from sheaf.protocol.manifest import PinnedItem

READS = 4
ALL_DONE = "Every document of this task was completed."


def retry(world: ApiWorld, caller: Caller, parent: Task, body: str | None, header_key: str | None) -> Opened[Task]:
    """Open the retry of a closed task, or find it open. Raises Conflict, InvalidRequest, TooMuch, Unavailable."""
    caller.must_be(Role.EDITOR)
    asked: RetryBody = bodies.fields_of(body, RetryBody) if body else {}
    key = bodies.idempotency_key(header_key, asked.get("idempotencyKey"))
    budget = tasks.may_cost(world, parent.provider, bodies.budget(asked.get("budgetUsd")))
    spending.check_today(world, caller.project, parent.provider, world.now())
    _must_have_failed(parent)
    desk, options = jobs.desk(world.settings.kinds[parent.kind].desk), parent.options or {}
    wish = _Wish(caller, parent, key, asked, budget if "budgetUsd" in asked else _left_over(parent))
    try:
        kept_inside.check(world, caller.project, parent.provider)
        documents = _documents(world, desk, wish)
        quotas.check(world, caller.project, wish.task_id, len(documents))
    except (Conflict, InvalidRequest, TooMuch):
        # What is refused today may be the repetition of what was accepted before library or settings changed.
        before = queries.task(world, task_key(caller.project, wish.task_id))
        if before is None:
            raise
        return _refused(world, before, wish)
    task = task_key(caller.project, wish.task_id)
    ordered = Ordered(documents, options, desk.row_options(options), parent.provider, wish.budget, parent.row_cost)
    about = {"kind": parent.kind, "body_sha256": wish.body_sha256, "most_at_work": parent.most_at_work}
    opened = scatter.begin(world, task, ordered, parent=parent, name=parent.name, created_by=caller.user, **about)
    return _refused(world, opened.item, wish) if isinstance(opened, Refused) else Opened(opened, replayed=False)


def _must_have_failed(parent: Task) -> None:
    if parent.status not in CLOSED:
        raise Conflict("task-open", "The task is still running. Wait for it to close, or cancel it first.")
    if not parent.error + parent.cancelled:
        reason = "It has no rows to try again. Start a new task." if parent.total is None else ALL_DONE
        raise Conflict("nothing-to-retry", reason)


class _Wish(NamedTuple):
    caller: Caller
    parent: Task
    key: str | None
    asked: RetryBody
    budget: int | None

    @property
    def task_id(self) -> str:
        return scatter.task_id(self.caller.project, f"retry {self.parent.task} {self.key or ''}")

    @property
    def body_sha256(self) -> str:
        named = f":{self.budget}" if "budgetUsd" in self.asked else ""
        return f"retry:{self.parent.task}:{self.asked.get('refresh', False)}{named}"


def _left_over(parent: Task) -> int | None:
    """What its budget leaves for a retry: a chain costs no more than was allowed. Raises Conflict where nothing is left."""
    if parent.budget is None:
        return None
    left = int(parent.budget - (parent.cost or 0))
    if left <= 0:
        raise Conflict("budget-reached", "The task has cost what it may. Say with budgetUsd what its retry may cost.")
    return left


def _refused(world: Tables, child: Task | None, wish: _Wish) -> Opened[Task]:
    """Our own child is there already: a repetition. Otherwise the chain has gone on without us."""
    if child is not None and child.body_sha256 == wish.body_sha256:
        gone = Conflict("task-deleted", "The retry of this task was deleted. Start a new task over its documents.")
        return replayed(child, same=True, deleted=gone)
    if child is not None and wish.key is not None:
        raise Conflict("idempotency-key-reused", "This idempotency key was used for a different retry.")
    parent = queries.task(world, wish.parent.task) or wish.parent
    newest = (queries.chain(world, parent) or [parent])[0]
    raise Conflict("retried-before", "It was retried before; retry the newest of the chain.", newestTaskId=newest.id)


def _documents(world: ApiWorld, desk: Desk, wish: _Wish) -> Sequence[PinnedItem]:
    rows = _unsuccessful(world, wish.parent)
    if not wish.asked.get("refresh"):
        unpinned = [row.document for row in rows if not row.pinned_key]
        late = desk.pin_late(world, wish.caller.project, unpinned) if unpinned else {}
        return [late.get(row.document) or manifest.item(row) for row in rows]
    names = [row.document for row in rows]
    try:
        return desk.pin_again(world, wish.caller.project, wish.parent.options or {}, names)
    except InvalidRequest as error:
        reason = f"{error.reason} Without it, the versions that were pinned are tried again."
        raise InvalidRequest("refresh", reason, **error.details) from error


def _unsuccessful(world: Tables, parent: Task) -> list[Row]:
    for _ in range(READS):
        rows = [row for number in range(shards(parent)) for row in queries.shard_rows(world, parent, number)]
        again = [row for row in rows if row.status in AGAIN]
        if len(again) == parent.error + parent.cancelled:
            return again
    raise Unavailable("rows of a closed task are not all to be seen yet")
