"""What a worker does with a message whose row it may not have: acknowledge it, or hide it for as long as it must wait."""

import copy
import math

import pytest

from sheaf.items import shard_key
from tests.support.items import MINUTE, NOW, SECOND, a_row, a_task

ACKNOWLEDGED = None
LEASE = {"status": "extracting", "token": "another's", "attempt": 1}


def until(instant, chance):
    """The whole seconds to hide a message until an instant, with this chance: half a second to two and a half later."""
    return math.ceil((instant - NOW) / 1000 + 0.5 + 2 * chance)


def hand(bench, row=None, gate=None):
    """Lay this row and this gate down, and give the worker a message of the first row."""
    assert bench.clock.now == NOW
    if row is not None:
        bench.put(a_row(row.pop("status"), **row))
    if gate is not None:
        bench.put(a_task(gate=gate))
    before = bench.raw()
    hidden = bench.hand(a_row())
    assert bench.raw() == before, "a refused claim writes nothing"
    assert bench.probe_calls() == []
    return hidden


REFUSED = [
    ("completed", {"status": "completed"}, ACKNOWLEDGED),
    ("another's live lease", {**LEASE, "lease_until": NOW + 5 * MINUTE}, NOW + 5 * MINUTE),
]


@pytest.mark.parametrize("chance", [0.0, 0.5, 0.999])
@pytest.mark.parametrize(("row", "waits_for"), [pytest.param(*case[1:], id=case[0]) for case in REFUSED])
def test_a_message_is_acknowledged_or_hidden_when_its_row_is(bench, row, waits_for, chance):
    """◆ Hidden until it may go on and no more than two and a half seconds longer. (All cases: unit/test_answers.py.)

    Nothing is written and nothing worked on, whatever the reason.
    """
    bench.chance = chance
    hidden = hand(bench, dict(row))
    assert hidden == (ACKNOWLEDGED if waits_for is None else until(waits_for, chance))


@pytest.mark.parametrize(
    "body",
    ["", "hello", "{}", '{"v": 9, "s": "p1/t1/0000", "r": 0}', '{"v": 1, "s": "p1/t1/0000", "r": true}', "[" * 50_000],
)
def test_a_message_is_acknowledged_when_it_cannot_be_read(bench, body):
    """Nobody will ever read it; its row, if it had one, is sent again by the sweep."""
    bench.put(a_row())
    before = bench.raw()
    bench.invoke_worker(bench.message(body))
    assert bench.held == {}
    assert bench.raw() == before


@pytest.mark.parametrize("gate", ["paused", "cancelled", "budget", "shut"])
def test_no_row_is_claimed_when_its_tasks_gate_is_shut(bench, gate):
    assert hand(bench, {"status": "pending"}, gate) is ACKNOWLEDGED


@pytest.mark.parametrize("gate", [None, "open"])
def test_a_row_is_claimed_when_its_gate_is_open_or_there_is_none(bench, gate):
    """A row without its task is refused by the claim, or nobody's any more."""
    if gate is not None:
        bench.put(a_task(gate=gate))
    bench.put(a_row(pinned_key="gone"))
    assert bench.hand(a_row()) is ACKNOWLEDGED
    assert bench.row().error_class == "document_gone"


def test_the_gate_is_read_before_the_claim_when_a_message_comes(bench):
    """No claim behind a shut gate: mutation caught: reading the gate after claiming."""
    bench.put(a_row(pinned_key="gone"))
    with bench.calls.watch() as calls:
        bench.hand(a_row())
    assert calls.operations[:2] == ["GetItem", "UpdateItem"]
    assert (calls.made[0][2]["TableName"], calls.made[0][2]["ConsistentRead"]) == ("TasksTable", True)


def test_its_own_claim_is_gone_on_with_when_its_reply_was_lost(bench):
    """◆ One claim, one try, one run: mutation caught: refusing oneself, or counting the claim twice."""
    bench.probes("ok")
    with bench.calls.watch() as calls:
        calls.lose_reply_of = 1
        bench.deliver("probe")
    row = bench.row()
    assert (row.status, row.attempt, row.tries) == ("completed", 1, 1)
    assert len(bench.probe_calls()) == 1
    assert bench.held == {}


def test_no_try_is_spent_when_the_worker_stood_still_beyond_its_end(bench):
    """A lease that is over before it begins is no lease: mutation caught: claiming all the same."""
    bench.probes("ok")

    def stand_still(_number, operation, _arguments):
        if operation == "GetItem":
            bench.pass_time(hours=1)

    with bench.calls.watch() as calls:
        calls.on_call = stand_still
        bench.deliver("probe")
    assert (bench.row().status, bench.row().tries, calls.operations.count("UpdateItem")) == ("pending", 0, 0)
    assert all(held.visible_at <= bench.clock.now + 2 * SECOND for held in bench.held.values())


def test_a_copy_of_a_message_is_hidden_when_the_original_is_at_work(bench):
    """◆ The token is random per handling: mutation caught: deriving it from the message, which makes a copy the owner."""
    bench.probes("ok")
    bench.queued()
    (original,) = bench.held.values()
    hidden: list[int] = []

    def deliver_again(_number, operation, _arguments):
        if operation == "GetObject" and not hidden:
            twin = copy.deepcopy(original)
            bench.invoke_worker(twin)
            hidden.append((original.visible_at - bench.clock.now) // 1000)

    with bench.calls.watch() as calls:
        calls.on_call = deliver_again
        bench.deliver("probe")
    assert hidden == [until(NOW + (30 + 60) * SECOND, 0.5)], "until the lease: the time that was left and a minute"
    assert len(bench.probe_calls()) == 1
    assert (bench.row().status, bench.row().attempt) == ("completed", 1)


def test_two_rows_are_claimed_under_two_tokens_when_one_message_is_handled_twice(bench):
    """The same message, redelivered word for word: a new handling is a new claim."""
    bench.probes("transient", "ok")
    bench.deliver("probe")
    first = bench.row().token
    bench.pass_time(minutes=2)
    bench.deliver("probe")
    assert (bench.row().status, bench.row().attempt) == ("completed", 2)
    assert first != bench.row().token


def test_nothing_of_another_row_is_touched_when_a_message_names_one(bench):
    """One message, one row: the row beside it and the shard beside it stay as they are."""
    bench.put(a_row(pinned_key="gone"))
    bench.put(a_row(row=1))
    bench.put(a_row(shard=shard_key("p1/t1", 1)))
    bench.hand(a_row())
    assert [row.status for row in bench.all_rows()] == ["error", "pending", "pending"]
