"""Exports of a table: tasks of one row. The id follows from request and table: who asks again finds the same."""

import hashlib
import json
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, TypedDict

from clinical.own_templates import copies
from clinical.review import review_heads
from sheaf import ids
from sheaf.api import task_table
from sheaf.api.access import Caller
from sheaf.api.idempotency import Opened
from sheaf.errors import Conflict, InvalidRequest, NotFound
from sheaf.items import Row, Task, task_key
from sheaf.jobs import Ordered
from sheaf.outside import objects
from sheaf.outside.needs import ApiWorld, BatchTables
from sheaf.outside.store import Refused, as_it_is
from sheaf.plain_json import JsonObject
from sheaf.protocol import latest, queries, quotas, scatter
from sheaf.protocol.lifecycle import CLOSED, RowStatus
from sheaf.protocol.manifest import PinnedItem
from sheaf.schemas import Count, Id, Instant, Said, instant, show

KIND = "export_table"
DESK = "clinical.extract_paper.desk"
VERSION = 2  # of what the files look like: another makes the same request anew
COLUMNS_MAX, LISTED, TRIES = 500, 50, 100
DAY_MS = 24 * 3600 * 1000
XLSX, CSV = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "text/csv; charset=utf-8"
FORMATS = {"xlsx": (".xlsx", XLSX), "csv": (".csv", CSV), "csv-long": (".long.csv", CSV)}
FORMATS["jsonl"] = (".jsonl", "application/x-ndjson")
State = Literal["waiting", "writing", "ready", "failed"]
STATES: dict[str, State] = {RowStatus.COMPLETED: "ready", RowStatus.EXTRACTING: "writing", RowStatus.PENDING: "waiting"}
Format = Literal["xlsx", "csv", "csv-long", "jsonl"]
Language = Annotated[Literal["en", "zh", "both"], Said(description="Of the labels; the values are as in the papers.")]
COLUMNS = Said(minItems=1, maxItems=COLUMNS_MAX, uniqueItems=True, description="Names of fields; without it, all.")


class NewExportBody(TypedDict):
    format: Format
    columns: NotRequired[Annotated[list[Id] | None, COLUMNS]]
    language: NotRequired[Language]


class ExportView(TypedDict):
    exportId: Id
    taskId: Id
    format: Format
    language: Language
    columns: list[str] | None
    status: State
    partial: Annotated[bool, Said(description="The task was still running: rows that had not ended are empty.")]
    rows: Annotated[Count | None, Said(description="Of the table, when all of them are written.")]
    bytes: Count | None
    errorMessage: str | None
    filename: str
    url: Annotated[str | None, Said(description="Gives the file to whoever has it, for a quarter of an hour.")]
    lineSchema: Annotated[dict[str, object] | None, Said(description="JSON Schema of a line, for JSON Lines.")]
    createdAt: Instant
    expiresAt: Annotated[Instant, Said(description="Then the file is erased; the same request makes it anew.")]


class ExportListView(TypedDict):
    exports: list[ExportView]


class Export(NamedTuple):
    """An export and its row; of one that was ordered this moment there may be none yet."""

    task: Task
    row: Row | None

    @property
    def failed(self) -> bool:
        return self.row is not None and self.row.status in latest.AGAIN


def create(world: ApiWorld, caller: Caller, task: Task, wish: NewExportBody, origin: str | None) -> Opened[Export]:
    """Order a file, or find the one that is there already. Raises InvalidRequest, Conflict, TooMuch, Unavailable."""
    kind = world.settings.kinds.get(task.kind)
    if kind is None or kind.desk != DESK:
        raise Conflict("no-export", "Only tables of papers can be taken out as a file.")
    if task.total is None:
        raise Conflict("no-export", "This task has no table yet: its documents were not gathered.")
    parts = [task, *queries.chain(world, task)]
    partial = any(each.status not in CLOSED for each in parts)
    options = {**_options(world, task, wish, origin), "partial": partial}
    # How far the table and its retries are: another count, another file.
    shown = [task_table.progress(world, each) for each in parts]
    counts = [[each["taskId"], each["completedCount"], each["errorCount"], each["cancelledCount"]] for each in shown]
    said = [VERSION, options, counts, review_heads.changes(world, task).tag]
    for again in range(TRIES):
        # A file that could not be written, or has expired, is made anew for who asks again.
        opened = _open(world, caller, task, options, json.dumps([again, said], sort_keys=True))
        if not opened.replayed or not (opened.item.failed or opened.item.task.is_over(world.now())):
            break
    return opened


