"""Counts of a task, made by recounting rows and never by counting down. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sheaf.lifecycle import RowStatus, TaskStatus
from sheaf.models import Task
from sheaf.queries import INCOMPLETE, UNVERIFIED, Seen, together

MARKS = (INCOMPLETE, UNVERIFIED)
TERMINALS = (RowStatus.COMPLETED, RowStatus.ERROR, RowStatus.CANCELLED)


def shards(task: Task) -> int:
    return -(-task.total // task.shard_rows)


def expected(task: Task, shard: int) -> int:
    """How many rows the manifest gives this shard."""
    return min(task.shard_rows, task.total - shard * task.shard_rows)


@dataclass
class Tally:
    """Rows seen, by status; sealed shards are taken as they were when they were sealed, and not read again.

    A sealed shard is its three ends and, where there are any, its two marks, and then what its rows cost.
    """

    task: Task
    sealed: dict[str, list[int]] = field(default_factory=dict)
    extracting: int = 0
    open_ended: list[int] = field(default_factory=lambda: [0, 0, 0])
    open_marked: list[int] = field(default_factory=lambda: [0, 0])
    open_paid: list[int] = field(default_factory=lambda: [0, 0])
    times: list[int] = field(default_factory=lambda: [0, 0, 0, 0])

    @classmethod
    def of(cls, task: Task) -> "Tally":
        return cls(task, dict(task.sealed or {}))

    @property
    def open_shards(self) -> list[int]:
        return [shard for shard in range(shards(self.task)) if str(shard) not in self.sealed]

    def add(self, shard: int, seen: Seen) -> None:
        """Count one open shard; seal it when every row that the manifest gives it has come to its end."""
        self.times = together(self.times, seen.times)
        ended = [seen.ended[status] for status in TERMINALS]
        marked = [seen.marked.get(mark, 0) for mark in MARKS]
        if sum(ended) == expected(self.task, shard):
            paid = seen.paid if any(seen.paid) else []
            self.sealed[str(shard)] = [*ended, *(marked if any(marked) or paid else []), *paid]
        else:
            self.open_marked = [a + b for a, b in zip(self.open_marked, marked, strict=True)]
            self.open_paid = [a + b for a, b in zip(self.open_paid, seen.paid, strict=True)]
            self.extracting += sum(row.status == RowStatus.EXTRACTING for row in seen.open_rows)
            self.open_ended = [a + b for a, b in zip(self.open_ended, ended, strict=True)]

    @property
    def counts(self) -> dict[str, int]:
        sealed = [shard[: len(TERMINALS)] for shard in self.sealed.values()]
        ended = [sum(column) for column in zip(*sealed, self.open_ended, strict=True)]
        return {"extracting": self.extracting, "completed": ended[0], "error": ended[1], "cancelled": ended[2]}

    @property
    def marks(self) -> dict[str, int]:
        """How many completed rows are incomplete, and how many have a value that is unverified."""
        end = len(TERMINALS) + len(MARKS)
        sealed = [shard[len(TERMINALS) : end] for shard in self.sealed.values() if len(shard) > len(TERMINALS)]
        marked = [sum(column) for column in zip(*sealed, self.open_marked, strict=True)]
        return dict(zip(MARKS, marked, strict=True))

    @property
    def paid(self) -> dict[str, int]:
        """What the rows cost so far, in millionths of a dollar and in tokens."""
        start = len(TERMINALS) + len(MARKS)
        sealed = [shard[start:] for shard in self.sealed.values() if len(shard) > start]
        cost, tokens = (sum(column) for column in zip(*sealed, self.open_paid, strict=True))
        return {"cost": cost, "tokens": tokens}

    @property
    def moved_at(self) -> int:
        """When a row last ended; 0 while none has."""
        return max(self.task.moved_at or 0, self.times[0])

    @property
    def told(self) -> dict[str, int]:
        """All of it, as it is written on the task."""
        return self.counts | self.marks | self.paid | {"moved_at": self.moved_at}

    @property
    def closed(self) -> bool:
        return len(self.sealed) == shards(self.task)

    @property
    def final_status(self) -> TaskStatus:
        return TaskStatus.CANCELLED if self.counts["cancelled"] else TaskStatus.COMPLETED


def pending(total: int, counts: Mapping[str, int]) -> int:
    """Always what is left, so that the five counts add up to the total at every moment."""
    return total - counts["extracting"] - counts["completed"] - counts["error"] - counts["cancelled"]


def percent(total: int, counts: Mapping[str, int], *, closed: bool) -> int:
    """Rounded down; 100 only when closed."""
    ended = counts["completed"] + counts["error"] + counts["cancelled"]
    return 100 if closed else min(99, ended * 100 // total)
