"""How much of a table is checked: written with each decision, counted anew after those on other tables."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, cast

from clinical.review import review_heads
from clinical.review.accuracy import Tallies, Tally, tally, together, total, wilson
from clinical.review.review_items import Checked, Head, counts_key
from clinical.review.review_shapes import CheckedView, FieldReviewView, TaskReviewView
from sheaf.api import read_allowance
from sheaf.errors import Conflict, Unavailable
from sheaf.items import Task
from sheaf.outside.needs import ApiWorld, BatchTables
from sheaf.outside.store import get_many, put
from sheaf.protocol import payloads, queries
from sheaf.protocol.counts import shards
from sheaf.protocol.lifecycle import CLOSED
from sheaf.schemas import show

ROWS_MOST = 10_000
FRESH_MS = 10_000  # so long the counts of a task that is still running are good enough


def after(seen: Checked | None, task: Task, head: Head | None, change: Tallies) -> Checked:
    """The counts after a decision on this task: to be counted first where they are not there, or may not know what the head held."""
    key = counts_key(task.task)
    if seen is None:
        return Checked(**key, version=1)
    known = seen.tallies is not None and (head is None or head.task == task.id)
    if not known:
        return Checked(**key, version=seen.version + 1)
    kept: dict[str, Any] = {"as_of": seen.as_of, "closed": seen.closed, "elsewhere": seen.elsewhere}
    return Checked(**key, **kept, version=seen.version + 1, tallies=together([change], 1, _tallies(seen)))


def review(world: ApiWorld, user: str | None, task: Task) -> TaskReviewView:
    """How much of a task and its retries is checked, and how right their engine was. Raises TooFast, Conflict."""
    chain = [task, *(each for each in queries.chain(world, task) if each.deleted_at is None)]
    there = {str(each.paper): each for each in get_many(world, Checked, [counts_key(each.task) for each in chain])}
    elsewhere = review_heads.changes(world, task).elsewhere([each.id for each in chain])
    known = ((each, there.get(str(counts_key(each.task)["paper"]))) for each in chain)
    counted = [_count(world, user, each, seen, elsewhere) for each, seen in known]
    added = together(counted)
    return show(TaskReviewView, total(added), fields={name: _field(each) for name, each in added.items()})


def _holds(world: ApiWorld, seen: Checked, task: Task, elsewhere: str) -> bool:
    if seen.tallies is None or seen.elsewhere != elsewhere:
        return False
    return bool(seen.closed or (task.status not in CLOSED and seen.as_of > world.now() - FRESH_MS))


def _count(world: ApiWorld, user: str | None, task: Task, seen: Checked | None, elsewhere: str) -> Tallies:
    """Over all rows, if not known; kept unless somebody decided meanwhile, whose decision may or may not be in it."""
    if seen and _holds(world, seen, task, elsewhere):
        return _tallies(seen)
    if task.row_count > ROWS_MOST:
        raise Conflict("limit-reached", f"Only tables of up to {ROWS_MOST} rows are counted.")
    read_allowance.spend(world, user, task.completed, world.now())
    now, counted = world.now(), Tallies()
    for number in range(shards(task)):
        rows = [row for row in queries.shard_rows(world, task, number) if row.data_key]
        heads = review_heads.read(world, task, rows)
        found = zip(rows, payloads.read(world, rows), strict=True)
        each = (tally(cast("Any", data).get("fields", {}), heads.get(row.document, {})) for row, data in found if data)
        counted = together(each, 1, counted)
    known: dict[str, Any] = {"as_of": now, "closed": task.status in CLOSED, "elsewhere": elsewhere}
    version = seen.version + 1 if seen else 1
    item = Checked(**counts_key(task.task), **known, version=version, tallies=counted)
    with suppress(Unavailable):  # somebody decides at this moment: then it is counted again when it is asked for again
        put(world, item, Checked.version == seen.version if seen else Checked.paper.does_not_exist())
    return counted


def of_tasks(world: BatchTables, tasks: Sequence[Task]) -> dict[str, CheckedView]:
    keys = {str(counts_key(task.task)["paper"]): task.task for task in tasks}
    found = get_many(world, Checked, [counts_key(task.task) for task in tasks])
    return {keys[each.paper]: view for each in found if (view := brief(each))}


def brief(counted: Checked | None) -> CheckedView | None:
    if counted is None or counted.tallies is None:
        return None
    return show(CheckedView, total(_tallies(counted)))


def _tallies(counted: Checked) -> Tallies:
    return {field: Tally(*each) for field, each in (counted.tallies or {}).items()}


def _field(each: Tally) -> FieldReviewView:
    right = wilson(each.agreed, each.agreed + each.corrected + each.wrong)
    share = dict(zip(("share", "low", "high"), right, strict=True)) if right else None
    return show(FieldReviewView, each, right=share)
