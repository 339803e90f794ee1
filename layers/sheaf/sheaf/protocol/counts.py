"""Counts of a task, made by recounting rows and never by counting down. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, NamedTuple

from sheaf.items import AnyRow, Task
from sheaf.protocol.lifecycle import RowStatus, TaskStatus


@dataclass(frozen=True)
class Counts:
    completed: int = 0
    error: int = 0
    cancelled: int = 0
    cost: int = 0  # in millionths of a dollar
    tokens: int = 0
    marks: Counter[str] = field(default_factory=Counter)

    def __add__(self, other: "Counts") -> "Counts":
        """Those of both lots of rows."""
        names = [each.name for each in fields(self)]
        return Counts(*(getattr(self, name) + getattr(other, name) for name in names))

    @classmethod
    def of(cls, item: Sequence[Any]) -> "Counts":
        *numbers, marks = item if isinstance(item[-1], Mapping) else (*item, {})
        return replace(cls(*numbers), marks=Counter(marks))

    @property
    def item(self) -> list[Any]:
        """As the sum of sealed shards is stored: the three ends, then cost and tokens, then marks, these where there are any."""
        paid = [self.cost, self.tokens] if self.cost or self.tokens else []
        return [self.completed, self.error, self.cancelled, *paid, *([dict(self.marks)] if self.marks else [])]

    @property
    def ended(self) -> int:
        return self.completed + self.error + self.cancelled


class Sealed(NamedTuple):
    """The shards whose rows have all ended, a bit each, and what they come to: one sum, however many they are."""

    bits: int = 0
    sum: Counts = Counts()

    @classmethod
    def of(cls, item: Mapping[str, Any] | None) -> "Sealed":
        return cls(int(item["shards"], 16), Counts.of(item["sum"])) if item else cls()

    @property
    def item(self) -> dict[str, Any]:
        return {"shards": f"{self.bits:x}", "sum": self.sum.item}

    def has(self, shard: int) -> bool:
        return bool(self.bits >> shard & 1)

    def also(self, shard: int, counts: Counts) -> "Sealed":
        return Sealed(self.bits | 1 << shard, self.sum + counts)


@dataclass(frozen=True)
class Seen:
    counts: Counts
    open_rows: Sequence[AnyRow] = ()
    times: Sequence[int] = (0, 0, 0, 0)  # the last end; of rows of one attempt: number, time together, slowest

    @property
    def count(self) -> int:
        return self.counts.ended + len(self.open_rows)


def together(one: Sequence[int], other: Sequence[int]) -> list[int]:
    return [max(one[0], other[0]), one[1] + other[1], one[2] + other[2], max(one[3], other[3])]


def shards(task: Task) -> int:
    return -(-task.row_count // task.shard_rows)


def expected(task: Task, shard: int) -> int:
    return min(task.shard_rows, task.row_count - shard * task.shard_rows)


@dataclass
class Tally:
    """Rows seen, by status; sealed shards are taken as they came to when they were sealed, and not read again."""

    task: Task
    sealed: Sealed = field(default_factory=Sealed)
    extracting: int = 0
    ended: Counts = field(default_factory=Counts)
    times: Sequence[int] = (0, 0, 0, 0)

    @classmethod
    def of(cls, task: Task) -> "Tally":
        sealed = Sealed.of(task.sealed)
        return cls(task, sealed, ended=sealed.sum)

    @property
    def open_shards(self) -> list[int]:
        return [shard for shard in range(shards(self.task)) if not self.sealed.has(shard)]

    def add(self, shard: int, seen: Seen) -> None:
        """Count one open shard; seal it when every row that the manifest gives it has come to its end."""
        self.times = together(self.times, seen.times)
        self.ended += seen.counts
        self.extracting += sum(row.status == RowStatus.EXTRACTING for row in seen.open_rows)
        if seen.counts.ended == expected(self.task, shard):
            self.sealed = self.sealed.also(shard, seen.counts)

    @property
    def counts(self) -> dict[str, int]:
        ended = self.ended
        ends = {"completed": ended.completed, "error": ended.error, "cancelled": ended.cancelled}
        return {"extracting": self.extracting, **ends}

    @property
    def moved_at(self) -> int:
        """When a row last ended; 0 while none has."""
        return max(self.task.moved_at or 0, self.times[0])

    @property
    def shown(self) -> dict[str, Any]:
        ended = self.ended
        paid = {"cost": ended.cost, "tokens": ended.tokens}
        return self.counts | paid | {"marks": dict(ended.marks), "moved_at": self.moved_at}

    @property
    def closed(self) -> bool:
        return not self.open_shards

    @property
    def final_status(self) -> TaskStatus:
        return TaskStatus.CANCELLED if self.ended.cancelled else TaskStatus.COMPLETED


def pending(total: int, counts: Mapping[str, int]) -> int:
    """Always what is left, so that the five counts add up to the total at every moment."""
    return total - counts["extracting"] - counts["completed"] - counts["error"] - counts["cancelled"]


def percent(total: int, counts: Mapping[str, int], *, closed: bool) -> int:
    """Rounded down; 100 only when closed."""
    ended = counts["completed"] + counts["error"] + counts["cancelled"]
    return 100 if closed else min(99, ended * 100 // total)
