"""Owns every status. Each transition of a row, a task or a gate is one function here and one conditional write.

A function returns the item as written, or `Refused` with the item that it found. A write whose reply was lost and
which is then refused by its own success recognises itself, so that trying again is always safe.
From which status to which each of a row leads, and who makes it: docs/DESIGN.md has the table, and a test holds to it.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, NamedTuple

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from sheaf.items import COUNTED, NOBODY, Purse, Row, Task, purse_key
from sheaf.outside.needs import BatchTables, Tables
from sheaf.outside.store import Already, Change, InTheWay, Key, Put, Refused, delete, put, transact, update
from sheaf.plain_json import JsonObject
from sheaf.protocol.leases import Bid, Due, Leases
from sheaf.settings import Kind


class RowStatus(StrEnum):
    """completed, error and cancelled absorb: nothing leaves them."""

    PENDING = "pending"
    EXTRACTING = "extracting"
    COMPLETED = "completed"
    ERROR = "error"
    CANCELLED = "cancelled"


class TaskStatus(StrEnum):
    PROCESSING = "processing"
    COMPLETED = "completed"
    CANCELLED = "cancelled"


class GateState(StrEnum):
    """What workers may do with a task's pending rows."""

    OPEN = "open"
    PAUSED = "paused"
    BUDGET = "budget"
    CANCELLED = "cancelled"


TERMINAL = frozenset({RowStatus.COMPLETED, RowStatus.ERROR, RowStatus.CANCELLED})
CLOSED = frozenset({TaskStatus.COMPLETED, TaskStatus.CANCELLED})


class Spent(NamedTuple):
    """What an attempt cost, in millionths of a dollar and in tokens: written with the attempt's end, once."""

    cost: int
    tokens: int


ERROR_MESSAGE_MAX = 240


def _key(row: Row) -> Key:
    return {"shard": row.shard, "row": row.row}


LEASES = Leases(Row, _key, Row.status, RowStatus.EXTRACTING)


# ---------------------------------------------------------------------------------------------------- rows


def create(world: BatchTables, rows: Sequence[Row]) -> None:
    """none -> pending, error or cancelled. A row that exists stays as it is, however far it has come."""
    absent = Row.shard.does_not_exist()
    with suppress(InTheWay):
        if not any(transact(world, *[Put(row, absent) for row in rows])):
            return
    world.parallel(lambda row: put(world, row, absent), rows)


def claim(world: Tables, key: Key, bid: Bid) -> Row | Refused[Row]:
    """pending or extracting -> extracting: one worker owns the row until its lease is over."""
    due = (Row.status == RowStatus.PENDING) & (Row.not_before <= bid.now)
    free = due | LEASES.abandoned(bid.now)
    return LEASES.claim(world, key, bid, free, Row.first_claimed_at.set(Row.first_claimed_at | bid.now))


def complete(
    world: Tables,
    row: Row,
    *,
    data_key: str,
    summary: JsonObject,
    now: int,
    marks: dict[str, int] | None = None,
    spent: Spent | None = None,
) -> Row | Refused[Row]:
    """extracting -> completed, by the claim that owns the row. The payload that `data_key` points at is there already."""
    actions = [
        Row.data_key.set(data_key),
        Row.summary.set(summary),
        *([Row.marks.set(dict(marks))] if marks else []),
        *_paid(row, spent),
    ]
    return LEASES.end(world, row, RowStatus.COMPLETED, now, *actions)


def fail(
    world: Tables, row: Row, *, error_class: str, message: str, now: int, spent: Spent | None = None
) -> Row | Refused[Row]:
    """extracting -> error, by the claim that owns the row."""
    return LEASES.end(world, row, RowStatus.ERROR, now, *_why(error_class, message), *_paid(row, spent))


def release(world: Tables, row: Row, due: Due, now: int, spent: Spent | None = None) -> Row | Refused[Row]:
    """extracting -> pending, by the claim that owns the row. Refused where that was its last try."""
    actions = [*_waiting(due.at, now), *_paid(row, spent)]
    if due.refused is not None:
        actions.append(Row.refused.set(due.refused))
    return LEASES.release(world, row, due, actions, LEASES.own(row.token, RowStatus.PENDING))


