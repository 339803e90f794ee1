"""Reads. Nothing here writes, and nothing that is decided here is not decided again by a write's condition."""

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

from sheaf.items import OpenRow, Pace, ProviderGate, Row, Task, pace_gate, provider_gate, shard_key
from sheaf.outside.needs import BatchTables, Tables
from sheaf.outside.store import Key, Page, get, get_many, get_part, get_raw, query, query_all, query_raw
from sheaf.protocol.counts import Counts, Seen, together
from sheaf.protocol.lifecycle import TERMINAL

OF_OPEN = [name for name in OpenRow._fields if name not in {"shard", "provider"}]
SWEPT = [*OF_OPEN, "cost", "tokens", "marks"]  # what a sweep reads of a row


def task(world: Tables, key: str) -> Task | None:
    return get(world, Task, {"task": key})


def chain(world: Tables, of: Task) -> list[Task]:
    found: list[Task] = []
    newer: Task | None = of
    while newer is not None and newer.retried_by is not None:
        newer = task(world, newer.retried_by)
        found += [newer] if newer else []
    return found[::-1]


def active_tasks(world: Tables, sweeper: str) -> list[str]:
    """Keys of a sweeper's tasks that are not yet closed and told of. The index lags."""
    return [found["task"]["S"] for found in query_raw(world, Task, Task.active == sweeper, IndexName="by_active")]


def open_tasks(world: BatchTables) -> list[Task]:
    """All tasks that are not yet closed and told of, whoever sweeps them. It costs what the index of them holds, and no more."""
    keys: list[Key] = [{"task": found["task"]["S"]} for found in query_raw(world, Task, None, IndexName="by_active")]
    return [task for task in get_many(world, Task, keys) if task.active is not None]


def listed_tasks(world: BatchTables, where: str, start: dict[str, dict[str, str]] | None, limit: int) -> Page[Task]:
    options: dict[str, Any] = {"ScanIndexForward": False, "Limit": limit}
    options |= {"ExclusiveStartKey": start} if start else {}
    page = query(world, Task, Task.listed_in == where, IndexName="by_project", **options)
    found = {item.task: item for item in get_many(world, Task, [{"task": key.task} for key in page.items])}
    return Page([found[key.task] for key in page.items if key.task in found], page.after)


def all_listed(world: BatchTables, where: str) -> list[Task]:
    listed = query_all(world, Task, Task.listed_in == where, IndexName="by_project")
    return get_many(world, Task, [{"task": each.task} for each in listed])


def gates_before(
    world: BatchTables, task: str, engine: str | None, *, paced: bool
) -> tuple[str | None, int | None, ProviderGate | None, Pace | None]:
    """What a worker reads before it claims: the task's gate and front, and of a provider its project's gate there, and all's pace."""
    part = get_part(world, Task, {"task": task}, ("task", "gate", "front"))
    name, pace = provider_gate(engine or "", task.partition("/")[0]), pace_gate(engine or "")
    gates: list[Key] = [{"gate": name}, {"gate": pace}] if paced else [{"gate": name}]
    items = {item["gate"]["S"]: item for item in get_raw(world, ProviderGate, gates)} if engine else {}
    return (
        part["gate"]["S"] if part else None,
        int(part["front"]["N"]) if part and "front" in part else None,
        ProviderGate.from_raw_data(items[name]) if name in items else None,
        Pace.from_raw_data(items[pace]) if pace in items else None,
    )


def provider(world: Tables, of: Task) -> ProviderGate | None:
    return get(world, ProviderGate, {"gate": provider_gate(of.provider, of.project)}) if of.provider else None


def shard(world: Tables, of: Task, number: int, *, consistent: bool = False) -> Seen:
    """One shard; a stale read never counts too much, because ends absorb. No models: they were most of a sweep's time."""
    ended, paid, marks = dict.fromkeys(TERMINAL, 0), [0, 0], Counter[str]()
    open_rows: list[OpenRow] = []
    times = [0, 0, 0, 0]
    key = shard_key(of.task, number)
    for item in query_raw(world, Row, Row.shard == key, SWEPT, ConsistentRead=consistent):
        status = item["status"]["S"]
        if "tokens" in item:
            paid = [paid[0] + _number(item, "cost"), paid[1] + _number(item, "tokens")]
        if status in ended:
            ended[status] += 1
            times = together(times, _times(item))
            if "marks" in item:
                marks.update(json.loads(item["marks"]["S"]))
        else:
            open_rows.append(_open_row(key, of.provider, item))
    return Seen(Counts(**ended, cost=paid[0], tokens=paid[1], marks=marks), open_rows, times)


def _open_row(shard: str, provider: str | None, item: dict[str, dict[str, str]]) -> OpenRow:
    found: dict[str, Any] = {name: int(value["N"]) if "N" in value else value.get("S") for name, value in item.items()}
    return OpenRow(shard, provider=provider, **{name: found[name] for name in OF_OPEN if name in found})


def _times(item: dict[str, dict[str, str]]) -> list[int]:
    """Of one ended row. Of several attempts, what lay between them is no time that rows take."""
    ended_at = _number(item, "updated_at")
    if _number(item, "attempt") != 1:
        return [ended_at, 0, 0, 0]
    took = max(0, ended_at - _number(item, "first_claimed_at"))
    return [ended_at, 1, took, took]


def _number(item: dict[str, dict[str, str]], name: str) -> int:
    return int(item[name]["N"]) if name in item else 0


def shard_rows(world: Tables, of: Task, number: int) -> list[Row]:
    return query_all(world, Row, Row.shard == shard_key(of.task, number), ConsistentRead=True)


def row(world: Tables, of: Task, number: int) -> Row | None:
    return get(world, Row, {"shard": shard_key(of.task, number // of.shard_rows), "row": number})


def rows(world: BatchTables, of: Task, numbers: Iterable[int]) -> list[Row]:
    keys: list[Key] = [{"shard": shard_key(of.task, number // of.shard_rows), "row": number} for number in numbers]
    return get_many(world, Row, keys)


def rows_from(world: Tables, of: Task, number: int, limit: int) -> list[Row]:
    condition = (Row.shard == shard_key(of.task, number // of.shard_rows)) & (Row.row >= number)
    return query(world, Row, condition, ConsistentRead=True, Limit=limit).items
