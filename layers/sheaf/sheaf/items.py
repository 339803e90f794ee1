"""Items and keys of the tables. No verbs, no calls: `store` reads and writes, `lifecycle` decides what is written."""

import json
from typing import Any, NamedTuple, NoReturn, TypeAlias
from zlib import crc32

from pynamodb import attributes
from pynamodb.attributes import Attribute, ListAttribute, UnicodeAttribute, UnicodeSetAttribute
from pynamodb.models import Model

VERSION = 1
SHARD_ROWS = 250  # rows of one partition. Written on the task too, so that changing it here leaves running tasks alone
FILENAME_MAX = 96
NOBODY = "?"  # what is written down of whoever has no name in his token
MESSAGE_MAX = 200
TICK = "sweeper"
COUNTED = ("extracting", "completed", "error", "cancelled")  # the rest of a task's total is pending


class Int(Attribute[int]):
    """A whole number: counts, and instants in milliseconds."""

    attr_type = "N"

    def serialize(self, value: int) -> str:
        return str(int(value))

    def deserialize(self, value: str) -> int:
        return int(value)


class Ints(Attribute[set[int]]):
    attr_type = "NS"

    def serialize(self, value: set[int]) -> list[str]:
        return [str(each) for each in sorted(value)]

    def deserialize(self, value: list[str]) -> set[int]:
        return {int(each) for each in value}


class CompactJson(attributes.JSONAttribute):
    """JSON without spaces: counted bytes are paid for."""

    def serialize(self, value: Any) -> str | None:
        return None if value is None else json.dumps(value, separators=(",", ":"), ensure_ascii=False)


class Item(Model):
    """An item of a table. `setting` names the setting that holds the table's real name: importing needs no environment."""

    setting: str

    v = Int(default=VERSION)

    @classmethod
    def _get_connection(cls) -> NoReturn:
        """Refuse PynamoDB's own I/O: all of it begins here."""
        own = "items are read and written by `sheaf.outside.store`, never by PynamoDB itself."
        raise TypeError(f"{cls.__name__}: {own}")


def task_key(project: str, task_id: str) -> str:
    """The one place that makes a task's key; the project comes first in every key there is."""
    return f"{project}/{task_id}"


def shard_key(task: str, shard: int) -> str:
    return f"{task}/{shard:04d}"


def provider_gate(provider: str, project: str) -> str:
    """One a project: what a provider says to one project's papers keeps no other project waiting."""
    return f"provider/{provider}/{project}"


def pace_gate(provider: str) -> str:
    """Holds nothing but the instant of the next call, where the deployment has a pace for all its projects."""
    return f"provider/{provider}"


def sweeper_gate(sweeper: str) -> str:
    return f"sweeper/{sweeper}"


def sweeper_of(task: str, provider: str | None, sweepers: int) -> str:
    """Who sweeps it, for as long as it is open. A project's tasks that may cost money are one sweeper's: it adds up what they may."""
    return str(crc32((task.partition("/")[0] if provider else task).encode()) % sweepers)


def queue_gate(kind: str) -> str:
    return f"queue/{kind}"


def purse_key(project: str) -> dict[str, str | int]:
    return {"gate": f"purse/{project}"}


def places_key(project: str, quota: str) -> dict[str, str | int]:
    return {"gate": f"places/{project}/{quota}"}


