"""A workbook's session, as callers open, read, change and delete it. A session is a chain of tasks of one row each.

The first task reads the upload, each later one a change of the version before it. A version is there when its row is
completed: that one write is the only pointer, and the chain lets only one task follow another (docs/sheets.md).
"""

import hashlib
import json
from collections.abc import Sequence
from functools import partial
from itertools import accumulate
from typing import Any, NamedTuple, cast

from sheaf import ids
from sheaf.api import bodies, idempotency, task_views
from sheaf.api.access import Caller, Role
from sheaf.api.task_table import PAGE_BYTES, sent_bytes
from sheaf.errors import Conflict, InvalidRequest, NotFound, TooMuch
from sheaf.items import Row, Task, task_key
from sheaf.jobs import Ordered
from sheaf.outside import objects
from sheaf.outside.needs import ApiWorld, BatchTables
from sheaf.outside.objects import ObjectGone, UploadFormView
from sheaf.outside.store import Refused, Written, get_many
from sheaf.protocol import lifecycle, queries, quotas, row_messages, scatter
from sheaf.protocol.lifecycle import CLOSED, RowStatus
from sheaf.protocol.manifest import PinnedItem
from sheaf.schemas import instant
from sheaf.visible import cleaned
from sheets import session_shapes as shapes
from sheets import table_file
from sheets.session_shapes import SessionStatusView, SessionView, SheetRowsView, State, Step

KIND = "clean_sheet"
LISTED, PAGES = 100, 20
SAVES_MAX = 100
CELLS_SENT = 200_000  # of one preview: no more are unpacked at once
EXACT = 10**15
SECOND_MS = 1000
BYTES = "application/octet-stream"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
STALE = "Somebody has saved another version since, or is saving one. Look at it, and make your changes again."
OPEN = frozenset({RowStatus.PENDING, RowStatus.EXTRACTING})
ALIVE = OPEN | {RowStatus.COMPLETED}


class Workbook(NamedTuple):
    """The chain, oldest first, and each version's row where it is known by now."""

    tasks: Sequence[Task]
    rows: Sequence[Row | None]

    @property
    def first(self) -> Task:
        return self.tasks[0]

    @property
    def shown(self) -> int | None:
        """The newest version that is there, counted from 0."""
        there = [at for at, row in enumerate(self.rows) if row and row.status == RowStatus.COMPLETED]
        return there[-1] if there else None


def create(world: ApiWorld, caller: Caller, body: str | None, header_key: str | None) -> idempotency.Opened[Workbook]:
    """Open a session that waits for its file. Raises Forbidden, InvalidRequest, Conflict, TooMuch, Unavailable."""
    caller.must_be(Role.EDITOR)
    wish, settings = bodies.fields_of(body, shapes.NewSessionBody), world.settings
    if wish["size"] > (most := settings.sheet_bytes):
        raise InvalidRequest("size", f"is more than {most} bytes, the most that one workbook may have here.")
    key = bodies.idempotency_key(header_key, wish.get("idempotencyKey"))
    name = scatter.task_id(caller.project, f"sheet {idempotency.seed(world, key)}")
    task = task_key(caller.project, name)
    asked = _sha256([wish["filename"], wish["size"], wish["sha256"]])
    before = queries.task(world, task) if key is not None else None
    if before is None:
        most = settings.sheets_per_project
        if quotas.take(world, caller.project, quotas.Quota("sheets", most, _alive), name):
            raise TooMuch(f"A project has at most {most} workbooks at once. Delete one, or wait until one expires.")
        quotas.check(world, caller.project, name, 1)
        now = world.now()
        options: dict[str, Any] = {
            "filename": cleaned(wish["filename"]) or "workbook",
            "size": wish["size"],
            "sha256": wish["sha256"],
            "uploadUntil": now + settings.upload_seconds * 1000,
            "limits": {"rows": settings.sheet_rows, "columns": settings.sheet_columns, "cells": settings.sheet_cells},
        }
        item = PinnedItem(name, _uploaded(task), None, wish["sha256"], options["filename"], size=wish["size"])
        about: dict[str, Any] = {"kind": KIND, "created_by": caller.user, "listed_in": _list(caller.project)}
        about |= {"body_sha256": asked, "expires_at": now + settings.sheet_minutes * 60_000}
        opened = scatter.begin(world, task, Ordered([item], options, options, awaited=settings.upload_seconds), **about)
        if not isinstance(opened, Refused):
            return idempotency.Opened(_look(world, opened), replayed=False)
        before = opened.item
    gone = Conflict("session-over", "The session of this idempotency key was deleted or has expired. Use a new key.")
    found = idempotency.replayed(before, same=before is not None and before.body_sha256 == asked, deleted=gone).item
    if found.is_over(world.now()):
        raise gone
    return idempotency.Opened(_look(world, found), replayed=True)


