"""What a run on moto measured: its own lines, and AWS's metrics by what was asked; and which alarms rang over it.

AWS's own are derived: an invocation from a handler's call, an error from what it raised, a message from what the pump holds.
"""

import json
import logging
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tests.support import stack_file
from tests.support.bench import Bench
from tests.support.evaluating import Point, Points, embedded, is_alarm
from tests.support.kinds import names

MINUTE_MS = 60_000
SETTLED_MS = 5 * MINUTE_MS
"""What rings in silence is not asked before so much of a run is over."""
SERVERS_FAULT = 500


class Watched(logging.Handler):
    """A stack on moto and all that is measured of it, in virtual time."""

    def __init__(self, bench: Bench) -> None:
        super().__init__()
        self.bench = bench
        self.began = bench.clock.now
        self.points: list[Point] = []
        self.bytes = self.metric_bytes = 0
        self.lines: list[dict[str, Any]] = []

    def emit(self, record: logging.LogRecord) -> None:
        ours = logging.getLogger("sheaf").handlers[0]
        text = ours.format(record)
        line = json.loads(text)
        plain = {name: each for name, each in line.items() if name != "_aws" and not isinstance(each, list)}
        self.bytes += len(text.encode())
        self.metric_bytes += len(text.encode()) - len(
            json.dumps(plain, separators=(",", ":"), ensure_ascii=False).encode()
        )
        self.lines.append(line)
        self.points += embedded(line, self.bench.clock.now)

    def aws(self, namespace: str, metric: str, value: float, **dimensions: str) -> None:
        self.points.append(Point(self.bench.clock.now, (namespace, metric, frozenset(dimensions.items())), value))

    def invoke(self, function: str, handler: Callable[[], Any]) -> Any:
        """One invocation, however it ends."""
        self.aws("AWS/Lambda", "Invocations", 1, FunctionName=function)
        try:
            return handler()
        except Exception:  # noqa: BLE001 - whatever it is, Lambda counts it
            self.aws("AWS/Lambda", "Errors", 1, FunctionName=function)
            return None

    def ask(self, *request: Any) -> tuple[int, Any]:
        status, body = self.bench.http(*request)
        if status >= SERVERS_FAULT:
            self.aws("AWS/ApiGateway", "5xx", 1, ApiId="HttpApi")
        return status, body

    def erase(self) -> None:
        """What the janitor was asked for, and what Lambda does with such a call: three times, then it is dropped."""
        for _ in self.bench.nudges:
            before = len(self.points)
            for _ in range(3):
                self.invoke("JanitorFunction", self.bench.tidy)
            if sum(point.name[1] == "Errors" for point in self.points[before:]) == 3:
                self.aws("AWS/Lambda", "AsyncEventsDropped", 1, FunctionName="JanitorFunction")

    def minutes(
        self, number: int, *, work: str | None = None, at_most: int = 1000, sweeping: bool = True, step: int = 1
    ) -> None:
        """So many minutes: a tick of the schedule, messages handed to this kind's worker, a look at every queue."""
        for _ in range(0, number, step):
            until = self.bench.clock.now + step * MINUTE_MS
            if work:
                self.bench.deliver(work, at_most)
            if sweeping:
                self.invoke("AggregatorFunction", self.bench.sweep_once)
            self._look_at_queues()
            self.bench.clock.now = max(until, self.bench.clock.now)

    def _look_at_queues(self) -> None:
        most = int(self.bench.made.values["MaxReceives"])
        for kind in (*self.bench.kinds, "intake", "notice"):
            dead = sum(held.kind == kind and held.receives >= most for held in self.bench.held.values())
            queue = f"{names(kind)[0]}DeadLetters"
            self.aws("AWS/SQS", "ApproximateNumberOfMessagesVisible", dead, QueueName=queue)

    def rang(self, *asked: str, **chosen: float) -> set[str]:
        """Which of these alarms, or of all, rang at some minute of the run."""
        made = self.bench.made.template
        values = {**stack_file.parameters(made), **chosen}
        alarms = stack_file.resources(made, "AWS::CloudWatch::Alarm")
        minutes = range(self.began + SETTLED_MS, self.bench.clock.now + 1, MINUTE_MS)
        points: Points = defaultdict(list)
        for point in self.points:
            points[point.name].append(point)
        return {
            name
            for name in asked or alarms
            if any(is_alarm(alarms[name]["Properties"], values, points, minute) for minute in minutes)
        }


@contextmanager
def watching(bench: Bench) -> Iterator[Watched]:
    logger, watched = logging.getLogger("sheaf"), Watched(bench)
    logger.addHandler(watched)
    try:
        yield watched
    finally:
        logger.removeHandler(watched)
