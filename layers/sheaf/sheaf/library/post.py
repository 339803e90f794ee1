"""Messages of the intake's queue: S3's own, of an object that came, and ours, of a document to be looked at again."""

import json
import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote_plus

from botocore.exceptions import ClientError

from sheaf import requests
from sheaf.access import PROJECT
from sheaf.errors import Unavailable
from sheaf.library import names
from sheaf.library.models import Document
from sheaf.models import MESSAGE_MAX
from sheaf.store import call
from sheaf.wiring import World

VERSION = 1
BATCH = 10


@dataclass(frozen=True)
class Word:
    """What a message says: look at this document; with its key if an object has come."""

    project: str
    document: str
    key: str | None = None


def send(world: World[Any], documents: Sequence[Document]) -> None:
    """One message a document. Raises Unavailable when the queue did not take them all: the sweep sends those again."""
    for start in range(0, len(documents), BATCH):
        entries = [
            {"Id": str(number), "MessageBody": _body(item), "MessageGroupId": item.project}
            for number, item in enumerate(documents[start : start + BATCH])
        ]
        reply = call(world, "sqs", "send_message_batch", QueueUrl=world.settings.intake_queue, Entries=entries)
        if reply.get("Failed"):
            raise Unavailable(f"sqs.send_message_batch: {len(reply['Failed'])} entries were not taken")


def _body(item: Document) -> str:
    body = json.dumps({"v": VERSION, "p": item.project, "d": item.document}, separators=(",", ":"))
    assert len(body.encode()) < MESSAGE_MAX, "a message carries ids only"
    return body


def read(body: str) -> list[Word] | None:
    """What a message says; None when it cannot be read. S3's notice of a new subscription says nothing."""
    try:
        content = json.loads(body)
        if "d" in content:
            return _ours(content)
        if content.get("Event") == "s3:TestEvent":
            return []
        found = [_arrived(record["s3"]["object"]) for record in content["Records"]]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return [word for word in found if word is not None]


def _ours(content: dict[str, Any]) -> list[Word] | None:
    project, document = content["p"], content["d"]
    known = content["v"] == VERSION and PROJECT.fullmatch(project) and requests.NAME.fullmatch(document)
    return [Word(project, document)] if known else None


def _arrived(told: dict[str, Any]) -> Word | None:
    """S3 writes keys as forms do. An object that is no document's is none of ours."""
    key = unquote_plus(told["key"])
    place = names.arrived(key)
    return Word(*place, key) if place else None


def hide(world: World[Any], receipt: str, seconds: float) -> None:
    """Keep a message out of sight; if that fails, it comes back by itself."""
    with suppress(ClientError, Unavailable):
        call(
            world,
            "sqs",
            "change_message_visibility",
            QueueUrl=world.settings.intake_queue,
            ReceiptHandle=receipt,
            VisibilityTimeout=max(1, min(math.ceil(seconds), 12 * 3600 - 600)),
        )