def upload_form(world: ApiWorld, session: Workbook) -> UploadFormView | None:
    """None where the time for it is over, or it has come."""
    options, row = session.first.options or {}, session.rows[0]
    left = min(options["uploadUntil"], session.first.expires_at or 0) - world.now()
    if left < SECOND_MS or (row and row.status not in OPEN):
        return None
    key, size, seconds = _uploaded(session.first.task), options["size"], left // SECOND_MS
    return objects.upload_form(world, key, content_type=BYTES, size=size, sha256=options["sha256"], seconds=seconds)


def find(world: ApiWorld, caller: Caller, session_id: str) -> Workbook:
    """Raises NotFound, also for one that has expired, in the same words for another project's as for none."""
    found = queries.task(world, task_key(caller.project, session_id)) if ids.NAME.fullmatch(session_id) else None
    if found is None or found.listed_in != _list(caller.project) or found.is_over(world.now()):
        raise NotFound("There is no such session.")
    return _look(world, found)


def every(world: ApiWorld, caller: Caller) -> list[Workbook]:
    """The newest that have not expired."""
    found: list[Task] = []
    after = None
    for _ in range(PAGES):
        page = queries.listed_tasks(world, _list(caller.project), after, LISTED)
        found += [task for task in page.items if not task.is_over(world.now())]
        after = page.after
        if after is None or len(found) >= world.settings.sheets_per_project:
            break
    return world.parallel(lambda task: _look(world, task), found)


def delete(world: ApiWorld, caller: Caller, session_id: str) -> None:
    """Nobody finds it again; its files go when nothing works on it any more. Raises Forbidden, NotFound."""
    caller.must_be(Role.EDITOR)
    session = find(world, caller, session_id)
    for task in session.tasks:
        lifecycle.discard(world, task, caller.user, world.now())
        if task.status not in CLOSED:
            scatter.nudge(world, task.task)
    scatter.invoke(world, world.settings.janitor_function, {"source": "api", "task": session.first.task})


def save(world: ApiWorld, caller: Caller, session_id: str, body: str | None) -> Workbook:
    """Have a change written as the next version. Raises Forbidden, InvalidRequest, NotFound, Conflict, TooMuch, Unavailable."""
    caller.must_be(Role.EDITOR)
    wish = bodies.fields_of(body, shapes.SavedTableBody)
    change = _change(wish)
    _check_size(world, wish)
    session = find(world, caller, session_id)
    asked = _sha256([wish["version"], change])
    if _has(session, asked):
        return session
    shown, row = _ready(session)
    newest = session.rows[-1]
    if wish["version"] != shown + 1 or newest is None or newest.status in OPEN:
        raise Conflict("stale-version", STALE, version=shown + 1)
    if len(session.tasks) > SAVES_MAX:
        reason = f"A session keeps {SAVES_MAX} versions at most. Download it, and upload it anew."
        raise Conflict("limit-reached", reason)
    base = {"key": row.data_key, "head": (row.summary or {})["head"]}
    options: dict[str, Any] = {"filename": _filename(session), "base": base}
    name = scatter.task_id(caller.project, f"sheet {session.first.id} {session.tasks[-1].id} {asked}")
    task = task_key(caller.project, name)
    quotas.check(world, caller.project, name, 1)
    objects.put_once(world, _change_key(task), change)
    item = PinnedItem(session.first.id, _change_key(task), None, None, options["filename"])
    opened = _follow(world, caller, session, Ordered([item], options, options), task=task, asked=asked)
    if not isinstance(opened, Refused):
        return Workbook([*session.tasks, opened], [*session.rows, None])
    after = find(world, caller, session_id)
    if not _has(after, asked):
        raise Conflict("stale-version", STALE, version=shown + 1)
    return after


def _has(session: Workbook, asked: str) -> bool:
    """Whether this very change was saved, or is being saved; one that failed may be tried again."""
    lives = (row is None or row.status in ALIVE for row in session.rows)
    return any(task.body_sha256 == asked and alive for task, alive in zip(session.tasks, lives, strict=True))


