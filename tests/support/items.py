"""Items as they stand in the tables, made by hand: what a test needs said, the rest as in ordinary life."""

from typing import Any

from sheaf.aggregator.decide_row import Facts
from sheaf.items import (
    TICK,
    Allowance,
    GateItem,
    Pace,
    Places,
    ProviderGate,
    Purse,
    QueueNotes,
    Row,
    SweeperLease,
    Task,
    Tick,
    shard_key,
)
from sheaf.protocol.lifecycle import GateState
from sheaf.settings import Kind

NOW = 1_800_000_000_000
SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000
TASK = "p1/t1"
SHARD = shard_key(TASK, 0)
KEY: dict[str, str | int] = {"shard": SHARD, "row": 0}
MAX_TRIES = 4
PROBE = Kind("probe", "queue", MAX_TRIES, "retry", "probe", "clinical.extract_paper.desk")

BY_STATUS: dict[str, dict[str, Any]] = {
    "pending": {},
    "extracting": {"attempt": 1, "tries": 1, "token": "mine", "lease_until": NOW + MINUTE, "first_claimed_at": NOW},
    "completed": {"attempt": 1, "tries": 1, "token": "mine", "first_claimed_at": NOW, "data_key": "k", "summary": {}},
    "error": {"attempt": 1, "tries": 1, "token": "mine", "first_claimed_at": NOW, "error_class": "permanent"},
    "cancelled": {},
}
"""What a row of each status carries beside its status."""

GATES: dict[str, type[GateItem]] = {
    "sweeper": SweeperLease, "queue": QueueNotes, "reader": Allowance,
    "purse": Purse, "places": Places,
}  # fmt: skip


def gate_model(key: str) -> type[GateItem]:
    """The kind of gate that has such a key."""
    first, _, rest = key.partition("/")
    if key == TICK:
        return Tick
    return GATES.get(first) or (ProviderGate if "/" in rest else Pace)


def a_row(status: str = "pending", **told: Any) -> Row:
    """The first row of the task t1."""
    always: dict[str, Any] = {
        "shard": SHARD,
        "row": 0,
        "status": status,
        "document": "d1",
        "options": {"template": "rct@1"},
        "pinned_key": "documents/p1/d1/x.txt",
        "pinned_version": "v1",
        "pinned_sha256": "0" * 64,
        "filename": "a.txt",
        "created_at": NOW,
        "updated_at": NOW,
    }
    return Row(**(always | BY_STATUS[status] | told))


def a_task(**told: Any) -> Task:
    """The task t1: one row, scattered, nothing counted yet."""
    always: dict[str, Any] = {
        "task": TASK,
        "listed_in": "p1",
        "active": "0",
        "status": "processing",
        "kind": "probe",
        "options": {"template": "rct@1"},
        "created_at": NOW,
        "opening": "opening",
        "body_sha256": "0" * 64,
        "total": 1,
        "shard_rows": 250,
        "manifest_key": "tasks/p1/t1/manifest-0",
        "scattered_at": NOW,
        "gate": "open",
    }
    return Task(**(always | told))


def facts(**told: Any) -> Facts:
    """An open gate, a busy queue, a scatter a moment ago, a week until the deadline."""
    always: dict[str, Any] = {
        "now": NOW,
        "max_tries": MAX_TRIES,
        "scattered_at": NOW,
        "gate": GateState.OPEN,
        "opened_at": None,
        "pauses": [],
        "looks": None,
        "deadline": 7 * DAY,
        "stall_window": 10 * MINUTE,
    }
    return Facts(**(always | told))
