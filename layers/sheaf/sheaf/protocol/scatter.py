"""Open a task, write its rows, send their messages, and go on where another stopped.

Order is everything here: the manifest before the task, a row before its message, and "scattered" last.
"""

import base64
import hashlib
import json
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from botocore.exceptions import ClientError

from sheaf.errors import Unavailable
from sheaf.items import SHARD_ROWS, Row, Task, shard_key
from sheaf.jobs import Ordered
from sheaf.logs import say
from sheaf.outside import objects
from sheaf.outside.needs import ApiWorld, BatchAws, HasBucket, HasKinds, Tables, TimedAws
from sheaf.outside.store import TRANSACTION, Refused, call
from sheaf.outside.wiring import PARALLEL
from sheaf.protocol import lifecycle, manifest, row_messages
from sheaf.protocol.idempotency import Opened
from sheaf.protocol.lifecycle import GateState, RowStatus, TaskStatus
from sheaf.protocol.manifest import PinnedItem

WAVE = TRANSACTION * PARALLEL
"""Rows written and sent between two looks at the clock and the cursor."""
LEASE_SLACK_MS = 60_000
API_MS = 6_000
"""How long the API scatters before it answers and leaves the rest to the aggregator."""


def task_id(project: str, seed: str) -> str:
    """The same for the same request of the same project, so that a repetition finds its own task."""
    return base64.b32encode(hashlib.sha256(f"{project}\n{seed}".encode()).digest()).decode().lower()[:20]


def prepare(
    world: TimedAws[HasBucket],
    key: str,
    ordered: Ordered,
    until: int,
    *,
    kind: str,
    user: str | None,
    body_sha256: str,
    **more: Any,
) -> Task:
    """The task to be opened, its manifest already durable; `more` is what else it has. Whoever opens it holds its scatter until then."""
    manifest_key, manifest_sha256, content = manifest.written(key, ordered.items)
    objects.put(world, manifest_key, content)
    return Task(
        task=key,
        **{"listed_in": key.partition("/")[0], **more},
        active="1",
        status=TaskStatus.PROCESSING,
        kind=kind,
        options=dict(ordered.options) or None,
        row_options=dict(ordered.row_options) or None,
        created_at=world.now(),
        created_by=user,
        opening=world.token(),
        body_sha256=body_sha256,
        total=len(ordered.items),
        shard_rows=SHARD_ROWS,
        manifest_key=manifest_key,
        manifest_sha256=manifest_sha256,
        dispatch_until=until + LEASE_SLACK_MS,
        provider=ordered.provider,
        budget=ordered.budget,
        row_cost=ordered.row_cost,
        gate=GateState.OPEN,
    )


def start(world: ApiWorld, task: Task, documents: Sequence[PinnedItem], until: int) -> Opened[Task]:
    """Scatter a task just opened, as far as time allows, and wake the aggregator.

    The task is durable: whatever happens from here on, it is accepted, and the aggregator finishes it.
    """
    try:
        scatter(world, task, documents, until)
    except Unavailable as error:
        say("scatter_left", task=task.task, reason=str(error))
        with suppress(Unavailable):
            lifecycle.hand_over(world, task)
    nudge(world, task.task)
    took = world.now() - task.created_at
    measured = {"SubmitMilliseconds": took}
    say("task_opened", measured=measured, task=task.task, kind=task.kind, total=task.total, milliseconds=took)
    return Opened(task, replayed=False)


def scatter(world: BatchAws[HasKinds], task: Task, documents: Sequence[PinnedItem], until: int) -> bool:
    """Write and send from the task's cursor on; True when all of it is done, False when it was handed over.

    Raises Unavailable. Whoever calls this holds the task's `dispatch_until`.
    """
    cursor = task.scatter_cursor
    while cursor < task.total:
        if world.now() >= until:
            lifecycle.hand_over(world, task)
            return False
        end = min(cursor + WAVE, task.total)
        _write_and_send(world, task, documents, cursor, end)
        cursor = end
        if cursor < task.total and isinstance(lifecycle.advance(world, task, cursor), Refused):
            return False
    return not isinstance(lifecycle.scattered(world, task, world.now()), Refused)


def resume(world: BatchAws[HasKinds], task: Task, until: int) -> bool:
    """Take a late scatter over and go on with it. False when another has it, or when time ran out."""
    now = world.now()
    mine = lifecycle.take_over(world, task, dispatch_until=until + LEASE_SLACK_MS, now=now)
    if isinstance(mine, Refused):
        return False
    return scatter(world, mine, manifest.rows(mine, objects.get(world, mine.manifest_key)), until)


def nudge(world: ApiWorld, task: str) -> None:
    """Wake the aggregator for this task. If that fails, the schedule wakes it within a minute."""
    wake(world, world.settings.aggregator_function, task)


def wake(world: Tables, function: str, task: str) -> None:
    """Have a function look at this task, and do not wait for it."""
    payload = json.dumps({"source": "api", "task": task}).encode()
    try:
        call(world, "lambda", "invoke", FunctionName=function, InvocationType="Event", Payload=payload)
    except (Unavailable, ClientError) as error:
        say("nudge_failed", task=task, reason=type(error).__name__)


def _write_and_send(
    world: BatchAws[HasKinds], task: Task, documents: Sequence[PinnedItem], start: int, end: int
) -> None:
    status = RowStatus.CANCELLED if task.gate == GateState.CANCELLED else RowStatus.PENDING
    now = world.now()
    rows = [_row(task, number, documents[number], status, now) for number in range(start, end)]
    chunks: list[list[Row]] = [rows[at : at + TRANSACTION] for at in range(0, len(rows), TRANSACTION)]
    world.parallel(lambda chunk: lifecycle.create(world, chunk), chunks)
    waiting = [row for row in rows if row.status == RowStatus.PENDING]
    row_messages.send(world, world.settings.kinds[task.kind], waiting)


def _row(task: Task, number: int, pinned: PinnedItem, status: RowStatus, now: int) -> Row:
    """A row as it is first written: a document that cannot be worked on is an error at once."""
    refused = pinned.refusal is not None
    return Row(
        shard=shard_key(task.task, number // task.shard_rows),
        row=number,
        status=RowStatus.ERROR if refused else status,
        document=pinned.name,
        options=task.row_options,
        pinned_key=pinned.key,
        pinned_version=pinned.version,
        pinned_sha256=pinned.sha256,
        filename=manifest.cut(pinned.filename),
        provider=task.provider,
        created_at=now,
        updated_at=now,
        error_class="not_ready" if refused else None,
        error_message=pinned.refusal,
    )
