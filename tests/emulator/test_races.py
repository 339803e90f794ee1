"""Two hands on one item, on a store that really lets one of them win: what moto's threads cannot show."""

import json
import random
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from threading import Barrier, Event, Lock, Thread
from typing import Any

import pytest

from clinical.review import decide, review_heads
from clinical.review.asked_decisions import Subject
from clinical.review.cell_addresses import cells
from sheaf.aggregator.schedule import Watch
from sheaf.aggregator.sweep_task import sweep_task
from sheaf.api import tasks
from sheaf.api.access import Caller, Role
from sheaf.errors import Conflict
from sheaf.items import sweeper_gate
from sheaf.outside.store import Refused, query_raw
from sheaf.protocol import lifecycle, queries, quotas, row_messages
from sheaf.protocol.leases import Bid, Due
from sheaf.protocol.lifecycle import GateState, Outlook, TaskStatus
from sheaf.protocol.quotas import Quota
from sheaf.settings import AggregatorSettings, ApiSettings, WorkerSettings
from tests.support.deployed import TASKS, eventually
from tests.support.items import a_row, a_task

pytestmark = pytest.mark.emulator

CLAIMERS = 16
BASES = "/pkb/knowledge-bases"
LEASE_MS = 90_000


@pytest.fixture(scope="module")
def worker(deployed):
    """The world of a worker, with the rights of its role."""
    return deployed.world(WorkerSettings, "ProbeFunction", "ProbeFunctionRole")


@pytest.fixture(scope="module")
def aggregator(deployed):
    """The world of an aggregator, with the rights of its role."""
    return deployed.world(AggregatorSettings, "AggregatorFunction", "AggregatorFunctionRole")


@pytest.fixture(scope="module")
def put(deployed):
    """Lay a row down as it is, of a task that nobody sweeps; gives its key."""

    def lay(row):
        table = deployed.physical("ResultsTable")
        deployed.client("dynamodb").put_item(TableName=table, Item=row.serialize())
        return {"shard": row.shard, "row": row.row}

    return lay


def _at_once(doers):
    """What each of these gives when all are let go in the same moment, whoever comes to the line first."""
    together = Barrier(len(doers))

    def run(do):
        together.wait()
        return do()

    line = random.sample(range(len(doers)), len(doers))
    with ThreadPoolExecutor(len(doers)) as pool:
        given = {place: pool.submit(run, doers[place]) for place in line}
    return [given[place].result() for place in range(len(doers))]


def _claim(world, key, token, now):
    return lambda: lifecycle.claim(world, key, Bid(token, now + LEASE_MS, 4, now))


def test_one_worker_wins_when_sixteen_claim_the_same_row(worker, put):
    """Two hundred rounds: one claim is written each time, and the row holds the winner's token."""
    for number in range(200):
        now = worker.now()
        key = put(a_row(shard="race/claim/0000", row=number, created_at=now, updated_at=now))
        claims = _at_once([_claim(worker, key, f"worker-{each}", now) for each in range(CLAIMERS)])
        winners = [row for row in claims if not isinstance(row, Refused)]
        losers = [refused.item for refused in claims if isinstance(refused, Refused)]
        assert len(winners) == 1, f"round {number}"
        assert (winners[0].attempt, winners[0].tries) == (1, 1)
        # And every loser was told by whom, in the same write, so that it knows for how long to hide its message.
        assert {(item and (item.token, item.attempt, item.lease_until)) for item in losers} == {
            (winners[0].token, 1, now + LEASE_MS)
        }


def test_a_row_is_claimed_or_cancelled_and_never_both_when_workers_and_the_sweep_meet(worker, aggregator, put):
    """The user has cancelled, the messages are under way: whoever is first has the row, and the others are told by whom."""
    ends: Counter[str] = Counter()
    for number in range(100):
        now = worker.now()
        row = a_row(shard="race/cancel/0000", row=number, created_at=now, updated_at=now)
        claims = [_claim(worker, put(row), f"worker-{each}", now) for each in range(8)]
        given = _at_once([*claims, *[partial(lifecycle.cancel, aggregator, row, now)] * 8])
        written = [found for found in given if not isinstance(found, Refused)]
        assert len(written) == 1, f"round {number}"
        told = {found.item.status for found in given if isinstance(found, Refused) and found.item}
        assert told == {written[0].status}
        if written[0].status == "extracting":
            # The claim came first: its work is kept, and no cancel can touch it any more.
            ended = lifecycle.complete(worker, written[0], data_key="k", summary={}, now=now)
            assert not isinstance(ended, Refused)
            assert isinstance(lifecycle.cancel(aggregator, row, now), Refused)
        ends[written[0].status] += 1
    assert min(ends[status] for status in ("extracting", "cancelled")) > 2, f"the race was never a race: {ends}"


