"""Kinds of work. Adding one is a file here and a block in the template; nothing else knows their names.

A kind is a module with `work(job) -> Done`. It reads its document with `job.read()`, and raises `Permanent`,
`Transient` or `Throttled`; anything else that it raises is a defect, given back to the queue and made visible.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Protocol, cast

from sheaf.budget import Budget
from sheaf.templates import Template


@dataclass(frozen=True)
class Job:
    """One document to work on, under a live lease."""

    task: str
    row: int
    attempt: int
    document: str
    template: str
    filename: str
    read: Callable[[], bytes]
    """The frozen version's bytes. Raises Permanent when they are gone or are not the ones that were pinned."""
    seconds_left: Callable[[], float]
    """Until the work has to stop by itself."""
    engine: str = "rules"
    """Who is to read it."""
    tries: int = 1
    line: Any = None
    """The `Line` to the engine's provider, where it has one."""
    budget: Budget = field(default_factory=Budget)
    """The work that this document may still be."""
    find_template: Callable[[], Template | None] | None = None
    """The template that was pinned, a project's own copy too; without it, a built-in one. Raises Unavailable."""


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
        """Do one document's work."""


def load(module: str) -> KindOfWork:
    """A kind's module; imported at the first message, so that a worker loads only its own."""
    return cast("KindOfWork", import_module(module))
