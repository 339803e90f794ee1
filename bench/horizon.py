"""Tasks too long to wait for, in virtual time: the real sweep over rows that end by the clock.

    python -m bench.horizon

The product's own `sweep_task` decides when to come again, what to read, what to send again and when to close; the
store under it is a list of rows that are claimed and ended by as many workers as said, each for as long as said.
One JSON line a scenario; among them tasks that lose a share of their messages, and one whose workers stand still for a while.
`estimate`: over all counts that showed an instant, how far p50 was off as a share of the time that was left (median), how
often the end came by p50 and by p90, and for how long after the last end before a standstill an instant was still shown.
"""

import heapq
import json
import random
from bisect import bisect_right
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from statistics import median
from typing import Any
from unittest import mock

from bench.units import READ_BYTES
from sheaf.aggregator import queue_look, schedule, sweep_task
from sheaf.api import forecast
from sheaf.items import SHARD_ROWS, QueueNotes, Row, Task, shard_key
from sheaf.notices import tell
from sheaf.outside.wiring import World
from sheaf.protocol import counts as counting
from sheaf.protocol import lifecycle, queries, row_messages
from sheaf.protocol.counts import Counts, Seen
from sheaf.protocol.lifecycle import RowStatus
from sheaf.settings import Kind

T0 = 1_800_000_000_000
NEVER = 1 << 60
BYTES = {RowStatus.PENDING: 480, RowStatus.EXTRACTING: 560, RowStatus.COMPLETED: 620}
"""Of a row with ids of the usual length, as `row.wru` weighs them with the longest: 572, 630 and 718."""
KIND = Kind("probe", "queue", 4, "retry", "probe", "clinical.extract_paper.desk")


@dataclass(frozen=True)
class Scenario:
    documents: int
    workers: int
    seconds: float
    in_order: bool = True
    """Whether the queue gives messages out in the order they came: roughly so on a standard queue, never for sure."""
    lost: float = 0
    """The share of the messages that never come; a row's second message does."""
    stop_seconds: int = 0
    """How long all workers stand still in the middle of the task."""


@dataclass
class Settings:
    kinds: dict[str, Kind]
    tasks_table: str = "tasks"
    results_table: str = "results"
    row_deadline_seconds: int = 604_800
    stall_window_seconds: int = 600
    max_usd_per_project_and_day: float = 0