def test_exactly_two_are_let_in_when_twenty_four_come_for_two_places(deployed):
    """Knowledge bases over HTTP and places of every quota by hand: no more, and no fewer."""
    api = deployed.world(ApiSettings, "ApiFunction", "ApiFunctionRole")
    for number in range(5):
        quota = Quota(f"race-{number}", 2, lambda _world, _project, _things: {})
        asked = [partial(quotas.take, api, "race", quota, f"thing-{each}") for each in range(24)]
        assert [full for full in _at_once(asked) if full is None] == [None] * 2, f"round {number}"
    most = api.settings.knowledge_bases_per_project
    there = len(deployed.ask("GET", BASES).body["knowledgeBases"])
    made = _at_once(
        [partial(deployed.ask, "POST", BASES, {"name": f"race {each}"}) for each in range(most + 24 - there)]
    )
    statuses = Counter(answer.status for answer in made)
    for answer in made:
        if answer.status == 201:
            deployed.ask("DELETE", f"{BASES}/{answer.body['knowledgeBaseId']}")
    assert statuses[201] == most - there


def test_one_worker_wins_when_the_sweep_expires_the_row_that_others_take_over(worker, aggregator, put):
    """The lease is over, a redelivery finds it and so does the sweep: one new attempt, whoever comes first."""
    kind = worker.settings.kinds["probe"]
    for number in range(40):
        now = worker.now()
        row = a_row("extracting", shard="race/expire/0000", row=number, lease_until=now - 1, token="dead")
        key = put(row)
        claimers = [_claim(worker, key, f"worker-{each}", now) for each in range(8)]
        given = _at_once([*claimers, *[partial(lifecycle.expire, aggregator, row, kind, now)] * 8])
        winners = [found for found in given[:8] if not isinstance(found, Refused)]
        assert len(winners) == 1, f"round {number}"
        assert (winners[0].attempt, winners[0].tries) == (2, 2)
        # The dead one comes back: its token is worth nothing any more.
        late = lifecycle.complete(worker, row, data_key="late", summary={}, now=now)
        assert isinstance(late, Refused)
        assert late.item is not None
        assert (late.item.status, late.item.token) == ("extracting", winners[0].token)


def test_one_end_is_written_when_complete_fail_release_and_expire_meet(worker, aggregator, put):
    """All of them know the claim; the first one ends it, and the others find what it wrote."""
    kind = worker.settings.kinds["probe"]
    ends: Counter[str] = Counter()
    for number in range(60):
        now = worker.now()
        row = a_row("extracting", shard="race/end/0000", row=number, lease_until=now - 1)
        key = put(row)
        given = _at_once(
            [
                partial(lifecycle.complete, worker, row, data_key="k", summary={}, now=now),
                partial(lifecycle.fail, worker, row, error_class="permanent", message="", now=now),
                partial(lifecycle.release, worker, row, Due(now, max_tries=4), now),
                partial(lifecycle.expire, aggregator, row, kind, now),
            ]
        )
        written = {
            (found.status, found.data_key, found.error_class) for found in given if not isinstance(found, Refused)
        }
        # Release and expire both leave it pending, and each takes the other's write for its own.
        assert len(written) == 1, f"round {number}"
        after = lifecycle.cancel(aggregator, row, now)
        ended = after.item if isinstance(after, Refused) else after
        assert ended is not None
        assert (ended.status == "cancelled") == (("pending", None, None) in written)
        ends[next(iter(written))[0]] += 1
        assert key["row"] == number
    assert len(ends) > 1, f"the race was never a race: {ends}"


