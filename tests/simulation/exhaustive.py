"""Every single fault of every kind at every call of eight stories, or at some of each sort; on demand, every pair in the first.

Tasks: two with three documents each, one paused and resumed, the other cancelled and retried and then forgotten; some
acts that have to be tried again, a message that dies, a look at what there is, a janitor. Library: three papers, one
replaced while it is read and once more when it is ready, one that is pictures, one deleted, and a task over them.
Provider: a task of three rows, a reply that nobody can use, a long closure after which rows are let go, and a short one.
Kinds: four tasks of two kinds; of the second its looks at the items that it pins.
Exports: a table of three rows, ordered while it runs and when it has ended, and each of the two once more.
Still: two tasks whose messages nobody delivers, and what is asked of their queue when one is looked at.
Gathering: two tasks over a knowledge base, the one cancelled while it is gathered.
Notices: two tasks close, and their receiver takes the first notice at the second try, and what comes then at once.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import NamedTuple

from tests.simulation.branching import Branching
from tests.simulation.faults import CALL_KINDS, Fault, applies, stands_in
from tests.simulation.outcome import Outcome
from tests.simulation.runs import explain
from tests.simulation.shape import Shape
from tests.simulation.simulation import Simulation
from tests.simulation.swarm import Swarm

SEED = 20_261_174
SMALL = {"shard_rows": 2, "transaction": 2, "wave": 2, "batch": 2, "aggregator_ms": 90_000, "max_receives": 2}
ALREADY = [Fault("world", 7_000, "all_dead", 0), Fault("api-2", 10, "kill_after", 0)]
"""What goes wrong in the first story anyway, so that it has a dead letter and a scatter that another finishes."""
REFUSED_ONCE = [Fault("intake-4", 3, "throttle", 0)]
"""And in the second, so that a reading is given back and its message hidden."""
SILENT = [Fault("world", 1, "queue_silent", 50_000)]
"""And in the last, so that its tasks stand still when they are looked at."""


HALF_SENT = [Fault("aggregator-7", 3, "kill_after", 0)]
"""And in the gathering, so that rows of a part are there when it is sent again, and are put one by one."""


class Story(NamedTuple):
    """What happens, what goes wrong in it anyway, and at which of its calls anything else is to go wrong."""

    swarm: Callable[[], Swarm]
    shape: Shape
    already: list[Fault]
    worth: Callable[[str, str], bool]
    """A call by its function and by what it is about."""


def _of_the_library(function: str, about: str) -> bool:
    return function == "intake" or (
        function in ("api", "aggregator") and ("library" in about or "intake" in about or "documents/" in about)
    )


def _of_the_items(function: str, about: str) -> bool:
    return function == "api" and "inputs/" in about


def _of_the_tables(function: str, about: str) -> bool:
    return function == "worker" and (about == "results" or ".file" in about)


def _of_the_queue(function: str, about: str) -> bool:
    return function == "api" and about.startswith("queue")


def _of_the_provider(function: str, about: str) -> bool:
    return function == "worker"


def _of_the_notices(function: str, about: str) -> bool:
    return function == "notice" or (function == "aggregator" and ("webhook" in about or about in ("", "notices")))


def _of_the_gathering(function: str, about: str) -> bool:
    """The aggregator's manifest, and the rows that it writes by it."""
    return function == "aggregator" and ("manifest" in about or about in ("", "results"))


STORIES = {
    "tasks": Story(
        lambda: Swarm(acts={"ok": 3.0, "transient": 1.0, "throttle": 1.0, "permanent": 0.5}, latency_ms=10),
        Shape(quiet_ms=60_000, requests=2, documents=3, janitor=True, story=True, **SMALL),
        ALREADY,
        lambda _function, _about: True,
    ),
    "library": Story(
        lambda: Swarm(latency_ms=10, readings={"ok": 2.0, "slow": 1.0}),
        Shape(quiet_ms=210_000, requests=0, documents=1, uploads=3, form_s=120, story=True, **SMALL),
        REFUSED_ONCE,
        _of_the_library,
    ),
    "provider": Story(
        lambda: Swarm(latency_ms=10),
        Shape(
            quiet_ms=100_000, requests=1, documents=3, engine=True, calls_per_minute=60, story=True,
            script=("garbage", "429 for long", "ok", "429"), **SMALL,
        ),
        [],
        _of_the_provider,
    ),
    "kinds": Story(
        lambda: Swarm(latency_ms=10),
        Shape(quiet_ms=60_000, requests=4, documents=1, kinds=2, story=True, **SMALL),
        [],
        _of_the_items,
    ),
    "exports": Story(
        lambda: Swarm(latency_ms=10),
        Shape(quiet_ms=60_000, requests=1, documents=3, exports=2, story=True, **SMALL),
        [],
        _of_the_tables,
    ),
    "still": Story(
        lambda: Swarm(latency_ms=10),
        Shape(quiet_ms=60_000, requests=2, documents=2, story=True, **SMALL),
        SILENT,
        _of_the_queue,
    ),
    "notices": Story(
        lambda: Swarm(latency_ms=10),
        Shape(quiet_ms=60_000, requests=2, documents=1, webhooks=True, story=True, **SMALL),
        [],
        _of_the_notices,
    ),
    "gathering": Story(
        lambda: Swarm(latency_ms=10),
        Shape(quiet_ms=60_000, requests=2, documents=3, by_reference=True, part=2, story=True, **SMALL),
        HALF_SENT,
        _of_the_gathering,
    ),
}  # fmt: skip


