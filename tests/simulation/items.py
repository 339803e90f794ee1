"""Reading items as they are stored."""

import json
from typing import Any

TERMINAL = {"completed", "error", "cancelled"}
CLOSED = {"completed", "cancelled", "failed"}


def val(item: dict[str, Any] | None, name: str) -> Any:
    """An attribute's plain value; None where there is none."""
    if not item or name not in item:
        return None
    kind, value = next(iter(item[name].items()))
    if kind == "N":
        return int(value)
    if kind == "L":
        return [int(entry["N"]) for entry in value]
    return value


def parsed(item: dict[str, Any], name: str) -> Any:
    text = val(item, name)
    return json.loads(text) if text else None


def sealed_shards(task: dict[str, Any]) -> list[int]:
    """The shards that are not read again: a bit each."""
    bits = int((parsed(task, "sealed") or {"shards": "0"})["shards"], 16)
    return [shard for shard in range(bits.bit_length()) if bits >> shard & 1]


def unsent(task: dict[str, Any] | None) -> set[int]:
    """The parts of its manifest that are not sent yet."""
    return {int(part) for part in val(task, "unsent") or ()}


def counts(task: dict[str, Any]) -> dict[str, int]:
    return {name: val(task, name) or 0 for name in ("extracting", "completed", "error", "cancelled")}


def task_of(shard: str) -> str:
    return shard.rpartition("/")[0]


def is_payload(shard: str) -> bool:
    """Whether payloads lie in this partition of Results, and no rows."""
    return shard.endswith("/data")


def payload_key(row: dict[str, Any]) -> tuple[str, int]:
    """Where the payload of a row's last attempt lies."""
    return f"{val(row, 'shard')}/data", val(row, "row") * 1_000_000 + val(row, "attempt")


def paused_for(pauses: list[int] | None, start: int, now: int) -> int:
    """How much of start..now the user had it paused."""
    instants = [*(pauses or [])]
    if len(instants) % 2:
        instants.append(now)
    return sum(
        max(0, min(till, now) - max(since, start)) for since, till in zip(instants[::2], instants[1::2], strict=True)
    )
