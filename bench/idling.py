"""`idle.invocations_per_minute`: what the aggregator does when there is nothing to do."""

import re
import time
from typing import Any

from bench.place import Place, place
from bench.report import RUNS, Line

DURATION_MAX_MS = 100
DURATION = re.compile(r"\tDuration: ([\d.]+) ms")


def invocations_per_minute() -> Line:
    """The REPORT lines of the function's log, over whole minutes of quiet; the first minute lets it start anew."""
    at = place()
    time.sleep(70)
    since = time.time()
    time.sleep(60 * RUNS)
    durations = _durations(at, since)
    assert durations, "no invocation at all: the schedule does not run"
    slowest = max(durations)
    value = len(durations) / RUNS if slowest < DURATION_MAX_MS else float("inf")
    return Line(value, "invocations", more={"milliseconds": durations, "minutes": RUNS})


def _durations(at: Place, since: float) -> list[float]:
    found: Any = at.client("logs").filter_log_events(
        logGroupName=at.name("AggregatorLog"), filterPattern="REPORT", startTime=int(since * 1000)
    )
    told = (DURATION.search(event["message"]) for event in found["events"])
    return [float(match.group(1)) for match in told if match]
