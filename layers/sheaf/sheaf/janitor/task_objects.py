"""The janitor: manifests and payloads that nothing points at, once they are older than a day; and what tasks have pinned.

They are left by a request that lost a race, and by workers that died or came too late. A closed task is looked at on each
of the days that follow its close; then no worker can write to it, only a repeated request, and one look a month is enough.
"""

import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sheaf.errors import Unavailable
from sheaf.items import Task
from sheaf.logs import say
from sheaf.outside import objects
from sheaf.outside.needs import BatchAws, HasBucket, Objects
from sheaf.outside.store import call
from sheaf.protocol import lifecycle, manifest, payloads, queries
from sheaf.protocol.counts import shards
from sheaf.protocol.lifecycle import CLOSED, TaskStatus

DAY_MS = 24 * 3600 * 1000
LOOK_FOR_DAYS = 7
LOOK_EVERY_DAYS = 30


class Stored(NamedTuple):
    key: str
    version: str
    written_at: int


def orphans(found: Iterable[Stored], pointed_at: set[str], now: int) -> list[Stored]:
    """Those that nothing points at and that are older than a day. Of a key that is pointed at, every version stays."""
    return [item for item in found if item.key not in pointed_at and item.written_at < now - DAY_MS]


def tidy(world: BatchAws[HasBucket], deadline: int, task: str | None = None) -> int:
    """Look through every task's objects, or one's, for as long as there is time. Gives how many were deleted."""
    deleted = 0
    prefixes = (prefix for project in below(world, "tasks/") for prefix in below(world, project))
    tasks = [f"tasks/{task}/"] if task else list(prefixes)
    start = int(world.chance() * len(tasks))
    for prefix in tasks[start:] + tasks[:start]:
        if world.now() >= deadline:
            say("janitor_out_of_time", count=deleted)
            break
        deleted += _tidy_task(world, prefix)
    say("janitor", objects=deleted, total=len(tasks))
    return deleted


def _tidy_task(world: BatchAws[HasBucket], prefix: str) -> int:
    task = queries.task(world, prefix.removeprefix("tasks/").rstrip("/"))
    now = world.now()
    if task is None:
        return delete_all(world, orphans(versions(world, prefix), set(), now))
    over = task.expires_at is not None and task.expires_at <= now and task.status in CLOSED
    gone_at = task.deleted_at or (task.expires_at if over else None)
    if gone_at is not None:
        return _erase(world, task, gone_at)
    if not _worth_a_look(task, now):
        return 0
    pointed_at, erased = {*manifest.keys(task)}, 0
    for number in range(shards(task)):
        rows = queries.shard_rows(world, task, number)
        pointed_at |= {key for row in rows for key in (row.data_key, row.pinned_key) if key}
        erased += payloads.erase(world, task, number, rows)
    found = list(versions(world, prefix))
    beside = {item.key for item in found if item.key.rpartition(".")[0] in pointed_at}
    return erased + delete_all(world, orphans(found, pointed_at | beside, now))


def _erase(world: BatchAws[HasBucket], task: Task, gone_at: int) -> int:
    """A task that is gone: its exports, its payloads, its rows, then every version of its objects. Its item stays.

    Twice, at once and a day later: a request that stood still meanwhile may still write rows of its wave, and workers
    their payloads. Until then, and until its exports have ended too, an empty object keeps the task in the daily round.
    """
    now, prefix = world.now(), f"tasks/{task.task}/"
    exports = queries.all_listed(world, task.task)
    # One that is still written ends by itself, since its table is gone; without its row and manifest it never could.
    ended = [each for each in exports if each.status in CLOSED]
    erased = sum(_erase(world, each, gone_at) for each in ended)
    for number in range(shards(task)):
        erased += payloads.erase(world, task, number)
        rows = queries.shard_rows(world, task, number)
        world.parallel(lambda row: lifecycle.erase(world, row, now), rows)
    mark = f"{prefix}erased"
    again = gone_at >= now - DAY_MS or len(ended) < len(exports)
    found = list(versions(world, prefix))
    if again and not any(item.key == mark for item in found):
        objects.put(world, mark, b"")
    return erased + delete_all(world, [item for item in found if not (again and item.key == mark)])


def delete_all(world: BatchAws[HasBucket], items: Sequence[Stored]) -> int:
    bucket = world.settings.data_bucket
    what = ({"Bucket": bucket, "Key": item.key, "VersionId": item.version} for item in items)
    world.parallel(lambda each: call(world, "s3", "delete_object", **each), what)
    return len(items)


def _worth_a_look(task: Task, now: int) -> bool:
    if task.status not in CLOSED or task.completed_at is None:
        return False
    recent = DAY_MS < now - task.completed_at < (1 + LOOK_FOR_DAYS) * DAY_MS
    its_day = (now // DAY_MS + zlib.crc32(task.task.encode())) % LOOK_EVERY_DAYS == 0
    return recent or its_day


def below(world: Objects, prefix: str) -> Iterator[str]:
    for page in _pages(world, "list_objects_v2", "ContinuationToken", Prefix=prefix, Delimiter="/"):
        yield from (found["Prefix"] for found in page.get("CommonPrefixes", []))


def versions(world: Objects, prefix: str) -> Iterator[Stored]:
    for page in _pages(world, "list_object_versions", "KeyMarker", "VersionIdMarker", Prefix=prefix):
        for found in page.get("Versions", []) + page.get("DeleteMarkers", []):
            yield Stored(found["Key"], found["VersionId"], int(found["LastModified"].timestamp() * 1000))


def _pages(world: Objects, operation: str, *marks: str, **request: str) -> Iterator[Any]:
    while True:
        page = call(world, "s3", operation, Bucket=world.settings.data_bucket, **request)
        yield page
        if not page.get("IsTruncated"):
            return
        request |= {mark: page[f"Next{mark}"] for mark in marks}


@dataclass
class Pins:
    """Texts by key and version, and the files that they were read from, which share a name with them."""

    texts: set[tuple[str, str | None]] = field(default_factory=set)
    files: set[str] = field(default_factory=set)

    def add(self, key: str, version: str | None) -> None:
        self.texts.add((key, version))
        self.files.add(stem(key))

    def hold(self, key: str, version: str) -> bool:
        if key.startswith("texts/"):
            return (key, version) in self.texts or (key, None) in self.texts
        return stem(key) in self.files


def stem(key: str) -> str:
    """What a file and the texts that were read from it have in common: project, document and the hash's beginning."""
    inside, _, name = key.partition("/")[2].rpartition("/")
    return f"{inside}/{name[:20]}"


def pins_of(world: BatchAws[HasBucket], project: str) -> Pins:
    """From the manifests of all tasks that were not deleted, open or closed. Raises ObjectGone, Unavailable."""
    pins = Pins()
    tasks = queries.all_listed(world, project)
    if any(task.status == TaskStatus.GATHERING for task in tasks):
        raise Unavailable("what a task pins is not known while it is gathered")
    for task in (task for task in tasks if task.deleted_at is None):
        contents = world.parallel(lambda key: objects.get(world, key), manifest.keys(task))
        for item in manifest.rows(task, contents):
            if item.key:
                pins.add(item.key, item.version)
    return pins
