"""Owns every status. Each transition of a row, a task or a gate is one function here and one conditional write.

A function returns the item as written, or `Refused` with the item that it found. A write whose reply was lost and
which is then refused by its own success recognises itself, so that trying again is always safe.
From which status to which each of a row leads, and who makes it: docs/DESIGN.md has the table, and a test holds to it.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, NamedTuple

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from sheaf.items import COUNTED, NOBODY, AnyRow, Purse, Row, Task, purse_key
from sheaf.outside import store
from sheaf.outside.needs import BatchTables, Tables
from sheaf.outside.store import Already, Change, Key, Put, Raw, Written, assign, delete, put, transact, update
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
    GATHERING = "gathering"  # its documents are being listed: it has no rows yet, and its total is not known
    PROCESSING = "processing"
    COMPLETED = "completed"
    CANCELLED = "cancelled"
    FAILED = "failed"  # there was nothing to work on, or too much: it has no rows. Why stands in `error_message`


class GateState(StrEnum):
    OPEN = "open"
    PAUSED = "paused"
    BUDGET = "budget"
    CANCELLED = "cancelled"


ERROR_MESSAGE_MAX = 240
TERMINAL = frozenset({RowStatus.COMPLETED, RowStatus.ERROR, RowStatus.CANCELLED})
CLOSED = frozenset({TaskStatus.COMPLETED, TaskStatus.CANCELLED, TaskStatus.FAILED})
UNDER_WAY = frozenset({TaskStatus.GATHERING, TaskStatus.PROCESSING})


class Spent(NamedTuple):
    """What an attempt cost, in millionths of a dollar and in tokens: written with the attempt's end, once."""

    cost: int
    tokens: int


def _key(row: AnyRow) -> Key:
    return {"shard": row.shard, "row": row.row}


LEASES = Leases(Row, _key, Row.status, RowStatus.EXTRACTING)


# ---------------------------------------------------------------------------------------------------- rows


def create(world: BatchTables, rows: Sequence[Raw]) -> None:
    """none -> pending, error or cancelled. A row that exists stays as it is, however far it has come."""
    absent = Row.shard.does_not_exist()
    with suppress(store.InTheWay):
        if not any(transact(world, *[Put(Row, row, absent) for row in rows])):
            return
    world.parallel(lambda row: put(world, Row.from_raw_data(row), absent), rows)


def claim(world: Tables, key: Key, bid: Bid) -> Written[Row]:
    """pending or extracting -> extracting: one worker owns the row until its lease is over."""
    due = (Row.status == RowStatus.PENDING) & (Row.not_before <= bid.now)
    free = due | LEASES.abandoned(bid.now)
    return LEASES.claim(world, key, bid, free, Row.first_claimed_at.set(Row.first_claimed_at | bid.now))


def begin_step(world: Tables, row: Row, step: str, now: int) -> Written[Row]:
    """extracting -> extracting: the claim that owns the row says what it does. Refused where the row is another's by now."""
    own = LEASES.own(row.token, RowStatus.EXTRACTING)
    already = lambda found: own(found) and (found.step, found.step_at) == (step, now)  # noqa: E731
    return update(world, Row, _key(row), assign(Row, step=step, step_at=now), LEASES.by_owner(row), already=already)


def complete(
    world: Tables,
    row: Row,
    *,
    data_key: str,
    summary: JsonObject,
    now: int,
    marks: dict[str, int] | None = None,
    spent: Spent | None = None,
) -> Written[Row]:
    """extracting -> completed, by the claim that owns the row. The payload that `data_key` points at is there already."""
    actions = assign(Row, data_key=data_key, summary=summary, marks=dict(marks) if marks else None)
    return LEASES.end(world, row, RowStatus.COMPLETED, now, *actions, *_paid(row, spent))


def fail(
    world: Tables, row: Row, *, error_class: str, message: str, now: int, spent: Spent | None = None
) -> Written[Row]:
    """extracting -> error, by the claim that owns the row."""
    return LEASES.end(world, row, RowStatus.ERROR, now, *_why(error_class, message), *_paid(row, spent))


def release(world: Tables, row: Row, due: Due, now: int, spent: Spent | None = None) -> Written[Row]:
    """extracting -> pending, by the claim that owns the row. Refused where that was its last try."""
    actions = [*_waiting(due.at, now), *_paid(row, spent)]
    if due.refused is not None:
        actions.append(Row.refused.set(due.refused))
    return LEASES.release(world, row, due, actions, LEASES.own(row.token, RowStatus.PENDING))


def expire(world: Tables, seen: AnyRow, kind: Kind, now: int) -> Written[Row]:
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


