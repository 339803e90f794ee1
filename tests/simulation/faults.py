"""What goes wrong: drawn from a seed's swarm, written down as it is done, and replayable from that list alone.

A fault of a call is (process, number of the call, kind, amount); one of the whole world is ("world", start, kind,
duration). Removing some from the list and playing the rest again is how a failure is made small.
"""

import math
import random
from dataclasses import dataclass, field
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
    "deploy_broken": "the worker cannot be imported",
    "aggregator_off": "no tick and no nudge arrives",
}
DYNAMO_WRITES = {"put_item", "update_item", "delete_item", "transact_write_items"}
PARTIAL = {"send_message_batch", "batch_get_item", "put_events"}


class Fault(NamedTuple):
    process: str
    call: int
    kind: str
    amount: int


@dataclass
class Swarm:
    """Which things can go wrong in one seed's world, and how often. All of it is drawn from the seed."""

    rates: dict[str, float] = field(default_factory=dict)
    only_in: dict[str, str] = field(default_factory=dict)
    """A kind that befalls one function only."""
    skew_ms: int = 0
    stale_ms: int = 0
    index_lag_ms: int = 0
    page: int | None = None
    duplicates: float = 0.0
    lost_messages: float = 0.0
    undeleted: float = 0.0
    throttled_receives: float = 0.0
    vague: float = 0.0
    send_delay_ms: int = 300
    lost_ticks: float = 0.0
    double_ticks: float = 0.0
    late_ticks_ms: int = 0
    lost_nudges: float = 0.0
    latency_ms: int = 20
    acts: dict[str, float] = field(default_factory=lambda: {"ok": 1.0})

    @property
    def calm(self) -> bool:
        """No process can die, stand still or be refused by AWS."""
        return not self.rates


def draw_swarm(rng: random.Random) -> Swarm:
    """A random subset of everything, at random rates; one seed in ten is nearly calm."""
    swarm = Swarm(latency_ms=rng.choice([10, 30, 200]))
    if rng.random() < 0.5:
        swarm.acts = {"ok": 3.0} | {act: rng.random() * 2 for act in ACTS if rng.random() < 0.4}
    flavour = rng.choices(["calm", "mixed", "one function", "stubborn", "zombies"], [10, 35, 20, 15, 20])[0]
    if flavour == "calm":
        return swarm
    if flavour == "stubborn":
        swarm.rates[rng.choice(list(CALL_KINDS))] = rng.uniform(0.1, 0.4)
    elif flavour == "zombies":
        _draw_zombies(swarm, rng)
    else:
        swarm.rates = {
            kind: math.exp(rng.uniform(math.log(0.002), math.log(0.08))) for kind in CALL_KINDS if rng.random() < 0.35
        }
    if flavour == "one function":
        function = rng.choice(FUNCTIONS)
        swarm.rates = {kind: min(0.25, rate * 4) for kind, rate in swarm.rates.items()}
        swarm.only_in = dict.fromkeys(swarm.rates, function)
    _draw_nature(swarm, rng)
    return swarm


FUNCTIONS = ("api", "aggregator", "worker", "dead_letter")


def _draw_zombies(swarm: Swarm, rng: random.Random) -> None:
    """Processes that stand still and go on when everybody has done without them, among others that die."""
    function = rng.choice(["worker", "worker", "worker", "aggregator", "aggregator", "api"])
    swarm.rates = {
        "pause": rng.uniform(0.02, 0.12),
        "slow": rng.uniform(0.0, 0.1),
        "kill_before": rng.choice([0.0, 0.03, 0.3]),
    }
    swarm.only_in = {"pause": function, "kill_before": "worker"}
    swarm.acts = {"ok": 1.0, "slow": 2.0}


def _draw_nature(swarm: Swarm, rng: random.Random) -> None:
    """What AWS does to everyone without being broken: duplicates, staleness, small pages, clocks that differ."""

    def sometimes(chance: float, low: float, high: float) -> float:
        return rng.uniform(low, high) if rng.random() < chance else 0

    swarm.skew_ms = int(sometimes(0.4, 1_000, 29_000))
    swarm.stale_ms = int(sometimes(0.5, 50, 5_000))
    swarm.index_lag_ms = int(sometimes(0.6, 50, 30_000))
    swarm.page = rng.randint(1, 4) if rng.random() < 0.5 else None
    swarm.duplicates = sometimes(0.5, 0.02, 0.5)
    swarm.lost_messages = sometimes(0.4, 0.02, 0.5)
    swarm.undeleted = sometimes(0.3, 0.02, 0.3)
    swarm.throttled_receives = sometimes(0.3, 0.02, 0.6)
    swarm.vague = sometimes(0.3, 0.05, 0.5)
    swarm.send_delay_ms = int(sometimes(0.4, 500, 120_000)) or 300
    swarm.lost_ticks = sometimes(0.4, 0.05, 0.7)
    swarm.double_ticks = sometimes(0.4, 0.05, 0.5)
    swarm.late_ticks_ms = int(sometimes(0.4, 100, 300_000))
    swarm.lost_nudges = sometimes(0.5, 0.1, 1.0)


ACTS = ("slow", "throttle", "transient", "permanent", "defect", "hang", "out_of_memory")


def draw_world_faults(rng: random.Random, quiet_at: int) -> list[Fault]:
    """Things that happen to everyone, before `quiet_at` milliseconds."""
    found = []
    for kind in WORLD_KINDS:
        if rng.random() < 0.12:
            start = int(rng.uniform(0, quiet_at * 0.9))
            length = int(min(quiet_at - start, rng.uniform(0.05, 1.0) * quiet_at))
            found.append(Fault("world", start, kind, length))
    return found


class Faults:
    """The faults of one run: drawn, or replayed."""

    def __init__(self, swarm: Swarm, replay: list[Fault] | None = None) -> None:
        self.swarm = swarm
        self.replay = None if replay is None else {(f.process, f.call): f for f in replay if f.process != "world"}
        self.injected: list[Fault] = []
        self.over = False
        self.applicable: dict[tuple[str, str], list[tuple[str, float]]] = {}

    def draw(
        self, process: str, function: str, call: int, operation: str, rng: random.Random, weight: float
    ) -> Fault | None:
        """The fault of this call, if it has one. `weight` makes what happens once in a run as likely to fail as the rest."""
        if self.replay is not None:
            fault = self.replay.get((process, call))
        elif self.over:
            return None
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
            self.applicable[place] = [(kind, rate) for kind, rate in sorted(here.items()) if applies(kind, operation)]
        for kind, rate in self.applicable[place]:
            roll -= rate
            if roll < 0:
                return kind
        return None


def applies(kind: str, operation: str) -> bool:
    if kind == "partial":
        return operation in PARTIAL
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
        case "partial":
            return rng.choice([30, 70, 100])
        case _:
            return 0


def stands_in(kind: str) -> int:
    """The amount that an exhaustive run uses for this kind."""
    return {"slow": 5_000, "late": 150_000, "pause": 400_000, "partial": 60}.get(kind, 0)


def shown(faults: list[Fault]) -> list[str]:
    return [f"{f.kind} {f.process}#{f.call}" + (f" ({f.amount})" if f.amount else "") for f in faults]


def to_json(faults: list[Fault]) -> list[Any]:
    return [list(fault) for fault in faults]
