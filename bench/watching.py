"""`idle.requests` and `metrics.cost`: what nothing costs, and what being watched costs. The real functions on moto.

Requests are counted as botocore makes them. What Lambda does by itself is arithmetic, and is said so: five pollers a
queue that each wait 20 s, and three lines of its own for each invocation.
"""

import logging
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.report import Line
from sheaf.logs import METRICS
from tests.support import stack_file
from tests.support.alarms import Watched, watching
from tests.support.bench import Bench, stack

MINUTES, HOURS = 60, 730
DOCUMENTS = 100
POLLERS, POLL_SECONDS = 5, 20
OWN_LINES_BYTES = 380
"""START, END and REPORT of one invocation."""
TICK_SECONDS, TICK_GB = 0.05, 1.73
USD = {"read": 0.125e-6, "write": 0.625e-6, "sqs": 0.40e-6, "call": 0.20e-6, "gb_second": 0.0000133334, "log_gb": 0.50}
"""List prices, us-east-1, arm64, as docs/performance.md has them."""
ALARM_USD, DASHBOARD_USD, METRIC_USD = 0.10, 3.00, 0.30
WRITES = {"PutItem", "UpdateItem", "DeleteItem"}


@contextmanager
def _watched() -> Iterator[tuple[Bench, Watched]]:
    """A stack whose lines are taken and not printed."""
    logging.getLogger("sheaf").handlers[0].setLevel(logging.CRITICAL)
    made = stack_file.load()
    with tempfile.TemporaryDirectory() as folder, stack(Path(folder) / "log", made) as bench, watching(bench) as seen:
        yield bench, seen


def idle() -> Line:
    """An hour with nothing to do: sixty ticks of the schedule and a 24th of the janitor's round."""
    with _watched() as (bench, seen):
        with bench.calls.watch() as calls:
            for _ in range(MINUTES):
                until = bench.clock.now + 60_000
                seen.invoke("AggregatorFunction", bench.sweep)
                bench.clock.now = until
            made = Counter(f"{service}.{operation}" for service, operation, _ in calls.made)
        lines = seen.bytes
    every: dict[str, Any] = {"of": dict(made), "polls": _polls()} | _month(made, lines)
    return Line(float(made.total()), "requests an hour", more=every)


def _polls() -> int:
    """Of the queues that feed a function, in an hour."""
    mappings = stack_file.resources(stack_file.load(), "AWS::Lambda::EventSourceMapping")
    return len(mappings) * POLLERS * 3600 // POLL_SECONDS


def _month(made: Counter[str], lines: int) -> dict[str, Any]:
    """Dollars of a month like that hour, and what they are made of."""
    writes = sum(many for name, many in made.items() if name.partition(".")[2] in WRITES)
    alarms = len(stack_file.resources(stack_file.load(), "AWS::CloudWatch::Alarm"))
    parts = {
        "dynamodb": HOURS * (writes * USD["write"] + (made.total() - writes) * USD["read"]),
        "queues": HOURS * _polls() * USD["sqs"],
        "lambda": HOURS * MINUTES * (USD["call"] + TICK_SECONDS * TICK_GB * USD["gb_second"]),
        "logs": HOURS * (lines + MINUTES * OWN_LINES_BYTES) / 1e9 * USD["log_gb"],
        "alarms": alarms * ALARM_USD,
    }
    shown = {name: round(usd, 2) for name, usd in parts.items()}
    return {"usd_month": round(sum(parts.values()), 2), "usd": shown, "dashboard_usd": DASHBOARD_USD}


def metrics() -> Line:
    """Bytes of log lines a document, from the request to the task's close, and how many of them are metrics."""
    with _watched() as (bench, seen):
        papers = [bench.paper(f"Paper {number}.", f"{number}.txt") for number in range(DOCUMENTS)]
        bench.open(papers)
        bench.settle()
        each = seen.bytes / DOCUMENTS, seen.metric_bytes / DOCUMENTS
    usd = each[0] * 1000 / 1e9 * USD["log_gb"]
    many = {"kind": len(bench.kinds), "provider": 2, None: 1}
    most = sum(many[metric.by] for metric in METRICS.values())
    more = {"metric_bytes": each[1], "usd_per_1000_documents": usd, "metrics_at_most": most}
    return Line(each[0], "bytes a document", more=more | {"metrics_usd_month_at_most": most * METRIC_USD})