def _follow(world: ApiWorld, caller: Caller, book: Workbook, new: Ordered, *, task: str, asked: str) -> Written[Task]:
    """One more task at the end of the chain, unless another was quicker."""
    about: dict[str, Any] = {"kind": KIND, "created_by": caller.user, "body_sha256": asked}
    about |= {"expires_at": book.first.expires_at, "listed_in": book.first.task}
    return scatter.begin(world, task, new, parent=book.tasks[-1], **about)


def _change(wish: shapes.SavedTableBody) -> dict[str, Any]:
    """Raises InvalidRequest for one that says nothing, or too much."""
    whole, parts = {"columns", "rows"} & wish.keys(), {"cells", "removedRows"} & wish.keys()
    if whole and (parts or len(whole) == 1):
        raise InvalidRequest("rows", "needs columns beside it, and neither cells nor removedRows.")
    if not any(wish.get(name) for name in (*parts, *whole)):
        raise InvalidRequest("cells", "says no change; send cells, removedRows, or columns and rows.")
    if whole and any(len(row) != len(wish["columns"]) for row in wish["rows"]):
        raise InvalidRequest("rows", "needs a value for each column in each row, null where there is none.")
    said = {name: value for name, value in wish.items() if name not in {"version", "sheet"}}
    cells, rows = wish.get("cells", ()), wish.get("rows", ())
    values = (*(cell["value"] for cell in cells), *(value for row in rows for value in row))
    if any(isinstance(value, int | float) and abs(value) >= EXACT for value in values):
        reason = "hold a number of more than 15 digits, which browsers cannot keep; send it as a text."
        raise InvalidRequest("cells", reason)
    return {"sheet": wish.get("sheet"), **said}


def _check_size(world: ApiWorld, wish: shapes.SavedTableBody) -> None:
    """Raises InvalidRequest for a whole table that is larger than one that is read."""
    rows, columns = len(wish.get("rows", ())), len(wish.get("columns", ()))
    for name, there, most in (
        ("rows", rows, world.settings.sheet_rows),
        ("columns", columns, world.settings.sheet_columns),
        ("rows", rows * columns, world.settings.sheet_cells),
    ):
        if there > most:
            raise InvalidRequest(name, f"are more than a table may have here: {there}, where {most} is the most.")


