"""`fair.small`: five rows beside 5,000 of another project, over the same five alone.

AWS's fair queues are modelled in virtual time as AWS describes them, because no emulator has them: a project is noisy
while it has more than a tenth of the messages in flight and thirty at least, or had more than a tenth of the time that
consumers spent of late; while one is, others' messages go first; of several, that of the fewest in flight
(docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues-detailed.html). AWS does not say how
long "of late" is: five minutes here. Beside it the same without fairness, and the emulator as it is.
"""

import heapq
import random
import secrets
import statistics
import time
from dataclasses import dataclass, field

from bench.draining import send_bare
from bench.place import Place, place
from bench.report import Line

BIG, SMALL = 5_000, 5
ROW_SECONDS = 60
LATELY = 300.0
SHARE, IN_FLIGHT_MIN = 0.1, 30
ARRIVES = 600.0
"""When the five come: the workers are at the 5,000 since ten minutes."""
SEEDS = 20


@dataclass
class Project:
    """A message group: what of it waits, what is in flight, and when its finished messages were worked on."""

    waiting: int = 0
    in_flight: list[float] = field(default_factory=list)
    done: list[tuple[float, float]] = field(default_factory=list)

    def lately(self, now: float) -> float:
        """How long consumers were at its messages within the last minutes."""
        spans = [*self.done, *((since, now) for since in self.in_flight)]
        return sum(max(0.0, end - max(since, now - LATELY)) for since, end in spans)


def model(workers: int, rule: str, seed: int, *, big: int = BIG) -> float:
    """Seconds from the five's coming to the end of the last of them. `rule`: fair, share (of those in flight alone), or order."""
    chance = random.Random(seed)  # noqa: S311 - the same run every time
    projects = {"big": Project(big), "small": Project()}
    free, running, now = workers, [(ARRIVES, "comes", 0.0)], 0.0
    while True:
        while free and (name := _next(projects, rule, now)):
            projects[name].waiting -= 1
            projects[name].in_flight.append(now)
            heapq.heappush(running, (now + ROW_SECONDS * chance.uniform(0.7, 1.3), name, now))
            free -= 1
        now, name, since = heapq.heappop(running)
        if name == "comes":
            projects["small"].waiting = SMALL
            continue
        free += 1
        found = projects[name]
        found.in_flight.remove(since)
        found.done = [*(span for span in found.done if span[1] > now - LATELY), (since, now)]
        if name == "small" and not (found.waiting or found.in_flight):
            return now - ARRIVES


def _next(projects: dict[str, Project], rule: str, now: float) -> str | None:
    """Whose message is given out next; the older first where no project is noisier."""
    there = [name for name, project in projects.items() if project.waiting]
    if rule == "order" or len(there) < len(projects):
        return next(iter(there), None)
    noisy = [name for name in there if _is_noisy(projects, name, rule, now)]
    quiet = [name for name in there if name not in noisy]
    return quiet[0] if quiet else min(noisy, key=lambda name: len(projects[name].in_flight))


def _is_noisy(projects: dict[str, Project], name: str, rule: str, now: float) -> bool:
    mine = len(projects[name].in_flight)
    if mine >= IN_FLIGHT_MIN and mine > SHARE * sum(len(project.in_flight) for project in projects.values()):
        return True
    spent = {each: project.lately(now) for each, project in projects.items()}
    return rule == "fair" and spent[name] > SHARE * sum(spent.values())


def _ratio(workers: int, rule: str) -> float:
    return statistics.median(model(workers, rule, seed) / model(workers, rule, seed, big=0) for seed in range(SEEDS))


def small() -> Line:
    """At ten workers as AWS describes its queues; the others beside it."""
    more = {
        "at_100": _ratio(100, "fair"),
        "share_in_flight_alone": [_ratio(10, "share"), _ratio(100, "share")],
        "in_order": [_ratio(10, "order"), _ratio(100, "order")],
        "emulator_at_10": _on_the_emulator(place()),
    }
    return Line(_ratio(10, "fair"), "times as long", more=more)


def _on_the_emulator(at: Place) -> float:
    """Two groups' messages in one queue, for the bare worker: ours writes rows first, which is not what is measured."""
    alone = _five(at, 0)
    return _five(at, BIG) / alone


def _five(at: Place, others: int) -> float:
    big, few = secrets.token_hex(10), secrets.token_hex(10)
    at.listen("BareFunction", enabled=False)
    send_bare(at, big, others, sleep=0, group="big")
    send_bare(at, few, SMALL, sleep=0, group="small")
    began = time.monotonic()
    at.listen("BareFunction", enabled=True)
    _ended(at, few, SMALL)
    took = time.monotonic() - began
    _ended(at, big, others)
    return took


def _ended(at: Place, run: str, count: int) -> None:
    at.wait_for(
        lambda: True if sum("ended_at" in item for item in at.items(run, "BareTable")) == count else None,
        within=600,
        every=0.2,
    )