def stamp(world: Tables, row: AnyRow, now: int, *, sent: bool) -> Written[Row]:
    """pending -> pending: a message was sent again, or the row was found waiting behind a shut gate."""
    actions: list[Action] = [Row.waiting_since.set(Row.waiting_since | now)]
    if sent:
        actions += [Row.sent_at.set(now), Row.sends.set(Row.sends + 1)]
    return update(world, Row, _key(row), actions, Row.status == RowStatus.PENDING)


def park(world: Tables, key: Key, now: int) -> Written[Row]:
    """pending -> pending: its message is let go behind a provider's shut gate, and the sweep sends another."""
    return update(world, Row, key, [Row.parked_at.set(now)], Row.status == RowStatus.PENDING)


def give_up(world: Tables, row: AnyRow, *, max_tries: int, started_before: int, now: int) -> Written[Row]:
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


def cancel(world: Tables, row: AnyRow, now: int) -> Written[Row]:
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


def open_task(world: Tables, task: Task) -> Written[Task]:
    """none -> processing or gathering. The item is also the idempotency record, so it never goes away by itself."""
    return put(world, task, Task.task.does_not_exist(), already=lambda found: bool(found.opening == task.opening))


def open_retry(world: Tables, child: Task, parent: Task) -> Written[Task]:
    """none -> processing, and the parent names its only child, in one transaction. Refused with that, or with nothing where the chain went on."""
    only = Change(Task, {"task": parent.task}, [Task.retried_by.set(child.task)], Task.retried_by.does_not_exist())
    before, forked = transact(world, Put(Task, child.serialize(), Task.task.does_not_exist()), only)
    if not (before or forked) or (before and before.item and before.item.opening == child.opening):
        return child
    return before or store.Refused(None)


def take_over(world: Tables, seen: Task, *, dispatch_until: int, now: int) -> Written[Task]:
    """Whoever gathers or scatters is late or has handed over: this aggregator sees to what is left."""
    as_seen = (Task.status == seen.status) & (Task.dispatch_until == seen.dispatch_until)
    as_seen &= Task.dispatch_until < now
    return _task(world, seen, [Task.dispatch_until.set(dispatch_until)], as_seen, during=UNDER_WAY)


class Listed(NamedTuple):
    total: int
    shard_rows: int
    manifest_key: str
    unsent: set[int]
    row_cost: int | None = None


def gathered(world: Tables, seen: Task, listed: Listed) -> Written[Task]:
    """gathering -> processing, by who gathers it and unless it was cancelled. Its rows are for who takes its scatter over."""
    actions = [Task.status.set(TaskStatus.PROCESSING), *assign(Task, dispatch_until=0, **listed._asdict())]
    mine = (Task.status == TaskStatus.GATHERING) & (Task.dispatch_until == seen.dispatch_until)
    key: Key = {"task": seen.task}
    guard = mine & (Task.gate != GateState.CANCELLED)
    return update(world, Task, key, actions, guard, already=lambda it: it.manifest_key == listed.manifest_key)


def close_without_rows(world: Tables, seen: Task, why: str | None, now: int) -> Written[Task]:
    """gathering -> failed, by who gathers it, for this reason; or without one -> cancelled, because somebody asked for that."""
    cancelled = Task.gate == GateState.CANCELLED
    mine = (Task.dispatch_until == seen.dispatch_until) & (Task.gate != GateState.CANCELLED)
    status = TaskStatus.FAILED if why else TaskStatus.CANCELLED
    actions = [Task.status.set(status), *assign(Task, error_message=why, completed_at=now, dispatch_until=None)]
    guard = (Task.status == TaskStatus.GATHERING) & (mine if why else cancelled)
    return update(world, Task, {"task": seen.task}, actions, guard)


def hand_over(world: Tables, task: Task) -> Written[Task]:
    """Whoever gathers or scatters stops here. Never removes `dispatch_until`: that would say that everything was sent."""
    mine = Task.dispatch_until == task.dispatch_until
    return _task(world, task, [Task.dispatch_until.set(0)], mine, during=UNDER_WAY)


def sent(world: Tables, task: Task, part: int) -> Written[Task]:
    """The rows of this part are written and sent. It stays true whoever scatters by now, so a late one may say it too."""
    return _task(world, task, [Task.unsent.delete({part})], Task.dispatch_until.exists())


def scattered(world: Tables, task: Task, now: int) -> Written[Task]:
    """Every row is written and sent: said only by who has sent what was unsent as he saw it."""
    as_seen = Task.unsent == task.unsent if task.unsent else Task.unsent.does_not_exist()
    actions = [Task.dispatch_until.remove(), Task.unsent.remove(), Task.scattered_at.set(now)]
    return _task(world, task, actions, Task.dispatch_until.exists() & as_seen)


