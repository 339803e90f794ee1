"""What a caller sees of a task: how far it is, and its table, row by row."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

from sheaf import jobs
from sheaf.api import forecast, queue_looks, read_allowance, task_views
from sheaf.api.task_views import ResultListView, ResultView, TaskView
from sheaf.errors import InvalidRequest, NotFound
from sheaf.items import Row, Task
from sheaf.outside import objects
from sheaf.outside.needs import ApiWorld, BatchAws, HasBucket, Tables
from sheaf.plain_json import JsonObject
from sheaf.protocol import payloads, queries
from sheaf.protocol.counts import Tally
from sheaf.protocol.latest import Later
from sheaf.protocol.lifecycle import CLOSED, RowStatus

PAGE_ROWS = 500
PAGE_BYTES = 4_000_000
LIVE_COUNT_ROWS = 1_000


def progress(world: ApiWorld, task: Task) -> TaskView:
    """The task with counts that add up: the last sweep's while they are fresh, counted now otherwise."""
    now = world.now()
    if task.status in CLOSED or forecast.is_fresh(task, now) or task.total > LIVE_COUNT_ROWS:
        return shown(world, task)
    tally = Tally.of(task)
    for number in tally.open_shards:
        tally.add(number, queries.shard(world, task, number, consistent=True))
    return shown(world, task, tally.shown)


def shown(world: ApiWorld, task: Task, counted: Mapping[str, Any] | None = None) -> TaskView:
    """What every task says of itself, and what its kind's desk says; nothing of the kind where it is deployed no more."""
    marks = task.marks or {} if counted is None else counted.get("marks", {})
    kind = world.settings.kinds.get(task.kind)
    beside = jobs.desk(kind.desk).shown(task, marks) if kind else {}
    queue = (lambda: queue_looks.reason(world, kind)) if kind else lambda: None
    return cast("TaskView", {**task_views.task(task, world.now(), counted, queue), **beside})


class Wish(NamedTuple):
    """A page of a task's table: from which row on, in which state, and with what the retries made of them."""

    task: Task
    start: int
    status: str | None
    later: Sequence[Task] | None
    """The retries whose rows stand in their place; None where they are not asked for."""
    brief: bool = False
    """Values and states, without the quotes."""

    @property
    def tag(self) -> str | None:
        """Another for every other answer; none while a row may still change, which those of a closed task never do."""
        later = self.later or ()
        if any(each.status not in CLOSED for each in (self.task, *later)):
            return None
        chain = None if self.later is None else [(each.task, each.deleted_at) for each in later]
        parts = [self.task.task, self.task.completed_at, self.start, self.status, chain, self.brief]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:20]

    @property
    def reads(self) -> int:
        """How many payloads it may take: one for each row that has data."""
        if self.status not in {None, RowStatus.COMPLETED}:
            return 0
        rows = min(self.task.total - self.start, PAGE_ROWS)
        return rows if self.later else min(rows, self.task.completed)


def wish(world: Tables, task: Task, *, cursor: str | None, status: str | None, view: str | None) -> Wish:
    """What was asked for, checked. Raises InvalidRequest."""
    start = int(cursor or 0)
    if start and start >= task.total:
        raise InvalidRequest("cursor", f"is behind the end; the table has {task.total} rows.")
    asked = (view or "").split(",")
    later = queries.chain(world, task) if "latest" in asked else None
    return Wish(task, start, status, later, brief="values" in asked)


def results(world: ApiWorld, asked: Wish, user: str | None) -> ResultListView:
    """A page of rows with their data, cut by rows and by bytes. Raises TooFast.

    With the view "latest", what a retry down the chain made of a row stands in that row's place.
    """
    read_allowance.spend(world, user, asked.reads, world.now())
    task, start, status = asked.task, asked.start, asked.status
    later = Later(world, asked.later) if asked.later else None
    page: list[ResultView] = []
    size = 0
    while start < task.total and len(page) < PAGE_ROWS and size < PAGE_BYTES:
        end = min(task.total, (start // task.shard_rows + 1) * task.shard_rows)
        rows = queries.rows_from(world, task, start, min(end - start, PAGE_ROWS - len(page)))
        shown = later.instead_of(rows) if later else rows
        chosen = [(row, at.row) for row, at in zip(shown, rows, strict=True) if status in (None, row.status)]
        added, size, cut_at = _add(world, asked, page, chosen, size)
        start = cut_at if added < len(chosen) else (rows[-1].row + 1 if rows else end)
    return {"results": page, "nextCursor": str(start) if start < task.total else None}


def _add(
    world: ApiWorld, asked: Wish, page: list[ResultView], chosen: Sequence[tuple[Row, int]], size: int
) -> tuple[int, int, int]:
    """Rows onto the page until it is full: how many, the page's size, and the number of the first that did not fit."""
    data = _data(world, [row for row, _ in chosen])
    kind = world.settings.kinds.get(asked.task.kind) if asked.brief else None
    # A desk may have it: a row's data without what a table of many rows does not show.
    brief = getattr(jobs.desk(kind.desk), "brief", None) if kind else None
    for added, ((row, at), payload) in enumerate(zip(chosen, data, strict=True)):
        shown = task_views.result(row, brief(payload) if brief and payload else payload)
        more = _sent_bytes(shown)
        if page and size + more > PAGE_BYTES:
            return added, PAGE_BYTES, at
        page.append(shown)
        size += more
    return len(chosen), size, 0


def _sent_bytes(shown: ResultView) -> int:
    """What a row takes of Lambda's 6 MB: UTF-8, and once more escaped, because an answer is text within JSON."""
    text = json.dumps(shown, ensure_ascii=False)
    return len(text.encode()) + text.count('"') + text.count("\\")


def result(world: BatchAws[HasBucket], task: Task, number: int) -> ResultView:
    """One row with its data. Raises NotFound."""
    found = row(world, task, number)
    return task_views.result(found, *_data(world, [found]))


def row(world: Tables, task: Task, number: int) -> Row:
    """One row as it is stored. Raises NotFound."""
    found = queries.row(world, task, number) if number < task.total else None
    if found is None:
        raise NotFound("There is no such result.")
    return found


def _data(world: BatchAws[HasBucket], rows: Sequence[Row]) -> list[JsonObject | None]:
    """The rows' payloads. Raises NotFound where their task was deleted meanwhile."""
    try:
        return payloads.read(world, rows)
    except objects.ObjectGone as error:
        tasks = [queries.task(world, key) for key in {row.task for row in rows}]
        if not any(task and task.deleted_at for task in tasks):
            raise
        raise NotFound("There is no such task.") from error
