"""What can go wrong: drawn from a seed's swarm, written down as it is done, and replayable from that list alone.

A fault of a call is (process, number of the call, kind, amount); one of the whole world is ("world", start, kind,
duration). Removing some from the list and playing the rest again is how a failure is made small.
"""

import math
import random
from typing import Any, NamedTuple

MINUTE = 60_000
HOUR = 60 * MINUTE
LEASE_MS = 2 * MINUTE
"""A worker's time limit and its slack, here: a pause that ends just after it meets the next holder at work."""

CALL_KINDS = {
    "kill_before": "the process dies before the call leaves",
    "kill_after": "the process dies when the call is done, before it hears of it",
    "lost_reply": "done, not heard; the SDK makes the same call again",
    "lost_error": "done, not heard, and the SDK gives up",
    "throttle": "refused as too many requests, not done",
    "error_500": "an internal error, not done",
    "error_500_after": "an internal error, though done",
    "slow": "takes seconds",
    "late": "times out at the client, is made again, and the first one is done minutes later",
    "pause": "the process stands still before the call or after it, up to two hours, and goes on as a zombie",
    "outlive": "the process stands still until another has taken over what it holds, and goes on a while later",
    "partial": "a batch of which some entries are not taken",
    "conflict": "refused because another transaction touches the item",
}
WORLD_KINDS = {
    "queue_silent": "nothing is delivered",
    "queue_purged": "every message vanishes",
    "all_dead": "every message goes to the dead-letter queue unread",
    "index_frozen": "the index shows the past",
    "provider_throttles": "the provider answers 429 to all",
    "provider_fails": "the provider answers 500 to all",
    "provider_hangs": "the provider does not answer",
    "row_vanishes": "a pending row of a running task is gone, as after a restore",
    "deploy": "from here on other numbers: rows of a shard, of a transaction, messages of a batch, the worker's time",
    "deploy_broken": "the worker cannot be imported",
    "aggregator_off": "no tick and no nudge arrives",
}
PROVIDER_KINDS = {
    "provider_garbage": "the provider answers what nobody can use",
    "provider_account": "the provider refuses the account",
}
"""Where rows are read by a model."""
DYNAMO_WRITES = {"put_item", "update_item", "delete_item", "transact_write_items"}
HOLDERS = {"api", "worker", "aggregator", "intake"}
"""They hold something that another may take over: a scatter, a row, the sweeper's lease, a document."""
PARTIAL = {"send_message_batch", "batch_get_item", "put_events"}


class Fault(NamedTuple):
    process: str
    call: int
    kind: str
    amount: int


class Faults:
    """The faults of one run: drawn, or replayed."""

    def __init__(self, swarm: Any, replay: list[Fault] | None = None, *, also_when_over: bool = False) -> None:
        self.swarm = swarm
        self.replay = None if replay is None else {(f.process, f.call): f for f in replay if f.process != "world"}
        self.injected: list[Fault] = []
        self.over = False
        self.also_when_over = also_when_over
        self.applicable: dict[tuple[str, str], list[tuple[str, float]]] = {}

    def draw(
        self, process: str, function: str, call: int, operation: str, rng: random.Random, weight: float
    ) -> Fault | None:
        """The fault of this call, if it has one. `weight` makes what happens once in a run as likely to fail as the rest."""
        if self.over and not self.also_when_over:
            return None
        if self.replay is not None:
            fault = self.replay.get((process, call))
        else:
            kind = self._kind(function, operation, rng.random() / weight)
            fault = Fault(process, call, kind, _amount(kind, rng)) if kind else None
        if fault:
            self.injected.append(fault)
        return fault

    def _kind(self, function: str, operation: str, roll: float) -> str | None:
        place = (function, operation)
        if place not in self.applicable:
            here = {
                kind: rate
                for kind, rate in self.swarm.rates.items()
                if self.swarm.only_in.get(kind, function) == function
            }
            self.applicable[place] = [
                (kind, rate) for kind, rate in sorted(here.items()) if applies(kind, operation, function)
            ]
        for kind, rate in self.applicable[place]:
            roll -= rate
            if roll < 0:
                return kind
        return None


def applies(kind: str, operation: str, function: str) -> bool:
    """Whether this kind of fault makes sense at this call of this function."""
    if kind == "partial":
        return operation in PARTIAL
    if kind == "outlive":
        return function in HOLDERS
    return kind != "conflict" or operation in DYNAMO_WRITES


def _amount(kind: str, rng: random.Random) -> int:
    match kind:
        case "slow":
            return int(rng.uniform(200, 9_000))
        case "late":
            return int(math.exp(rng.uniform(math.log(11_000), math.log(900_000))))
        case "pause":
            anything = math.exp(rng.uniform(math.log(1_000), math.log(2 * HOUR)))
            return int(
                rng.choice([anything, rng.uniform(100_000, 300_000), rng.uniform(LEASE_MS - 3_000, LEASE_MS + 30_000)])
            )
        case "outlive":
            return int(rng.choice([rng.uniform(0, 12_000), rng.uniform(0, 12_000), rng.uniform(100_000, 250_000)]))
        case "partial":
            return rng.choice([30, 70, 100])
        case _:
            return 0


def stands_in(kind: str) -> int:
    """The amount that an exhaustive run uses for this kind."""
    return {"slow": 5_000, "late": 150_000, "pause": 400_000, "outlive": 2_000, "partial": 60}.get(kind, 0)


def shown(faults: list[Fault]) -> list[str]:
    return [f"{f.kind} {f.process}#{f.call}" + (f" ({f.amount})" if f.amount else "") for f in faults]


def to_json(faults: list[Fault]) -> list[Any]:
    return [list(fault) for fault in faults]
