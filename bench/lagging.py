"""`close.lag_1000`, `resend.*`: what would take hours or a thousand tasks, in virtual time.

    python -m bench.lagging

prints how long after their last row a thousand tasks close, by memory and number of sweepers, and what a sweeper that waits costs.
The product's own loop decides which task is swept when; a pass takes the processor time that is measured here, by a real client
against a server of canned replies, as much longer as AWS gives a function less than a core, and the waiting that is assumed.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from statistics import median
from threading import Thread
from time import thread_time
from typing import Any
from unittest import mock

import boto3

from bench.horizon import KIND, T0, Horizon, Scenario, Settings, _row, _task
from bench.report import Line, percentile
from sheaf.aggregator import schedule, sweep_loop, sweep_task, sweeper_lease
from sheaf.items import Task, sweeper_of
from sheaf.outside.wiring import World
from sheaf.protocol import queries
from tests.support import stack_file

CALL_MS = 8
"""Waiting for one call of DynamoDB: an assumption."""
CORE_MB = 1_769
"""Lambda's memory for one core: AWS's documentation."""
TASKS, ROWS, ENDS_MS = 1_000, 20, 60_000
PASSES = 300
GB_SECOND_USD = 0.0000133334


def lag_1000() -> Line:
    """A thousand tasks of twenty rows, all open, of which one after the other ends within a minute; with the template's numbers."""
    parameters = stack_file.load()["Parameters"]
    sweepers, memory = (int(parameters[name]["Default"]) for name in ("Sweepers", "AggregatorMemoryMb"))
    about = {"sweepers": sweepers, "memory_mb": memory, "pass_cpu_ms": pass_ms(), "call_ms": CALL_MS}
    return Line(lag(sweepers, memory), "s", more=about)


def resent_idle() -> Line:
    return _resent(Scenario(10_000, 10, 60))


def resent_lost() -> Line:
    """A hundred of them lost: each row ends, and the task closes so long after the last of the others."""
    return _resent(Scenario(10_000, 10, 60, lost=0.01))


def _resent(scenario: Scenario) -> Line:
    horizon = Horizon(scenario)
    busy_until = horizon.busy_until
    ran = horizon.run()
    after = ((horizon.closed_at or 0) - busy_until) / 1000
    return Line(
        ran["resends_per_document"], "messages a row", more={"lost": scenario.lost, "closed_after_the_others_s": after}
    )


# ---------------------------------------------------------------------------------------------------- a pass's own time


@cache
def pass_ms() -> float:
    """Processor milliseconds of one pass over an open task of twenty rows: its item, its rows, its counts."""
    task = _task(ROWS)
    rows = [_row(task, number) for number in range(ROWS)]
    for row in rows[:10]:
        row.status, row.attempt, row.first_claimed_at, row.summary = "completed", 1, T0, {"fields": 9, "found": 7}
    task.counted_at, task.count_every = T0, 500
    with _server(task, rows) as client:
        world = _world(lambda: T0 + 10_000, client)
        taken = []
        for _ in range(PASSES):
            began = thread_time()
            found = queries.task(world, task.task)
            assert found is not None
            sweep_task.sweep_task(world, found, schedule.Watch())
            taken.append((thread_time() - began) * 1000)
    return round(median(taken), 2)