def test_a_task_closes_once_when_closes_counts_cancels_and_pauses_meet(deployed, aggregator):
    """One close is written, and after it nothing: neither an older count nor a wish that came too late."""
    api = deployed.world(ApiSettings, "ApiFunction", "ApiFunctionRole")
    before_the_close: Counter[str] = Counter()
    for number in range(40):
        now = aggregator.now()
        task = a_task(task=f"race/close-{number}", listed_in="race", active=None, created_at=now, total=9)
        deployed.client("dynamodb").put_item(TableName=deployed.physical("TasksTable"), Item=task.serialize())
        closes = [
            partial(lifecycle.close, aggregator, task, status, _ended(ended), sealed=None, now=now + ended)
            for status, ended in ((TaskStatus.COMPLETED, 9), (TaskStatus.CANCELLED, 8), (TaskStatus.COMPLETED, 7))
        ]
        outlook = Outlook(1000)
        others = [
            partial(lifecycle.record_counts, aggregator, task, _ended(1), sealed=None, outlook=outlook, now=now + 100),
            partial(lifecycle.record_counts, aggregator, task, _ended(2), sealed=None, outlook=outlook, now=now + 200),
            partial(lifecycle.request_cancel, api, task.task),
            partial(lifecycle.request_turn, api, task.task, GateState.OPEN, GateState.PAUSED, now),
        ]
        given = _at_once([*closes, *others])
        closed = [found for found in given[:3] if not isinstance(found, Refused)]
        assert len(closed) == 1, f"round {number}"
        stored = queries.task(aggregator, task.task)
        assert stored is not None
        assert stored.serialize() == closed[0].serialize()
        assert closed[0].completed == closed[0].completed_at - now
        written = [found for found in given[3:] if not isinstance(found, Refused)]
        assert {found.status for found in written} <= {"processing"}
        before_the_close["written"] += len(written)
        before_the_close["refused"] += 4 - len(written)
    assert min(before_the_close.values()) > 5, f"the race was never a race: {before_the_close}"


def _ended(completed):
    return {"extracting": 0, "completed": completed, "error": 0, "cancelled": 0}


@contextmanager
def _sweeping(world, deployed, task_id, hands):
    """So many more aggregators, without the lease that would keep them apart, for as long as this lasts."""
    ended, troubles = Event(), []
    passes: Counter[int] = Counter()

    def sweep(hand):
        watch = Watch()
        while not ended.is_set():
            task = queries.task(world, f"demo/{task_id}")
            assert task is not None
            try:
                sweep_task(world, task, watch)
                passes[hand] += 1
            except Exception as error:  # noqa: BLE001 - told at the end, by the test's own thread
                troubles.append(error)
            ended.wait(0.05)

    threads = [Thread(target=sweep, args=(hand,)) for hand in range(hands)]
    for thread in threads:
        thread.start()
    try:
        yield passes
    finally:
        ended.set()
        for thread in threads:
            thread.join()
    assert troubles == []


@pytest.mark.parametrize(
    "long", [pytest.param(28, id="ten seconds"), pytest.param(200, id="a minute", marks=pytest.mark.chaos)]
)
def test_the_task_is_counted_and_closed_once_when_three_aggregators_sweep_it_at_once(deployed, aggregator, long):
    """Two more than the lease would let in, all the time that the documents take: nothing is done twice."""
    scripts = [{"sleep_ms": 3000}] * long + [{"acts": ["throttle:1", "ok"]}] * 6
    scripts += [{"acts": ["transient", "ok"]}] * 4 + [{"acts": ["permanent"]}] * 2
    task_id = deployed.open(deployed.probes(scripts))["taskId"]
    seen: list[dict[str, Any]] = []
    with _sweeping(aggregator, deployed, task_id, 2) as passes:
        while not seen or seen[-1]["status"] == "processing":
            seen.append(deployed.see(task_id))
            assert len(seen) < 20 * long + 600
            time.sleep(0.1)
        final = deployed.task(task_id).serialize()
        time.sleep(1)
        # They go on sweeping what is closed already: it does not change, but for the notice that it was told of.
        changed = {name for name, value in deployed.task(task_id).serialize().items() if final.get(name) != value}
        assert changed <= {"notified_at", "active"}
    assert min(passes.values()) > 4
    assert all(_sum(task) == long + 12 for task in seen)
    assert _counts(seen[-1]) == {"pending": 0, "extracting": 0, "completed": long + 10, "error": 2, "cancelled": 0}
    assert deployed.call_counts(task_id) == [1] * long + [2] * 10 + [1] * 2
    assert [row.attempt for row in deployed.rows(task_id)] == [1] * long + [2] * 10 + [1] * 2


