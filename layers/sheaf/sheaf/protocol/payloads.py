"""What came of rows: written, read and erased here alone. ADR 41.

A payload is there before the write that points at it: an attempt that dies or comes late leaves one that nobody reads.
"""

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, groupby
from operator import itemgetter
from typing import IO

from sheaf.items import Payload, Row, Task, shard_key
from sheaf.outside import objects
from sheaf.outside.needs import BatchAws, BatchTables, HasBucket, Objects, Tables
from sheaf.outside.store import Refused, delete, put, query_raw
from sheaf.plain_json import JsonObject

BESIDE = "beside"  # the `data_key` of a row whose payload is an item; any other is an object's key
ITEM_BYTES = 100_000
ATTEMPTS = 1_000_000  # more than any row is ever claimed


def write(
    world: Objects, row: Row, data: JsonObject, file: IO[bytes] | None, beside: Mapping[str, IO[bytes]] | None = None
) -> str | None:
    """Store what came of this claim, or its file: the row's `data_key`. None where a lost row's first life left a payload in its place."""
    if file:
        key = _object_key(row, "file")
        for where, content in ((key, file), *((f"{key}.{name}", each) for name, each in (beside or {}).items())):
            with content:
                objects.put(world, where, content)
        return key
    packed = zlib.compress(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode())
    if len(packed) > ITEM_BYTES:
        objects.put(world, _object_key(row, "packed"), packed)
        return _object_key(row, "packed")
    item = Payload(*_place(row), claim=row.token, packed=packed)
    written = put(world, item, Payload.shard.does_not_exist(), already=lambda found: bool(found.claim == row.token))
    return None if isinstance(written, Refused) else BESIDE


def read(world: BatchAws[HasBucket], rows: Sequence[Row]) -> Iterator[JsonObject | None]:
    """None where a row points at none; one query a shard, unpacked as taken. Raises ObjectGone, Unavailable."""
    places = sorted(_place(row) for row in rows if row.data_key == BESIDE)
    spans = [list(span) for _, span in groupby(places, key=itemgetter(0))]
    beside = dict(chain.from_iterable(world.parallel(lambda span: _between(world, span), spans)))
    stored = world.parallel(lambda row: _packed(world, row, beside) if row.data_key else None, rows)
    return (None if packed is None else json.loads(zlib.decompress(packed)) for packed in stored)


def _between(world: Tables, span: Sequence[tuple[str, int]]) -> list[tuple[str, bytes]]:
    """By their claims, the items of one shard from the first place to the last: those of lost attempts too."""
    condition = (Payload.shard == span[0][0]) & Payload.row.between(span[0][1], span[-1][1])
    items = query_raw(world, Payload, condition, ConsistentRead=True)
    return [(item["claim"]["S"], item["packed"]["B"]) for item in items]


def _packed(world: Objects, row: Row, beside: Mapping[str, bytes]) -> bytes:
    if row.data_key != BESIDE:
        return objects.get(world, str(row.data_key))
    if str(row.token) not in beside:
        raise objects.ObjectGone(row.data_key)
    return beside[str(row.token)]


def erase(world: BatchTables, task: Task, number: int, kept: Sequence[Row] = ()) -> int:
    """All but those that these rows point at, of a closed task: they never point at others. Gives how many went."""
    claims = {row.token for row in kept if row.data_key == BESIDE}
    shard = _beside(shard_key(task.task, number))
    stored = query_raw(world, Payload, Payload.shard == shard)
    gone = [int(item["row"]["N"]) for item in stored if item["claim"]["S"] not in claims]
    world.parallel(lambda at: delete(world, Payload, {"shard": shard, "row": at}, Payload.shard.exists()), gone)
    return len(gone)


def _place(row: Row) -> tuple[str, int]:
    return _beside(row.shard), row.row * ATTEMPTS + row.attempt


def _beside(shard: str) -> str:
    return f"{shard}/data"


def _object_key(row: Row, ending: str) -> str:
    return f"tasks/{row.task}/rows/{row.row}-{row.attempt}.{ending}"