@contextmanager
def _server(task: Task, rows: list[Any]) -> Iterator[Any]:
    """A client of DynamoDB, and in another thread what answers it."""
    item = task.serialize()
    replies = {"GetItem": {"Item": item}, "UpdateItem": {"Attributes": item}}
    swept = [{name: value for name, value in row.serialize().items() if name in queries.SWEPT} for row in rows]
    replies["Query"] = {"Items": swept}
    bodies = {name: json.dumps(reply).encode() for name, reply in replies.items()}

    class Answers(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            body = bodies[self.headers["X-Amz-Target"].rpartition(".")[2]]
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield boto3.client(
                "dynamodb",
                endpoint_url=f"http://127.0.0.1:{server.server_port}",
                region_name="eu-west-1",
                aws_access_key_id="bench",
                aws_secret_access_key="bench",  # noqa: S106 - nobody checks it
            )
        finally:
            server.shutdown()


def _world(now: Any, client: Any = None, parallel: Any = None) -> World[Any]:
    return World(
        settings=Settings({"probe": KIND}),
        now=now,
        sleep=lambda _seconds: None,
        token=lambda: "token",
        chance=lambda: 0.5,
        client=lambda _service: client,
        parallel=parallel or (lambda work, items: [work(item) for item in items]),
        time_limit=mock.Mock(),
    )


# ---------------------------------------------------------------------------------------------------- a thousand tasks


def lag(sweepers: int, memory: int) -> float:
    """Seconds from the last row's end to the close, of nineteen in twenty tasks at most."""
    names = [f"demo/{number:020}" for number in range(TASKS)]
    lags: list[float] = []
    for sweeper in range(sweepers):
        mine = {name: at for at, name in enumerate(names) if sweeper_of(name, None, sweepers) == str(sweeper)}
        lags += _Sweeper(mine, pass_ms() * max(1, CORE_MB / memory)).lags()
    return round(percentile(lags, 0.95), 2)


class _Sweeper:
    """One sweeper's loop over its tasks, in a time of its own. One has all of the processor: threads wait beside each other only."""

    def __init__(self, tasks: dict[str, int], cpu_ms: float) -> None:
        self.ends = {name: T0 + (at + 1) * ENDS_MS / TASKS for name, at in tasks.items()}
        self.cpu_ms = cpu_ms
        self.now: float = T0
        self.closed: dict[str, float] = {}

    def lags(self) -> list[float]:
        world = _world(lambda: int(self.now), parallel=self._parallel)
        world = World(**{**vars(world), "sleep": self._sleep})
        stands_in = {
            (queries, "task"): lambda _world, key: _task_named(key),
            (queries, "active_tasks"): self._active,
            (sweeper_lease, "hear"): lambda *_: self._called(set()),
            (sweeper_lease, "leave"): lambda *_, **__: False,
        }
        patches = [mock.patch.object(owner, name, does) for (owner, name), does in stands_in.items()]
        for patch in patches:
            patch.start()
        try:
            sweep_loop._Loop(world, self._sweep, "0", "me", T0 + ENDS_MS * 5).until_done()  # noqa: SLF001
        finally:
            for patch in patches:
                patch.stop()
        return [(closed - self.ends[name]) / 1000 for name, closed in self.closed.items()]

    def _active(self, *_: Any) -> list[str]:
        return self._called([name for name in self.ends if name not in self.closed])

    def _called(self, reply: Any) -> Any:
        self.now += CALL_MS
        return reply

    def _sleep(self, seconds: float) -> None:
        self.now += seconds * 1000

    def _parallel(self, work: Any, items: list[Any]) -> list[Any]:
        """Three calls one after the other for each, beside each other; and the processor, in turn."""
        began = self.now
        out = [work(item) for item in items]
        self.now = began + max(3 * CALL_MS + self.cpu_ms, len(items) * self.cpu_ms)
        return out

    def _sweep(self, task: Task, watch: schedule.Watch) -> bool:
        """As often as the schedule ever comes: it comes less often while a task still needs long."""
        if self.ends[task.task] <= self.now:
            self.closed[task.task] = self.now + 3 * CALL_MS + self.cpu_ms
            return False
        watch.first_at, watch.due_at = T0, int(self.now) + schedule.PASS_MIN_MS
        return True


def _task_named(key: str) -> Task:
    task = _task(ROWS)
    task.task = key
    return task


if __name__ == "__main__":
    print(f"a pass over {ROWS} rows: {pass_ms()} ms of processor", file=sys.stderr)
    for memory in (512, 1_024, 1_769):
        for sweepers in (1, 2, 4, 8, 16):
            told = {"memory_mb": memory, "sweepers": sweepers, "lag_p95_s": lag(sweepers, memory)}
            waits = round(memory / 1024 * GB_SECOND_USD * 3600, 3)
            print(json.dumps(told | {"one_that_waits_usd_an_hour": waits}), flush=True)