def expire(world: Tables, seen: Row, kind: Kind, now: int) -> Row | Refused[Row]:
    """extracting -> pending, or -> error when its tries are spent or its kind says so: the worker went silent."""
    spent = seen.tries >= kind.max_tries
    still_the_same = LEASES.abandoned(now) & (Row.attempt == seen.attempt)
    if spent or kind.on_expiry == "error":
        message = f"The worker stopped answering; {seen.tries} of {kind.max_tries} tries used."
        actions = LEASES.ending(RowStatus.ERROR, now, *_why("worker_lost", message))
    else:
        actions = _waiting(now, now)
    # A lost reply, or the worker's own release a moment ago: either way the row waits for a message.
    already = LEASES.own(seen.token, RowStatus.PENDING)
    return update(world, Row, _key(seen), actions, still_the_same, already=already)


def stamp(world: Tables, row: Row, now: int, *, sent: bool) -> Row | Refused[Row]:
    """pending -> pending: a message was sent again, or the row was found waiting behind a shut gate."""
    actions: list[Action] = [Row.waiting_since.set(Row.waiting_since | now)]
    if sent:
        actions += [Row.sent_at.set(now), Row.sends.set(Row.sends + 1)]
    return update(world, Row, _key(row), actions, Row.status == RowStatus.PENDING)


def give_up(world: Tables, row: Row, *, max_tries: int, started_before: int, now: int) -> Row | Refused[Row]:
    """pending -> error: its tries are spent, or it was first claimed or found waiting before `started_before`."""
    spent = Row.tries >= max_tries
    too_old = (Row.first_claimed_at < started_before) | (Row.waiting_since < started_before)
    if row.tries >= max_tries:
        error_class, message = "attempts_spent", f"All {max_tries} tries were used."
    else:
        error_class, message = "deadline", "Nothing could be done with it before the deadline. Retry starts anew."
    pending = Row.status == RowStatus.PENDING
    actions = LEASES.ending(RowStatus.ERROR, now, *_why(error_class, message))
    return update(world, Row, _key(row), actions, pending & (spent | too_old))


def cancel(world: Tables, row: Row, now: int) -> Row | Refused[Row]:
    """pending -> cancelled: the user asked. Work that is running finishes and is kept."""
    actions = [Row.status.set(RowStatus.CANCELLED), Row.updated_at.set(now)]
    return update(world, Row, _key(row), actions, Row.status == RowStatus.PENDING)


def _waiting(not_before: int, now: int) -> list[Action]:
    return LEASES.ending(RowStatus.PENDING, now, Row.not_before.set(not_before))


def _why(error_class: str, message: str) -> list[Action]:
    return [Row.error_class.set(error_class), Row.error_message.set(message[:ERROR_MESSAGE_MAX])]


def _paid(row: Row, spent: Spent | None) -> list[Action]:
    """Added, and never twice: the same write ends the claim that its condition names."""
    if spent is None:
        return []
    return [Row.cost.add(spent.cost), Row.tokens.add(spent.tokens), Row.metered.set(row.attempt)]


# ---------------------------------------------------------------------------------------------------- tasks


def open_task(world: Tables, task: Task) -> Task | Refused[Task]:
    """none -> processing. The item is also the idempotency record, so it never goes away by itself."""
    return put(world, task, Task.task.does_not_exist(), already=lambda found: bool(found.opening == task.opening))


def open_retry(world: Tables, child: Task, parent: Task) -> Task | Refused[Task]:
    """none -> processing, and the parent names its child, in one transaction: a chain, never a fork.

    Refused with the child that is there already, or with nothing where the chain has gone on without this parent.
    """
    only = Change(Task, {"task": parent.task}, [Task.retried_by.set(child.task)], Task.retried_by.does_not_exist())
    before, forked = transact(world, Put(child, Task.task.does_not_exist()), only)
    if not (before or forked) or (before and before.item and before.item.opening == child.opening):
        return child
    return before or Refused(None)


def take_over(world: Tables, seen: Task, *, dispatch_until: int, now: int) -> Task | Refused[Task]:
    """The scatter's holder is late or has handed over: this aggregator goes on from the cursor."""
    as_seen = (Task.dispatch_until == seen.dispatch_until) & (Task.dispatch_until < now)
    return _task(world, seen, [Task.dispatch_until.set(dispatch_until)], as_seen)


