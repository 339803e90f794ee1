"""What is drawn for one seed: which things go wrong in its world, how often, and to whom.

A mix is a flavour of trouble. Most mixes are broad; some put two things together that seldom meet by chance, such as
a worker that outlives its lease and a successor who is at work just then. Every seed draws one, and a planted bug may
name the one that shows it soonest (half of its seeds are then of that mix, the other half as they fall).
"""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.simulation.faults import CALL_KINDS, PROVIDER_KINDS, WORLD_KINDS, Fault

FUNCTIONS = ("api", "aggregator", "worker", "janitor")
ACTS = ("slow", "throttle", "transient", "permanent", "defect", "hang", "out_of_memory")
READINGS = ("slow", "broken", "out_of_memory")
ANSWERS = (
    "429",
    "429 for long",
    "500",
    "hang",
    "slow",
    "garbage",
    "account",
    "format",
    "busy",
    "refused",
    "out_of_memory",
)
SLACK_MS = 60_000
"""A lease's slack. Clocks that differ by more can make two holders of one row; the fences have to hold even then."""


@dataclass
class Swarm:
    """Which things can go wrong in one seed's world, and how often. All of it is drawn from the seed."""

    mix: str = "kept"
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
    readings: dict[str, float] = field(default_factory=lambda: {"ok": 1.0})
    """What becomes of reading a file."""
    answers: dict[str, float] = field(default_factory=lambda: {"ok": 1.0})
    """What a model's provider answers."""
    lost_notices: float = 0.0
    double_notices: float = 0.0
    late_notices_ms: int = 0

    @property
    def calm(self) -> bool:
        """No process can die, stand still or be refused by AWS."""
        return not self.rates

    @property
    def wild_clocks(self) -> bool:
        """Two clocks may differ by more than a lease's slack: then only the fences have to hold."""
        return 2 * self.skew_ms > SLACK_MS


def draw_swarm(rng: random.Random, mix: str | None = None) -> Swarm:
    """A mix and its numbers."""
    mix = mix or rng.choices(list(MIXES), [weight for weight, _, _ in MIXES.values()])[0]
    swarm = Swarm(mix=mix, latency_ms=rng.choice([10, 30, 200]))
    if rng.random() < 0.5:
        swarm.acts = {"ok": 3.0} | {act: rng.random() * 2 for act in ACTS if rng.random() < 0.4}
    if mix != "calm":
        _draw_nature(swarm, rng)
    MIXES[mix][1](swarm, rng)
    return swarm


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


# ---------------------------------------------------------------------------------------------------- mixes


def _calm(_swarm: Swarm, _rng: random.Random) -> None:
    """Nothing is broken; what the provider does is all."""


def _mixed(swarm: Swarm, rng: random.Random) -> None:
    swarm.rates = {
        kind: math.exp(rng.uniform(math.log(0.002), math.log(0.08))) for kind in CALL_KINDS if rng.random() < 0.35
    }


def _one_function(swarm: Swarm, rng: random.Random) -> None:
    _mixed(swarm, rng)
    swarm.rates = {kind: min(0.25, rate * 4) for kind, rate in swarm.rates.items()}
    swarm.only_in = dict.fromkeys(swarm.rates, rng.choice(FUNCTIONS))


def _stubborn(swarm: Swarm, rng: random.Random) -> None:
    swarm.rates = {rng.choice(list(CALL_KINDS)): rng.uniform(0.1, 0.4)}


def _zombies(swarm: Swarm, rng: random.Random) -> None:
    """Processes that stand still and go on when everybody has done without them, among others that die."""
    function = rng.choice(["worker", "worker", "worker", "aggregator", "aggregator", "api"])
    swarm.rates = {
        "pause": rng.uniform(0.02, 0.12),
        "slow": rng.uniform(0.0, 0.1),
        "kill_before": rng.choice([0.0, 0.03, 0.3]),
    }
    swarm.only_in = {"pause": function, "kill_before": "worker"}
    swarm.acts = {"ok": 1.0, "slow": 2.0}