class Task(Item):
    """One request. Written by the API (open, end of scatter, asking for cancel or pause) and the aggregator only."""

    setting = "tasks_table"

    task = UnicodeAttribute(hash_key=True)
    listed_in = UnicodeAttribute(null=True, attr_name="project")  # or the task's of its exports; none once deleted
    active = UnicodeAttribute(null=True)  # which sweeper's it is, until it has closed and that was told
    status = UnicodeAttribute()
    kind = UnicodeAttribute()
    name = UnicodeAttribute(null=True)  # what people call it
    options = CompactJson(null=True)  # what its kind's desk wrote down of the request; nothing else reads it
    row_options = CompactJson(null=True)  # what of that each of its rows gets
    created_at = Int()
    created_by = UnicodeAttribute(null=True)
    retry_of = UnicodeAttribute(null=True)
    retried_by = UnicodeAttribute(null=True)  # its only retry: a task and what followed from it are one chain
    opening = UnicodeAttribute()
    body_sha256 = UnicodeAttribute()
    total = Int(null=True)  # how many rows it has; none until they are known, and none for ever where it closes before
    shard_rows = Int()
    manifest_key = UnicodeAttribute(null=True)  # where the parts of its manifest lie
    dispatch_until = Int(null=True)  # until when whoever scatters has time; 0 for nobody. None once all is sent
    unsent = Ints(null=True)  # the parts of the manifest whose rows are not all written and sent yet
    scattered_at = Int(null=True)
    provider = UnicodeAttribute(null=True)  # whose model its rows ask, behind whose gate; none where they ask nobody
    budget = Int(null=True)  # the most it may cost, in millionths of a dollar, as are all costs
    row_cost = Int(null=True)  # what one of its rows was estimated to cost
    most_at_work = Int(null=True)  # the most of its rows that may be at work at once; none where there is no limit
    front = Int(null=True)  # where there is or was a limit, only rows before it may be claimed; the sweep moves it on
    held_by = UnicodeAttribute(null=True)  # whose money the gate is shut for: the task's or the project's
    cost = Int(null=True)
    tokens = Int(null=True)
    waiting_for = CompactJson(null=True)
    gate = UnicodeAttribute()  # workers read this, and nothing else of a task, before they claim
    pauses: ListAttribute[Any] = ListAttribute(default=list)  # the instants at which its gate shut and opened, in turn
    paused_by = UnicodeAttribute(null=True)
    extracting = Int(default=0)
    completed = Int(default=0)
    error = Int(default=0)
    cancelled = Int(default=0)
    marks = CompactJson(null=True)  # how many of its completed rows are marked with what, under the names of its kind
    sealed = CompactJson(null=True)  # which shards are not read again, and what all of these come to
    counted_at = Int(null=True)
    count_every = Int(null=True)
    moved_at = Int(null=True)  # when a row last ended
    completed_at = Int(null=True)
    error_message = UnicodeAttribute(null=True)  # why it failed as a whole
    finish_at = Int(null=True)
    finish_by = Int(null=True)
    row_ms = Int(null=True)
    slow_after = Int(null=True)
    notified_at = Int(null=True)
    expires_at = Int(null=True)  # of what is made anew when it is wanted again: when the janitor may erase it
    deleted_at = Int(null=True)
    deleted_by = UnicodeAttribute(null=True)

    @property
    def project(self) -> str:
        return str(self.task).partition("/")[0]

    @property
    def id(self) -> str:
        return str(self.task).partition("/")[2]

    @property
    def row_count(self) -> int:
        return self.total or 0

    @property
    def counts(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in COUNTED}

    @property
    def opened_at(self) -> int | None:
        """When its gate last opened; None while it never was shut."""
        return max(self.pauses[1::2], default=None)

    def is_over(self, now: int) -> bool:
        """Whether it was deleted, or has expired: nobody is shown it."""
        return self.deleted_at is not None or (self.expires_at is not None and self.expires_at <= now)


class Leased(Item):
    """What one worker at a time owns for a while: `sheaf.protocol.leases` writes all of this."""

    created_at = Int()
    updated_at = Int()
    attempt = Int(default=0)
    tries = Int(default=0)
    token = UnicodeAttribute(null=True)
    lease_until = Int(null=True)


class Row(Leased):
    """One document's work in one task. A worker writes its own row and nothing else of a task."""

    setting = "results_table"

    shard = UnicodeAttribute(hash_key=True)
    row = Int(range_key=True)
    status = UnicodeAttribute()
    document = UnicodeAttribute()
    options = CompactJson(null=True)
    pinned_key = UnicodeAttribute()
    pinned_version = UnicodeAttribute(null=True)
    pinned_sha256 = UnicodeAttribute(null=True)
    filename = UnicodeAttribute(null=True)
    provider = UnicodeAttribute(null=True)
    first_claimed_at = Int(null=True)
    step = UnicodeAttribute(null=True)  # what its claim said last that it does: for people, it decides nothing
    step_at = Int(null=True)
    not_before = Int(default=0)
    sent_at = Int(null=True)
    sends = Int(default=0)
    waiting_since = Int(null=True)
    parked_at = Int(null=True)  # when its message was let go behind a provider's gate that is shut for a short time
    data_key = UnicodeAttribute(null=True)
    summary = CompactJson(null=True)
    marks = CompactJson(null=True)
    cost = Int(null=True)
    tokens = Int(null=True)
    metered = Int(null=True)  # the last attempt whose cost is in `cost`
    refused = Int(null=True)  # the gate's `answers` when its provider last refused it in the words of a refused account
    error_class = UnicodeAttribute(null=True)
    error_message = UnicodeAttribute(null=True)

    @property
    def task(self) -> str:
        return str(self.shard).rpartition("/")[0]

    @property
    def project(self) -> str:
        return str(self.shard).partition("/")[0]