def _options(world: ApiWorld, task: Task, wish: NewExportBody, origin: str | None) -> JsonObject:
    columns, names = wish.get("columns"), [field.name for field in copies.of_task(world, task).fields]
    if unknown := [name for name in columns or () if name not in names]:
        raise InvalidRequest("columns", f"has no field {unknown[0]}; there are: {', '.join(names)}.")
    return {
        "task": task.id,
        "format": wish["format"],
        "language": wish.get("language", "both"),
        "columns": [*columns] if columns else None,
        "link": f"{origin}/#/{task.project}/tasks/{task.id}/results" if origin else None,
    }


def _open(world: ApiWorld, caller: Caller, task: Task, options: JsonObject, seed: str) -> Opened[Export]:
    name, now = scatter.task_id(caller.project, f"export {task.task} {seed}"), world.now()
    before = queries.task(world, task_key(caller.project, name))
    if before is not None:
        return Opened(_with_row(world, before), replayed=True)
    quotas.check(world, caller.project, name, 1)
    item = PinnedItem(task.id, task.manifest_key, None, None, task.id)
    dated = {**options, "asOf": now}
    said: Any = {"kind": KIND, "created_by": caller.user, "body_sha256": hashlib.sha256(seed.encode()).hexdigest()}
    said |= {"listed_in": task.task, "expires_at": now + world.settings.export_days * DAY_MS}
    opened = scatter.begin(world, task_key(caller.project, name), Ordered([item], dated, dated), **said)
    export = as_it_is(opened)
    assert export is not None, "it is refused only because it is there"
    return Opened(_with_row(world, export), replayed=isinstance(opened, Refused))


def _with_row(world: BatchTables, export: Task) -> Export:
    return Export(export, queries.row(world, export, 0))


def find(world: ApiWorld, task: Task, export_id: str) -> Export:
    """Raises NotFound, also for one that has expired."""
    found = queries.task(world, task_key(task.project, export_id)) if ids.NAME.fullmatch(export_id) else None
    if found is None or found.listed_in != task.task or found.is_over(world.now()):
        raise NotFound("There is no such export.")
    return _with_row(world, found)


def every(world: BatchTables, task: Task) -> list[Export]:
    listed = queries.listed_tasks(world, task.task, None, LISTED).items
    there = [each for each in listed if not each.is_over(world.now())]
    return world.parallel(lambda each: _with_row(world, each), there)


def shown(world: ApiWorld, task: Task, export: Export, *, linked: bool) -> ExportView:
    options, row = export.task.options or {}, export.row
    status = STATES.get(row.status, "failed") if row else "waiting"
    summary = (row.summary if row else None) or {}
    template, kind = (task.options or {})["template"].partition("@")[0], options["format"]
    ending, content_type = FORMATS[kind]
    filename = f"{template}-{task.id[:8]}{'.partial' if options['partial'] else ''}{ending}"
    url = lines = None
    if linked and row and status == "ready":
        url = objects.link(world, row.data_key, None, filename=filename, content_type=content_type)
    if url and kind == "jsonl":
        from clinical.export_table.text_files import line_schema  # noqa: PLC0415 - no other request waits for it

        lines = line_schema(copies.of_task(world, task).fields)
    said: Any = {"exportId": export.task.id, "taskId": task.id, "format": kind, "status": status, "filename": filename}
    said |= {name: options[name] for name in ("language", "columns", "partial")}
    said |= {name: summary.get(name) for name in ("rows", "bytes")}
    said |= {"createdAt": instant(export.task.created_at), "expiresAt": instant(export.task.expires_at)}
    said["errorMessage"] = row.error_message if row else None
    return show(ExportView, export, **said, url=url, lineSchema=lines)
