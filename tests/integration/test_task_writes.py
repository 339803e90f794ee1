"""Every write of a task, a gate and the sweeper's lease: done, refused, made twice, and without its reply."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from sheaf.aggregator import queue_look, sweeper_lease
from sheaf.api.tasks import OPEN, PAUSED
from sheaf.items import QueueNotes, SweeperLease
from sheaf.outside.store import Refused
from sheaf.protocol import lifecycle
from sheaf.protocol.lifecycle import Listed, Outlook, TaskStatus
from tests.support.items import DAY, HOUR, MINUTE, NOW, SECOND, a_row, a_task

COUNTS = {"extracting": 1, "completed": 2, "error": 3, "cancelled": 4}
SEALED = {"0": [2, 3, 4]}
PROCESSING, COMPLETED, CANCELLED = (
    {"status": "processing"},
    {"status": "completed"},
    {"status": "cancelled"},
)
FAILED = {"status": "failed"}
ENDED = [COMPLETED, CANCELLED, FAILED]
LISTED = {"total": 3, "shard_rows": 250, "manifest_key": "m", "unsent": {0}, "row_cost": 7}
GATHERING = {
    "status": "gathering",
    "dispatch_until": NOW + MINUTE,
    **dict.fromkeys(("total", "manifest_key", "scattered_at")),
}


@dataclass(frozen=True)
class Write:
    """One write over a task as it was seen: what it needs, what it changes, what refuses it."""

    make: Callable[..., Any]
    needs: dict[str, Any] = field(default_factory=dict)
    changes: dict[str, Any] = field(default_factory=dict)
    refused_by: list[dict[str, Any]] = field(default_factory=list)
    knows_its_own: bool = False
    again_is_harmless: bool = True


def _counts(world, task):
    outlook = Outlook(count_every=SECOND)
    return lifecycle.record_counts(world, task, COUNTS, sealed=SEALED, outlook=outlook, now=NOW)


def _close(world, task):
    return lifecycle.close(world, task, TaskStatus.CANCELLED, COUNTS, sealed=SEALED, now=NOW)


SCATTERING = {"dispatch_until": NOW - 1, "unsent": {0, 1}, "scattered_at": None}
MINE = SCATTERING | {"dispatch_until": NOW + MINUTE}
WRITES = {
    "take over": Write(
        lambda w, t: lifecycle.take_over(w, t, dispatch_until=NOW + MINUTE, now=NOW),
        needs=SCATTERING,
        changes={"dispatch_until": NOW + MINUTE},
        refused_by=[*ENDED, {"dispatch_until": NOW - 2}, {"dispatch_until": NOW + 9}, {"dispatch_until": None}],
    ),
    "take over a gathering": Write(
        lambda w, t: lifecycle.take_over(w, t, dispatch_until=NOW + MINUTE, now=NOW),
        needs=GATHERING | {"dispatch_until": NOW - 1},
        changes={"dispatch_until": NOW + MINUTE},
        refused_by=[*ENDED, PROCESSING, {"dispatch_until": NOW - 2}, {"dispatch_until": NOW + 9}],
    ),
    "hand over a gathering": Write(
        lifecycle.hand_over,
        needs=GATHERING,
        changes={"dispatch_until": 0},
        refused_by=[*ENDED, {"dispatch_until": NOW + 9}],
    ),
    "gathered": Write(
        lambda w, t: lifecycle.gathered(w, t, Listed(3, 250, "m", {0}, 7)),
        needs=GATHERING,
        changes=PROCESSING | LISTED | {"dispatch_until": 0},
        refused_by=[*ENDED, PROCESSING, {"dispatch_until": NOW + 9}, {"gate": "cancelled"}],
        knows_its_own=True,
    ),
    "fail without rows": Write(
        lambda w, t: lifecycle.close_without_rows(w, t, "Nothing there.", NOW),
        needs=GATHERING,
        changes={"status": "failed", "error_message": "Nothing there.", "completed_at": NOW, "dispatch_until": None},
        refused_by=[*ENDED, PROCESSING, {"dispatch_until": NOW + 9}, {"gate": "cancelled"}],
    ),
    "cancel without rows": Write(
        lambda w, t: lifecycle.close_without_rows(w, t, None, NOW),
        needs=GATHERING | {"gate": "cancelled"},
        changes=CANCELLED | {"completed_at": NOW, "dispatch_until": None},
        refused_by=[COMPLETED, FAILED, PROCESSING, {"gate": "open"}, {"gate": "paused"}],
    ),
    "request cancel of a gathering": Write(
        lambda w, t: lifecycle.request_cancel(w, t.task),
        needs=GATHERING,
        changes={"gate": "cancelled"},
        refused_by=[*ENDED, FAILED | {"gate": "cancelled"}],
        knows_its_own=True,
    ),
    "hand over": Write(
        lifecycle.hand_over,
        needs=MINE,
        changes={"dispatch_until": 0},
        refused_by=[*ENDED, {"dispatch_until": NOW + 9}, {"dispatch_until": None}],
    ),
    "sent": Write(
        lambda w, t: lifecycle.sent(w, t, 1),
        needs=MINE,
        changes={"unsent": {0}},
        refused_by=[*ENDED, {"dispatch_until": None}],
        knows_its_own=True,
    ),
    "sent by a late holder": Write(
        lambda w, t: lifecycle.sent(w, t, 1),
        needs=MINE | {"dispatch_until": 0, "unsent": {1}},
        changes={"unsent": None},
        refused_by=[*ENDED, {"dispatch_until": None}],
        knows_its_own=True,
    ),
    "scattered": Write(
        lambda w, t: lifecycle.scattered(w, t, NOW),
        needs=MINE | {"unsent": None},
        changes={"dispatch_until": None, "scattered_at": NOW},
        refused_by=[*ENDED, {"dispatch_until": None}, {"unsent": {0}}],
    ),
    "scattered at once": Write(
        lambda w, t: lifecycle.scattered(w, t, NOW),
        needs=MINE,
        changes={"dispatch_until": None, "unsent": None, "scattered_at": NOW},
        refused_by=[*ENDED, {"dispatch_until": None}, {"unsent": {0}}, {"unsent": {0, 1, 2}}, {"unsent": None}],
    ),
    "set back": Write(
        lambda w, t: lifecycle.set_back(w, t, range(2)),
        changes={"dispatch_until": 0, "unsent": {0, 1}},
        refused_by=[*ENDED, {"dispatch_until": NOW - 1}, {"dispatch_until": NOW + 9}],
        knows_its_own=True,
    ),
    "set back once more": Write(
        lambda w, t: lifecycle.set_back(w, t, [1, 2]),
        needs={"dispatch_until": 0, "unsent": {0, 1}},
        changes={"unsent": {0, 1, 2}},
        refused_by=[*ENDED, {"dispatch_until": NOW - 1}, {"dispatch_until": NOW + 9}],
        knows_its_own=True,
    ),
    "record counts": Write(
        _counts,
        needs={"counted_at": NOW - 1},
        changes={**COUNTS, "sealed": SEALED, "counted_at": NOW, "count_every": SECOND},
        refused_by=[*ENDED, {"counted_at": NOW}, {"counted_at": NOW + 1}],
    ),
    "close": Write(
        _close,
        needs=SCATTERING,
        changes={
            **COUNTS,
            "status": "cancelled",
            "sealed": SEALED,
            "counted_at": NOW,
            "completed_at": NOW,
            "dispatch_until": None,
            "unsent": None,
        },
        refused_by=ENDED,
    ),
    "request cancel": Write(
        lambda w, t: lifecycle.request_cancel(w, t.task),
        changes={"gate": "cancelled"},
        refused_by=[*ENDED, CANCELLED | {"gate": "cancelled"}, COMPLETED | {"gate": "cancelled"}],
        knows_its_own=True,
    ),
    "request pause": Write(
        lambda w, t: lifecycle.request_turn(w, t.task, OPEN, PAUSED, NOW),
        changes={"gate": "paused", "pauses": [NOW]},
        refused_by=[*ENDED, COMPLETED | {"gate": "paused"}, {"gate": "cancelled"}],
        knows_its_own=True,
    ),
    "request resume": Write(
        lambda w, t: lifecycle.request_turn(w, t.task, PAUSED, OPEN, NOW),
        needs={"gate": "paused", "pauses": [NOW - 1]},
        changes={"gate": "open", "pauses": [NOW - 1, NOW]},
        refused_by=[*ENDED, COMPLETED | {"gate": "open"}, {"gate": "cancelled"}],
        knows_its_own=True,
    ),
    "set limit": Write(
        lambda w, t: lifecycle.set_limit(w, t.task, 3, NOW),
        needs={"gate": "paused", "pauses": [NOW - 1], "most_at_work": 9, "front": 70},
        changes={"most_at_work": 3, "front": 0, "pauses": [NOW - 1, NOW, NOW]},
        refused_by=[*ENDED, {"gate": "cancelled"}, {"gate": "cancelled", "most_at_work": 3}],
        knows_its_own=True,
    ),
    "set a first limit": Write(
        lambda w, t: lifecycle.set_limit(w, t.task, 3, NOW),
        changes={"most_at_work": 3, "front": 0, "pauses": [NOW, NOW]},
        refused_by=[COMPLETED | {"most_at_work": 3}],
        knows_its_own=True,
    ),
    "take a limit away": Write(
        lambda w, t: lifecycle.set_limit(w, t.task, None, NOW),
        needs={"most_at_work": 9, "front": 70},
        changes={"most_at_work": None, "front": 0, "pauses": [NOW, NOW]},
        refused_by=ENDED,
        knows_its_own=True,
    ),
    "rename": Write(
        lambda w, t: lifecycle.rename(w, t.task, "Delirium"),
        needs=COMPLETED,
        changes={"name": "Delirium"},
        refused_by=[{"deleted_at": NOW}],
        knows_its_own=True,
    ),
    "take a name away": Write(
        lambda w, t: lifecycle.rename(w, t.task, None),
        needs={"name": "Delirium"},
        changes={"name": None},
        refused_by=[{"deleted_at": NOW}],
        knows_its_own=True,
    ),
    "move front": Write(
        lambda w, t: lifecycle.move_front(w, t, 71),
        needs={"most_at_work": 9, "front": 70},
        changes={"front": 71},
        refused_by=[*ENDED, {"most_at_work": 8}, {"most_at_work": None}, {"front": 72}, {"dispatch_until": 0}],
        knows_its_own=True,
    ),
    "move the front of no limit": Write(
        lambda w, t: lifecycle.move_front(w, t, 71),
        needs={"front": 0},
        changes={"front": 71},
        refused_by=[{"most_at_work": 8}, {"front": None}],
        knows_its_own=True,
    ),
    "record notified": Write(
        lambda w, t: lifecycle.record_notified(w, t, NOW),
        needs=COMPLETED,
        changes={"active": None, "notified_at": NOW},
        refused_by=[PROCESSING],
        knows_its_own=True,
    ),
    "discard": Write(
        lambda w, t: lifecycle.discard(w, t, "u1", NOW),
        needs={"expires_at": NOW + DAY},
        changes={"expires_at": NOW, "deleted_by": "u1", "gate": "cancelled"},
        refused_by=[{"expires_at": None}],
        knows_its_own=True,
    ),
    "bury": Write(
        lambda w, t: lifecycle.bury(w, t, "u1", NOW),
        needs=COMPLETED,
        changes={"deleted_at": NOW, "deleted_by": "u1", "listed_in": None, "gate": "cancelled"},
        refused_by=[PROCESSING],
        knows_its_own=True,
    ),
}
REFUSALS = [
    pytest.param(name, found, id=f"{name}: {found}") for name, write in WRITES.items() for found in write.refused_by
]


def values(task):
    return {name: value for name, value in task.attribute_values.items() if value is not None}


@pytest.mark.parametrize("name", WRITES)
def test_a_task_changes_as_told_and_in_nothing_else_when_a_write_happens(bench, name):
    """◆ A close is status, counts, instant and end of the scatter in one write; a hand-over keeps `dispatch_until`."""
    write = WRITES[name]
    seen = bench.put(a_task(**write.needs))
    with bench.calls.watch() as calls:
        written = write.make(bench.sweep_world, seen)
    (after,) = bench.tasks()
    expected = {key: value for key, value in (values(seen) | write.changes).items() if value is not None}
    assert values(after) == values(written) == expected
    assert calls.operations == ["UpdateItem"]


@pytest.mark.parametrize(("name", "found"), REFUSALS)
def test_a_task_stays_as_it_is_when_a_write_is_refused(bench, name, found):
    """◆ Nothing but the closed task's own aftermath is written once it is closed; nobody ends another's scatter."""
    write = WRITES[name]
    seen = a_task(**write.needs)
    bench.put(a_task(**(write.needs | found)))
    before = bench.raw()
    written = write.make(bench.sweep_world, seen)
    assert isinstance(written, Refused)
    assert bench.raw() == before


@pytest.mark.parametrize("name", WRITES)
def test_nothing_is_written_when_there_is_no_such_task(bench, name):
    """An update of nothing would make a task of nothing."""
    assert isinstance(WRITES[name].make(bench.sweep_world, a_task(**WRITES[name].needs)), Refused)
    assert bench.tasks() == []


@pytest.mark.parametrize("how", ["it is made twice", "its reply is lost"])
@pytest.mark.parametrize("name", WRITES)
def test_a_task_is_as_after_one_write_when(bench, name, how):
    """Whoever goes on from what was written knows its own; the others find a task that says what they said."""
    write = WRITES[name]
    seen = bench.put(a_task(**write.needs))
    with bench.calls.watch() as calls:
        calls.lose_reply_of = 0 if how == "its reply is lost" else None
        written = write.make(bench.sweep_world, seen)
    if how == "it is made twice":
        written = write.make(bench.sweep_world, seen)
    (after,) = bench.tasks()
    assert values(after) == {key: value for key, value in (values(seen) | write.changes).items() if value is not None}
    assert isinstance(written, Refused) is not write.knows_its_own


def test_a_task_is_opened_when_there_is_none_and_found_when_there_is(bench):
    """Open is one conditional put; the loser reads the winner from the refusal itself."""
    first, second = a_task(opening="a"), a_task(opening="b", created_at=NOW + 1)
    assert lifecycle.open_task(bench.api_world, first) is first
    refused = lifecycle.open_task(bench.api_world, second)
    assert isinstance(refused, Refused)
    assert refused.item is not None
    assert refused.item.opening == "a"
    assert values(bench.tasks()[0]) == values(first)


def test_an_opening_knows_its_own_when_its_reply_is_lost(bench):
    """Otherwise a request would be answered as a replay of itself, and nobody would scatter for a minute."""
    with bench.calls.watch() as calls:
        calls.lose_reply_of = 0
        opened = lifecycle.open_task(bench.api_world, a_task())
    assert not isinstance(opened, Refused)


# ------------------------------------------------------------------ the sweeper's lease

ENDS = NOW + 9 * MINUTE
HELD = {"holder": "me", "lease_until": NOW + SECOND, "ends_at": ENDS}
ANOTHERS = HELD | {"holder": "another"}
OVER = {"holder": "another", "lease_until": NOW - 1, "ends_at": ENDS}


def take(world):
    return not isinstance(sweeper_lease.take(world, "0", "me", ends_at=ENDS, now=NOW), Refused)


def nudge(world):
    return sweeper_lease.nudge(world, "0", {"p1/new"}, NOW)


LEASE = NOW + sweeper_lease.LEASE_MS
TAKEN = {"holder": "me", "lease_until": LEASE, "ends_at": ENDS}
NEW, OLD = (sweeper_lease.slot(task) for task in ("p1/new", "p1/old"))
WANTED = {"wanted": {OLD}}
STEPS = [
    ("take: none", take, None, True, TAKEN),
    ("take: over", take, OVER | WANTED, True, TAKEN | WANTED),
    ("take: left", take, WANTED, True, TAKEN | WANTED),
    ("take: another's", take, ANOTHERS, False, ANOTHERS),
    ("take: ends now", take, ANOTHERS | {"lease_until": NOW}, False, ANOTHERS | {"lease_until": NOW}),
    ("nudge: none", nudge, None, False, None),
    ("nudge: left", nudge, WANTED, False, WANTED),
    ("nudge: over", nudge, OVER, False, OVER),
    ("nudge: held", nudge, ANOTHERS, True, ANOTHERS | {"wanted": {NEW}}),
    ("nudge: ends now", nudge, HELD | {"lease_until": NOW}, True, HELD | {"lease_until": NOW, "wanted": {NEW}}),
    ("nudge: again", nudge, HELD | WANTED, True, HELD | {"wanted": {OLD, NEW}}),
    ("hear: mine", lambda w: sweeper_lease.hear(w, "0", "me", NOW), HELD, set(), TAKEN),
    ("hear: wanted", lambda w: sweeper_lease.hear(w, "0", "me", NOW), HELD | WANTED, {OLD}, TAKEN),
    (
        "pass: another's",
        lambda w: sweeper_lease.hear(w, "0", "me", NOW),
        ANOTHERS | WANTED,
        None,
        ANOTHERS | WANTED,
    ),
    ("leave: done", lambda w: sweeper_lease.leave(w, "0", "me"), HELD, True, {}),
    ("leave: wanted", lambda w: sweeper_lease.leave(w, "0", "me"), HELD | WANTED, False, HELD | WANTED),
    (
        "leave: out of time",
        lambda w: sweeper_lease.leave(w, "0", "me", even_if_wanted=True),
        HELD | WANTED,
        True,
        WANTED,
    ),
    ("leave: another's", lambda w: sweeper_lease.leave(w, "0", "me"), ANOTHERS, True, ANOTHERS),
    (
        "leave: another's, wanted",
        lambda w: sweeper_lease.leave(w, "0", "me"),
        ANOTHERS | WANTED,
        True,
        ANOTHERS | WANTED,
    ),
]


def lease(bench):
    gate = bench.gate("sweeper/0")
    return (
        None
        if gate is None
        else {name: value for name, value in gate.attribute_values.items() if name not in {"gate", "v"}}
    )


@pytest.mark.parametrize("lost", [None, 0], ids=["", "reply lost"])
@pytest.mark.parametrize(("step", "there", "answer", "after"), [pytest.param(*s[1:], id=s[0]) for s in STEPS])
def test_the_sweepers_lease_is_as_told_when(bench, step, there, answer, after, lost):
    """◆ Released only by its holder and only when nobody is wanted. The same when the SDK repeats a call."""
    if there is not None:
        bench.put(SweeperLease(gate="sweeper/0", **there))
    with bench.calls.watch() as calls:
        calls.lose_reply_of = lost
        given = step(bench.sweep_world)
    assert given == answer
    assert lease(bench) == after


LOOKED = {"looked_at": NOW - MINUTE, "messages": 2}


@pytest.mark.parametrize("lost", [None, 1])
@pytest.mark.parametrize(
    ("there", "looks"),
    [
        ({}, None),
        ({"looked_at": NOW - MINUTE}, None),
        (LOOKED, (NOW - MINUTE, NOW, 5)),
        (LOOKED | {"messages": 9, "before": 20, "before_at": NOW - DAY}, (NOW - MINUTE, NOW, 9)),
        (LOOKED | {"looked_at": NOW - MINUTE + 1}, None),
        (LOOKED | {"looked_at": NOW - SECOND, "before": 3, "before_at": NOW - HOUR}, (NOW - HOUR, NOW - SECOND, 3)),
    ],
)
def test_a_queue_holds_the_most_that_two_looks_found_when_they_are_a_minute_apart(bench, there, looks, lost):
    """Mutations caught: a look before its time; believing one look; taking the last one's number for both."""
    bench.put(QueueNotes(gate="queue/probe", **there))
    for number in range(5):
        bench.message(f"{number}")
    with bench.calls.watch() as calls:
        calls.lose_reply_of = lost
        found = queue_look.looks(bench.sweep_world, "probe", [a_row(updated_at=NOW - HOUR)], NOW)
    assert found == looks
    assert not queue_look.looks(bench.sweep_world, "probe", [a_row(updated_at=NOW - MINUTE)], NOW), "it is not asked"