def _late_finishers(swarm: Swarm, rng: random.Random) -> None:
    """Workers that come back when the next one is at work on the same row."""
    swarm.rates = {"outlive": rng.uniform(0.1, 0.3), "kill_before": rng.choice([0.0, 0.05])}
    swarm.only_in = dict.fromkeys(swarm.rates, "worker")
    swarm.acts = {"ok": 1.0, "slow": 3.0, "transient": rng.choice([0.0, 1.0])}


def _late_sweepers(swarm: Swarm, rng: random.Random) -> None:
    """Aggregators that come back with what they have read long ago, among workers that die."""
    swarm.rates = {"outlive": rng.uniform(0.02, 0.1), "kill_before": rng.choice([0.1, 0.3])}
    swarm.only_in = {"outlive": "aggregator", "kill_before": "worker"}
    swarm.acts = {"ok": 1.0, "slow": 1.0, "out_of_memory": 2.0}
    swarm.lost_ticks = 0


def _half_turned(swarm: Swarm, rng: random.Random) -> None:
    """People turn a task while their requests die on the way."""
    swarm.rates = {kind: rng.uniform(0.02, 0.1) for kind in ("kill_before", "kill_after", "lost_error", "error_500")}
    swarm.only_in = dict.fromkeys(swarm.rates, "api")
    swarm.acts = {"ok": 1.0, "throttle": 2.0, "slow": 1.0}


def _eager_retries(swarm: Swarm, rng: random.Random) -> None:
    """What did not succeed is retried the moment it is closed, while reads are still stale."""
    swarm.acts = {"ok": 1.0, "permanent": rng.uniform(1, 4)}
    swarm.stale_ms, swarm.latency_ms = 5_000, 10
    swarm.lost_nudges = swarm.lost_messages = swarm.lost_ticks = 0


def _late_openers(swarm: Swarm, rng: random.Random) -> None:
    """Requests that go on with their scatter when others have finished it, and the task is closed and forgotten."""
    swarm.rates = {"outlive": rng.uniform(0.05, 0.15)}
    swarm.only_in = {"outlive": "api"}
    swarm.lost_ticks = swarm.late_ticks_ms = swarm.lost_messages = swarm.throttled_receives = 0
    swarm.send_delay_ms = 300
    swarm.acts = {"ok": 1.0}


def _clocks_apart(swarm: Swarm, rng: random.Random) -> None:
    """Nothing is broken, but no two clocks agree, as far as a lease's slack allows."""
    swarm.skew_ms, swarm.stale_ms, swarm.latency_ms = 29_000, 0, 20
    swarm.acts = {"ok": 1.0, "slow": 2.0}
    swarm.lost_ticks = swarm.lost_nudges = 0


def _wild_clocks(swarm: Swarm, rng: random.Random) -> None:
    """Clocks that differ by minutes: two holders at once are possible, and no write of either may hurt."""
    _mixed(swarm, rng)
    swarm.skew_ms = rng.randint(31_000, 300_000)
    swarm.acts = {"ok": 1.0, "slow": 1.0, "out_of_memory": rng.choice([0.0, 1.0])}


def _deadlines(swarm: Swarm, rng: random.Random) -> None:
    """Short deadlines, long pauses, a provider that asks for patience."""
    swarm.acts = {"ok": 1.0, "throttle": rng.uniform(2, 6), "transient": rng.choice([0.0, 1.0])}


def _leftovers(swarm: Swarm, rng: random.Random) -> None:
    """Batches of which a part is not taken."""
    swarm.rates = {"partial": rng.uniform(0.1, 0.5)}
    swarm.lost_nudges = swarm.lost_ticks = 0


def _lost_messages(swarm: Swarm, rng: random.Random) -> None:
    """Messages vanish, some of them after a while, of a queue that says truly that it is empty."""
    swarm.lost_messages, swarm.vague = rng.uniform(0.2, 0.6), 0.0
    swarm.lost_ticks = swarm.late_ticks_ms = 0
    swarm.acts = {"ok": 1.0, "transient": rng.choice([0.0, 1.0])}


