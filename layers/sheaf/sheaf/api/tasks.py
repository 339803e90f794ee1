"""What a caller can do with a task: open it, find it, list, cancel, pause, resume and delete."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any, NamedTuple, cast

from sheaf import ids, jobs, schemas
from sheaf.api import bodies, idempotency
from sheaf.api.access import Caller, Role
from sheaf.api.forecast import WORDS
from sheaf.api.idempotency import Opened
from sheaf.api.task_views import EstimateView
from sheaf.checks import check
from sheaf.errors import Conflict, InvalidRequest, NotFound, TooMuch
from sheaf.items import NOBODY, Item, Task, task_key
from sheaf.items import provider_gate as provider_gate_of
from sheaf.jobs import Desk, Ordered
from sheaf.model_calls import kept_inside, prices
from sheaf.outside import objects
from sheaf.outside.needs import ApiWorld, BatchTables, Tables
from sheaf.outside.store import Key, Refused, Written, get_two
from sheaf.protocol import lifecycle, provider_gate, queries, quotas, scatter, spending
from sheaf.protocol.lifecycle import GateState
from sheaf.schemas import Schema
from sheaf.settings import ApiSettings
from sheaf.visible import cleaned

PAGE_TASKS = 50
NO_TASK = "There is no such task."
OPEN, PAUSED = GateState.OPEN, GateState.PAUSED


def create(world: ApiWorld, caller: Caller, body: str | None, header_key: str | None) -> Opened[Task]:
    """Open a task. Raises Forbidden, InvalidRequest, Conflict, TooMuch; Unavailable only when it may not have been opened."""
    caller.must_be(Role.EDITOR)
    request = new_task(world.settings, body)
    key = bodies.idempotency_key(header_key, request.key)
    task = task_key(caller.project, scatter.task_id(caller.project, idempotency.seed(world, key)))
    try:
        ordered = _ordered(world, caller, request, task)
    except (InvalidRequest, Conflict, TooMuch):
        # What is refused today may be the repetition of what was accepted before the library changed.
        before = queries.task(world, task) if key is not None else None
        if before is None:
            raise
        return _replay(before, request)
    about: dict[str, Any] = {"kind": request.kind, "body_sha256": request.sha256, "most_at_work": request.most_at_work}
    opened = scatter.begin(world, task, ordered, name=request.name, created_by=caller.user, **about)
    return _replay(opened.item, request) if isinstance(opened, Refused) else Opened(opened, replayed=False)


def estimate(world: ApiWorld, caller: Caller, body: str | None) -> EstimateView:
    """What such a task would cost, before it is opened. Raises InvalidRequest, Conflict."""
    request = new_task(world.settings, body)
    bodies.idempotency_key(None, request.key)
    return cast("EstimateView", request.desk.estimate(world, caller.project, request.wish))


class NewTask(NamedTuple):
    kind: str
    desk: Desk
    wish: Any
    key: Any  # the idempotency key, if the body names one
    most_at_work: int | None = None
    name: str | None = None

    @property
    def sha256(self) -> str:
        """The same for two bodies that ask for the same, however they were written."""
        said = {name: value for name, value in asdict(self.wish).items() if value}
        said |= {"mostAtWork": self.most_at_work} if self.most_at_work else {}
        said |= {"name": self.name} if self.name else {}
        return hashlib.sha256(json.dumps([self.kind, said], sort_keys=True).encode()).hexdigest()


def new_task(settings: ApiSettings, body: str | None) -> NewTask:
    """Read a request: its kind here, the rest at the kind's desk. Raises InvalidRequest."""
    fields = bodies.an_object(body)
    kinds = settings.kinds.ordered
    kind = fields.get("kind", next(iter(kinds)))
    if not isinstance(kind, str) or kind not in kinds:
        raise InvalidRequest("kind", f"is not a kind of work here; there are: {', '.join(sorted(kinds))}.")
    desk = jobs.desk(kinds[kind].desk)
    check(fields, order_schema(desk))
    key, most = fields.get("idempotencyKey"), cast("int | None", fields.get("mostAtWork"))
    name = cleaned(cast("str | None", fields.get("name")) or "") or None
    return NewTask(kind, desk, desk.read(settings, fields), key, most, name)


