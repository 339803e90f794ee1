"""Every single fault of every kind at every call of one story with three documents; and, on demand, every pair.

The story: two tasks, one paused and resumed, the other cancelled and retried and then forgotten; some acts that have to
be tried again, a message that dies, a look at what there is, a janitor.
"""

import random
from collections.abc import Iterator

from tests.simulation.faults import CALL_KINDS, Fault, applies, stands_in
from tests.simulation.outcome import Outcome
from tests.simulation.runs import explain
from tests.simulation.shape import Shape
from tests.simulation.simulation import Simulation
from tests.simulation.swarm import Swarm

SEED = 20_261_174
ALREADY = [Fault("world", 7_000, "all_dead", 0), Fault("api-2", 10, "kill_after", 0)]
"""What goes wrong in the story anyway, so that it has a dead letter and a scatter that another finishes."""


def story(faults: list[Fault], *, record: bool = False) -> Simulation:
    """The story, with these faults."""
    swarm = Swarm(acts={"ok": 3.0, "transient": 1.0, "throttle": 1.0, "permanent": 0.5}, latency_ms=10)
    shape = Shape(
        quiet_ms=60_000,
        requests=2,
        documents=3,
        shard_rows=2,
        transaction=2,
        wave=2,
        batch=2,
        aggregator_ms=90_000,
        max_receives=2,
        janitor=True,
        story=True,
    )
    simulation = Simulation(SEED, swarm=swarm, shape=shape, replay=[*ALREADY, *faults])
    if record:
        simulation.made = []
    return simulation.run()


def singles(after: list[Fault] | None = None) -> Iterator[Fault]:
    """Each fault that can be put at each call of the story (with those faults before it)."""
    before = after or []
    made = story(before, record=True).made or []
    taken = {(fault.process, fault.call) for fault in [*ALREADY, *before]}
    for process, call, operation in made:
        for kind in CALL_KINDS:
            if applies(kind, operation, process.rpartition("-")[0]) and (process, call) not in taken:
                yield Fault(process, call, kind, stands_in(kind))


def run_singles(part: int, of: int) -> Outcome:
    """One process's part of all single faults."""
    outcome = Outcome()
    for number, fault in enumerate(singles()):
        if number % of == part:
            _run([fault], outcome)
    return outcome


def run_pairs(part: int, of: int, limit: int | None, seed: int) -> Outcome:
    """One process's part of all ordered pairs, in random order, or as many as `limit`."""
    outcome = Outcome()
    first = [fault for number, fault in enumerate(singles()) if number % of == part]
    random.Random(seed).shuffle(first)
    for fault in first:
        for second in singles([fault]):
            if limit is not None and outcome.runs >= limit:
                return outcome
            _run([fault, second], outcome)
    return outcome


def _run(faults: list[Fault], outcome: Outcome) -> None:
    simulation = story(faults)
    outcome.add(simulation)
    if simulation.invariants.found:
        outcome.broken.append(explain(simulation))