def _nudges(swarm: Swarm, rng: random.Random) -> None:
    """Somebody wants something all the time, of sweepers that are about to leave."""
    swarm.acts = {"ok": 1.0}
    swarm.latency_ms = rng.choice([200, 1_000])
    swarm.lost_nudges = swarm.lost_ticks = 0


def _uploads(swarm: Swarm, rng: random.Random) -> None:
    """People bring papers, while notices of them are lost, late or doubled and readers die."""
    _mixed(swarm, rng)
    swarm.lost_notices = rng.choice([0.0, 0.2, 0.6])
    swarm.double_notices = rng.choice([0.0, 0.3])
    swarm.late_notices_ms = rng.choice([0, 60_000, 1_800_000])
    swarm.readings = {"ok": 3.0} | {act: rng.random() for act in READINGS if rng.random() < 0.5}


def _late_readers(swarm: Swarm, rng: random.Random) -> None:
    """Readers that come back when the next one is at the same document, or when it was given other bytes."""
    swarm.rates = {"outlive": rng.uniform(0.15, 0.4), "kill_before": rng.choice([0.0, 0.05])}
    swarm.only_in = dict.fromkeys(swarm.rates, "intake")
    swarm.readings = {"ok": 1.0, "slow": 2.0}
    swarm.double_notices, swarm.lost_ticks = rng.choice([0.0, 0.5]), 0


def _late_looks(swarm: Swarm, rng: random.Random) -> None:
    """Sweeps of the library that write what they saw minutes ago, and late notices of what was replaced."""
    swarm.rates = {"pause": rng.uniform(0.1, 0.3), "slow": rng.uniform(0.0, 0.2)}
    swarm.only_in = dict.fromkeys(swarm.rates, "aggregator")
    swarm.lost_notices, swarm.late_notices_ms, swarm.lost_ticks = 0.4, 900_000, 0


def _quiet_library(swarm: Swarm, rng: random.Random) -> None:
    """Nothing is broken: what comes of a file is what it deserves."""
    swarm.rates, swarm.readings = {}, {"ok": 3.0, "slow": 1.0}
    swarm.lost_notices = rng.choice([0.0, 0.5])


def _provider_storms(swarm: Swarm, rng: random.Random) -> None:
    """A provider in trouble, behind everything else that may go wrong."""
    _mixed(swarm, rng)
    swarm.answers = {"ok": rng.uniform(1, 4)} | {answer: rng.random() for answer in ANSWERS if rng.random() < 0.45}


def _probers_die(swarm: Swarm, rng: random.Random) -> None:
    """Workers die or stand still while they try a provider that was shut, or with a reply in their hands."""
    swarm.rates = {kind: rng.uniform(0.02, 0.15) for kind in ("kill_before", "kill_after", "outlive", "lost_error")}
    swarm.only_in = dict.fromkeys(swarm.rates, "worker")
    swarm.answers = {
        "ok": 2.0,
        rng.choice(["429", "500", "account", "429 for long"]): rng.uniform(0.5, 2),
        "out_of_memory": 0.3,
    }
    swarm.lost_ticks = 0


def _deaf_gates(swarm: Swarm, rng: random.Random) -> None:
    """Tables that refuse workers while their provider refuses them too, and replies that have to be asked for again."""
    swarm.rates = {"throttle": rng.uniform(0.05, 0.2), "kill_before": rng.choice([0.0, 0.03])}
    swarm.only_in = dict.fromkeys(swarm.rates, "worker")
    swarm.answers = {"ok": 2.0, "429": 1.0, "account": rng.choice([0.0, 1.0]), "garbage": 2.0, "500": 0.5}
    swarm.lost_ticks = 0


def _refusals(swarm: Swarm, rng: random.Random) -> None:
    """Nothing is broken but the provider, which has no time or wants money."""
    swarm.rates = {}
    swarm.answers = {
        "ok": 2.0,
        "429": rng.uniform(0.5, 3),
        "account": rng.choice([0.0, 1.0]),
        "429 for long": rng.choice([0.0, 0.3]),
    }
    swarm.lost_ticks = swarm.lost_messages = 0


