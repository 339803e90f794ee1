"""Metrics out of log lines, and alarms as CloudWatch evaluates them over the values. Pure."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

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
    period, name = alarm["Period"] * 1000, metric(alarm, values)
    ends = [now - number * period for number in range(alarm["EvaluationPeriods"])]
    taken = [[point.value for point in points.get(name, []) if end - period <= point.at < end] for end in ends]
    found = [statistic(alarm["Statistic"], each) for each in taken]
    missing = alarm["TreatMissingData"] == "breaching"
    return all(missing if value is None else breach(value, threshold) for value in found)
