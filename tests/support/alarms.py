"""Alarms as CloudWatch evaluates them, over what a run on moto measured: its own lines, and AWS's metrics by what was asked.

AWS's own are derived: an invocation from a handler's call, an error from what it raised, a message from what the pump holds.
"""

import json
import logging
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from tests.support import stack_file
from tests.support.bench import Bench
from tests.support.kinds import names

MINUTE_MS = 60_000
SETTLED_MS = 5 * MINUTE_MS
"""What rings in silence is not asked before so much of a run is over."""
CHOICE = re.compile(r"IF\((\w+) >= (\d+), (\w+), (\d+)\)")
SERVERS_FAULT = 500
Dimensions = frozenset[tuple[str, str]]


class Point(NamedTuple):
    """One value of one metric."""

    at: int
    name: tuple[str, str, Dimensions]
    value: float


def embedded(line: dict[str, Any], at: int) -> Iterator[Point]:
    """What CloudWatch takes out of a log's line."""
    for directive in line.get("_aws", {}).get("CloudWatchMetrics", []):
        for dimensions in directive["Dimensions"]:
            by = frozenset((name, line[name]) for name in dimensions)
            for metric in directive["Metrics"]:
                for value in line[metric["Name"]]:
                    yield Point(at, (directive["Namespace"], metric["Name"], by), value)


Points = dict[tuple[str, str, Dimensions], list[Point]]


class Watched(logging.Handler):
    """A stack on moto and all that is measured of it, in virtual time."""

    def __init__(self, bench: Bench) -> None:
        super().__init__()
        self.bench = bench
        self.began = bench.clock.now
        self.points: list[Point] = []
        self.lines: list[dict[str, Any]] = []

    def emit(self, record: logging.LogRecord) -> None:
        ours = logging.getLogger("sheaf").handlers[0]
        line = json.loads(ours.format(record))
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
        for kind in (*self.bench.kinds, "intake"):
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


def resolved(value: Any, values: dict[str, Any]) -> Any:
    """A value of the template; a resource is called by its own name there."""
    if not isinstance(value, dict):
        return value
    name = value.get("Ref") or value["Fn::GetAtt"][0]
    return {"AWS::StackName": "sheaf", **values}.get(name, name)


def metric(body: dict[str, Any], values: dict[str, Any]) -> tuple[str, str, Dimensions]:
    by = frozenset((each["Name"], resolved(each["Value"], values)) for each in body.get("Dimensions", []))
    return body["Namespace"], body["MetricName"], by


def statistic(which: str, found: list[float]) -> float | None:
    """None where there is nothing to tell."""
    if which == "SampleCount":
        return float(len(found)) or None
    every: dict[str, Callable[[list[float]], float]] = {
        "Sum": sum,
        "Maximum": max,
        "Minimum": min,
        "Average": lambda each: sum(each) / len(each),
    }
    return every[which](found) if found else None


def is_alarm(alarm: dict[str, Any], values: dict[str, Any], points: Points, now: int) -> bool:
    """Whether it rings at this instant: each of its periods breaches, the last one ending now."""
    breaches = {"GreaterThanThreshold": lambda a, b: a > b, "LessThanThreshold": lambda a, b: a < b}
    breach, threshold = breaches[alarm["ComparisonOperator"]], float(resolved(alarm["Threshold"], values))
    period = _period(alarm) * 1000
    ends = [now - number * period for number in range(alarm["EvaluationPeriods"])]
    found = [_value(alarm, values, points, range(end - period, end)) for end in ends]
    missing = alarm["TreatMissingData"] == "breaching"
    return all(missing if value is None else breach(value, threshold) for value in found)


def _period(alarm: dict[str, Any]) -> int:
    periods = {each["MetricStat"]["Period"] for each in alarm.get("Metrics", []) if "MetricStat" in each}
    (period,) = periods or {alarm["Period"]}
    return int(period)


def _value(alarm: dict[str, Any], values: dict[str, Any], points: Points, when: range) -> float | None:
    def told(body: dict[str, Any], which: str) -> float | None:
        found = points.get(metric(body, values), [])
        return statistic(which, [point.value for point in found if point.at in when])

    if "Metrics" not in alarm:
        return told(alarm, alarm["Statistic"])
    stats = {each["Id"]: each["MetricStat"] for each in alarm["Metrics"] if "MetricStat" in each}
    (formula,) = [each["Expression"] for each in alarm["Metrics"] if "Expression" in each]
    matched = CHOICE.fullmatch(formula)
    assert matched, f"no arithmetic for {formula}"
    asked, least, then, otherwise = matched.groups()
    every = {name: told(stat["Metric"], stat["Stat"]) for name, stat in stats.items()}
    number = every[asked]
    if number is None:
        return None
    return every[then] if number >= int(least) else float(otherwise)


@contextmanager
def watching(bench: Bench) -> Iterator[Watched]:
    logger, watched = logging.getLogger("sheaf"), Watched(bench)
    logger.addHandler(watched)
    try:
        yield watched
    finally:
        logger.removeHandler(watched)
