"""Messages of the intake's queue: S3's, which name no project and are sent on, and ours, in a project's turn."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple
from urllib.parse import unquote_plus

from clinical.library import file_names
from clinical.library.library_items import Document
from sheaf import ids
from sheaf.outside.needs import BatchAws, HasIntakeQueue
from sheaf.protocol import row_messages

VERSION = 1


class Word(NamedTuple):
    project: str
    document: str
    has_turn: bool = True  # whether the queue knew whose message it was


def send(world: BatchAws[HasIntakeQueue], words: Sequence[Word | Document]) -> None:
    """One message a document, under its project. Raises Unavailable when the queue did not take them all."""
    said = [(word.project, {"v": VERSION, "p": word.project, "d": word.document}) for word in words]
    messages = [(project, json.dumps(ids_only, separators=(",", ":"))) for project, ids_only in said]
    row_messages.post(world, world.settings.intake_queue, messages)


def read(body: str) -> list[Word] | None:
    try:
        content = json.loads(body)
        if "d" in content:
            project, document = content["p"], content["d"]
            if content["v"] != VERSION or not (ids.PROJECT.fullmatch(project) and ids.NAME.fullmatch(document)):
                return None
            return [Word(project, document)]
        if content.get("Event") == "s3:TestEvent":
            return []
        found = [_arrived(record["s3"]["object"]) for record in content["Records"]]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return [word for word in found if word is not None]


def _arrived(thing: dict[str, Any]) -> Word | None:
    place = file_names.arrived(unquote_plus(thing["key"]))
    return Word(*place, has_turn=False) if place else None