def _poison(swarm: Swarm, _rng: random.Random) -> None:
    """Nothing is broken but the second project's papers."""
    swarm.rates = {}
    swarm.lost_ticks = swarm.late_ticks_ms = swarm.index_lag_ms = 0
    swarm.lost_messages = swarm.throttled_receives = swarm.undeleted = 0


def _budgets(swarm: Swarm, rng: random.Random) -> None:
    """Tasks that may cost only so much, answers that are paid for in vain, sweepers that shut what they saw long ago."""
    kinds = [*rng.sample(("kill_before", "kill_after", "lost_reply", "late", "slow", "throttle"), 2), "pause"]
    swarm.rates = {kind: rng.uniform(0.01, 0.1) for kind in kinds} if rng.random() < 0.7 else {}
    swarm.only_in = {"pause": "aggregator"}
    swarm.answers = {"ok": 3.0, "garbage": rng.choice([0.0, 2.0]), "429": rng.choice([0.0, 1.0]), "refused": 0.5}
    swarm.stale_ms = rng.choice([0, 0, swarm.stale_ms])
    swarm.lost_ticks = 0


def _limits(swarm: Swarm, rng: random.Random) -> None:
    """Few rows at once, of tasks whose limits change, among sweepers that write what they saw long ago and workers that claim late."""
    _mixed(swarm, rng)
    swarm.rates |= rng.choice([{}, {"pause": 0.05}, {"outlive": 0.05}])
    swarm.only_in |= {kind: rng.choice(["aggregator", "worker"]) for kind in ("pause", "outlive")}
    swarm.acts = {"ok": 3.0, "slow": 2.0} | {act: rng.choice([0.0, 1.0]) for act in ("transient", "throttle")}
    swarm.stale_ms = rng.choice([0, swarm.stale_ms])
    swarm.lost_ticks = 0


def _exports(swarm: Swarm, rng: random.Random) -> None:
    """Tables that people take out again and again, by workers that die, come back or fail, of tasks that are retried and deleted."""
    _mixed(swarm, rng)
    swarm.rates = {kind: rate / 2 for kind, rate in swarm.rates.items()} | {"outlive": rng.choice([0.0, 0.05])}
    swarm.only_in = {"outlive": "worker"}
    swarm.acts = {"ok": 3.0, "permanent": rng.choice([0.0, 1.5]), "transient": rng.choice([0.0, 1.0]), "slow": 1.0}
    swarm.lost_ticks = 0


def _notices(swarm: Swarm, rng: random.Random) -> None:
    """Tasks close, and who is to be told of it is away, among functions that die around it."""
    swarm.rates = {kind: rng.uniform(0.02, 0.06) for kind in CALL_KINDS}
    swarm.only_in = {kind: rng.choice(["notice"] * 4 + ["aggregator"]) for kind in swarm.rates}
    swarm.acts = {"ok": 1.0}
    swarm.lost_ticks = swarm.lost_messages = swarm.late_ticks_ms = 0


