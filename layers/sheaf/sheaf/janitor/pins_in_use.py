"""Which texts the tasks of a project have pinned: what may not be erased, whatever has become of the documents."""

from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from sheaf.outside import objects
from sheaf.outside.needs import BatchAws, HasBucket
from sheaf.protocol import manifest, queries

PAGE_TASKS = 100
Place = tuple[str, str | None]


@dataclass
class Pins:
    """Texts by key and version, and the files that they were read from, which share a name with them."""

    texts: set[Place] = field(default_factory=set)
    files: set[str] = field(default_factory=set)

    def add(self, key: str, version: str | None) -> None:
        self.texts.add((key, version))
        self.files.add(stem(key))

    def hold(self, key: str, version: str) -> bool:
        """Whether this version of this object is one of them, or the file of one."""
        if key.startswith("texts/"):
            return (key, version) in self.texts or (key, None) in self.texts
        return stem(key) in self.files


def stem(key: str) -> str:
    """What a file and the texts that were read from it have in common: project, document and the hash's beginning."""
    inside, _, name = key.partition("/")[2].rpartition("/")
    return f"{inside}/{name[:20]}"


def of_project(world: BatchAws[HasBucket], project: str) -> Pins:
    """From the manifests of all tasks that were not deleted, open or closed. Raises ObjectGone, Unavailable."""
    pins = Pins()
    after: dict[str, Any] | None = None
    while True:
        page = queries.listed_tasks(world, project, after, PAGE_TASKS)
        live = [task for task in page.items if task.deleted_at is None]
        for item in chain.from_iterable(manifest.rows(task, objects.get(world, task.manifest_key)) for task in live):
            if item.key:
                pins.add(item.key, item.version)
        after = page.after
        if after is None:
            return pins