def order_schema(desk: Desk) -> Schema:
    core, own = schemas.whole(bodies.NewTaskBody), desk.SCHEMA
    more = {"properties": core["properties"] | own["properties"], "required": own.get("required", [])}
    return core | more | ({"anyOf": own["anyOf"]} if "anyOf" in own else {})


def _ordered(world: ApiWorld, caller: Caller, request: NewTask, task: str) -> Ordered:
    _check_at_work(world, request.most_at_work)
    ordered = request.desk.order(world, caller.project, request.wish)
    kept_inside.check(world, caller.project, ordered.provider)
    budget = may_cost(world, ordered.provider, ordered.budget)
    spending.check_today(world, caller.project, ordered.provider, world.now())
    quotas.check(world, caller.project, task.partition("/")[2], len(ordered.items or ()))
    for key, content in ordered.keep.items():
        objects.put_once(world, key, content)
    return replace(ordered, budget=budget, row_cost=ordered.row_cost if budget else None)


def _check_at_work(world: ApiWorld, most: int | None) -> None:
    ceiling = world.settings.rows_at_work_per_task
    if most is not None and most > ceiling:
        raise InvalidRequest("mostAtWork", f"is more than {ceiling}, the highest limit that a task may have here.")


def may_cost(world: ApiWorld, engine: str | None, asked: int | None) -> int | None:
    """What was asked for, or the ceiling where the engine has a price. Raises InvalidRequest for more, and without a price."""
    ceiling = int(world.settings.max_usd_per_task * spending.MICRO) or None
    settings = world.settings.engines.models.get(engine) if engine else None
    has_price = settings is not None and prices.of(settings) is not None
    if asked is None:
        return ceiling if has_price else None
    if not has_price:
        raise InvalidRequest("budgetUsd", "cannot be kept: this engine has no price here. Leave it out.")
    if ceiling is not None and asked > ceiling:
        reason = f"is more than {ceiling / spending.MICRO:g}, the most that a task may cost here."
        raise InvalidRequest("budgetUsd", reason)
    return asked


def _replay(task: Task | None, request: NewTask) -> Opened[Task]:
    gone = Conflict("task-deleted", "The task of this idempotency key was deleted. Use a new key to start again.")
    return idempotency.replayed(task, same=task is not None and task.body_sha256 == request.sha256, deleted=gone)


def find(world: Tables, caller: Caller, task_id: str) -> Task:
    """Raises NotFound, in the same words for a task of another project as for none."""
    return _listed(caller, queries.task(world, task_key(caller.project, _name(task_id))))


def find_with(world: BatchTables, caller: Caller, task_id: str, other: type[Item], its: Key) -> tuple[Task, bool]:
    """The same, and whether that other item is there: in one read."""
    found, is_there = get_two(world, Task, {"task": task_key(caller.project, _name(task_id))}, other, its)
    return _listed(caller, found), is_there


def _name(task_id: str) -> str:
    if not ids.NAME.fullmatch(task_id):
        raise NotFound(NO_TASK)
    return task_id


def _listed(caller: Caller, task: Task | None) -> Task:
    if task is None or task.listed_in != caller.project:
        raise NotFound(NO_TASK)
    return task


def page(world: BatchTables, caller: Caller, start: str | None) -> tuple[list[Task], str | None]:
    """The project's tasks, newest first, and where the next page starts. Raises InvalidRequest for a strange cursor."""
    after = bodies.start(start, lambda name: {"task": task_key(caller.project, name)}, project=caller.project)
    found = queries.listed_tasks(world, caller.project, after, PAGE_TASKS)
    # The index lags: it may still name a task whose tombstone is in no project any more.
    return [task for task in found.items if task.deleted_at is None], bodies.cursor(found.after, "task")


def cancel(world: ApiWorld, caller: Caller, task_id: str) -> Task:
    """Ask for it: pending rows will end, running work finishes and is kept. Raises Conflict when it has closed."""
    return _turn(world, caller, task_id, lambda key: lifecycle.request_cancel(world, key))


def pause(world: ApiWorld, caller: Caller, task_id: str) -> Task:
    """No new starts until resumed; running work finishes and is kept. Raises Conflict when it has closed."""
    now, by = world.now(), caller.user or NOBODY
    return _turn(world, caller, task_id, lambda key: lifecycle.request_turn(world, key, OPEN, PAUSED, now, by=by))


