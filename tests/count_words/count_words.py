"""A second real kind, and all that one needs: how many words a text has. Its texts lie under `inputs/{project}/`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sheaf import objects, requests
from sheaf.errors import InvalidRequest, Permanent
from sheaf.kinds import Done, Job, Ordered
from sheaf.manifest import PinnedItem
from sheaf.models import Task
from sheaf.wiring import World

FIELDS = {"items"}


@dataclass(frozen=True)
class Wish:
    items: list[str]


def work(job: Job) -> Done:
    """Count them. Raises Permanent for what is no text."""
    try:
        words = len(job.read().decode().split())
    except UnicodeDecodeError as error:
        raise Permanent("The text is not UTF-8.", "unreadable") from error
    return Done({"words": words}, {"words": words}, {} if words else {"empty": 1})


def read(_settings: Any, fields: dict[str, Any]) -> Wish:
    return Wish(requests.names(fields, "items", "text"))


def order(world: World[Any], project: str, wish: Wish) -> Ordered:
    return Ordered(pin_again(world, project, {}, wish.items), options={}, row_options={})


def estimate(world: World[Any], project: str, wish: Wish) -> dict[str, Any]:
    return {"items": len(order(world, project, wish).items), "costUsd": 0.0}


def row_options(options: Mapping[str, Any]) -> Mapping[str, Any]:
    return options


def pin_again(world: World[Any], project: str, _options: Mapping[str, Any], names: Sequence[str]) -> list[PinnedItem]:
    """The current version of each. Raises InvalidRequest for one that is not there."""
    keys = [f"inputs/{project}/{name}" for name in names]
    versions = world.parallel(lambda key: objects.latest(world, key), keys)
    missing = [name for name, version in zip(names, versions, strict=True) if version is None]
    if missing:
        raise InvalidRequest("items", f"{len(missing)} of {len(names)} are not there.", items=missing[:20])
    return [
        PinnedItem(name, key, version, None, name) for name, key, version in zip(names, keys, versions, strict=True)
    ]


def pin_late(_world: World[Any], _project: str, _names: Sequence[str]) -> dict[str, PinnedItem]:
    """None: what is not there is refused at once."""
    return {}


def shown(_task: Task, marks: Mapping[str, int]) -> dict[str, Any]:
    return {"emptyCount": marks.get("empty", 0)}
