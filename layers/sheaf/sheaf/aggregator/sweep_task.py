"""One pass over one task. All writes are conditional and messages may come twice: any two passes may overlap."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

from sheaf.aggregator import gather_task, queue_look, schedule
from sheaf.aggregator.decide_row import Do, Facts, decide, front_of, probing, started_before, unheard
from sheaf.aggregator.schedule import Watch
from sheaf.items import AnyRow, Row, Task
from sheaf.logs import say
from sheaf.notices import tell
from sheaf.outside.needs import BatchAws, BatchTables, HasCeiling, HasKinds, SweeperWorld, Tables, TimedAws, TimedTables
from sheaf.outside.store import Refused, Written, as_it_is
from sheaf.protocol import lifecycle, manifest, queries, row_messages, scatter, spending
from sheaf.protocol.counts import Seen, Tally, expected, pending, percent
from sheaf.protocol.lifecycle import CLOSED, GateState, RowStatus, TaskStatus
from sheaf.schemas import instant

RESENDS_A_PASS = 2_000
ASKED_MS = 120_000
ENDS = {"RowsFailed": Do.GIVE_UP, "RowsCancelled": Do.CANCEL}
MEASURED = {"LeasesExpired": Do.EXPIRE, "MessagesResent": Do.RESEND, **ENDS}
NEAR = 0.5  # of what may be spent; from here on counted every second: overspent is what starts in between


def sweep_task(world: SweeperWorld, task: Task, watch: Watch) -> bool:
    """One pass. True while the task needs another one; sets when on the watch. Raises Unavailable."""
    if task.status in CLOSED:
        tell.closed(world, task)
        return False
    if task.status == TaskStatus.GATHERING:
        gather_task.see_to(world, task, watch)
        return True
    if task.dispatch_until is not None and task.dispatch_until < world.now():
        scatter.take_over(world, task)
        task = queries.task(world, task.task) or task
    tally, rows = _read(world, task)
    if tally.ended.cost > (task.cost or 0) and not spending.record(world, task, tally.ended.cost, world.now()):
        # Another sweeper was first: what it has counted is looked at next.
        watch.due_at = world.now() + schedule.PASS_MIN_MS
        return True
    spent = _spent(world, task, tally, watch)
    task = _within_limit(world, _within_budget(world, task, tally, spent), rows)
    guess = schedule.guess(watch, task, tally, rows, world.now())
    facts = _facts(world, task, tally, rows, guess.rest)
    done = _mend(world, task, rows, facts)
    _report(task, tally, done)
    if tally.closed:
        return not _close(world, task, tally)
    now = world.now()
    events = schedule.events(rows, facts.provider, now, acted=done.total() > 0)
    soon, waiting = max(spent.values()) >= NEAR, _waiting_for(task, facts, rows)
    asked_at = facts.provider.asked_at if facts.provider else None
    asked = asked_at is not None and facts.now - asked_at < ASKED_MS
    outlook = schedule.outlook(task, tally, guess, now, events=events, soon=soon, waiting=waiting, asked=asked)
    seen = lifecycle.record_counts(world, task, tally.shown, sealed=tally.sealed.item, outlook=outlook, now=now)
    watch.task = as_it_is(seen)
    watch.due_at = now + outlook.count_every
    return True


def _read(world: BatchTables, task: Task) -> tuple[Tally, list[AnyRow]]:
    tally = Tally.of(task)
    shards = tally.open_shards
    # A stale page may show a row as waiting that is at work: one more would start beside it.
    look = partial(queries.shard, world, task, consistent=task.most_at_work is not None)
    seen = dict(zip(shards, world.parallel(look, shards), strict=True))
    for number, found in seen.items():
        if found.count < expected(task, number) and task.dispatch_until is None:
            seen[number] = _look_again(world, task, number)
        tally.add(number, seen[number])
    return tally, [row for found in seen.values() for row in found.open_rows]


def _spent(world: TimedAws[HasCeiling], task: Task, tally: Tally, watch: Watch) -> dict[str, float]:
    """How much of what the task and its project may spend is spent, or may be by what runs: 1 is all of it."""
    watch.at_risk = spending.at_risk(task, tally)
    if task.budget is None:
        return {"task": 0}
    spent = {"task": (tally.ended.cost + watch.at_risk) / task.budget}
    if most := world.settings.max_usd_per_project_and_day * spending.MICRO:
        purse = spending.purse(world, task.project, world.now())
        spent["project"] = (purse.spent + watch.at_risk + watch.elsewhere) / most
    return spent


def _within_budget(world: TimedTables, task: Task, tally: Tally, spent: dict[str, float]) -> Task:
    """Nothing more starts once what ended and what runs may have cost all; if it then has cost less, more starts."""
    held_by = next((whose for whose, share in spent.items() if share >= 1), None)
    turned: Written[Task] = task
    if task.budget is not None and task.gate == GateState.BUDGET and not (held_by or tally.extracting):
        turned = lifecycle.go_on(world, task, world.now())
    elif held_by is not None and task.gate == GateState.OPEN:
        turned = lifecycle.reach_budget(world, task, world.now(), held_by=held_by)
        if not isinstance(turned, Refused):
            say("budget_reached", task=task.task, completed=tally.counts["completed"], total=task.total)
    # Refused where its gate or its budget is another by now: whoever stood still must not take a closure for waiting.
    return as_it_is(turned) or task


def _within_limit(world: TimedTables, task: Task, rows: Sequence[AnyRow]) -> Task:
    """Where the task has a limit of rows at work: let as many more start as have ended. While rows are still written, none."""
    if task.front is None or task.dispatch_until is not None or (further := front_of(task, rows)) <= task.front:
        return task
    return as_it_is(lifecycle.move_front(world, task, further)) or task


def _waiting_for(task: Task, facts: Facts, rows: Sequence[AnyRow]) -> dict[str, Any] | None:
    gate, since = facts.provider, facts.provider_shut_since
    if gate is None or since is None:
        return None
    pending_rows = sum(row.status == RowStatus.PENDING for row in rows)
    about = {"for": "provider", "provider": task.provider, "reason": gate.reason}
    return {**about, "since": since, "until": gate.shut_until, "rows": pending_rows}


def _look_again(world: Tables, task: Task, number: int) -> Seen:
    """A scattered task lacks rows of its manifest, unless the page was only stale: then it is set back."""
    found = queries.shard(world, task, number, consistent=True)
    if found.count < expected(task, number):
        say("rows_missing", task=task.task, count=expected(task, number) - found.count)
        lifecycle.set_back(world, task, manifest.parts(number * task.shard_rows, expected(task, number)))
    return found


def _facts(world: SweeperWorld, task: Task, tally: Tally, rows: Sequence[AnyRow], rest: float | None) -> Facts:
    settings, now = world.settings, world.now()
    return Facts(
        now=now,
        max_tries=settings.kinds[task.kind].max_tries,
        scattered_at=task.scattered_at if task.dispatch_until is None else None,
        gate=GateState(task.gate),
        opened_at=task.opened_at,
        pauses=task.pauses,
        provider=queries.provider(world, task),
        looks=queue_look.looks(world, task.kind, rows, now),
        moved_at=tally.moved_at,
        deadline=settings.row_deadline_seconds * 1000,
        # A row that merely waits its turn is silent for as long as the task needs, and lost ones cannot delay it.
        stall_window=max(settings.stall_window_seconds * 1000, int(rest or 0) if task.most_at_work is None else 0),
        front=task.front,
    )


def _mend(world: BatchAws[HasKinds], task: Task, rows: Sequence[AnyRow], facts: Facts) -> Counter[Do]:
    todo = [(row, do) for row in rows if (do := decide(row, facts)[0]) is not Do.LEAVE]
    resend = [row for row, do in todo if do is Do.RESEND]
    resend += unheard([*filter(facts.may_start, rows)], [row for row, do in todo if do is Do.SILENT], facts)
    others = [item for item in todo if item[1] not in {Do.RESEND, Do.SILENT}]
    written = world.parallel(lambda item: _write(world, task, facts, *item), others)
    changed = [(do, row) for do, row in written if not isinstance(row, Refused)]
    pending_again = [row for do, row in changed if do is Do.EXPIRE and row.status == RowStatus.PENDING]
    expired: list[AnyRow] = [row for row in pending_again if facts.may_start(row)]
    again = [*resend[:RESENDS_A_PASS], *expired, *probing(rows, facts)]
    _send_again(world, task, again, facts.opened_last or 0)
    return Counter([do for do, _ in changed] + [Do.RESEND] * len(again))


def _write(world: TimedAws[HasKinds], task: Task, facts: Facts, row: AnyRow, do: Do) -> tuple[Do, Written[Row]]:
    now = world.now()
    match do:
        case Do.EXPIRE:
            return do, lifecycle.expire(world, row, world.settings.kinds[task.kind], now)
        case Do.GIVE_UP:
            before = started_before(row, facts) or 0
            return do, lifecycle.give_up(world, row, max_tries=facts.max_tries, started_before=before, now=now)
        case Do.CANCEL:
            return do, lifecycle.cancel(world, row, now)
        case _:
            return do, lifecycle.stamp(world, row, now, sent=False)


def _send_again(world: BatchAws[HasKinds], task: Task, rows: Sequence[AnyRow], opened_at: int) -> None:
    """Send first and stamp after: a crash between the two costs a second message, never a row without one.

    Never stamped before the gate's opening, which another clock may have set ahead of ours: it would be sent for ever.
    """
    bodies = [(row.project, row_messages.encode(row)) for row in rows]
    row_messages.post(world, world.settings.kinds[task.kind].queue, bodies)
    world.parallel(lambda row: lifecycle.stamp(world, row, max(world.now(), opened_at), sent=True), rows)


def _close(world: SweeperWorld, task: Task, tally: Tally) -> bool:
    closed = lifecycle.close(world, task, tally.final_status, tally.shown, sealed=tally.sealed.item, now=world.now())
    if isinstance(closed, Refused):
        return closed.item is None or closed.item.status in CLOSED
    took = world.now() - task.created_at
    measured = {"TasksClosed": 1, "CloseLagMilliseconds": world.now() - (tally.moved_at or task.created_at)}
    about = {"task": task.task, "kind": task.kind, "status": closed.status}
    say("task_closed", measured=measured, total=task.total, milliseconds=took, **about)
    tell.closed(world, closed)
    return True


def _report(task: Task, tally: Tally, done: Counter[Do]) -> None:
    total, counts = task.total, tally.counts
    share = percent(total, counts, closed=tally.closed)
    counted = {"total": total, "pending": pending(total, counts), **counts, "percent": share}
    acted = {"expired": Do.EXPIRE, "resent": Do.RESEND, "given_up": Do.GIVE_UP, "stamped": Do.STAMP}
    swept = {name: done[do] for name, do in acted.items()}
    finish = instant(task.finish_at) if task.finish_at else None
    measured = {name: done[do] for name, do in MEASURED.items() if done[do]}
    say("task_progress", measured=measured, task=task.task, kind=task.kind, finish=finish, **counted, **swept)