def _counts(task):
    return {name: task[f"{name}Count"] for name in ("pending", "extracting", "completed", "error", "cancelled")}


def _sum(task):
    return sum(_counts(task).values())


def test_one_sweeper_stays_when_six_aggregators_are_woken_at_once(deployed):
    """The others leave word and go: fifty nudges must not cost fifty sweepers."""
    task_id = deployed.open(deployed.probes([{"acts": ["throttle:60", "ok"]}]))["taskId"]
    sweeper = sweeper_gate(deployed.task(task_id).active)
    before = eventually(lambda: (found := deployed.gate(sweeper)) and found.holder, "a sweeper")
    name, functions = deployed.physical("AggregatorFunction"), deployed.client("lambda")

    def wake(**told):
        return json.load(functions.invoke(FunctionName=name, Payload=json.dumps(told))["Payload"])

    by_the_clock = partial(wake, source="schedule")
    by_a_nudge = partial(wake, source="api", task=f"demo/{task_id}")
    answers = _at_once([by_the_clock, by_a_nudge] * 3)
    assert answers == [{"ended": "another is sweeping"}] * 6
    assert deployed.gate(sweeper).holder == before
    # Nobody waits for the throttled row.
    assert deployed.ask("POST", f"{TASKS}/{task_id}/cancel").status == 202
    assert deployed.closed(task_id)["cancelledCount"] == 1


def test_running_work_is_kept_and_the_rest_cancelled_when_a_task_is_cancelled(deployed):
    """Nothing is interrupted, nothing more is started, and the task closes as cancelled with true counts."""
    task_id = deployed.open(deployed.probes([{"sleep_ms": 2500}] * 30))["taskId"]
    eventually(lambda: len(deployed.calls(task_id)) >= 6, "work under way", every=0.02)
    asked = deployed.ask("POST", f"{TASKS}/{task_id}/cancel")
    again = deployed.ask("POST", f"{TASKS}/{task_id}/cancel")
    assert (asked.status, again.status) == (202, 202)
    assert asked.body["cancelRequested"] is True
    task = deployed.closed(task_id)
    calls = deployed.call_counts(task_id)
    rows = deployed.rows(task_id)
    assert task["status"] == "cancelled"
    assert [row.status for row in rows] == ["completed" if made else "cancelled" for made in calls]
    assert set(calls) == {0, 1}
    assert _counts(task) == {
        "pending": 0,
        "extracting": 0,
        "completed": sum(calls),
        "error": 0,
        "cancelled": 30 - sum(calls),
    }
    later = {verb: deployed.ask("POST", f"{TASKS}/{task_id}/{verb}") for verb in ("cancel", "pause", "resume")}
    assert {verb: answer.status for verb, answer in later.items()} == dict.fromkeys(later, 409)
    # The messages of the rows that were cancelled are taken from the queue without any work.
    time.sleep(1)
    assert deployed.call_counts(task_id) == calls


def _pausing(deployed, world, task_id, before):
    """The same world, but the task is paused over HTTP just before the so-many-th batch of messages is sent."""
    sqs, sent, lock = world.client("sqs"), [0], Lock()

    class Pausing:
        def send_message_batch(self, **given):
            with lock:
                sent[0] += 1
                if sent[0] == before:
                    assert deployed.ask("POST", f"{TASKS}/{task_id()}/pause").status == 202
            return sqs.send_message_batch(**given)

    return replace(world, client=lambda service: Pausing() if service == "sqs" else world.client(service))


