"""Open a task, write its rows and send their messages: a small one's here and now, a large one's part by part, elsewhere.

Order is everything here: the manifest before the task, a row before its message, and "scattered" last.
"""

import base64
import hashlib
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from botocore.exceptions import ClientError

from sheaf.errors import Unavailable
from sheaf.items import SHARD_ROWS, Row, Task, shard_key, sweeper_of
from sheaf.jobs import Ordered
from sheaf.logs import say
from sheaf.outside import objects
from sheaf.outside.needs import ApiWorld, BatchAws, HasKinds, SweeperWorld, Tables
from sheaf.outside.store import TRANSACTION, Raw, Refused, Written, call
from sheaf.outside.wiring import PARALLEL
from sheaf.protocol import lifecycle, manifest, queries, row_messages
from sheaf.protocol.lifecycle import GateState, Listed, RowStatus, TaskStatus
from sheaf.protocol.manifest import PinnedItem

WAVE = TRANSACTION * PARALLEL  # the most rows that the API writes and sends before it answers
LEASE_MS = 60_000  # how long whoever scatters has for it; after that another may do again what is unsent
LARGE, LARGE_SHARD_ROWS = 25_000, 1_000  # above so many rows shards are larger: the task's item stays small
SCATTER = "scatter"  # the source of an event that asks for one part


def task_id(project: str, seed: str) -> str:
    """The same for the same request of the same project, so that a repetition finds its own task."""
    return base64.b32encode(hashlib.sha256(f"{project}\n{seed}".encode()).digest()).decode().lower()[:20]


def begin(world: ApiWorld, key: str, ordered: Ordered, *, parent: Task | None = None, **about: Any) -> Written[Task]:
    """Open a task, or the retry of its parent, and have its rows written and sent. `about` is what else it has.

    A small one's rows are sent now, those of a large one and of one to be gathered by the aggregator. Raises Unavailable.
    """
    task = prepare(world, key, ordered, retry_of=parent.task if parent else None, **about)
    opened = lifecycle.open_retry(world, task, parent) if parent else lifecycle.open_task(world, task)
    if not isinstance(opened, Refused):
        start(world, opened, ordered.items or (), ordered.awaited)
    return opened


def prepare(world: ApiWorld, key: str, ordered: Ordered, **about: Any) -> Task:
    """The task to be opened, its manifest already durable unless it is to be gathered."""
    known: dict[str, Any] = {"status": TaskStatus.GATHERING, "shard_rows": SHARD_ROWS, "dispatch_until": 0}
    if ordered.items is not None:
        where, parts = manifest.written(key, ordered.items)
        world.parallel(lambda part: objects.put(world, *part), parts.items())
        listed = list_of(len(ordered.items), where, ordered.row_cost)
        until = world.now() + LEASE_MS if listed.total <= WAVE else 0
        known = {"status": TaskStatus.PROCESSING, **listed._asdict(), "dispatch_until": until}
    return Task(
        task=key,
        **{"listed_in": key.partition("/")[0], "front": 0 if about.get("most_at_work") else None, **about},
        active=sweeper_of(key, ordered.provider, world.settings.sweepers),
        **known,
        options=dict(ordered.options) or None,
        row_options=dict(ordered.row_options) or None,
        created_at=world.now(),
        opening=world.token(),
        provider=ordered.provider,
        budget=ordered.budget,
        gate=GateState.OPEN,
    )


def list_of(total: int, manifest_key: str, row_cost: int | None) -> Listed:
    shard_rows = SHARD_ROWS if total <= LARGE else LARGE_SHARD_ROWS
    return Listed(total, shard_rows, manifest_key, set(manifest.parts(0, total)), row_cost)


def start(world: ApiWorld, task: Task, documents: Sequence[PinnedItem], delay: int = 0) -> None:
    """Write and send the rows of a task just opened, unless they are many, and wake the aggregator, which finishes it."""
    wake = partial(nudge, world, task.task)
    if task.dispatch_until:
        try:
            _write_and_send(world, task, 0, documents, delay)
            # Whoever wakes and sees a scatter under way looks again: so the caller waits for the longer of the two alone.
            both: list[Callable[[], object]] = [partial(lifecycle.scattered, world, task, world.now()), wake]
            world.parallel(lambda act: act(), both)
        except Unavailable as error:
            say("scatter_left", task=task.task, reason=str(error))
            with suppress(Unavailable):
                lifecycle.hand_over(world, task)
            wake()
    else:
        wake()
    took = world.now() - task.created_at
    measured = {"SubmitMilliseconds": took}
    say("task_opened", measured=measured, task=task.task, kind=task.kind, total=task.total, milliseconds=took)


