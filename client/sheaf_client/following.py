"""What takes its time, drawn as a bar meanwhile: files that go up and are read, a task until it has closed."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeGuard, TypeVar

import click

from sheaf_client import terminal, transport
from sheaf_client.transport import Refused

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from click._termui_impl import ProgressBar

    from sheaf_client.api import Sheaf
    from sheaf_client.shapes import Document, Task

T = TypeVar("T")


def put(to: Sheaf, base_id: str, files: Sequence[Path]) -> list[Document | Refused]:
    with ThreadPoolExecutor(transport.TOGETHER) as pool:
        sent = list(_drawn(pool.map(lambda file: _put(to, base_id, file), files), len(files), "sent"))
    read = (each if isinstance(each, Refused) else to.read(each["documentId"]) for each in sent)
    return list(_drawn(read, len(files), "read"))


def is_ready(ended: Document | Refused) -> TypeGuard[Document]:
    return not isinstance(ended, Refused) and ended["status"] == "ready"


def follow(of: Sheaf, task_id: str) -> Task:
    """A task when it has closed; where there is no terminal, a line for each change."""
    bar: ProgressBar[int]
    said = ""
    with click.progressbar(length=1, label=f"Task {task_id}", show_eta=False, file=sys.stderr) as bar:
        for task in of.watch(task_id):
            bar.length = task["totalCount"] or 1
            done, bar.label = terminal.progress(task)
            bar.update(done - bar.pos)
            bar.render_progress()
            if (why := terminal.why(task)) != said:
                said = why
                click.echo("\n" * sys.stderr.isatty() + terminal.harmless(why), err=True, nl=bool(why))
    return task


def _put(to: Sheaf, base_id: str, file: Path) -> Document | Refused:
    try:
        return to.upload(base_id, file)
    except Refused as refused:
        return refused


def _drawn(items: Iterable[T], length: int, label: str) -> Iterator[T]:
    with click.progressbar(items, length, label, show_pos=True, file=sys.stderr) as bar:
        yield from bar
