"""Kinds of work: what a worker's module and the API's desk of each have to offer. ADR 31; `tests/kinds/count_words.py` is one.

A kind is a module with `work(job) -> Done`. It reads its item with `job.read()`, and raises `Permanent`,
`Transient` or `Throttled`; anything else that it raises is a defect, given back to the queue and made visible.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import IO, Any, Protocol, TypeAlias, cast

from sheaf.items import Row, Task
from sheaf.outside.needs import ApiWorld, BatchAws, HasBucket
from sheaf.outside.store import Raw
from sheaf.plain_json import JsonObject
from sheaf.protocol.manifest import PinnedItem
from sheaf.schemas import Schema
from sheaf.work_budget import Budget

ReadTable: TypeAlias = Callable[[str], tuple[Task, Iterator[tuple[Row, JsonObject | None]]]]
"""A task of the project, and the rows of its table as they are now, with their data. Raises Permanent, Transient."""

ReadItems: TypeAlias = Callable[..., Iterable[Raw]]  # asked as `store.query_raw`, without the world. Raises Transient


@dataclass(frozen=True)
class Job:
    task: str
    row: int
    attempt: int
    item: PinnedItem
    options: Mapping[str, Any]  # what the kind's desk wrote on the row
    read: Callable[[], bytes]  # raises Permanent when the pinned version is gone or is not what was pinned
    stored: Callable[[str], bytes]  # another object that the kind stored, by its key. Raises ObjectGone, Transient
    seconds_left: Callable[[], float]  # until the work has to stop by itself
    table: ReadTable | None = None  # for work over the whole of another task's table
    items: ReadItems | None = None  # for work that reads a table of its own kind: its role says which
    begin: Callable[[str], None] = lambda _step: None  # says on the row what is done now, for people
    now: Callable[[], int] = lambda: 0
    walled: str = "where_possible"  # what is to be done with a hostile file where no wall can be put up (`sheaf.apart`)
    ask: Any = None  # the row's `Line` to its model, where it has a provider
    budget: Budget = field(default_factory=Budget)  # the work that this item may still be

    @property
    def project(self) -> str:
        return self.task.partition("/")[0]


@dataclass(frozen=True)
class Done:
    """What the work gave: `data` is the row's payload, `summary` on the row (small: it is read at every sweep)."""

    data: dict[str, Any]
    summary: dict[str, Any] = field(default_factory=dict)
    marks: dict[str, int] = field(default_factory=dict)  # added up over a task's rows, on the task: a handful
    file: IO[bytes] | None = None  # what is stored in place of `data`, as it is
    beside: Mapping[str, IO[bytes]] = field(default_factory=dict)  # more files, under the file's key and their names


@dataclass(frozen=True)
class Ordered:
    items: Sequence[PinnedItem] | None  # none where they are named by reference: the kind's `Gatherer` finds them
    options: Mapping[str, Any]  # kept on the task
    row_options: Mapping[str, Any]  # given to each row's work
    provider: str | None = None  # whose model is asked; None for none
    budget: int | None = None  # what was asked that it may cost, in millionths of a dollar
    row_cost: int | None = None  # what one row is expected to cost, where that is known
    keep: Mapping[str, Any] = field(default_factory=dict)  # JSON by key, written before the task is opened
    awaited: int = 0  # seconds in which its only item may still come, at `row_messages.UPLOADED`: the row's message


class Desk(Protocol):
    """Where a kind's work is ordered. The API alone comes here."""

    SCHEMA: dict[str, Any]
    """JSON Schema of a request's fields, beside `kind` and `idempotencyKey`: its `properties`, and which are `required`."""

    def read(self, settings: Any, fields: Mapping[str, Any]) -> Any:
        """A dataclass of what is asked for, the same for the same in other words. Raises InvalidRequest beyond `SCHEMA`."""

    def order(self, world: ApiWorld, project: str, wish: Any) -> Ordered:
        """Pin what is asked for, and write nothing. Raises InvalidRequest, Conflict."""

    def estimate(self, world: ApiWorld, project: str, wish: Any) -> Mapping[str, Any]:
        """What it would cost. Raises InvalidRequest, Conflict."""

    def row_options(self, options: JsonObject) -> JsonObject:
        """What the rows of a retry get."""

    def pin_again(self, world: ApiWorld, project: str, options: JsonObject, names: Sequence[str]) -> list[PinnedItem]:
        """These items as they are now, in their order. Raises InvalidRequest."""

    def pin_late(self, world: ApiWorld, project: str, names: Sequence[str]) -> dict[str, PinnedItem]:
        """Items that could not be pinned at first, by name."""

    def shown(self, task: Task, marks: Mapping[str, int]) -> Mapping[str, Any]:
        """Fields of a task in the API, beside those of every task; described where they are a TypedDict."""

    def given(self, named: dict[str, Schema]) -> dict[str, Schema]:
        """What its rows hold: JSON Schemas of `extractedData` and `summary`; what they refer to goes into `named`."""


class Gatherer(Protocol):
    """Where items come from that a request names by reference: the module `gather` beside the desk. The aggregator alone comes here."""

    def gather(self, world: BatchAws[HasBucket], project: str, options: JsonObject) -> Iterator[Sequence[PinnedItem]]:
        """Slice by slice, pinned as they are now; those that cannot be worked on with the reason. Raises Permanent, Unavailable."""

    def row_cost(self, options: JsonObject, mean_size: int) -> int | None:
        """What one row may cost, now that it is known how large they are."""


class KindOfWork(Protocol):
    def work(self, job: Job) -> Done:
        """Do one item's work."""


def load(module: str) -> KindOfWork:
    """A kind's module; imported at the first message, so that a worker loads only its own."""
    return cast("KindOfWork", import_module(module))


def gatherer(desk: str) -> Gatherer:
    """Of the kind with this desk; imported when a task of it is gathered."""
    return cast("Gatherer", import_module(f"{desk.rpartition('.')[0]}.gather"))


def desk(module: str) -> Desk:
    """A kind's desk; imported at the first request."""
    return cast("Desk", import_module(module))