def take_over(world: SweeperWorld, task: Task) -> None:
    """Have every unsent part of a task sent that nobody scatters now: each by an invocation of its own, at the same time.

    Nobody waits for them. Those that nobody can be asked to do are done here, and one where who was asked before has not done it:
    so a scatter goes on whatever becomes of invocations.
    """
    until = world.now() + LEASE_MS
    mine = lifecycle.take_over(world, task, dispatch_until=until, now=world.now())
    if isinstance(mine, Refused):
        return
    if not mine.unsent:
        lifecycle.scattered(world, mine, world.now())
        return
    function, parts = world.settings.aws_lambda_function_name, sorted(mine.unsent)
    mine_too, others = (parts[:1], parts[1:]) if task.dispatch_until else ([], parts)
    events = [{"source": SCATTER, "task": mine.task, "part": part, "until": until} for part in others]
    asked = world.parallel(lambda event: invoke(world, function, event), events)
    for part in mine_too + [part for part, taken in zip(others, asked, strict=True) if not taken]:
        send_part(world, mine.task, part, until)


def send_part(world: SweeperWorld, key: str, part: int, until: int) -> None:
    """Write and send one part, for the holder until then; the last one says so. Raises Unavailable, ObjectGone."""
    task = queries.task(world, key)
    if task is None or task.dispatch_until != until or part not in (task.unsent or ()):
        return
    rows = manifest.part(task, part, objects.get(world, manifest.key(task.manifest_key, part)))
    _write_and_send(world, task, part * manifest.PART, rows)
    left = lifecycle.sent(world, task, part)
    if not isinstance(left, Refused) and not left.unsent:
        lifecycle.scattered(world, left, world.now())


def nudge(world: ApiWorld, task: str) -> None:
    """Wake the aggregator for this task. If that fails, the schedule wakes it within a minute."""
    invoke(world, world.settings.aggregator_function, {"source": "api", "task": task})


def invoke(world: Tables, function: str, event: dict[str, Any]) -> bool:
    try:
        sent = json.dumps(event).encode()
        call(world, "lambda", "invoke", FunctionName=function, InvocationType="Event", Payload=sent)
    except (Unavailable, ClientError) as error:
        say("nudge_failed", task=event["task"], reason=type(error).__name__)
        return False
    return True


def _write_and_send(
    world: BatchAws[HasKinds], task: Task, first: int, documents: Sequence[PinnedItem], delay: int = 0
) -> None:
    rows = new_rows(task, first, documents, world.now())
    chunks = [rows[at : at + TRANSACTION] for at in range(0, len(rows), TRANSACTION)]
    world.parallel(lambda chunk: lifecycle.create(world, chunk), chunks)
    if task.front is not None:
        # Where only so many may be at work, the sweep sends each row when its turn comes.
        return
    waiting = [(row["shard"]["S"], int(row["row"]["N"])) for row in rows if row["status"]["S"] == RowStatus.PENDING]
    bodies = [(task.project, row_messages.body_of(shard, number, task.provider)) for shard, number in waiting]
    row_messages.post(world, world.settings.kinds[task.kind].queue, bodies, delay)


def new_rows(task: Task, first: int, documents: Sequence[PinnedItem], now: int) -> list[Raw]:
    """Rows as they are first written, from this number on: a document that cannot be worked on is an error at once.

    What all have in common goes through their model once: that is two thirds of what making them costs.
    """
    status = RowStatus.CANCELLED if task.gate == GateState.CANCELLED else RowStatus.PENDING
    same = Row("", 0, status=status, options=task.row_options, provider=task.provider, created_at=now, updated_at=now)
    common = same.serialize(null_check=False)
    return [common | _own(task, number, pinned) for number, pinned in enumerate(documents, first)]


def _own(task: Task, number: int, pinned: PinnedItem) -> Raw:
    texts: dict[str, str | None] = {"shard": shard_key(task.task, number // task.shard_rows), "document": pinned.name}
    texts |= {"pinned_key": pinned.key, "pinned_version": pinned.version}
    texts |= {"pinned_sha256": pinned.sha256, "filename": manifest.cut(pinned.filename)}
    if pinned.refusal is not None:
        texts |= {"status": RowStatus.ERROR, "error_class": "not_ready", "error_message": pinned.refusal}
    return {"row": {"N": str(number)}} | {name: {"S": text} for name, text in texts.items() if text is not None}
