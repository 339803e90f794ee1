"""How many words a text has. Texts lie under `inputs/{project}/`, where whoever orders the count has put them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sheaf import schemas
from sheaf.errors import InvalidRequest, Permanent
from sheaf.items import Task
from sheaf.jobs import Done, Job, Ordered
from sheaf.outside import objects
from sheaf.outside.wiring import World
from sheaf.protocol.manifest import PinnedItem

ITEMS = {"type": "array", "items": schemas.of(schemas.Id), "minItems": 1, "maxItems": 10_000, "uniqueItems": True}
SCHEMA = {"properties": {"items": ITEMS}, "required": ["items"]}


@dataclass(frozen=True)
class Wish:
    items: list[str]


def work(job: Job) -> Done:
    """Raises Permanent for what is no text."""
    try:
        words = len(job.read().decode().split())
    except UnicodeDecodeError as error:
        raise Permanent("The text is not UTF-8.", "unreadable") from error
    return Done({"words": words}, {"words": words}, {} if words else {"empty": 1})


def read(_settings: Any, fields: Mapping[str, Any]) -> Wish:
    return Wish(fields["items"])


def order(world: World[Any], project: str, wish: Wish) -> Ordered:
    return Ordered(pin_again(world, project, {}, wish.items), options={}, row_options={})


def estimate(world: World[Any], project: str, wish: Wish) -> dict[str, Any]:
    return {"items": len(order(world, project, wish).items or ()), "costUsd": 0.0}


def row_options(options: Mapping[str, Any]) -> Mapping[str, Any]:
    return options


def pin_again(world: World[Any], project: str, _options: Mapping[str, Any], names: Sequence[str]) -> list[PinnedItem]:
    """The version of each that is there now. Raises InvalidRequest."""
    keys = {name: f"inputs/{project}/{name}" for name in names}
    versions = dict(zip(keys, world.parallel(lambda key: objects.latest(world, key), list(keys.values())), strict=True))
    if missing := [name for name in names if versions[name] is None]:
        raise InvalidRequest("items", f"{len(missing)} of {len(names)} are not there.", items=missing[:20])
    return [PinnedItem(name, keys[name], versions[name], None, name) for name in names]


def pin_late(_world: World[Any], _project: str, _names: Sequence[str]) -> dict[str, PinnedItem]:
    return {}


def given(_named: dict[str, schemas.Schema]) -> dict[str, schemas.Schema]:
    counted = {"type": "object", "properties": {"words": schemas.of(schemas.Count)}, "required": ["words"]}
    return {"extractedData": counted, "summary": counted}


def shown(_task: Task, marks: Mapping[str, int]) -> dict[str, Any]:
    return {"emptyCount": marks.get("empty", 0)}
