"""What is done to a running stack, when and to whom, so that a failure can tell it; and the account of the work done meanwhile."""

import os
import random
import signal
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from sheaf.items import Row
from sheaf.protocol import row_messages
from tests.support.deployed import PROJECT, Deployed

MAX_TRIES = 4
ENDING = {"ok", "permanent"}
"""Acts of the probe that end a row."""


class Trouble:
    """One task's bad day."""

    def __init__(self, stack: Deployed, task_id: str, chance: random.Random) -> None:
        self.stack = stack
        self.task_id = task_id
        self.chance = chance
        self.dead: set[int] = set()
        self.told: list[str] = []
        self.began = time.monotonic()

    def note(self, what: str) -> None:
        self.told.append(f"{time.monotonic() - self.began:6.1f} s  {what}")

    def kill_all(self, function: str) -> int:
        """SIGKILL every process of a function, busy or not; gives how many there were."""
        running = self.stack.workers(function)
        for pid in running:
            self.kill(pid)
        self.note(f"killed {function}: {running}")
        return len(running)

    def kill_at_work(self) -> bool:
        """SIGKILL a worker that has just begun a call. False if none is at work that its row can spare a try for."""
        alive = set(self.stack.workers("ProbeFunction"))
        last = {call["pid"]: call for call in self.stack.calls(self.task_id)}
        busy = [call for pid, call in last.items() if pid in alive and self._may_die(call)]
        if not busy:
            return False
        call = self.chance.choice(busy)
        self.kill(call["pid"])
        self.note(f"killed the worker {call['pid']} at row {call['row']}, attempt {call['attempt']}")
        return True

    def kill_some_at_work(self, number: int, *, within: float = 300) -> int:
        """So many of them, a moment between; gives how many there were to kill."""
        killed, deadline = 0, time.monotonic() + within
        while killed < number and time.monotonic() < deadline:
            killed += self.kill_at_work()
            time.sleep(self.chance.uniform(0.1, 0.6))
        return killed

    def _may_die(self, call: Mapping[str, Any]) -> bool:
        """At work on that very attempt, and not on its last two tries: those are its script's."""
        row = self.stack.rows(self.task_id)[call["row"]]
        return (row.status, row.attempt) == ("extracting", call["attempt"]) and row.tries <= MAX_TRIES - 2

    def kill(self, pid: int) -> None:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        self.dead.add(pid)

    def note_dead(self) -> None:
        """Whoever worked on the task and is there no more: its function was replaced, or the machine went down."""
        called = {call["pid"] for call in self.stack.calls(self.task_id)}
        self.dead |= called - set(self.stack.workers("ProbeFunction"))

    def double(self) -> None:
        """A second message for every row."""
        sqs, queue = self.stack.client("sqs"), self.stack.physical("ProbeQueue")
        for row in self.stack.rows(self.task_id):
            sqs.send_message(QueueUrl=queue, MessageBody=row_messages.encode(row), MessageGroupId=PROJECT)
        self.note("sent every message twice")

    def purge(self) -> None:
        self.stack.client("sqs").purge_queue(QueueUrl=self.stack.physical("ProbeQueue"))
        self.note("purged the queue")

    def restart(self) -> None:
        """The machine goes down and comes up again; what was at work has died."""
        self.stack.stop()
        self.note("stopped the emulator")
        self.dead |= {call["pid"] for call in self.stack.calls(self.task_id)}
        self.stack.start()
        self.note("started it again")

    def until(self, share: float, *, within: float = 420) -> None:
        """Wait until so much of the task has ended."""
        deadline = time.monotonic() + within
        while True:
            rows = self.stack.rows(self.task_id)
            if rows and sum(row.status in {"completed", "error"} for row in rows) >= share * len(rows):
                return
            assert time.monotonic() < deadline, self.told
            time.sleep(0.2)


def account(acts: Sequence[str], row: Row, calls: Sequence[Mapping[str, Any]], trouble: Trouble) -> None:
    """One row's calls, one by one: a call too many is one whose worker died, and nothing else."""
    told = (row.row, acts, calls, trouble.told)
    attempts = [call["attempt"] for call in calls]
    # No attempt was worked on twice, each is one of the row's own, and the last of them ended it.
    assert attempts == sorted(set(attempts)), told
    assert attempts, told
    assert attempts[-1] == row.attempt, told
    assert calls[-1]["act"].partition(":")[0] in ENDING, told
    # Each other call went as its script says and came back, or its worker was killed.
    for call in calls[:-1]:
        assert call["act"] not in ENDING or call["pid"] in trouble.dead, told
    # A claim without a call: its worker died between the two.
    silent = set(range(1, row.attempt + 1)) - set(attempts)
    assert len(silent) <= len(trouble.dead), told
    assert row.tries <= MAX_TRIES, told
