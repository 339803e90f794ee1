"""Sheaf as a racer: the whole template on the emulator with the `probe` kind, asked over HTTP as any caller does.

Workers are the emulator's ten Lambda processes. On AWS they would be ten execution environments.
"""

import json
import os
import signal
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bench.place import CLOSED, LIBRARY, TASKS, Place
from bench.race import diary
from bench.race.diary import Entry
from bench.race.measures import (
    CONCURRENCY,
    JOB_SECONDS,
    KILLED,
    KILLED_MS,
    NODES,
    POLL_SECONDS,
    WITHIN,
    Progress,
)
from local.ministack import emulator

SETTINGS = f"template.yaml as it is; the probe's Timeout {JOB_SECONDS} s, its queue's visibility 180 s; state in memory"
LIBRARY[KILLED_MS] = KILLED


@contextmanager
def up(folder: Path) -> Iterator["Ours"]:
    try:
        yield Ours(Place(folder))
    finally:
        emulator.stop(folder / "home", seconds=60)


class Ours:
    def __init__(self, at: Place) -> None:
        self.at = at
        self.settings, self.versions = SETTINGS, f"MiniStack {version('ministack')}"
        self.tasks: dict[str, tuple[str, int]] = {}
        self.killed: dict[int, float] = {}
        self.rest()

    def accept(self, batch: str, count: int, sleep_ms: int) -> None:
        self.tasks[batch] = (self.at.post(self.at.documents(count, sleep=sleep_ms)), sleep_ms)

    def progress(self, batch: str) -> Progress:
        return Progress(self._shown(batch)["completedCount"], 1)

    def wait(self, batch: str) -> bool:
        deadline = time.monotonic() + WITHIN
        while (closed := self._shown(batch)["status"] in CLOSED) is False and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)
        return closed

    def _shown(self, batch: str) -> Any:
        return self.at.ask("GET", f"{TASKS}/{self.tasks[batch][0]}")[1]

    def work(self) -> None:
        self.at.listen("ProbeFunction", enabled=True)

    def rest(self) -> None:
        self.at.listen("ProbeFunction", enabled=False)

    def kill_half(self, batch: str) -> float:
        """Half of the functions' processes, each with a document in its hands."""
        busy = sorted({entry.pid for entry in diary.at_work(self.diary(batch))})[: CONCURRENCY // NODES]
        at = time.time()
        for pid in busy:
            os.kill(pid, signal.SIGKILL)
            self.killed[pid] = at
        return at

    def diary(self, batch: str) -> list[Entry]:
        task_id, sleep_ms = self.tasks[batch]
        calls = self.at.probe_log.read_text().rpartition("\n")[0].splitlines()
        ours = [line for line in calls if f'/{task_id}"' in line]
        return list(entries(ours, batch, sleep_ms / 1000, self.killed, time.time()))

    def clear(self) -> None:
        """As if the tasks had never been: cancelling them would be work for minutes."""
        for task_id, _ in self.tasks.values():
            key = {"task": {"S": f"{self.at.project}/{task_id}"}}
            self.at.client("dynamodb").delete_item(TableName=self.at.name("TasksTable"), Key=key)
        self.tasks.clear()
        self.at.client("sqs").purge_queue(QueueUrl=self.at.name("ProbeQueue"))


def entries(calls: Iterable[str], batch: str, sleeps: float, killed: dict[int, float], now: float) -> Iterator[Entry]:
    """The probe writes only when it begins: it has ended so much later, unless its process was killed before."""
    for line in calls:
        call = json.loads(line)
        begun = Entry(batch, call["row"], "begun", call["at"], call["pid"])
        over = begun.at + sleeps
        yield begun
        if over <= min(killed.get(begun.pid, over), now):
            yield begun._replace(event="ended", at=over)