def hand_over(world: Tables, task: Task) -> Task | Refused[Task]:
    """Whoever scatters stops here. Never removes `dispatch_until`: that would say that everything was sent."""
    return _task(world, task, [Task.dispatch_until.set(0)], Task.dispatch_until == task.dispatch_until)


def advance(world: Tables, task: Task, cursor: int) -> Task | Refused[Task]:
    """Rows before the cursor are written and sent."""
    return _task(world, task, [Task.scatter_cursor.set(cursor)], Task.dispatch_until == task.dispatch_until)


def scattered(world: Tables, task: Task, now: int) -> Task | Refused[Task]:
    """Every row is written and sent: said only by who has done it."""
    actions = [Task.dispatch_until.remove(), Task.scatter_cursor.set(task.total), Task.scattered_at.set(now)]
    return _task(world, task, actions, Task.dispatch_until == task.dispatch_until)


def set_back(world: Tables, task: Task, cursor: int) -> Task | Refused[Task]:
    """Called scattered, yet rows are missing: scatter again from the first one."""
    actions = [Task.dispatch_until.set(0), Task.scatter_cursor.set(cursor)]
    return _task(world, task, actions, Task.dispatch_until.does_not_exist())


@dataclass(frozen=True)
class Outlook:
    """Said with a count: when the next one is due, when the task may be finished, what its rows take."""

    count_every: int = 0
    finish_at: int | None = None
    finish_by: int | None = None
    """As likely before as after the first instant, and in nine of ten cases before the second."""
    row_ms: int | None = None
    slow_after: int | None = None
    """Where nothing has ended for longer than this, it is not for the rows' slowness."""
    waiting_for: dict[str, Any] | None = None
    """The provider whose gate is shut, since when and why."""


def record_counts(
    world: Tables, task: Task, counts: Mapping[str, Any], *, sealed: Any, outlook: Outlook, now: int
) -> Task | Refused[Task]:
    """What a reader is shown until the next count; a later count wins, and nothing is written after the close."""
    actions = [
        *_counts(counts, sealed, now),
        *[_put(getattr(Task, each.name), getattr(outlook, each.name)) for each in fields(Outlook)],
    ]
    newer = Task.counted_at.does_not_exist() | (Task.counted_at < now)
    return _task(world, task, actions, newer)


def record_cost(world: Tables, seen: Task, cost: int, day: str) -> bool:
    """What its rows have cost by now, and what is new of it in its project's purse, in one transaction.

    False where another was first, or the purse's day is over.
    """
    as_seen = Task.cost.does_not_exist() if seen.cost is None else Task.cost == seen.cost
    key: Key = {"task": seen.task}
    return not any(
        transact(
            world,
            Change(Task, key, [Task.cost.set(cost)], (Task.status == TaskStatus.PROCESSING) & as_seen),
            Change(Purse, purse_key(seen.project), [Purse.spent.add(cost - (seen.cost or 0))], Purse.day >= day),
        )
    )


def close(
    world: Tables, task: Task, status: TaskStatus, counts: Mapping[str, Any], *, sealed: Any, now: int
) -> Task | Refused[Task]:
    """processing -> completed or cancelled: status, final counts and end of the scatter in one write."""
    actions = [
        Task.status.set(status),
        *_counts(counts, sealed, now),
        Task.completed_at.set(now),
        Task.dispatch_until.remove(),
    ]
    return _task(world, task, actions, None)


def request_cancel(world: Tables, task: str) -> Task | Refused[Task]:
    """Whatever its gate was: no row is claimed any more, and the sweep ends those that wait."""
    cancelled = GateState.CANCELLED
    return _task(world, task, [Task.gate.set(cancelled)], Task.gate != cancelled, lambda found: found.gate == cancelled)


def request_turn(
    world: Tables, task: str, before: GateState, after: GateState, now: int, *, by: str | None = None
) -> Task | Refused[Task]:
    """A pause by somebody, or its end. `pauses` holds their instants in turn: an odd number of them is a pause now."""
    actions = [*_turning(after, now), _put(Task.paused_by, by)]
    return _task(world, task, actions, Task.gate == before, lambda found: bool(found.gate == after))


