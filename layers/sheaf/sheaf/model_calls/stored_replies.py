"""Raw replies of models, kept before anything else is written of them: what was paid for is not paid for again.

One that can be used has a place for every row that asks the same; one of no use has a place for its row alone.
"""

import json
from dataclasses import asdict
from typing import NamedTuple

from sheaf.items import Row
from sheaf.model_calls.model_api import Reply, Usage
from sheaf.outside import objects
from sheaf.outside.needs import Objects

VERSION = 1
PREFIX = "replies/"


class Kept(NamedTuple):
    task: str
    row: int
    attempt: int
    reply: Reply


def prefix(project: str, document: str) -> str:
    return f"{PREFIX}{project}/{document}/"


def key(row: Row, asked: str, ordinal: int | None = None) -> str:
    """Of the reply that all may use; with an ordinal, of one of this row's own that is of no use."""
    place = "usable" if ordinal is None else f"{row.task.partition('/')[2]}-{row.row}-{ordinal}"
    return f"{prefix(row.project, row.document)}{asked}/{place}.json"


def keep(world: Objects, at: str, kept: Kept) -> None:
    """Raises Unavailable."""
    reply = asdict(kept.reply) | {"usage": kept.reply.usage._asdict()}
    objects.put_json(world, at, {"v": VERSION, "task": kept.task, "row": kept.row, "attempt": kept.attempt, **reply})


def find(world: Objects, at: str) -> Kept | None:
    """Raises Unavailable. What cannot be read is as good as none."""
    try:
        fields = json.loads(objects.get(world, at))
        reply = Reply(fields["text"], fields["stop"], Usage(**fields["usage"]))
        return Kept(fields["task"], fields["row"], fields["attempt"], reply)
    except (objects.ObjectGone, ValueError, KeyError, TypeError):
        return None
