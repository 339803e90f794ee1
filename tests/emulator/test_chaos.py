"""Everything at once, on a stack of its own: workers and aggregator killed, messages doubled and lost, the machine
stopped and started. The task closes, its counts are right, and every call is accounted for.
"""

import os
import random
import secrets
import signal
import time
from contextlib import suppress

import pytest

from sheaf import messages
from tests.support.deployed import CLOSED, Deployed

pytestmark = [pytest.mark.emulator, pytest.mark.slow]

DOCUMENTS = 150
KILLS = 8
WITHIN_SECONDS = 420
# A script, and which of its acts is the last that is ever played, if nothing is killed.
MIX = [
    (["ok"], 12),
    (["throttle:1", "ok"], 2),
    (["throttle:1", "throttle:1", "throttle:1", "ok"], 1),
    (["transient", "ok"], 2),
    (["defect", "ok"], 1),
    (["permanent"], 1),
    (["transient", "permanent"], 1),
]
ENDING = {"ok", "permanent"}


@pytest.fixture
def own(tmp_path):
    """A stack that nobody else uses: this test stops it."""
    made = Deployed(tmp_path, "sheaf-chaos")
    try:
        yield made
    finally:
        made.remove()


def _scripts(chance):
    kinds = [acts for acts, weight in MIX for _ in range(weight)]
    return [{"acts": chance.choice(kinds), "sleep_ms": chance.randrange(100, 2500)} for _ in range(DOCUMENTS)]


class Trouble:
    """What is done to the stack, when, and to whom; all of it is told when the test fails."""

    def __init__(self, own, task_id, chance):
        self.own, self.task_id, self.chance = own, task_id, chance
        self.dead: set[int] = set()
        self.told: list[str] = []
        self.began = time.monotonic()

    def note(self, what):
        self.told.append(f"{time.monotonic() - self.began:6.1f} s  {what}")

    def kill(self, function):
        """SIGKILL one process of a function, busy or not."""
        running = self.own.workers(function)
        if running:
            pid = self.chance.choice(running)
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
                self.dead.add(pid)
                self.note(f"killed {function} {pid}")

    def kill_at_work(self):
        """SIGKILL a worker that has just begun a call; nothing if none is at work any more."""
        calls = self.own.calls(self.task_id)
        alive = set(self.own.workers("ProbeFunction"))
        last = {call["pid"]: call for call in calls}
        busy = [call for pid, call in last.items() if pid in alive and self._is_open(call)]
        if not busy:
            return False
        call = self.chance.choice(busy)
        with suppress(ProcessLookupError):
            os.kill(call["pid"], signal.SIGKILL)
        self.dead.add(call["pid"])
        self.note(f"killed the worker {call['pid']} at row {call['row']}, attempt {call['attempt']}")
        return True

    def _is_open(self, call):
        row = self.own.rows(self.task_id)[call["row"]]
        return (row.status, row.attempt) == ("extracting", call["attempt"])

    def double(self):
        """A second message for every row."""
        sqs, queue = self.own.client("sqs"), self.own.physical("ProbeQueue")
        for row in self.own.rows(self.task_id):
            sqs.send_message(QueueUrl=queue, MessageBody=messages.encode(row), MessageGroupId="demo")
        self.note("sent every message twice")

    def purge(self):
        self.own.client("sqs").purge_queue(QueueUrl=self.own.physical("ProbeQueue"))
        self.note("purged the queue")

    def restart(self):
        self.dead |= set(self.own.workers("ProbeFunction"))
        self.own.stop()
        self.note("stopped the emulator")
        self.own.start()
        self.note("started it again")


def _until(own, task_id, share, trouble):
    """Wait until so much of the task has ended."""
    deadline = time.monotonic() + WITHIN_SECONDS
    while True:
        rows = own.rows(task_id)
        if sum(row.status in {"completed", "error"} for row in rows) >= share * len(rows):
            return
        assert time.monotonic() < deadline, trouble.told
        time.sleep(0.2)


def test_the_task_closes_and_every_call_is_accounted_for_when_everything_goes_wrong(own):
    """150 documents, 8 workers and an aggregator killed, messages doubled, purged, and a restart in the middle."""
    seed = int(os.environ.get("CHAOS_SEED") or secrets.randbelow(10**6))
    print(f"CHAOS_SEED={seed}")  # noqa: T201 - what to replay
    chance = random.Random(seed)
    scripts = _scripts(chance)
    task_id = own.open(own.probes(scripts))["taskId"]
    trouble = Trouble(own, task_id, chance)
    trouble.double()

    _until(own, task_id, 0.1, trouble)
    killed = _kill_some(trouble, KILLS // 2)
    trouble.kill("AggregatorFunction")
    _until(own, task_id, 0.35, trouble)
    trouble.purge()
    _until(own, task_id, 0.45, trouble)
    trouble.restart()
    _until(own, task_id, 0.6, trouble)
    killed += _kill_some(trouble, KILLS - KILLS // 2)
    assert killed == KILLS, trouble.told
    task = own.closed(task_id, within=WITHIN_SECONDS)
    trouble.note("closed")
    print("\n".join(trouble.told))  # noqa: T201
    rows, calls = own.rows(task_id), own.calls(task_id)
    assert [row.status for row in rows] == [_end(script) for script in scripts], trouble.told
    assert task["status"] == "completed"
    assert (task["pendingCount"], task["extractingCount"], task["cancelledCount"]) == (0, 0, 0)
    assert task["errorCount"] == sum(_end(script) == "error" for script in scripts)
    assert task["completedCount"] == DOCUMENTS - task["errorCount"]
    for number, (script, row) in enumerate(zip(scripts, rows, strict=True)):
        _account(script["acts"], row, [call for call in calls if call["row"] == number], trouble)
    assert own.see(task_id)["status"] in CLOSED
    assert task_id not in own.active()


def _kill_some(trouble, number):
    """Kill so many workers at their work, a second or so between them; gives how many there were to kill."""
    killed, deadline = 0, time.monotonic() + 60
    while killed < number and time.monotonic() < deadline:
        killed += trouble.kill_at_work()
        time.sleep(trouble.chance.uniform(0.2, 0.8))
    return killed


def _end(script):
    return "error" if script["acts"][-1] == "permanent" else "completed"


def _account(acts, row, calls, trouble):
    """One row's calls, one by one: a call too many is one whose worker died, and nothing else."""
    told = (row.row, acts, calls, trouble.told)
    attempts = [call["attempt"] for call in calls]
    # No attempt was worked on twice, each is one of the row's own, and the last of them ended it.
    assert attempts == sorted(set(attempts)), told
    assert attempts[-1] == row.attempt, told
    assert calls[-1]["act"] in ENDING, told
    # Each other call went as its script says and came back, or its worker was killed.
    for call in calls[:-1]:
        assert call["act"] not in ENDING or call["pid"] in trouble.dead, told
    # A claim without a call: its worker died between the two.
    silent = set(range(1, row.attempt + 1)) - set(attempts)
    assert len(silent) <= len(trouble.dead), told
    assert row.tries <= 4, told
