"""What came of rows: written, read and erased here alone. ADR 41.

A payload is an item beside its row, under its attempt; only one that is large even when it is packed is an S3 object. It
is there before the write that points at it, so an attempt that dies or comes late leaves a payload that nobody reads.
"""

import json
import zlib
from collections.abc import Mapping, Sequence
from typing import IO, cast

from sheaf.items import Payload, Row, Task, shard_key
from sheaf.outside import objects
from sheaf.outside.needs import BatchAws, BatchTables, HasBucket, Objects
from sheaf.outside.store import Key, Refused, delete, get_many, put, query_raw
from sheaf.plain_json import JsonObject

BESIDE = "beside"
"""The `data_key` of a row whose payload is an item; any other is an object's key."""
ITEM_BYTES = 100_000
ATTEMPTS = 1_000_000
"""More than any row is ever claimed."""


def write(world: Objects, row: Row, data: JsonObject, file: IO[bytes] | None) -> str | None:
    """Store what came of this claim, or its file: the row's `data_key`. None where a lost row's first life left a payload in its place."""
    if file:
        with file:
            objects.put(world, _object_key(row, "file"), file)
        return _object_key(row, "file")
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    packed = zlib.compress(text)
    if len(packed) > ITEM_BYTES:
        objects.put(world, _object_key(row, "json"), text)
        return _object_key(row, "json")
    item = Payload(*_place(row), claim=row.token, packed=packed)
    written = put(world, item, Payload.shard.does_not_exist(), already=lambda found: bool(found.claim == row.token))
    return None if isinstance(written, Refused) else BESIDE


def read(world: BatchAws[HasBucket], rows: Sequence[Row]) -> list[JsonObject | None]:
    """The payload of each row, None where it points at none: a hundred items are one read. Raises ObjectGone, Unavailable."""
    keys = [_key(*_place(row)) for row in rows if row.data_key == BESIDE]
    found: dict[str | None, bytes] = {item.claim: item.packed for item in get_many(world, Payload, keys)}
    return world.parallel(lambda row: _payload(world, row, found) if row.data_key else None, rows)


def _payload(world: Objects, row: Row, found: Mapping[str | None, bytes]) -> JsonObject:
    if row.data_key == BESIDE and row.token not in found:
        raise objects.ObjectGone(row.data_key)
    text = zlib.decompress(found[row.token]) if row.data_key == BESIDE else objects.get(world, str(row.data_key))
    return cast("JsonObject", json.loads(text))


def erase(world: BatchTables, task: Task, number: int, kept: Sequence[Row] = ()) -> int:
    """The payloads of a shard but those that these rows point at; gives how many went.

    For tasks that have closed: their rows never point at anything else again.
    """
    claims = {row.token for row in kept if row.data_key == BESIDE}
    shard = _beside(shard_key(task.task, number))
    stored = query_raw(world, Payload, Payload.shard == shard)
    gone = [int(item["row"]["N"]) for item in stored if item["claim"]["S"] not in claims]
    world.parallel(lambda at: delete(world, Payload, _key(shard, at), Payload.shard.exists()), gone)
    return len(gone)


def _place(row: Row) -> tuple[str, int]:
    return _beside(row.shard), row.row * ATTEMPTS + row.attempt


def _key(shard: str, at: int) -> Key:
    return {"shard": shard, "row": at}


def _beside(shard: str) -> str:
    return f"{shard}/data"


def _object_key(row: Row, ending: str) -> str:
    return f"tasks/{row.task}/rows/{row.row}-{row.attempt}.{ending}"
