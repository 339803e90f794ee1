"""What a caller sees of a task: how far it is, and its table, row by row."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

from sheaf import jobs
from sheaf.api import forecast, queue_looks, read_allowance, task_views
from sheaf.api.task_views import ResultListView, ResultView, TaskView
from sheaf.errors import InvalidRequest, NotFound
from sheaf.items import Row, Task
from sheaf.outside import objects
from sheaf.outside.needs import ApiWorld, BatchAws, HasBucket, Tables
from sheaf.plain_json import Json, JsonObject
from sheaf.protocol import payloads, queries
from sheaf.protocol.counts import Tally
from sheaf.protocol.latest import Later
from sheaf.protocol.lifecycle import CLOSED, RowStatus, TaskStatus

PAGE_ROWS = 500
GLANCE_ROWS = 50
PAGE_BYTES = 5_500_000  # as sent. Lambda takes 6 MB
LIVE_COUNT_ROWS = 1_000
SMALL_ROWS = 100  # what lies beside a table of so few rows is one read: whether that has changed is asked of it


def progress(world: ApiWorld, task: Task) -> TaskView:
    """The task with counts that add up: the last sweep's while they are fresh, counted now otherwise."""
    now = world.now()
    if task.status != TaskStatus.PROCESSING or forecast.is_fresh(task, now) or task.row_count > LIVE_COUNT_ROWS:
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
    task: Task
    start: int
    status: str | None
    later: Sequence[Task] | None  # the retries whose rows stand in their place; None where they are not asked for
    cut: str | None = None  # the verb of its desk that leaves out what was not asked for: `brief`, `glance`
    desk: Any = None  # of its kind of work, where that is deployed; may have what changes beside rows by itself
    known: Any = None  # what its desk knows of such changes; None where it was not asked

    @property
    def page_rows(self) -> int:
        return GLANCE_ROWS if self.cut == "glance" else PAGE_ROWS

    @property
    def is_asked_by_content(self) -> bool:
        return self.known is None and self.is_small

    @property
    def is_small(self) -> bool:
        return self.task.row_count <= SMALL_ROWS

    @property
    def tag(self) -> str | None:
        """Another for every other answer; none while a row may still change, which those of a closed task never do."""
        later = self.later or ()
        if any(each.status not in CLOSED for each in (self.task, *later)):
            return None
        chain = None if self.later is None else [(each.task, each.deleted_at) for each in later]
        known = self.known.tag if self.known else None
        parts = [self.task.task, self.task.completed_at, self.start, self.status, chain, self.cut, known]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:20]

    @property
    def reads(self) -> int:
        if self.status not in {None, RowStatus.COMPLETED}:
            return 0
        rows = min(self.task.row_count - self.start, self.page_rows)
        return rows if self.later else min(rows, self.task.completed)


def wish(
    world: ApiWorld, task: Task, *, cursor: str | None, status: str | None, view: str | None, known: Any = None
) -> Wish:
    """What was asked for, checked; `known` spares the desk's look at what changes beside rows. Raises InvalidRequest."""
    start = int(cursor or 0)
    if start and start >= task.row_count:
        raise InvalidRequest("cursor", f"is behind the end; the table has {task.row_count} rows.")
    asked = (view or "").split(",")
    later = queries.chain(world, task) if "latest" in asked else None
    cut = "glance" if "glance" in asked else "brief" if "values" in asked else None
    kind = world.settings.kinds.get(task.kind)
    wish = Wish(task, start, status, later, cut, jobs.desk(kind.desk) if kind else None, known)
    changes = getattr(wish.desk, "changes", None)
    return wish if known or wish.is_small or changes is None else wish._replace(known=changes(world, task))


def results(world: ApiWorld, asked: Wish, user: str | None) -> ResultListView:
    """A page of rows, cut by number and by bytes; in the view "latest", as retries left them. Raises TooFast."""
    read_allowance.spend(world, user, asked.reads, world.now(), goes_on=asked.start > 0)
    task, start, status = asked.task, asked.start, asked.status
    later = Later(world, asked.later) if asked.later else None
    page: list[ResultView] = []
    size = 0
    most = asked.page_rows
    while start < task.row_count and len(page) < most and size < PAGE_BYTES:
        end = min(task.row_count, (start // task.shard_rows + 1) * task.shard_rows)
        rows = queries.rows_from(world, task, start, min(end - start, most - len(page)))
        shown = later.instead_of(rows) if later else rows
        chosen = [(row, at.row) for row, at in zip(shown, rows, strict=True) if status in (None, row.status)]
        added, size, cut_at = _add(world, asked, page, chosen, size)
        start = cut_at if added < len(chosen) else (rows[-1].row + 1 if rows else end)
    return {"results": page, "nextCursor": str(start) if start < task.row_count else None}


def _add(
    world: ApiWorld, asked: Wish, page: list[ResultView], chosen: Sequence[tuple[Row, int]], size: int
) -> tuple[int, int, int]:
    data = _data(world, [row for row, _ in chosen])
    # A desk may have them: a row's data without what a table of many rows does not show, and what lies beside rows.
    cut = getattr(asked.desk, asked.cut, None) if asked.cut else None
    beside = _beside(world, asked.desk, asked.task, [row for row, _ in chosen], asked.known)
    for added, ((row, at), payload) in enumerate(zip(chosen, data, strict=True)):
        seen = beside(row, payload)
        shown = task_views.result(row, cut(payload, seen) if cut and payload else payload, seen)
        more = sent_bytes(shown)
        if page and size + more > PAGE_BYTES:
            return added, PAGE_BYTES, at
        page.append(shown)
        size += more
    return len(chosen), size, 0


def sent_bytes(shown: ResultView | Sequence[Json]) -> int:
    """What a row takes of Lambda's 6 MB: UTF-8, and once more escaped, because an answer is text within JSON."""
    text = json.dumps(shown, ensure_ascii=False)
    return len(text.encode()) + text.count('"') + text.count("\\")


def result(world: ApiWorld, task: Task, number: int) -> ResultView:
    """One row with its data, and what lies beside it. Raises NotFound."""
    found, data = row_and_data(world, task, number)
    kind = world.settings.kinds.get(task.kind)
    beside = _beside(world, jobs.desk(kind.desk) if kind else None, task, [found])
    return task_views.result(found, data, beside(found, data))


def row_and_data(world: BatchAws[HasBucket], task: Task, number: int) -> tuple[Row, JsonObject | None]:
    """One row and its payload. Raises NotFound."""
    found = row(world, task, number)
    (data,) = _data(world, [found])
    return found, data


def _beside(world: ApiWorld, desk: Any, task: Task, rows: Sequence[Row], known: Any = None) -> Callable[..., Any]:
    found: Callable[..., Any] | None = getattr(desk, "beside", None)
    return found(world, task, rows, known) if found else lambda *_: None


def row(world: Tables, task: Task, number: int) -> Row:
    """One row as it is stored. Raises NotFound."""
    found = queries.row(world, task, number) if number < task.row_count else None
    if found is None:
        raise NotFound("There is no such result.")
    return found


def _data(world: BatchAws[HasBucket], rows: Sequence[Row]) -> Iterator[JsonObject | None]:
    """The rows' payloads. Raises NotFound where their task was deleted meanwhile."""
    try:
        return payloads.read(world, rows)
    except objects.ObjectGone as error:
        tasks = [queries.task(world, key) for key in {row.task for row in rows}]
        if not any(task and task.deleted_at for task in tasks):
            raise
        raise NotFound("There is no such task.") from error
