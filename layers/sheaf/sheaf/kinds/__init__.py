"""Kinds of work. Adding one is a file here and a block in the template; nothing else knows their names.

A kind is a module with `work(job) -> Done`. It reads its item with `job.read()`, and raises `Permanent`,
`Transient` or `Throttled`; anything else that it raises is a defect, given back to the queue and made visible.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Protocol, cast

from sheaf.budget import Budget
from sheaf.manifest import PinnedItem


@dataclass(frozen=True)
class Job:
    """One item to work on, under a live lease."""

    task: str
    row: int
    attempt: int
    item: PinnedItem
    options: Mapping[str, Any]
    """What the kind's desk wrote on the row."""
    read: Callable[[], bytes]
    """The pinned version's bytes. Raises Permanent when they are gone or are not the ones that were pinned."""
    stored: Callable[[str], bytes]
    """Another object that the kind stored, by its key. Raises ObjectGone, Transient."""
    seconds_left: Callable[[], float]
    """Until the work has to stop by itself."""
    ask: Any = None
    """The row's `Line` to its model, where it has a provider."""
    budget: Budget = field(default_factory=Budget)
    """The work that this item may still be."""

    @property
    def project(self) -> str:
        return self.task.partition("/")[0]


@dataclass(frozen=True)
class Done:
    """What the work gave: `data` goes to S3, `summary` on the row (small: it is read at every sweep)."""

    data: dict[str, Any]
    summary: dict[str, Any] = field(default_factory=dict)
    marks: Mapping[str, int] = field(default_factory=dict)
    """Added up over a task's rows, each under its name. A handful of names: they stand on the task."""


class KindOfWork(Protocol):
    """What a kind's module offers."""

    def work(self, job: Job) -> Done:
        """Do one item's work."""


def load(module: str) -> KindOfWork:
    """A kind's module; imported at the first message, so that a worker loads only its own."""
    return cast("KindOfWork", import_module(module))
