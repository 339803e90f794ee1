"""Write a task's table as one file: its rows as they are now, each whole, with what retries made of them."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from importlib import import_module
from io import SEEK_END
from tempfile import TemporaryFile
from typing import Any

from clinical.export_table.table import About, Paper
from clinical.own_templates import stored_versions
from clinical.review import accuracy, decided_values, review_heads, review_items
from sheaf.items import Row, Task
from sheaf.jobs import Done, Job, ReadItems
from sheaf.plain_json import JsonObject
from sheaf.protocol.lifecycle import RowStatus

WRITERS = {
    "xlsx": "workbook.write", "csv": "text_files.wide", "csv-long": "text_files.long", "jsonl": "text_files.json_lines",
}  # fmt: skip
Rows = Iterable[tuple[Row, JsonObject | None]]


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
    times = {"createdAt": task.created_at, "completedAt": task.completed_at, "writtenAt": wish["asOf"]}
    moments = {name: at and datetime.fromtimestamp(at // 1000, UTC) for name, at in times.items()}
    known = {"task": task.id, "by": task.created_by, **moments}
    known |= {"partial": wish["partial"] or None, "template": f"{template.label} ({pin})"}
    known |= {"costUsd": task.cost / 1_000_000 if task.cost else None}
    about = About(wish["language"], wish["link"], Counter(), Counter(), Counter(), known, {})
    module, _, writer = WRITERS[wish["format"]].partition(".")
    write = getattr(import_module(f"clinical.export_table.{module}"), writer)
    with ExitStack() as until_written:
        file = until_written.enter_context(TemporaryFile())
        write(file, _papers(rows, about, job.items, task), fields, about)
        written: dict[str, Any] = {"rows": about.rows.total(), "bytes": file.seek(0, SEEK_END)}
        file.seek(0)
        until_written.pop_all()
    return Done(written, written, {}, file)


def _papers(rows: Rows, about: About, query: ReadItems, task: Task) -> Iterator[Paper]:
    papers = review_heads.changes_by(query, task).papers
    for row, data in rows:
        read: dict[str, Any] = {"fields": {}, **(data or {})}
        is_decided = data and review_items.paper_of(task.project, row.document) in papers
        holds, made = review_heads.all_of(query, task, row.document) if is_decided else ({}, [])
        about.rows[row.status] += 1
        about.cells.update(value["state"] for value in read["fields"].values())
        about.tallies.update(accuracy.together([accuracy.tally(read["fields"], holds)], 1, about.tallies))
        if prompts := read.get("usage", {}).get("prompts"):
            about.known["prompts"] = prompts
        if read.get("engine"):
            about.engines[read["engine"]] += 1
        result, name = f"{row.task.partition('/')[2]}-{row.row}", row.filename or row.document
        problem = row.error_message if row.status == RowStatus.ERROR else None
        values = decided_values.decided(read["fields"], holds)
        yield Paper(result, row.document, name, row.status, problem, read.get("studyId"), values, made)