class Horizon:
    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.now = T0
        self.reads = self.read_units = self.resent = 0.0
        self.second = 0
        self.before: tuple[int | None, int | None] = (None, None)
        self.closed_at: int | None = None
        self.guesses: list[tuple[int, int, dict[str, str] | None]] = []
        """When was counted, how many percent had ended, and what was shown."""
        chance = random.Random(1)  # noqa: S311 - the same run every time
        order = list(range(scenario.documents))
        if not scenario.in_order:
            chance.shuffle(order)
        self.starts, self.ends = [0] * scenario.documents, [0] * scenario.documents
        free = [T0] * scenario.workers
        for number in order:
            self.starts[number] = free[0]
            self.ends[number] = free[0] + int(scenario.seconds * 1000 * (0.7 + 0.6 * chance.random()))
            heapq.heapreplace(free, self.ends[number])
        lost = chance.sample(range(scenario.documents), int(scenario.lost * scenario.documents))
        self._stand_still(sum(self.ends) // scenario.documents)
        self.busy_until = max(end for number, end in enumerate(self.ends) if number not in set(lost))
        for number in lost:
            self.starts[number] = self.ends[number] = NEVER
        self.task = _task(scenario.documents)
        self.rows = [_row(self.task, number) for number in range(scenario.documents)]
        self.world: World[Any] = World(
            settings=Settings({"probe": KIND}),
            now=lambda: self.now,
            sleep=_no_sleep,
            token=lambda: "token",
            chance=lambda: 0.5,
            client=_no_client,
            parallel=lambda work, items: [work(item) for item in items],
            time_limit=_no_client,
        )

    def _stand_still(self, middle: int) -> None:
        more = self.scenario.stop_seconds * 1000
        self.starts = [at + more * (at > middle) for at in self.starts]
        self.ends = [at + more * (at > middle) for at in self.ends]

    @property
    def last_end(self) -> int:
        return max(self.ends)

    def run(self) -> dict[str, Any]:
        watch = schedule.Watch()
        sweeps = 0
        with self._patched():
            while self.closed_at is None:
                sweeps += 1
                sweep_task.sweep_task(self.world, self.task, watch)
                self.now = max(self.now + 50, watch.due_at)
        scenario = self.scenario
        hours = (self.last_end - T0) / 3_600_000
        return {
            "documents": scenario.documents,
            "workers": scenario.workers,
            "seconds_a_document": scenario.seconds,
            "in_order": scenario.in_order,
            "hours": round(hours, 2),
            "sweeps": sweeps,
            "shard_reads": int(self.reads),
            "rru_per_document": round(self.read_units / scenario.documents, 2),
            "resends_per_document": round(self.resent / scenario.documents, 2),
            "close_lag_seconds": ((self.closed_at or 0) - self.last_end) / 1000,
            "lost": scenario.lost,
            "stop_seconds": scenario.stop_seconds,
            "estimate": self._estimate(),
        }

    def _estimate(self) -> dict[str, Any]:
        """How good what was shown was, now that the end is known."""
        shown = [
            (now, _ms(told["p50"]), _ms(told["p90"])) for now, _, told in self.guesses if told and now < self.last_end
        ]
        if not shown:
            return {"shown": 0}
        quarters = {}
        for mark in (25, 50, 75):
            first = next(((now, told) for now, percent, told in self.guesses if percent >= mark and told), None)
            if first and first[0] < self.last_end:
                left = self.last_end - first[0]
                quarters[f"at {mark} %"] = [round((_ms(first[1][p]) - self.last_end) / left, 3) for p in ("p50", "p90")]
        return {
            "shown": len(shown),
            "p50_off": round(median(abs(p50 - self.last_end) / (self.last_end - now) for now, p50, _ in shown), 3),
            "by_p50": round(sum(self.last_end <= p50 for _, p50, _ in shown) / len(shown), 2),
            "by_p90": round(sum(self.last_end <= p90 for _, _, p90 in shown) / len(shown), 2),
            "still_shown_seconds": self._still_shown(),
            "off_p50_p90": quarters,
        }

    def _still_shown(self) -> float:
        """The longest that an instant was shown after an end that no other followed."""
        ends = sorted(self.ends)
        shown = [now for now, _, told in self.guesses if told]
        return max(now - ends[at - 1] for now in shown if (at := bisect_right(ends, now))) / 1000

    @contextmanager
    def _patched(self) -> Iterator[None]:
        stands_in: dict[tuple[Any, str], Callable[..., Any]] = {
            (queries, "shard"): self._shard,
            (queue_look, "get"): lambda *_: None,
            (queue_look, "_look"): self._look,
            (row_messages, "send"): self._send,
            (lifecycle, "stamp"): self._stamp,
            (lifecycle, "record_counts"): self._record,
            (lifecycle, "close"): self._close,
            (tell, "closed"): lambda *_: None,
            (sweep_task, "say"): lambda *_, **__: None,
        }
        patches = [mock.patch.object(owner, name, does) for (owner, name), does in stands_in.items()]
        for patch in patches:
            patch.start()
        try:
            yield
        finally:
            for patch in patches:
                patch.stop()

    def _shard(self, _world: Any, task: Task, number: int, **_: Any) -> Seen:
        """One shard as it stands at this virtual instant, and what reading it costs."""
        ended, times = 0, [0, 0, 0, 0]
        open_rows = []
        size = 0
        for at in range(number * SHARD_ROWS, min((number + 1) * SHARD_ROWS, task.total)):
            row = self.rows[at]
            if self.ends[at] <= self.now:
                ended += 1
                took = self.ends[at] - self.starts[at]
                times = counting.together(times, [self.ends[at], 1, took, took])
                size += BYTES[RowStatus.COMPLETED]
                continue
            if self.starts[at] <= self.now and row.status == RowStatus.PENDING:
                row.status, row.updated_at, row.lease_until = (
                    RowStatus.EXTRACTING,
                    self.starts[at],
                    self.ends[at] + 60_000,
                )
            open_rows.append(row)
            size += BYTES[RowStatus(row.status)]
        self.reads += 1
        self.read_units += 0.5 * max(1, ceil(size / READ_BYTES))
        return Seen(Counts(completed=ended), open_rows, times)

    def _look(self, *_: Any) -> QueueNotes:
        """A message for each open row whose own was not lost, and the second ones, which come last and find their rows ended."""
        messages = sum(end > self.now for end in self.ends if end != NEVER)
        messages += self.second if self.now <= self.busy_until else 0
        before, self.before = self.before, (self.now, messages)
        return QueueNotes(
            gate="queue/probe", looked_at=self.now, messages=messages, before_at=before[0], before=before[1]
        )

    def _send(self, _world: Any, _kind: Any, rows: list[Row]) -> None:
        self.resent += len(rows)
        self.second += sum(self.starts[row.row] != NEVER for row in rows)
        for row in rows:
            if self.starts[row.row] == NEVER:
                self.starts[row.row] = self.now + 100
                self.ends[row.row] = self.starts[row.row] + int(self.scenario.seconds * 1000)

    def _stamp(self, _world: Any, row: Row, now: int, *, sent: bool) -> Row:
        row.waiting_since = row.waiting_since or now
        if sent:
            row.sent_at, row.sends = now, row.sends + 1
        return row

    def _record(self, _world: Any, task: Task, counts: dict[str, int], *, sealed: Any, outlook: Any, now: int) -> Task:
        task.extracting, task.completed = counts["extracting"], counts["completed"]
        task.sealed, task.counted_at, task.moved_at = sealed, now, counts["moved_at"]
        task.finish_at, task.finish_by, task.slow_after = outlook.finish_at, outlook.finish_by, outlook.slow_after
        task.count_every, task.row_ms = outlook.count_every, outlook.row_ms
        shown = None if forecast.not_moving(task, counts, now, now) else forecast.expected(task, now)
        self.guesses.append((now, 100 * task.completed // task.total, shown))
        return task

    def _close(self, _world: Any, task: Task, status: Any, counts: Any, *, sealed: Any, now: int) -> Task:
        assert counts["completed"] == task.total == sealed["sum"][0]
        self.closed_at, task.status = now, status
        return task


def _ms(text: str) -> int:
    return round(datetime.fromisoformat(text).timestamp() * 1000)


def _no_sleep(_seconds: float) -> None:
    """Time passes between the sweeps only."""


def _no_client(*_: Any) -> Any:
    raise AssertionError("no AWS here")


def _task(total: int) -> Task:
    return Task(
        task="demo/abcdefghij2345672345",
        status="processing",
        kind="probe",
        created_at=T0,
        opening="opening",
        body_sha256="0" * 64,
        total=total,
        shard_rows=SHARD_ROWS,
        manifest_key="m",
        scattered_at=T0,
        gate="open",
        pauses=[],
    )


def _row(task: Task, number: int) -> Row:
    return Row(
        shard=shard_key(task.task, number // SHARD_ROWS),
        row=number,
        status=RowStatus.PENDING,
        document="d",
        pinned_key="k",
        created_at=T0,
        updated_at=T0,
    )


SCENARIOS = [
    Scenario(30, 10, 2, lost=0.33),
    Scenario(30, 10, 20, stop_seconds=540),
    Scenario(1_000, 10, 10, lost=0.01),
    Scenario(1_000, 10, 10, stop_seconds=600),
    Scenario(10_000, 10, 0.1),
    Scenario(10_000, 10, 1),
    Scenario(10_000, 10, 10),
    Scenario(10_000, 10, 60),
    Scenario(10_000, 10, 60, lost=0.01),
    Scenario(10_000, 100, 60),
    Scenario(10_000, 1000, 60),
    Scenario(10_000, 100, 60, in_order=False),
    Scenario(100_000, 100, 1),
    Scenario(100_000, 1000, 60),
    Scenario(100_000, 1000, 60, in_order=False),
]

if __name__ == "__main__":
    for each in SCENARIOS:
        print(json.dumps(Horizon(each).run()), flush=True)