class OpenRow(NamedTuple):
    """What a sweep reads of a row that has not ended, under the names that it has in `Row`."""

    shard: str
    row: int
    status: str
    provider: str | None = None
    updated_at: int = 0
    attempt: int = 0
    tries: int = 0
    token: str | None = None
    lease_until: int | None = None
    first_claimed_at: int | None = None
    not_before: int = 0
    sent_at: int | None = None
    sends: int = 0
    waiting_since: int | None = None
    parked_at: int | None = None
    refused: int | None = None

    @property
    def project(self) -> str:
        return self.shard.partition("/")[0]


AnyRow: TypeAlias = Row | OpenRow


class Payload(Item):
    """What came of one attempt at a row. It lies beside the rows, in partitions of its own that no count and no sweep reads."""

    setting = "results_table"

    shard = UnicodeAttribute(hash_key=True)
    row = Int(range_key=True)  # the row's number and the attempt's, in one
    claim = UnicodeAttribute()
    packed = attributes.BinaryAttribute(legacy_encoding=False)


class GateItem(Item):
    setting = "gates_table"

    gate = UnicodeAttribute(hash_key=True)


class ProviderGate(GateItem):
    state = UnicodeAttribute(null=True)
    reason = UnicodeAttribute(null=True)
    since = Int(null=True)
    shut_until = Int(null=True)
    closures = Int(null=True)
    failures = Int(null=True)
    prober = UnicodeAttribute(null=True)
    probe_until = Int(null=True)
    parked = attributes.BooleanAttribute(null=True)
    opened_at = Int(null=True)  # when it last opened after messages had been let go
    reopened_at = Int(null=True)
    next_at = Int(null=True)
    interval = Int(null=True)
    slowed_at = Int(null=True)
    answers = Int(null=True)  # how often a model replied after a call that was not answered
    asked_at = Int(null=True)  # when somebody last asked for a probe


class Pace(GateItem):
    next_at = Int(null=True)


class Allowance(GateItem):
    """A user's allowance of costly reads: the instant at which all of it is there again."""

    next_at = Int(null=True)


class Tick(GateItem):
    came_at = Int(null=True)


class SweeperLease(GateItem):
    """Who sweeps one part of the tasks, and of which of them word was left: their slots, of which there are only so many."""

    holder = UnicodeAttribute(null=True)
    lease_until = Int(null=True)
    ends_at = Int(null=True)
    wanted = UnicodeSetAttribute(null=True)


class QueueNotes(GateItem):
    looked_at = Int(null=True)
    messages = Int(null=True)  # how many it held: visible, in flight and delayed together
    before_at = Int(null=True)
    before = Int(null=True)  # how many by the look before that


class Purse(GateItem):
    """What a project has spent today, in millionths of a dollar, and how often it had a document read again."""

    day = UnicodeAttribute()
    spent = Int(default=0)
    rereads = Int(default=0)


class Places(GateItem):
    """The places of a quota that are taken: `thing instant weight` each, how many, and what they weigh together."""

    places = UnicodeSetAttribute(null=True)
    many = Int(default=0)
    weight = Int(default=0)
    version = Int(default=0)


class Copy(Item):
    """A project's own template: which version is the newest. Its fields are an object for each version."""

    setting = "library_table"

    entry = UnicodeAttribute(hash_key=True)
    listed_in = UnicodeAttribute(null=True, attr_name="list")  # the project's list of copies; none where it is deleted
    created_at = Int()
    updated_at = Int()
    template = UnicodeAttribute()
    version = Int()
    opening = UnicodeAttribute()
    label = UnicodeAttribute()
    label_zh = UnicodeAttribute()
    description = UnicodeAttribute()
    field_count = Int()
    deleted_at = Int(null=True)
    deleted_by = UnicodeAttribute(null=True)