def resume(world: ApiWorld, caller: Caller, task_id: str) -> Task:
    """Go on after a pause. Raises Conflict when it has closed or was cancelled."""
    return _turn(world, caller, task_id, lambda key: lifecycle.request_turn(world, key, PAUSED, OPEN, world.now()))


def set_budget(world: ApiWorld, caller: Caller, task_id: str, body: str | None) -> Task:
    """Another budget, or none; a task that waited for it goes on. Raises InvalidRequest, Conflict."""
    caller.must_be(Role.EDITOR)
    dollars = bodies.fields_of(body, bodies.BudgetBody)["budgetUsd"]
    found = find(world, caller, task_id)
    budget = may_cost(world, found.provider, bodies.budget(dollars))
    written = lifecycle.set_budget(world, found, budget, world.now())
    if isinstance(written, Refused) and written.item and written.item.completed_at is None:
        # Its gate turned this moment: once more, on what it is now.
        written = lifecycle.set_budget(world, written.item, budget, world.now())
    if isinstance(written, Refused):
        raise Conflict("task-closed", "The task has closed; its budget cannot be changed any more.")
    scatter.nudge(world, written.task)
    return written


def set_limit(world: ApiWorld, caller: Caller, task_id: str, body: str | None) -> Task:
    """Another limit of rows at work at once, or none. Raises InvalidRequest, Conflict when it has closed."""
    most = bodies.fields_of(body, bodies.LimitBody)["mostAtWork"]
    _check_at_work(world, most)
    return _turn(world, caller, task_id, lambda key: lifecycle.set_limit(world, key, most, world.now()))


def rename(world: ApiWorld, caller: Caller, task_id: str, body: str | None) -> Task:
    """Call it something else, or nothing. Raises Forbidden, InvalidRequest, NotFound."""
    caller.must_be(Role.EDITOR)
    name = cleaned(bodies.fields_of(body, bodies.TaskNameBody)["name"] or "")
    written = lifecycle.rename(world, find(world, caller, task_id).task, name or None)
    if isinstance(written, Refused):
        raise NotFound("There is no such task.")
    return written


def _turn(world: ApiWorld, caller: Caller, task_id: str, ask: Callable[[str], Written[Task]]) -> Task:
    caller.must_be(Role.EDITOR)
    found = find(world, caller, task_id)
    written = ask(found.task)
    if isinstance(written, Refused):
        now = written.item or found
        if now.gate == GateState.BUDGET and now.completed_at is None:
            raise Conflict("budget-reached", WORDS["held"][now.held_by or "task"])
        state = "being cancelled" if now.gate == GateState.CANCELLED and now.completed_at is None else now.status
        raise Conflict("task-closed", f"The task is {state}; that cannot be changed any more.")
    scatter.nudge(world, written.task)
    return written


def probe(world: ApiWorld, caller: Caller, task_id: str) -> Task:
    """Have its project's provider tried now, where its gate is shut; as often as asked, once in so long. Raises Conflict."""
    caller.must_be(Role.EDITOR)
    found = find(world, caller, task_id)
    if found.provider is None:
        raise Conflict("no-provider", "The built-in rules read these papers: there is no provider to try.")
    if found.completed_at is not None:
        raise Conflict("task-closed", f"The task is {found.status}; nothing of it waits for its provider.")
    every_ms = world.settings.try_provider_every_seconds * 1000
    provider_gate.hasten(world, provider_gate_of(found.provider, caller.project), every_ms=every_ms, now=world.now())
    scatter.nudge(world, found.task)
    return found


def delete(world: ApiWorld, caller: Caller, task_id: str) -> None:
    """Forget a closed task: its item stays as a tombstone, its rows and objects are erased by the janitor."""
    caller.must_be(Role.EDITOR)
    found = find(world, caller, task_id)
    buried = lifecycle.bury(world, found, caller.user, world.now())
    if isinstance(buried, Refused):
        raise Conflict("task-open", "The task is still running. Cancel it, and delete it when it has closed.")
    scatter.invoke(world, world.settings.janitor_function, {"source": "api", "task": found.task})
