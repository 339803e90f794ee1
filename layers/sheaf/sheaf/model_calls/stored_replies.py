"""Raw replies of models, kept before anything else is written of them: what was paid for is not paid for again.

They lie under their document, so that they are erased with it, and under the hash of everything that was asked.
There is one place for a reply that can be used, which every row takes that asks the same, and which passes the check
anew each time; those of no use have a place for each row, so that no other row's lies in their stead.
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
    """A reply, and which row's which attempt paid for it."""

    task: str
    row: int
    attempt: int
    reply: Reply


def prefix(project: str, document: str) -> str:
    """Where all replies about one document are: to delete what is below it is to forget them."""
    return f"{PREFIX}{project}/{document}/"


def key(row: Row, asked: str, ordinal: int | None = None) -> str:
    """Of the reply that all may use; with an ordinal, of one of this row's own that is of no use."""
    place = "usable" if ordinal is None else f"{row.task.partition('/')[2]}-{row.row}-{ordinal}"
    return f"{prefix(row.project, row.document)}{asked}/{place}.json"


def keep(world: Objects, at: str, kept: Kept) -> None:
    """Raises Unavailable."""
    fields = {"v": VERSION, "task": kept.task, "row": kept.row, "attempt": kept.attempt, **asdict(kept.reply)}
    objects.put_json(world, at, fields)


def find(world: Objects, at: str) -> Kept | None:
    """Raises Unavailable. What cannot be read is as good as none."""
    try:
        fields = json.loads(objects.get(world, at))
        reply = Reply(fields["text"], fields["stop"], Usage(**fields["usage"]))
        return Kept(fields["task"], fields["row"], fields["attempt"], reply)
    except (objects.ObjectGone, ValueError, KeyError, TypeError):
        return None