def play(story: Story, faults: list[Fault], *, record: bool = False) -> Simulation:
    """The story, with these faults."""
    simulation = Simulation(SEED, swarm=story.swarm(), shape=story.shape, replay=[*story.already, *faults])
    if record:
        simulation.made = []
    return simulation.run()


def singles(story: Story, after: list[Fault] | None = None, *, a_sort: int | None = None) -> Iterator[Fault]:
    """Each fault that can be put at each call of the story that is worth it (with those faults before it).

    `a_sort`: at no more calls than so many of each sort. A sweeper that waits asks the same a hundred times over.
    """
    before = after or []
    made = play(story, before, record=True).made or []
    taken = {(fault.process, fault.call) for fault in [*story.already, *before]}
    sorts: dict[tuple[str, str, str], list[tuple[str, int]]] = defaultdict(list)
    for process, call, operation, about in made:
        function = process.rpartition("-")[0]
        if story.worth(function, about) and (process, call) not in taken:
            sorts[function, operation, about].append((process, call))
    for (function, operation, _), places in sorts.items():
        for process, call in _spread(places, a_sort or len(places)):
            for kind in CALL_KINDS:
                if applies(kind, operation, function):
                    yield Fault(process, call, kind, stands_in(kind))


def _spread(places: list[tuple[str, int]], most: int) -> list[tuple[str, int]]:
    """So many of them, the first and the last among them."""
    if len(places) <= most:
        return places
    return [places[number * (len(places) - 1) // max(most - 1, 1)] for number in range(most)]


def run_singles(part: int, of: int, a_sort: int | None) -> Outcome:
    """One process's part of all single faults, or of those at so many calls of each sort."""
    outcome = Outcome()
    for story in STORIES.values():
        mine = [fault for number, fault in enumerate(singles(story, a_sort=a_sort)) if number % of == part]
        # A table is written to a real file. A copy and its original would share the place where it stands in it.
        outcome.join((alone if story.shape.exports else branched)(story, mine))
    return outcome


def branched(story: Story, singly: list[Fault]) -> Outcome:
    """Each of these faults alone. The story is played once: where a fault belongs, a process of its own goes on with it."""
    simulation = Simulation(SEED, swarm=story.swarm(), shape=story.shape, replay=[*story.already, *singly])
    simulation.faults = faults = Branching(simulation.faults, story.already, singly)
    with faults.branches():
        simulation.run()
        if faults.taken:
            _judge(simulation, faults.outcome)
    assert not faults.waiting, faults.waiting
    return faults.outcome


def alone(story: Story, singly: list[Fault]) -> Outcome:
    """The same, each played from the beginning."""
    outcome = Outcome()
    for fault in singly:
        _run(story, [fault], outcome)
    return outcome


def run_pairs(part: int, of: int, limit: int | None, seed: int) -> Outcome:
    """One process's part of all ordered pairs, in random order, or as many as `limit`."""
    outcome, story = Outcome(), STORIES["tasks"]
    first = [fault for number, fault in enumerate(singles(story)) if number % of == part]
    random.Random(seed).shuffle(first)
    for fault in first:
        for second in singles(story, [fault]):
            if limit is not None and outcome.runs >= limit:
                return outcome
            _run(story, [fault, second], outcome)
    return outcome


def _run(story: Story, faults: list[Fault], outcome: Outcome) -> None:
    _judge(play(story, faults), outcome)


def _judge(simulation: Simulation, outcome: Outcome) -> None:
    outcome.add(simulation)
    if simulation.invariants.found:
        outcome.broken.append(explain(simulation))