def set_back(world: Tables, task: Task, parts: Iterable[int]) -> Written[Task]:
    """Called scattered, yet rows of these parts are missing: they are to be sent again."""
    actions = [Task.dispatch_until.set(0), Task.unsent.add(set(parts))]
    return _task(world, task, actions, Task.dispatch_until.does_not_exist() | (Task.dispatch_until == 0))


@dataclass(frozen=True)
class Outlook:
    count_every: int = 0
    finish_at: int | None = None
    finish_by: int | None = None  # earlier than this in nine of ten cases, than `finish_at` in one of two
    row_ms: int | None = None
    slow_after: int | None = None  # where nothing has ended for longer than this, it is not for the rows' slowness
    waiting_for: dict[str, Any] | None = None  # the provider whose gate is shut, since when and why


def record_counts(
    world: Tables, task: Task, counts: Mapping[str, Any], *, sealed: Any, outlook: Outlook, now: int
) -> Written[Task]:
    """What a reader is shown until the next count; a later count wins, and nothing is written after the close."""
    said = {each.name: getattr(outlook, each.name) for each in fields(Outlook)}
    actions = [*_counts(counts, sealed, now), *assign(Task, **said)]
    newer = Task.counted_at.does_not_exist() | (Task.counted_at < now)
    return _task(world, task, actions, newer)


def record_cost(world: Tables, seen: Task, cost: int, day: str) -> bool:
    """What its rows have cost, in one transaction with the purse. False where another was first, or the day is over."""
    as_seen = Task.cost.does_not_exist() if seen.cost is None else Task.cost == seen.cost
    key: Key = {"task": seen.task}
    own = Change(Task, key, [Task.cost.set(cost)], (Task.status == TaskStatus.PROCESSING) & as_seen)
    more = Purse.spent.add(cost - (seen.cost or 0))
    return not any(transact(world, own, Change(Purse, purse_key(seen.project), [more], Purse.day >= day)))


def close(
    world: Tables, task: Task, status: TaskStatus, counts: Mapping[str, Any], *, sealed: Any, now: int
) -> Written[Task]:
    """processing -> completed or cancelled: status, final counts and end of the scatter in one write."""
    actions = [Task.status.set(status), Task.dispatch_until.remove(), *assign(Task, unsent=None, completed_at=now)]
    actions += _counts(counts, sealed, now)
    return _task(world, task, actions, None)


def request_cancel(world: Tables, task: str) -> Written[Task]:
    """Whatever its gate was: no row is claimed any more, and the sweep ends those that wait."""
    actions, other = [Task.gate.set(GateState.CANCELLED)], Task.gate != GateState.CANCELLED
    return _task(world, task, actions, other, lambda it: it.gate == GateState.CANCELLED, during=UNDER_WAY)


def request_turn(
    world: Tables, task: str, before: GateState, after: GateState, now: int, *, by: str | None = None
) -> Written[Task]:
    """A pause by somebody, or its end. `pauses` holds their instants in turn: an odd number of them is a pause now."""
    actions = [*_turning(after, now), *assign(Task, paused_by=by)]
    return _task(world, task, actions, Task.gate == before, lambda it: bool(it.gate == after), during=UNDER_WAY)


def reach_budget(world: Tables, seen: Task, now: int, *, held_by: str = "task") -> Written[Task]:
    """It has cost what it may, or may have when what runs has ended: nothing more starts. Refused where the budget is another."""
    as_seen = (Task.gate == GateState.OPEN) & (Task.budget == seen.budget)
    return _task(world, seen, [*_turning(GateState.BUDGET, now), Task.held_by.set(held_by)], as_seen)


def go_on(world: Tables, seen: Task, now: int) -> Written[Task]:
    """What ran has ended and money is left after all. Refused where the budget is another by now."""
    as_seen = (Task.gate == GateState.BUDGET) & (Task.budget == seen.budget)
    return _task(world, seen, [*_turning(GateState.OPEN, now), Task.held_by.remove()], as_seen)


def set_budget(world: Tables, seen: Task, budget: int | None, now: int) -> Written[Task]:
    """Another budget; and on it goes, where it waited for that. Refused where its gate turned meanwhile."""
    actions = assign(Task, budget=budget)
    if seen.gate == GateState.BUDGET and seen.held_by != "project" and (budget is None or budget > (seen.cost or 0)):
        actions += [*_turning(GateState.OPEN, now), Task.held_by.remove()]
    return _task(world, seen, actions, Task.gate == seen.gate, during=UNDER_WAY)


