"""Reads. Nothing here writes, and nothing that is decided here is not decided again by a write's condition."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sheaf.lifecycle import TERMINAL
from sheaf.models import Gate, Row, Task, shard_key, task_gate
from sheaf.store import Key, get, get_many, query, query_all, query_raw
from sheaf.wiring import World


def task(world: World[Any], key: str) -> Task | None:
    return get(world, Task, {"task": key})


def active_tasks(world: World[Any]) -> list[str]:
    """Keys of the tasks that are not yet closed and told of. The index lags: never the only way to find one."""
    return [found.task for found in query_all(world, Task, Task.active == "1", IndexName="by_active")]


def task_gates(world: World[Any], tasks: Iterable[str]) -> dict[str, Gate]:
    """The gates that exist of these tasks."""
    found = get_many(world, Gate, [{"gate": task_gate(key)} for key in tasks])
    return {gate.gate.partition("/")[2]: gate for gate in found}


def gate(world: World[Any], key: Key) -> Gate | None:
    return get(world, Gate, key)


@dataclass(frozen=True)
class Seen:
    """What a look at one shard found: how many rows have ended, by status, and those that have not."""

    ended: dict[str, int]
    open_rows: list[Row]

    @property
    def count(self) -> int:
        return sum(self.ended.values()) + len(self.open_rows)


def shard(world: World[Any], of: Task, number: int, *, consistent: bool = False) -> Seen:
    """One shard. A stale read never counts a row as ended that is not, because ends absorb."""
    seen = Seen(dict.fromkeys(TERMINAL, 0), [])
    for item in query_raw(world, Row, Row.shard == shard_key(of.task, number), ConsistentRead=consistent):
        status = item["status"]["S"]
        if status in seen.ended:
            seen.ended[status] += 1
        else:
            seen.open_rows.append(Row.from_raw_data(item))
    return seen


def rows_from(world: World[Any], of: Task, number: int, limit: int) -> list[Row]:
    """Up to `limit` rows of the shard that row `number` is in, from that row on."""
    condition = (Row.shard == shard_key(of.task, number // of.shard_rows)) & (Row.row >= number)
    return query(world, Row, condition, ConsistentRead=True, Limit=limit).items
