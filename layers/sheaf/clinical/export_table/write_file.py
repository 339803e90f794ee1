"""Write a task's table as one file: its rows as they are now, each whole, with what retries made of them."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from importlib import import_module
from io import SEEK_END
from tempfile import TemporaryFile
from typing import Any

from clinical.export_table.table import About, Paper
from clinical.own_templates import stored_versions
from clinical.review import review_heads
from clinical.review.accuracy import tally, together
from clinical.review.cell_addresses import Decided, Held
from clinical.review.decided_values import decided
from clinical.review.review_items import paper_of
from sheaf.items import Row, Task
from sheaf.jobs import Done, Job, ReadItems
from sheaf.plain_json import JsonObject
from sheaf.protocol.lifecycle import RowStatus

WRITERS = {
    "xlsx": ("workbook", "write"),
    "csv": ("text_files", "wide"),
    "csv-long": ("text_files", "long"),
    "jsonl": ("text_files", "json_lines"),
}


def work(job: Job) -> Done:
    """Raises Permanent where task or template are gone, Transient."""
    wish = job.options
    if job.table is None or job.items is None:
        raise TypeError("An export needs tables to read.")
    task, rows = job.table(wish["task"])
    pin = (task.options or {})["template"]
    template = stored_versions.of_job(job, pin)
    named = wish["columns"]
    fields = [field for field in template.fields if named is None or field.name in named]
    about = About(wish["language"], wish["link"], Counter(), Counter(), Counter(), {
        "task": task.id,
        "by": task.created_by,
        "createdAt": _moment(task.created_at),
        "completedAt": _moment(task.completed_at) if task.completed_at else None,
        "writtenAt": _moment(wish["asOf"]),
        "partial": wish["partial"] or None,
        "template": f"{template.label} ({pin})",
        "costUsd": task.cost / 1_000_000 if task.cost else None,
    }, {})  # fmt: skip
    module, writer = WRITERS[wish["format"]]
    write = getattr(import_module(f"clinical.export_table.{module}"), writer)
    with ExitStack() as until_written:
        file = until_written.enter_context(TemporaryFile())
        write(file, _papers(rows, about, _reviews(job.items, task)), fields, about)
        written: dict[str, Any] = {"rows": about.rows.total(), "bytes": file.seek(0, SEEK_END)}
        file.seek(0)
        until_written.pop_all()
    return Done(written, written, {}, file)


Reviews = Callable[[str], tuple[Decided, list[Held]]]


def _reviews(query: ReadItems, task: Task) -> Reviews:
    papers = review_heads.changes_by(query, task).papers

    def of(document: str) -> tuple[Decided, list[Held]]:
        is_decided = paper_of(task.project, document) in papers
        return review_heads.all_of(query, task, document) if is_decided else ({}, [])

    return of


def _papers(rows: Iterable[tuple[Row, JsonObject | None]], about: About, reviews: Reviews) -> Iterator[Paper]:
    for row, data in rows:
        read: dict[str, Any] = {"fields": {}, **(data or {})}
        holds, made = reviews(row.document) if data else ({}, [])
        about.rows[row.status] += 1
        about.cells.update(value["state"] for value in read["fields"].values())
        about.tallies.update(together([tally(read["fields"], holds)], 1, about.tallies))
        if prompts := read.get("usage", {}).get("prompts"):
            about.known["prompts"] = prompts
        if read.get("engine"):
            about.engines[read["engine"]] += 1
        yield Paper(
            result=f"{row.task.partition('/')[2]}-{row.row}",
            document=row.document,
            filename=row.filename or row.document,
            status=row.status,
            problem=row.error_message if row.status == RowStatus.ERROR else None,
            study=read.get("studyId"),
            values=decided(read["fields"], holds),
            decisions=made,
        )


def _moment(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds // 1000, UTC)