def test_every_document_is_worked_on_once_when_a_task_is_paused_in_mid_scatter_and_resumed(deployed):
    """Messages sent before and after the pause are parked; the resume sends for exactly the rows that wait."""
    documents = deployed.probes([{"sleep_ms": 50}] * 60)
    api = deployed.world(ApiSettings, "ApiFunction", "ApiFunctionRole")
    body = json.dumps({"templateId": "rct", "documentIds": documents, "kind": "probe"})
    me = Caller("demo", "somebody", Role.EDITOR)

    def opened_id():
        return next(iter(deployed.active() - known))

    known = deployed.active()
    paused = _pausing(deployed, api, opened_id, before=3)
    task_id = tasks.create(paused, me, body, None).item.id
    task = deployed.task(task_id)
    assert task.pauses[0] < task.scattered_at
    assert deployed.see(task_id)["paused"] is True
    time.sleep(4)
    before = deployed.calls(task_id)
    time.sleep(1)
    assert deployed.calls(task_id) == before
    assert len(before) < 60
    assert deployed.see(task_id)["status"] == "processing"

    asked = deployed.ask("POST", f"{TASKS}/{task_id}/resume")
    assert (asked.status, asked.body["paused"]) == (202, False)
    closed = deployed.closed(task_id)
    assert (closed["status"], closed["completedCount"]) == ("completed", 60)
    assert deployed.call_counts(task_id) == [1] * 60
    assert sum(row.sends for row in deployed.rows(task_id)) <= 60 - len(before)
    assert deployed.task(task_id).gate == "open"


def test_one_child_is_opened_when_a_task_is_retried_many_times_at_once(deployed):
    """One chain and never a fork: the others are told which is the newest."""
    parent = deployed.closed(deployed.open(deployed.probes([{"acts": ["permanent"]}, {}]))["taskId"])["taskId"]
    asks = [
        lambda key=key: deployed.ask("POST", f"{TASKS}/{parent}/retry", headers={"Idempotency-Key": f"retry-{key}"})
        for key in range(8)
    ]
    answers = _at_once(asks)
    assert Counter(answer.status for answer in answers) == {202: 1, 409: 7}
    (child,) = [answer.body for answer in answers if answer.status == 202]
    assert (child["retryOf"], child["totalCount"]) == (parent, 1)
    assert {answer.body["newestTaskId"] for answer in answers if answer.status == 409} == {child["taskId"]}
    deployed.closed(child["taskId"])
    latest = deployed.table(parent, view="latest")
    assert [row["taskId"] for row in latest] == [child["taskId"], parent]


def test_a_row_ends_once_when_every_message_comes_three_times(deployed):
    """Duplicates find the row claimed or ended; none of them costs a call."""
    task_id = deployed.open(deployed.probes([{"sleep_ms": 300}] * 12))["taskId"]
    rows = deployed.rows(task_id)
    for row in rows * 2:
        deployed.client("sqs").send_message(
            QueueUrl=deployed.physical("ProbeQueue"), MessageBody=row_messages.encode(row), MessageGroupId="demo"
        )
    assert deployed.closed(task_id)["completedCount"] == 12
    assert deployed.call_counts(task_id) == [1] * 12
    assert [(row.attempt, row.tries) for row in deployed.rows(task_id)] == [(1, 1)] * 12


def test_one_of_two_decides_and_the_other_sees_it_when_they_are_at_one_cell(deployed):
    """A hundred rounds: nobody's decision is lost, none takes another's place unseen, and the counts are those of the head."""
    api = deployed.world(ApiSettings, "ApiFunction", "ApiFunctionRole")
    value: Any = {"state": "found", "value": 90, "quote": "q", "page": 1, "start": 0, "end": 1, "match": "exact"}
    task, row = a_task(task="race/decide", options={"template": "rct@1"}), a_row(shard="race/decide/0000")
    on = Subject(task, row, {"n": value}, cells({"n": value}))
    made: list[str] = []
    for number in range(100):
        wanted: list[Any] = [
            {
                "id": f"{side}{number}",
                "address": "n",
                "verb": "agree",
                "how": "one",
                "before": made[-1] if made else None,
                "asked": side,
            }
            for side in "ab"
        ]

        def decided(each, on=on):
            try:
                return decide.decide(api, Caller("race", "sub", Role.EDITOR), on, [each])["decisions"][0]["id"]
            except Conflict as conflict:
                assert conflict.problem == "decided-meanwhile"  # noqa: PT017 - the other one wins
                return None

        won = [name for name in _at_once([partial(decided, each) for each in wanted]) if name]
        assert len(won) == 1, f"round {number}"
        made += won
    _, history = review_heads.all_of(partial(query_raw, api), task, row.document)
    assert [each["id"] for each in reversed(history)] == made
    assert [each["before"] for each in reversed(history)] == [None, *made[:-1]]