def set_limit(world: Tables, task: str, most: int | None, now: int) -> Written[Task]:
    """Another limit of rows at work, or none. Nothing starts until a sweep has seen what is at work and moved the front.

    As if its gate had shut and opened at this instant: what was let go or sent before it is sent again.
    """
    limit = Task.most_at_work
    another = limit.exists() if most is None else limit.does_not_exist() | (limit != most)
    actions = [*assign(Task, most_at_work=most), Task.front.set(0), Task.pauses.set(Task.pauses.append([now, now]))]
    cancelled = GateState.CANCELLED
    already = lambda found: found.gate != cancelled and found.most_at_work == most  # noqa: E731
    return _task(world, task, actions, (Task.gate != cancelled) & another, already, during=UNDER_WAY)


def rename(world: Tables, task: str, name: str | None) -> Written[Task]:
    """What people call it. Twice is as once, so that a lost reply needs no care."""
    return update(
        world, Task, {"task": task}, assign(Task, name=name), Task.task.exists() & Task.deleted_at.does_not_exist()
    )


def move_front(world: Tables, seen: Task, front: int) -> Written[Task]:
    """Rows before it may start from now on. Refused where another was further, or the limit or the rows are others."""
    limit = Task.most_at_work
    as_seen = limit.does_not_exist() if seen.most_at_work is None else limit == seen.most_at_work
    further = (Task.front < front) & Task.dispatch_until.does_not_exist()
    return _task(world, seen, [Task.front.set(front)], as_seen & further, lambda found: found.front == front)


def record_notified(world: Tables, task: Task, now: int) -> Written[Task]:
    """Only now may a closed task leave the index of active tasks."""
    actions = [Task.active.remove(), Task.notified_at.set(now)]
    return update(world, Task, {"task": task.task}, actions, Task.status.is_in(*CLOSED))


def bury(world: Tables, task: Task, by: str | None, now: int) -> Written[Task]:
    """A closed task leaves the project's list. Its item stays for ever: it is the record of its idempotency key.

    Its gate shuts: a request that stood still meanwhile may still write rows and send messages of them.
    """
    gone = assign(Task, deleted_at=now, deleted_by=by or NOBODY, listed_in=None)
    actions = [*gone, Task.gate.set(GateState.CANCELLED)]
    closed = Task.status.is_in(*CLOSED) & Task.deleted_at.does_not_exist()
    return update(world, Task, {"task": task.task}, actions, closed, already=lambda found: found.deleted_at is not None)


def discard(world: Tables, task: Task, by: str | None, now: int) -> Written[Task]:
    """What would expire is over now, open or closed: nobody finds it again, no row of it starts, and the janitor erases it."""
    gone = assign(Task, expires_at=now, deleted_by=by or NOBODY)
    actions = [*gone, Task.gate.set(GateState.CANCELLED)]
    over: Already[Task] = lambda it: 0 < (it.expires_at or 0) <= now  # noqa: E731
    return update(world, Task, {"task": task.task}, actions, Task.expires_at > now, already=over)


def erase(world: Tables, row: Row, now: int) -> None:
    """A row of a deleted task goes, unless somebody is at work on it."""
    delete(world, Row, _key(row), (Row.status != RowStatus.EXTRACTING) | (Row.lease_until < now))


def _turning(after: GateState, now: int) -> list[Action]:
    return [Task.gate.set(after), Task.pauses.set(Task.pauses.append([now]))]


def _counts(counts: Mapping[str, Any], sealed: Any, now: int) -> list[Action]:
    """Marks and tokens are written where there are any: rows that have ended keep theirs, so none is ever taken back."""
    seldom = {name: counts[name] for name in ("marks", "tokens", "moved_at") if counts.get(name)}
    return assign(Task, **seldom, **{name: counts[name] for name in COUNTED}, sealed=sealed, counted_at=now)


def _task(
    world: Tables,
    task: Task | str,
    actions: Sequence[Action],
    guard: Condition | None,
    already: Already[Task] = lambda _: False,
    *,
    during: Collection[TaskStatus] = (TaskStatus.PROCESSING,),
) -> Written[Task]:
    """Every write of a task but the last says: only while it is processing, or has not closed. So does what has been written already."""
    key: Key = {"task": task if isinstance(task, str) else task.task}
    status: Condition = Task.status.is_in(*during)
    guard = status if guard is None else status & guard
    return update(world, Task, key, actions, guard, already=lambda it: it.status in during and already(it))
