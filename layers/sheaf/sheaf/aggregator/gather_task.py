"""A task whose documents are named by reference: they are listed and pinned here; from then on its rows are known.

Two at once write parts under marks of their own, and the task names those of one.
"""

from itertools import chain, islice

from sheaf import jobs
from sheaf.aggregator.schedule import PASS_MIN_MS, Watch
from sheaf.errors import Permanent, Unavailable
from sheaf.items import Task
from sheaf.logs import say
from sheaf.outside import objects
from sheaf.outside.needs import SweeperWorld
from sheaf.outside.store import Refused
from sheaf.protocol import lifecycle, manifest, queries, quotas, scatter
from sheaf.protocol.lifecycle import GateState, Listed, TaskStatus

GATHER = "gather"  # the source of an event that asks for the whole listing of a task
LEASE_MS = 240_000  # how long whoever gathers has for it; after that another begins anew


def see_to(world: SweeperWorld, task: Task, watch: Watch) -> None:
    """One pass over a task without rows: have it gathered unless somebody does, or close it where it was cancelled."""
    now = world.now()
    watch.task, watch.due_at = task, now + PASS_MIN_MS
    if task.gate == GateState.CANCELLED:
        _close(world, task, None)
    elif task.dispatch_until < now:
        mine = lifecycle.take_over(world, task, dispatch_until=now + LEASE_MS, now=now)
        if isinstance(mine, Refused):
            return
        event = {"source": GATHER, "task": mine.task, "until": mine.dispatch_until}
        if not scatter.invoke(world, world.settings.aws_lambda_function_name, event):
            lifecycle.hand_over(world, mine)


def gather(world: SweeperWorld, key: str, until: int) -> None:
    """List and pin a task's documents, for the holder until then. With nothing to work on, or too much, it closes."""
    task = queries.task(world, key)
    if task is None or task.status != TaskStatus.GATHERING or task.dispatch_until != until:
        return
    try:
        processing = lifecycle.gathered(world, task, _listed(world, task))
    except Permanent as refusal:
        _close(world, task, refusal.message)
    except Unavailable as error:
        say("gather_left", task=key, reason=str(error))
        lifecycle.hand_over(world, task)
    else:
        if not isinstance(processing, Refused):
            took = world.now() - task.created_at
            say("task_gathered", task=key, kind=task.kind, total=processing.total, milliseconds=took)
            scatter.take_over(world, processing)


def _listed(world: SweeperWorld, task: Task) -> Listed:
    gatherer, most = jobs.gatherer(world.settings.kinds[task.kind].desk), world.settings.documents_per_task
    where = manifest.prefix(task.task, world.token())
    items = chain.from_iterable(gatherer.gather(world, task.project, task.options))
    total = size = 0
    while part := list(islice(items, manifest.PART)):
        if total + len(part) > most:
            raise Permanent(f"There are more than {most} documents, the most of one task. Start several tasks.")
        objects.put(world, manifest.key(where, total // manifest.PART), manifest.packed(part))
        total, size = total + len(part), size + sum(item.size for item in part)
    if not total:
        raise Permanent("There are no documents there.")
    if too_many := quotas.count_in(world, task, total):
        raise Permanent(too_many)
    return scatter.list_of(total, where, gatherer.row_cost(task.options, size // total))


def _close(world: SweeperWorld, task: Task, why: str | None) -> None:
    """The next pass tells of it."""
    closed = lifecycle.close_without_rows(world, task, why, world.now())
    if not isinstance(closed, Refused):
        say("task_closed", measured={"TasksClosed": 1}, task=task.task, kind=task.kind, status=closed.status)
