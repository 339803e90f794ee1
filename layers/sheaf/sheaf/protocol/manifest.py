"""The task's list of rows, durable in S3 before the task is: from it every row can be made again. Pure."""

import hashlib
import json
from collections.abc import Sequence
from typing import NamedTuple

from sheaf.items import FILENAME_MAX, Row, Task
from sheaf.outside.objects import ObjectGone

VERSION = 1


class PinnedItem(NamedTuple):
    """One item as it stood when the task was opened: the exact version of its bytes."""

    name: str
    key: str
    version: str | None
    sha256: str | None
    filename: str
    refusal: str | None = None
    """Why it cannot be worked on; its row is written as an error at once."""
    size: int = 0
    """Bytes."""


def written(task: str, rows: Sequence[PinnedItem]) -> tuple[str, str, bytes]:
    """Its key, its hash and its bytes. The key holds the hash: whoever writes it again, now or in a year, writes the same."""
    content = json.dumps({"v": VERSION, "rows": [row._asdict() for row in rows]}, ensure_ascii=False).encode()
    sha256 = hashlib.sha256(content).hexdigest()
    return f"tasks/{task}/manifest-{sha256[:20]}.json", sha256, content


def rows(task: Task, content: bytes) -> list[PinnedItem]:
    """From its bytes, in whatever version: repetitions of the request have written it anew, and old versions expire.

    Raises ObjectGone where it is not the one that the task was opened with.
    """
    if hashlib.sha256(content).hexdigest() != task.manifest_sha256:
        raise ObjectGone(task.manifest_key)
    return [PinnedItem(**row) for row in json.loads(content)["rows"]]


def item(row: Row) -> PinnedItem:
    """What a row was written for."""
    name = row.filename or row.document
    return PinnedItem(row.document, row.pinned_key, row.pinned_version, row.pinned_sha256, name)


def cut(filename: str) -> str:
    """A name short enough for a row that is read at every sweep; its end, with the type, stays."""
    raw = filename.encode()
    if len(raw) <= FILENAME_MAX:
        return filename
    head, tail = raw[: FILENAME_MAX - 20], raw[-16:]
    return f"{head.decode(errors='ignore')}…{tail.decode(errors='ignore')}"
