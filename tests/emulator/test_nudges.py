"""A task that opens in the very moment in which the sweeper goes to sleep: its nudge must not be lost."""

import json
import random
import time
from collections import Counter
from dataclasses import replace
from threading import Event, Thread

import pytest

from sheaf.aggregator import sweeper_lease
from sheaf.api import tasks
from sheaf.api.access import Caller, Role
from sheaf.items import SweeperLease, sweeper_gate
from sheaf.outside.store import Refused, get
from sheaf.settings import AggregatorSettings, ApiSettings
from tests.support import stack_file
from tests.support.deployed import CLOSED, eventually

pytestmark = pytest.mark.emulator

TASKS_IN_A_ROW = 20
TASKS_TRIED = 100
SWEEPERS = stack_file.load()["Parameters"]["Sweepers"]["Default"]


def _closes(deployed, task_id):
    """Seen as soon as it has happened: the sweeper is about to leave. A task that nobody knows of stays open."""
    eventually(lambda: deployed.task(task_id).status in CLOSED, f"the close of {task_id}", every=0.01)


def _starts(deployed):
    return deployed.emulator.log.read_text(errors="replace").count('"message":"sweeper_started"')


@pytest.fixture
def asleep(deployed):
    """No task is open, and nobody sweeps."""
    deployed.all_closed()
    eventually(
        lambda: not any(_held(deployed, f"sweeper/{number}") for number in range(SWEEPERS)), "the sweepers' leave"
    )
    return deployed


def _held(deployed, gate):
    return (found := deployed.gate(gate)) is not None and found.holder is not None


@pytest.fixture
def without_clock(asleep):
    """The schedule, which would find a task whose nudge was lost, is off."""
    schedules = asleep.client("scheduler")
    told = schedules.get_schedule(Name=asleep.physical("SweepEveryMinute"))
    kept = {name: told[name] for name in ("Name", "Description", "ScheduleExpression", "FlexibleTimeWindow", "Target")}
    schedules.update_schedule(**kept, State="DISABLED")
    yield asleep
    schedules.update_schedule(**kept, State="ENABLED")


def test_each_task_closes_when_it_opens_as_the_sweeper_leaves_and_no_clock_ticks(without_clock, seed):
    """Twenty tasks, each opened within three tenths of a second of the close of the one before; more if it never left."""
    deployed, chance = without_clock, random.Random(seed)
    before = _starts(deployed)
    for number, document in enumerate(deployed.probes([{}] * TASKS_TRIED), start=1):
        _closes(deployed, deployed.open([document])["taskId"])
        if number >= TASKS_IN_A_ROW and _starts(deployed) - before > TASKS_IN_A_ROW / 4:
            break
        time.sleep(chance.uniform(0, 0.3))
    deployed.all_closed()
    # Otherwise the sweeper was awake all the time, and nothing was tried.
    assert _starts(deployed) - before > TASKS_IN_A_ROW / 4


def test_every_task_closes_when_twenty_open_while_the_sweeper_leaves_and_no_clock_ticks(without_clock):
    """All at once, right behind one that has just closed: those that find a holder leave word, and it stays."""
    deployed = without_clock
    (first, *others) = deployed.probes([{}] * TASKS_IN_A_ROW)
    _closes(deployed, deployed.open([first])["taskId"])
    opened = [deployed.open([document])["taskId"] for document in others]
    for task_id in opened:
        _closes(deployed, task_id)


@pytest.mark.slow
def test_the_schedule_finds_the_task_when_its_nudge_is_lost(asleep):
    """Nobody was told that it opened: its documents are worked on at once, and it closes with the next tick."""
    api = asleep.world(ApiSettings, "ApiFunction", "ApiFunctionRole")

    class Deaf:
        def invoke(self, **_told):
            """Lambda took the call, and the event went nowhere."""

    unheard = replace(api, client=lambda service: Deaf() if service == "lambda" else api.client(service))
    body = json.dumps({"templateId": "rct", "documentIds": asleep.probes([{}] * 5), "kind": "probe"})
    task_id = tasks.create(unheard, Caller("demo", "somebody", Role.EDITOR), body, None).item.id
    eventually(lambda: asleep.call_counts(task_id) == [1] * 5, "the work")
    assert asleep.closed(task_id)["completedCount"] == 5
    assert asleep.call_counts(task_id) == [1] * 5


@pytest.fixture
def alone(deployed):
    """The world of a sweeper with a table of gates of its own, where the deployed one is not."""
    dynamodb, table = deployed.client("dynamodb"), "gates-of-its-own"
    key = {"AttributeName": "gate"}
    dynamodb.create_table(
        TableName=table,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{**key, "AttributeType": "S"}],
        KeySchema=[{**key, "KeyType": "HASH"}],
    )
    world = deployed.world(AggregatorSettings, "AggregatorFunction")
    yield replace(world, settings=replace(world.settings, gates_table=table))
    dynamodb.delete_table(TableName=table)


def test_no_word_is_lost_when_it_is_left_in_the_moment_of_the_leave(alone, seed):
    """Sixty leaves under a rain of nudges: whoever was told that a holder lives has been heard by it."""
    ended, left = Event(), []
    heard: set[str] = set()
    leaves: Counter[str] = Counter()
    chance = random.Random(seed)

    def nudge(hand):
        number = 0
        while not ended.is_set():
            number += 1
            word = f"demo/{hand}-{number}"
            if sweeper_lease.nudge(alone, "0", {word}, alone.now()):
                left.append(word)
            time.sleep(chance.uniform(0, 0.02))

    threads = [Thread(target=nudge, args=(hand,)) for hand in range(2)]
    for thread in threads:
        thread.start()
    try:
        while leaves["left"] < 60:
            assert not isinstance(sweeper_lease.take(alone, "0", "me", ends_at=0, now=alone.now()), Refused)
            while True:
                heard |= sweeper_lease.hear(alone, "0", "me", alone.now()) or set()
                time.sleep(chance.uniform(0, 0.01))
                if sweeper_lease.leave(alone, "0", "me"):
                    break
                leaves["stayed"] += 1
            leaves["left"] += 1
            # Nobody holds it now, so nobody can leave word: what is still there would wait for the next to come.
            gate = get(alone, SweeperLease, {"gate": sweeper_gate("0")})
            assert gate is not None
            assert gate.holder is None
            assert gate.wanted is None
    finally:
        ended.set()
        for thread in threads:
            thread.join()
    assert {sweeper_lease.slot(word) for word in left} <= heard
    assert leaves["stayed"] > 10, f"it was never held back: {leaves}"