def rows(
    world: ApiWorld, caller: Caller, book: Workbook, *, sheet: int | None, offset: int, count: int
) -> SheetRowsView:
    """Raises Conflict where nothing is ready, InvalidRequest for a sheet that is not there."""
    shown, row = _ready(book)
    about = _about(world, caller, book)
    if sheet is None:
        sheet = next((at for at, each in enumerate(about) if not each["problem"]), 0)
    if sheet >= len(about):
        raise InvalidRequest("sheet", f"is not there; the last one is {len(about) - 1}.")
    names, total = [column["name"] for column in about[sheet]["columns"]], about[sheet]["rows"]
    wanted = min(count, max(1, CELLS_SENT // max(1, len(names))))
    span = table_file.span((row.summary or {})["head"], about, sheet, offset, wanted)
    found = span.rows(objects.get(world, str(row.data_key), part=(span.start, span.end))) if span.many else []
    sizes = accumulate(map(sent_bytes, found))
    sent = [each for each, size in zip(found, sizes, strict=True) if size <= PAGE_BYTES]
    if found and not sent:
        raise InvalidRequest("offset", "is a row with more text than one answer may have. Take the clean data.")
    return SheetRowsView(version=shown + 1, sheet=sheet, offset=offset, total=total, columns=names, rows=sent)


def data(world: ApiWorld, caller: Caller, session: Workbook) -> shapes.SheetDataView:
    """Where the version that is shown can be had, or the file of which none could be made. Raises Conflict."""
    name, failed = _filename(session), session.shown is None and _state(session.rows[0])[0] == "error"
    shown, row = (0, None) if failed else _ready(session)
    if row:
        _about(world, caller, session)
    stem, key = name.rpartition(".")[0] or name, str(row.data_key if row else "")
    is_saved = row is not None and (row.summary or {})["original"]
    saved_as = (f"{key}.original", f"{stem}-v{shown + 1}.xlsx", XLSX)
    original, called, kind = saved_as if is_saved else (_uploaded(session.first.task), name, BYTES)
    link = partial(objects.file_link, world, version=None)
    return {
        "version": shown + 1,
        "clean": link(key, filename=f"{stem}.jsonl.gz", content_type="application/gzip") if row else None,
        "original": link(original, filename=called, content_type=kind),
    }


def _ready(session: Workbook) -> tuple[int, Row]:
    """Raises Conflict."""
    if session.shown is None:
        raise Conflict("not-ready", "This workbook is not ready. Its status says how far it is.")
    return session.shown, cast("Row", session.rows[session.shown])


def _about(world: ApiWorld, caller: Caller, session: Workbook) -> list[dict[str, Any]]:
    """What the clean file says of itself. One that is gone is made again: then Conflict is raised."""
    _, row = _ready(session)
    try:
        return table_file.sheets(objects.get(world, str(row.data_key), part=(0, (row.summary or {})["head"])))
    except ObjectGone as error:
        _read_again(world, caller, session)
        raise Conflict("read-again", "The clean table was missing; it is made again. Ask again in a moment.") from error


def _read_again(world: ApiWorld, caller: Caller, session: Workbook) -> None:
    shown, row = _ready(session)
    asked = _sha256(["again", session.tasks[shown].id])
    if len(session.tasks) - 1 > shown and session.rows[-1] and session.rows[-1].status in ALIVE:
        return
    if any(task.body_sha256 == asked for task in session.tasks):
        raise Conflict("read-again", "The clean table is gone, and could not be made again. Upload the workbook anew.")
    task = task_key(caller.project, scatter.task_id(caller.project, f"sheet {session.first.id} {asked}"))
    item = PinnedItem(row.document, row.pinned_key, None, row.pinned_sha256, _filename(session))
    options = session.tasks[shown].options or {}
    _follow(world, caller, session, Ordered([item], options, options), task=task, asked=asked)


def status(session: Workbook) -> SessionStatusView:
    newest, shown = len(session.tasks) - 1, session.shown
    state, step, problem = _state(session.rows[0] if shown is None else session.rows[shown])
    save: shapes.SaveView | None = None
    if shown is not None and newest > shown:
        its, doing, why = _state(session.rows[newest])
        doing = "waiting" if doing == "uploading" else doing
        save = {"version": newest + 1, "status": its, "step": doing, "errorMessage": why}
    name, at = session.first.id, (shown or 0) + 1
    return SessionStatusView(sessionId=name, status=state, step=step, version=at, errorMessage=problem, save=save)


def _state(row: Row | None) -> tuple[State, Step | None, str | None]:
    if row is None:
        return "processing", "uploading", None
    if row.status == RowStatus.EXTRACTING:
        return "processing", cast("Step", task_views.step_now(row) or "reading"), None
    if row.status == RowStatus.PENDING:
        return "processing", "waiting" if row.attempt else "uploading", None
    return "ready" if row.status == RowStatus.COMPLETED else "error", None, row.error_message


def view(session: Workbook) -> SessionView:
    first = session.first
    return SessionView(
        **status(session),
        filename=_filename(session),
        size=(first.options or {})["size"],
        createdAt=instant(first.created_at),
        createdBy=first.created_by,
        expiresAt=instant(first.expires_at),
    )


def detail(world: ApiWorld, caller: Caller, session: Workbook) -> shapes.SessionDetailView:
    names = shapes.SheetView.__annotations__
    found = _about(world, caller, session) if session.shown is not None else None
    sheets = None if found is None else [{name: each[name] for name in names} for each in found]
    return shapes.SessionDetailView(**view(session), sheets=cast("list[shapes.SheetView] | None", sheets))


def _look(world: BatchTables, first: Task) -> Workbook:
    tasks = [first, *queries.chain(world, first)[::-1]]
    return Workbook(tasks, world.parallel(lambda task: queries.row(world, task, 0), tasks))


def _filename(session: Workbook) -> str:
    return str((session.first.options or {})["filename"])


def _list(project: str) -> str:
    return f"{project}/sheets"


def _uploaded(task: str) -> str:
    return f"tasks/{task}/{row_messages.UPLOADED}"


def _change_key(task: str) -> str:
    return f"tasks/{task}/change.json"


def _sha256(said: Any) -> str:
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def _alive(world: BatchTables, project: str, things: Sequence[str]) -> dict[str, bool]:
    found = get_many(world, Task, [{"task": task_key(project, thing)} for thing in things])
    return {task.id: not task.is_over(world.now()) for task in found}
