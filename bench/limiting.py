"""`live.concurrency`: from a change of the most rows at work to its effect, down and up, while a task runs."""

import json
import time
from typing import NamedTuple

from bench.place import TASKS, Place, place
from bench.report import RUNS, Line
from bench.units import call_units
from sheaf.items import Row

ROWS, SLEEP = 200, 1_000
MANY, FEW = 8, 2
WATCHED_SECONDS = 12
ACCEPTED = 202


class Run(NamedTuple):
    down: float
    """From the change to the last start while more were at work than may be."""
    up: float
    """From the change until as many are at work as may be."""
    over: int
    """The most that were at work beyond a limit whose effect had come."""
    used: float
    """What share of the places was at work before the first change, from the third second on."""
    read_units: float
    updates: float
    """Of the aggregator, a second of the task."""


def concurrency() -> Line:
    """The worst of all changes."""
    at = place()
    runs = [_one(at) for _ in range(RUNS)]
    more = {
        "down": [run.down for run in runs],
        "up": [run.up for run in runs],
        "over": max(run.over for run in runs),
        "places_used": [run.used for run in runs],
        "row_seconds": SLEEP / 1000,
        "read_units_a_second": [run.read_units for run in runs],
        "updates_a_second": [run.updates for run in runs],
    }
    return Line(max(max(run.down, run.up) for run in runs), "s", more=more)


def _one(at: Place) -> Run:
    """Eight at work, then two, then eight. The aggregator goes through a recording proxy."""
    with at.recorded("AggregatorFunction") as recording:
        name, fewer, more = _changed_twice(at)
        asked = [line for line in recording.lines() if line["service"] == "dynamodb" and line["status"] == 200]  # noqa: PLR2004
    rows = at.rows(at.closed(name))
    starts = sorted(row.first_claimed_at for row in rows if row.first_claimed_at)
    late = [start for start in starts if fewer <= start < more and _at_work(rows, start) > FEW]
    full = next(start for start in starts if start >= more and _at_work(rows, start) >= MANY)
    after = [_at_work(rows, start) - FEW for start in starts if max([fewer, *late]) < start < more]
    steady = range(starts[0] + 3_000, fewer, 50)
    used = sum(_at_work(rows, instant) for instant in steady) / len(steady) / MANY
    units = sum(call_units(line["operation"], json.loads(line["request"]), json.loads(line["reply"])) for line in asked)
    updates = sum(line["operation"] == "UpdateItem" for line in asked)
    seconds = (more - fewer) / 1000 * 3
    down = (max(late, default=fewer) - fewer) / 1000
    return Run(down, (full - more) / 1000, max(0, *after, 0), used, units / seconds, updates / seconds)


def _changed_twice(at: Place) -> tuple[str, int, int]:
    """The task, cancelled at the end, and when its limit was changed."""
    body = {"templateId": "rct", "documentIds": at.documents(ROWS, sleep=SLEEP), "kind": "probe", "mostAtWork": MANY}
    status, task = at.ask("POST", TASKS, body)
    assert status == ACCEPTED, task
    name = str(task["taskId"])
    time.sleep(WATCHED_SECONDS)
    fewer = _limit(at, name, FEW)
    time.sleep(WATCHED_SECONDS)
    more = _limit(at, name, MANY)
    time.sleep(WATCHED_SECONDS)
    at.ask("POST", f"{TASKS}/{name}/cancel")
    at.closed(name)
    return name, fewer, more


def _limit(at: Place, task: str, most: int) -> int:
    """Change it; gives when it was changed."""
    status, told = at.ask("POST", f"{TASKS}/{task}/limit", {"mostAtWork": most})
    assert status == ACCEPTED, told
    return time.time_ns() // 1_000_000


def _at_work(rows: list[Row], instant: int) -> int:
    """How many were claimed and had not ended."""
    return sum(bool(row.first_claimed_at) and row.first_claimed_at <= instant < row.updated_at for row in rows)