def reach_budget(world: Tables, seen: Task, now: int, *, held_by: str = "task") -> Task | Refused[Task]:
    """It has cost what it may, or may have when what runs has ended: nothing more starts. Refused where the budget is another."""
    as_seen = (Task.gate == GateState.OPEN) & (Task.budget == seen.budget)
    return _task(world, seen, [*_turning(GateState.BUDGET, now), Task.held_by.set(held_by)], as_seen)


def go_on(world: Tables, seen: Task, now: int) -> Task | Refused[Task]:
    """What ran has ended and money is left after all. Refused where the budget is another by now."""
    as_seen = (Task.gate == GateState.BUDGET) & (Task.budget == seen.budget)
    return _task(world, seen, [*_turning(GateState.OPEN, now), Task.held_by.remove()], as_seen)


def set_budget(world: Tables, seen: Task, budget: int | None, now: int) -> Task | Refused[Task]:
    """Another budget; and on it goes, where it waited for that. Refused where its gate turned meanwhile."""
    actions: list[Action] = [Task.budget.remove() if budget is None else Task.budget.set(budget)]
    if seen.gate == GateState.BUDGET and seen.held_by != "project" and (budget is None or budget > (seen.cost or 0)):
        actions += [*_turning(GateState.OPEN, now), Task.held_by.remove()]
    return _task(world, seen, actions, Task.gate == seen.gate)


def record_notified(world: Tables, task: Task, now: int) -> Task | Refused[Task]:
    """Only now may a closed task leave the index of active tasks."""
    actions = [Task.active.remove(), Task.notified_at.set(now)]
    return update(world, Task, {"task": task.task}, actions, Task.status.is_in(*CLOSED))


def bury(world: Tables, task: Task, by: str | None, now: int) -> Task | Refused[Task]:
    """A closed task leaves the project's list. Its item stays for ever: it is the record of its idempotency key.

    Its gate shuts: a request that stood still meanwhile may still write rows and send messages of them.
    """
    actions = [
        Task.deleted_at.set(now),
        Task.deleted_by.set(by or NOBODY),
        Task.listed_in.remove(),
        Task.gate.set(GateState.CANCELLED),
    ]
    closed = Task.status.is_in(*CLOSED) & Task.deleted_at.does_not_exist()
    return update(world, Task, {"task": task.task}, actions, closed, already=lambda found: found.deleted_at is not None)


def erase(world: Tables, row: Row, now: int) -> None:
    """A row of a deleted task goes, unless somebody is at work on it."""
    delete(world, Row, _key(row), (Row.status != RowStatus.EXTRACTING) | (Row.lease_until < now))


def _turning(after: GateState, now: int) -> list[Action]:
    return [Task.gate.set(after), Task.pauses.set(Task.pauses.append([now]))]


def _put(attribute: Any, value: Any) -> Action:
    """Set it, or take it away where there is nothing to say."""
    action: Action = attribute.remove() if value is None else attribute.set(value)
    return action


def _counts(counts: Mapping[str, Any], sealed: Any, now: int) -> list[Action]:
    """Marks and tokens are written where there are any: rows that have ended keep theirs, so none is ever taken back."""
    seldom = {"marks": Task.marks, "tokens": Task.tokens, "moved_at": Task.moved_at}
    return [
        *[attribute.set(counts[name]) for name, attribute in seldom.items() if counts.get(name)],
        *[getattr(Task, name).set(counts[name]) for name in COUNTED],
        Task.sealed.set(sealed),
        Task.counted_at.set(now),
    ]


def _task(
    world: Tables,
    task: Task | str,
    actions: Sequence[Action],
    guard: Condition | None,
    already: Already[Task] = lambda _: False,
) -> Task | Refused[Task]:
    """Every write of a task but the last says: only while it is processing. So does what has been written already."""
    key: Key = {"task": task if isinstance(task, str) else task.task}
    processing = Task.status == TaskStatus.PROCESSING
    guard = processing if guard is None else processing & guard
    return update(
        world, Task, key, actions, guard, already=lambda it: it.status == TaskStatus.PROCESSING and already(it)
    )
