"""What goes through a queue: ids only, under 200 bytes. A message is a hint; the row decides."""

import json
import re
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import unquote_plus

from sheaf.errors import Unavailable
from sheaf.items import MESSAGE_MAX, AnyRow, shard_key
from sheaf.outside.needs import BatchTables, Tables
from sheaf.outside.store import Key, call

VERSION = 1
UPLOADED = "uploaded"  # the name, below its task, of a file that a task of one row waits for
ARRIVED = re.compile(rf"tasks/([\w-]{{1,40}}/[\w-]{{1,40}})/{UPLOADED}", re.ASCII)
BATCH = 10
DELAY_MAX = 900  # SQS's own
PAUSES = (0.1, 0.5, 2.0)
SHARD = re.compile(r"[\w-]{1,40}/[\w-]{1,40}/\d{4,9}", re.ASCII)
ENGINE = re.compile(r"[a-z]{1,20}")
ROWS_MAX = 10**9
COUNTERS = [f"ApproximateNumberOfMessages{which}" for which in ("", "NotVisible", "Delayed")]


class Address(NamedTuple):
    shard: str
    row: int
    engine: str | None = None  # a hint, for the gate to be read before the row is; the row says which it is

    @property
    def key(self) -> Key:
        return {"shard": self.shard, "row": self.row}

    @property
    def task(self) -> str:
        return self.shard.rpartition("/")[0]


def encode(row: AnyRow) -> str:
    return body_of(row.shard, row.row, row.provider)


def body_of(shard: str, row: int, provider: str | None) -> str:
    engine = {"e": provider} if provider else {}
    body = json.dumps({"v": VERSION, "s": shard, "r": row, **engine}, separators=(",", ":"))
    assert len(body.encode()) < MESSAGE_MAX, "a message carries ids only"
    return body


def decode(body: str) -> Address | None:
    """The row that a message speaks of, or None when it cannot be read. S3's notice of a file speaks of the row that waits for it."""
    try:
        content = json.loads(body)
        if "Records" in content:
            (record,) = content["Records"]
            found = ARRIVED.fullmatch(unquote_plus(record["s3"]["object"]["key"]))
            return Address(shard_key(found[1], 0), 0) if found else None
        version, shard, row = content["v"], content["s"], content["r"]
        engine = content.get("e")
        named = engine is None or (isinstance(engine, str) and ENGINE.fullmatch(engine))
        known = named and version == VERSION and SHARD.fullmatch(shard) and type(row) is int and 0 <= row < ROWS_MAX
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return Address(shard, row, engine) if known else None


def post(world: BatchTables, queue: str, bodies: Sequence[tuple[str, str]], delay: int = 0) -> None:
    """A message for each of these bodies, under its project. Raises Unavailable when the queue did not take them all."""
    batches = [bodies[at : at + BATCH] for at in range(0, len(bodies), BATCH)]
    world.parallel(lambda batch: _send_batch(world, queue, batch, delay), batches)


def _send_batch(world: BatchTables, queue: str, bodies: Sequence[tuple[str, str]], delay: int) -> None:
    later = {"DelaySeconds": min(delay, DELAY_MAX)} if delay else {}
    numbered = ((str(number), *each) for number, each in enumerate(bodies))
    entries = [
        {"Id": name, "MessageBody": body, "MessageGroupId": project, **later} for name, project, body in numbered
    ]
    for pause in (0.0, *PAUSES):
        if pause:
            world.sleep(pause * (0.5 + world.chance()))
        reply = call(world, "sqs", "send_message_batch", QueueUrl=queue, Entries=entries)
        failed = {failure["Id"] for failure in reply.get("Failed", [])}
        entries = [entry for entry in entries if entry["Id"] in failed]
        if not entries:
            return
    raise Unavailable(f"sqs.send_message_batch: {len(entries)} entries were not taken")


def counters(world: Tables, queue: str) -> list[int]:
    """How many messages a queue says are visible, in flight and delayed. Approximate, as all that it says."""
    return [int(value) for value in attributes(world, queue, COUNTERS)]


def attributes(world: Tables, queue: str, names: Sequence[str]) -> list[str]:
    reply = call(world, "sqs", "get_queue_attributes", QueueUrl=queue, AttributeNames=names)
    return [reply["Attributes"].get(name, "0") for name in names]
