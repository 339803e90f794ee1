"""The task's list of rows in parts, durable in S3 before the task is: from it every row can be made again. Pure."""

import hashlib
import json
import zlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sheaf.items import FILENAME_MAX, Row, Task
from sheaf.outside.objects import ObjectGone

PART = 2_000  # rows of a part. Never another number: manifests that are stored are cut by it


class PinnedItem(NamedTuple):
    name: str
    key: str
    version: str | None
    sha256: str | None
    filename: str
    refusal: str | None = None  # why it cannot be worked on; its row is written as an error at once
    size: int = 0  # bytes


def prefix(task: str, mark: str) -> str:
    """Where its parts lie. Who writes them anew, with other rows in them, takes another mark."""
    return f"tasks/{task}/manifest-{mark}"


def parts(first: int, count: int) -> range:
    return range(first // PART, -(-(first + count) // PART))


def key(where: str, number: int) -> str:
    return f"{where}/{number:04d}"


def written(task: str, rows: Sequence[PinnedItem]) -> tuple[str, dict[str, bytes]]:
    """Its prefix, and its parts by key. The mark is the content's: whoever writes it again, now or in a year, writes the same."""
    texts = [_text(rows[part * PART : (part + 1) * PART]) for part in parts(0, len(rows))]
    where = prefix(task, hashlib.sha256(b"".join(texts)).hexdigest()[:20])
    return where, {key(where, number): zlib.compress(text) for number, text in enumerate(texts)}


def packed(rows: Sequence[PinnedItem]) -> bytes:
    """One part; all but the last have `PART` rows."""
    return zlib.compress(_text(rows))


def keys(task: Task) -> list[str]:
    return [key(task.manifest_key, number) for number in parts(0, task.row_count)]


def part(task: Task, number: int, content: bytes) -> list[PinnedItem]:
    """The rows of one part, from its bytes in whatever version: old ones expire. Raises ObjectGone where these are no such part."""
    try:
        rows = [PinnedItem(*row) for row in json.loads(zlib.decompress(content))]
    except (zlib.error, ValueError, TypeError) as error:
        raise ObjectGone(key(task.manifest_key, number)) from error
    if len(rows) != min(PART, task.row_count - number * PART):
        raise ObjectGone(key(task.manifest_key, number))
    return rows


def rows(task: Task, contents: Sequence[bytes]) -> Iterator[PinnedItem]:
    """All of them, in their order, from the bytes of all its parts. Raises ObjectGone."""
    for number, content in enumerate(contents):
        yield from part(task, number, content)


def _text(rows: Sequence[PinnedItem]) -> bytes:
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":")).encode()


def item(row: Row) -> PinnedItem:
    name = row.filename or row.document
    return PinnedItem(row.document, row.pinned_key, row.pinned_version, row.pinned_sha256, name)


def cut(filename: str) -> str:
    """A name short enough for a row that is read at every sweep; its end, with the type, stays."""
    raw = filename.encode()
    if len(raw) <= FILENAME_MAX:
        return filename
    head, tail = raw[: FILENAME_MAX - 20], raw[-16:]
    return f"{head.decode(errors='ignore')}…{tail.decode(errors='ignore')}"
