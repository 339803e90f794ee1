"""`close.*`, `big.task`, `sweep.rru_per_document`: from the last row's end to the task's, for many small and for one big."""

import json
import os
import time
from collections import Counter
from dataclasses import dataclass, replace

from bench.asking import Status, ask
from bench.place import Place, place
from bench.report import RUNS, Line, median, percentile
from bench.units import call_units, item_size
from sheaf.items import Task

SMALL_TASKS, SMALL = 40, 20
BIG = 10_000
SMALL_STATUS = 100
ITEM_MAX = 4_096
BIG_RUNS = int(os.environ.get("BIG_RUNS") or RUNS)


def lag_p95() -> Line:
    """Forty tasks posted one after the other, so that one sweeper has up to forty to look after."""
    at = place()
    lags = []
    for _ in range(RUNS):
        opened = [at.post(at.documents(SMALL)) for _ in range(SMALL_TASKS)]
        lags.append(percentile([_lag(at, at.closed(task_id)) for task_id in opened], 0.95))
    return median(lags, "s")


def _lag(at: Place, task: Task) -> float:
    """Both instants are the functions' own, on one machine's clock."""
    return float(task.completed_at - max(row.updated_at for row in at.rows(task))) / 1000


@dataclass(frozen=True)
class Big:
    """What one task of 10,000 showed."""

    accept_seconds: float
    seconds: float
    lag: float
    read_units: float
    sweeps: int
    calls: int
    whole: bool
    status: Status


runs: list[Big] = []


def big(count: int = BIG_RUNS) -> list[Big]:
    """So many runs at least; each is taken once, whoever asks."""
    while len(runs) < count:
        runs.append(_one_big(place()))
    return runs


def _one_big(at: Place) -> Big:
    """Aggregator and API go through recording proxies; the workers go straight to the emulator."""
    with at.recorded("AggregatorFunction") as recording, at.recorded("ApiFunction") as api:
        started = time.monotonic()
        task_id = at.post(at.documents(BIG))
        accepted = time.monotonic() - started
        status = ask(at, api, task_id)
        task = at.closed(task_id, within=1_800, every=2)
        seconds = time.monotonic() - started
        status = replace(status, item_bytes=max(status.item_bytes, item_size(at.raw_task(task_id))))
        rows = at.rows(task)
        asked = [line for line in recording.lines() if line["service"] == "dynamodb" and line["status"] == 200]  # noqa: PLR2004
    units = sum(call_units(line["operation"], json.loads(line["request"]), json.loads(line["reply"])) for line in asked)
    sweeps = Counter(line["operation"] for line in asked)["GetItem"]
    calls = at.probe_calls(task_id)
    ended = Counter(row.status for row in rows)
    whole = (
        ended == {"completed": BIG} and sorted({row.row for row in rows}) == list(range(BIG)) and task.completed == BIG
    )
    return Big(accepted, seconds, _lag(at, task), units, sweeps, len(calls), whole and len(set(calls)) == BIG, status)


def lag_big() -> Line:
    return median([run.lag for run in big()], "s")


def task() -> Line:
    """Every row completed, every document worked on; `seconds` from the request to the close."""
    taken = sorted(big(), key=lambda run: run.seconds)
    middle = taken[len(taken) // 2]
    more = {"seconds": middle.seconds, "accepted_after": middle.accept_seconds, "runs": len(taken)}
    return Line(all(run.whole for run in taken), "", more=more | {"calls": [run.calls for run in taken]})


def rru_per_document() -> Line:
    """Everything that the aggregator reads during the task, in units computed from the items that came back."""
    return median([run.read_units / BIG for run in big()], "read units", sweeps=[run.sweeps for run in big()])


def status_requests() -> Line:
    """At 100 documents and at 10,000, the task's item under 4 KB both times."""
    at = place()
    with at.recorded("ApiFunction") as api:
        task_id = at.post(at.documents(1_000, sleep=50)[:SMALL_STATUS])
        small = ask(at, api, task_id)
    both = (small, big(1)[0].status)
    most = max(each.requests for each in both)
    size = max(each.item_bytes for each in both)
    return Line(
        most if size < ITEM_MAX else float("inf"),
        "requests",
        more={"item_bytes": size, "asked": sum(each.asked for each in both)},
    )