Draw = Callable[[Swarm, random.Random], None]
LIBRARY = {"uploads": 4, "requests": 0, "documents": 1, "kinds": 1}
MODEL = {"engine": True, "quiet_ms": 480_000, "concurrency": 3, "documents": 4, "requests": 1, "kinds": 1}
MIXES: dict[str, tuple[int, Draw, dict[str, Any]]] = {
    "calm": (10, _calm, {}),
    "mixed": (18, _mixed, {}),
    "one function": (14, _one_function, {}),
    "stubborn": (12, _stubborn, {}),
    "zombies": (12, _zombies, {}),
    "late finishers": (5, _late_finishers, {"quiet_ms": 900_000, "on_expiry": "retry", "max_tries": 4}),
    "late sweepers": (
        4,
        _late_sweepers,
        {"quiet_ms": 1_200_000, "aggregator_ms": 600_000, "documents": 5, "max_tries": 2},
    ),
    "gatherers": (
        3,
        _late_sweepers,
        {"by_reference": True, "quiet_ms": 1_200_000, "documents": 5, "requests": 2, "part": 2},
    ),
    "half turned": (4, _half_turned, {"habit": "turning", "quiet_ms": 600_000}),
    "eager retries": (3, _eager_retries, {"habit": "retrying", "shard_rows": 250, "documents": 5}),
    "late openers": (
        3,
        _late_openers,
        {"habit": "deleting", "janitor": True, "quiet_ms": 900_000, "requests": 3, "concurrency": 10, "documents": 3},
    ),
    "deadlines": (3, _deadlines, {"habit": "turning", "row_deadline_ms": 600_000, "quiet_ms": 2_400_000}),
    "leftovers": (2, _leftovers, {"documents": 5, "batch": 10}),
    "lost messages": (2, _lost_messages, {"quiet_ms": 600_000, "stall_ms": 600_000, "aggregator_ms": 600_000}),
    "nudges": (2, _nudges, {"habit": "turning", "requests": 3, "documents": 1, "quiet_ms": 300_000}),
    "clocks apart": (2, _clocks_apart, {"habit": "pausing", "quiet_ms": 150_000, "documents": 8, "concurrency": 2}),
    "wild clocks": (3, _wild_clocks, {"on_expiry": "retry"}),
    "uploads": (5, _uploads, {**LIBRARY}),
    "late readers": (2, _late_readers, {**LIBRARY, "quiet_ms": 1_200_000}),
    "late looks": (1, _late_looks, {**LIBRARY, "quiet_ms": 1_200_000}),
    "quiet library": (1, _quiet_library, {**LIBRARY}),
    "provider storms": (4, _provider_storms, {**MODEL, "calls_per_minute": 60}),
    "probers die": (2, _probers_die, {**MODEL, "calls_per_minute": 20, "max_tries": 3}),
    "deaf gates": (1, _deaf_gates, {**MODEL, "calls_per_minute": 60, "max_tries": 4}),
    "refusals": (1, _refusals, {**MODEL, "calls_per_minute": 30}),
    "poison": (
        2,
        _poison,
        {
            **MODEL,
            "quiet_ms": 1_200_000,
            "projects": 2,
            "requests": 2,
            "documents": 8,
            "meddling": False,
            "poisoned": 6,
            "max_tries": 4,
            "calls_per_minute": 60,
        },
    ),
    "budgets": (
        2,
        _budgets,
        {**MODEL, "calls_per_minute": 60, "documents": 8, "requests": 2, "budgets": True, "habit": "retrying"},
    ),
    "limits": (
        2,
        _limits,
        {"limits": True, "quiet_ms": 600_000, "documents": 8, "concurrency": 10, "habit": "pausing"},
    ),
    "exports": (
        3,
        _exports,
        {
            "exports": 6,
            "deciders": 12,
            "habit": "deleting",
            "janitor": True,
            "quiet_ms": 600_000,
            "requests": 2,
            "documents": 4,
            "kinds": 1,
        },
    ),
    "notices": (
        3,
        _notices,
        {
            "webhooks": True,
            "quiet_ms": 3_600_000,
            "requests": 10,
            "documents": 1,
            "kinds": 1,
            "projects": 2,
            "exports": 2,
        },
    ),
    "broad": (1, _mixed, {"documents": 36, "shard_rows": 10, "transaction": 4, "wave": 12, "concurrency": 10}),
}
"""Name -> how often of a hundred seeds, what it draws, and what of the world's shape it fixes."""


def draw_world_faults(rng: random.Random, quiet_at: int, *, engine: bool) -> list[Fault]:
    """Things that happen to everyone, before `quiet_at` milliseconds."""
    found = []
    for kind in [*WORLD_KINDS, *(PROVIDER_KINDS if engine else ())]:
        if rng.random() < 0.12:
            start = int(rng.uniform(0, quiet_at * 0.9))
            length = int(min(quiet_at - start, rng.uniform(0.05, 1.0) * quiet_at))
            found.append(Fault("world", start, kind, length))
    return found
