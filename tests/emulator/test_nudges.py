"""A task that opens in the very moment in which the sweeper goes to sleep: its nudge must not be lost."""

import json
import random
import time
from collections import Counter
from dataclasses import replace
from threading import Event, Thread

import pytest

from sheaf import queries, sweeper, tasks
from sheaf.access import Caller, Role
from sheaf.settings import AggregatorSettings, ApiSettings
from sheaf.store import Refused
from tests.support.deployed import CLOSED, eventually

pytestmark = pytest.mark.emulator

TASKS_IN_A_ROW = 20
# The schedule would find a task whose nudge was lost, but up to a minute later.
SECONDS = 10


def _closes(deployed, task_id):
    """How long the task was open, seen as soon as it has closed: the sweeper is about to leave."""
    while (task := deployed.task(task_id)).status not in CLOSED:
        assert time.time() * 1000 - task.created_at < 90_000, deployed.last_words()
        time.sleep(0.01)
    return (task.completed_at - task.created_at) / 1000


def _starts(deployed):
    return deployed.emulator.log.read_text(errors="replace").count('"message":"sweeper_started"')


@pytest.fixture
def asleep(deployed):
    """No task is open, and nobody sweeps."""
    eventually(lambda: not deployed.active(), "the end of every task", within=150)
    eventually(lambda: (found := deployed.gate("sweeper")) is None or found.holder is None, "the sweeper's leave")
    return deployed


def test_each_task_closes_soon_when_it_opens_as_the_sweeper_leaves(asleep):
    """Twenty tasks, each opened within three tenths of a second of the close of the one before."""
    documents = asleep.probes([{}] * TASKS_IN_A_ROW)
    seed = random.randrange(1000)
    chance = random.Random(seed)
    before = _starts(asleep)
    took = []
    for document in documents:
        took.append(_closes(asleep, asleep.open([document])["taskId"]))
        time.sleep(chance.uniform(0, 0.3))
    assert max(took) < SECONDS, f"seed {seed}: {took}"
    eventually(lambda: not asleep.active(), "the end of every task")
    # Otherwise the sweeper was awake all the time, and nothing was tried.
    assert _starts(asleep) - before > TASKS_IN_A_ROW / 4


def test_every_task_closes_soon_when_twenty_open_while_the_sweeper_leaves(asleep):
    """All at once, right behind one that has just closed: those that find a holder leave word, and it stays."""
    (first, *others) = asleep.probes([{}] * TASKS_IN_A_ROW)
    _closes(asleep, asleep.open([first])["taskId"])
    opened = [asleep.open([document])["taskId"] for document in others]
    took = [_closes(asleep, task_id) for task_id in opened]
    assert max(took) < 2 * SECONDS, took


@pytest.mark.slow
def test_the_schedule_finds_the_task_when_its_nudge_is_lost(asleep):
    """Nobody was told that it opened: its documents are worked on at once, and it closes with the next tick."""
    api = asleep.world(ApiSettings, "ApiFunction", "ApiFunctionRole")

    class Deaf:
        def invoke(self, **_told):
            """Lambda took the call, and the event went nowhere."""

    unheard = replace(api, client=lambda service: Deaf() if service == "lambda" else api.client(service))
    body = json.dumps({"templateId": "rct", "documentIds": asleep.probes([{}] * 5), "kind": "probe"})
    task_id = tasks.create(unheard, Caller("demo", "somebody", Role.EDITOR), body, None).task.id
    eventually(lambda: asleep.call_counts(task_id) == [1] * 5, "the work")
    assert asleep.closed(task_id, within=100)["completedCount"] == 5
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


def test_no_word_is_lost_when_it_is_left_in_the_moment_of_the_leave(alone):
    """Sixty leaves under a rain of nudges: whoever was told that a holder lives has been heard by it."""
    ended, left = Event(), []
    heard: set[str] = set()
    leaves: Counter[str] = Counter()
    chance = random.Random(7)

    def nudge(hand):
        number = 0
        while not ended.is_set():
            number += 1
            word = f"demo/{hand}-{number}"
            if sweeper.nudge(alone, {word}, alone.now()):
                left.append(word)
            time.sleep(chance.uniform(0, 0.02))

    threads = [Thread(target=nudge, args=(hand,)) for hand in range(2)]
    for thread in threads:
        thread.start()
    try:
        while leaves["left"] < 60:
            assert not isinstance(sweeper.take(alone, "me", ends_at=0, now=alone.now()), Refused)
            while True:
                heard |= sweeper.begin_pass(alone, "me", alone.now()) or set()
                time.sleep(chance.uniform(0, 0.01))
                if sweeper.leave(alone, "me"):
                    break
                leaves["stayed"] += 1
            leaves["left"] += 1
            # Nobody holds it now, so nobody can leave word: what is still there would wait for the next to come.
            gate = queries.gate(alone, sweeper.KEY)
            assert gate is not None
            assert gate.holder is None
            assert gate.wanted is None
    finally:
        ended.set()
        for thread in threads:
            thread.join()
    assert set(left) <= heard
    assert leaves["stayed"] > 10, f"it was never held back: {leaves}"
