"""Messages of the intake's queue: S3's own, of an object that came, and ours, under the project that they belong to.

The queue takes turns between projects, by the group that a message names. S3 names none, so each of its notices is sent on
by whoever receives it, which is a matter of milliseconds; what takes seconds, the reading, then waits in its project's turn.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote_plus

from sheaf import ids, messages
from sheaf.library import names
from sheaf.library.models import Document
from sheaf.needs import BatchAws, HasIntakeQueue
from sheaf.telemetry import say

VERSION = 1


@dataclass(frozen=True)
class Word:
    """What a message says: look at this document; with its key if an object has come."""

    project: str
    document: str
    key: str | None = None
    has_turn: bool = True
    """Whether the queue knew whose message it was."""


def send(world: BatchAws[HasIntakeQueue], documents: Sequence[Document]) -> None:
    """One message a document. Raises Unavailable when the queue did not take them all: the sweep sends those again."""
    _send(world, [Word(item.project, item.document) for item in documents])


def send_on(world: BatchAws[HasIntakeQueue], word: Word) -> None:
    """What S3 told, once more and under its project. Raises Unavailable."""
    _send(world, [word])


def _send(world: BatchAws[HasIntakeQueue], words: Sequence[Word]) -> None:
    messages.post(world, world.settings.intake_queue, [(word.project, _body(word)) for word in words])


def _body(word: Word) -> str:
    """Ids only. The object's key is told by its last part: the rest of it is made of the others."""
    told = {"v": VERSION, "p": word.project, "d": word.document}
    if word.key is not None:
        told |= {"k": word.key.rpartition("/")[2]}
    return json.dumps(told, separators=(",", ":"))


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


def say_dead(body: str, receives: int) -> bool:
    """Log a dead message of the intake. The library's sweep finds its documents. False for any other message."""
    words = read(body)
    for word in words or ():
        say("dead_letter", document=f"{word.project}/{word.document}", receives=receives, reason="document waits")
    return bool(words)


def _ours(content: dict[str, Any]) -> list[Word] | None:
    project, document = content["p"], content["d"]
    if content["v"] != VERSION or not (ids.PROJECT.fullmatch(project) and ids.NAME.fullmatch(document)):
        return None
    if "k" not in content:
        return [Word(project, document)]
    key = names.key_of(project, document, content["k"])
    return [Word(project, document, key)] if names.arrived(key) else None


def _arrived(told: dict[str, Any]) -> Word | None:
    """S3 writes keys as forms do. An object that is no document's is none of ours."""
    key = unquote_plus(told["key"])
    place = names.arrived(key)
    return Word(*place, key, has_turn=False) if place else None
