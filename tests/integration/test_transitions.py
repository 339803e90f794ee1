"""Every write of a row, on every status: allowed or refused, unchanged when refused, once more, and without its reply."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from sheaf.outside.store import Refused
from sheaf.protocol import lifecycle
from sheaf.protocol.leases import Bid, Due
from sheaf.protocol.lifecycle import LEASES, TERMINAL, RowStatus
from tests.contract.test_transition_table import documented
from tests.support.items import HOUR, KEY, MAX_TRIES, MINUTE, NOW, PROBE, a_row

LATER = NOW + HOUR
"""When every write below is made: each lease of the rows below is over by then."""
DEADLINE = LATER - HOUR - 1


@dataclass(frozen=True)
class Write:
    """One transition: how it is made over a row as it was seen, and what a row needs for it to happen."""

    make: Callable[..., Any]
    to: str
    told: dict[str, Any] = field(default_factory=dict)
    before: str = "extracting"


def _claim(world, seen, **told):
    arguments: dict[str, Any] = {
        "token": "mine",
        "lease_until": LATER + MINUTE,
        "max_tries": MAX_TRIES,
        "now": LATER,
    } | told
    return lifecycle.claim(world, KEY, Bid(**arguments))


def _release(world, seen, *, throttled=False, refused=None):
    due = Due(LATER + MINUTE, None if throttled else MAX_TRIES, refused)
    return lifecycle.release(world, seen, due, LATER)


def _give_up(world, seen, **told):
    return lifecycle.give_up(world, seen, max_tries=MAX_TRIES, started_before=DEADLINE, now=LATER)


def _create(world, seen, **told):
    return lifecycle.create(world, [a_row("pending", document="another").serialize()])


WRITES = {
    "create": Write(_create, "pending", before="none"),
    "claim": Write(_claim, "extracting", before="pending"),
    "begin_step": Write(lambda w, seen: lifecycle.begin_step(w, seen, "asking", LATER), "extracting"),
    "complete": Write(
        lambda w, seen: lifecycle.complete(w, seen, data_key="new", summary={"a": 1}, now=LATER), "completed"
    ),
    "fail": Write(lambda w, seen: lifecycle.fail(w, seen, error_class="new", message="m", now=LATER), "error"),
    "release": Write(_release, "pending"),
    "expire": Write(lambda w, seen: lifecycle.expire(w, seen, PROBE, LATER), "pending"),
    "stamp": Write(lambda w, seen: lifecycle.stamp(w, seen, LATER, sent=True), "pending", before="pending"),
    "park": Write(lambda w, _seen: lifecycle.park(w, KEY, LATER), "pending", before="pending"),
    "give_up": Write(_give_up, "error", {"waiting_since": DEADLINE - 1}, before="pending"),
    "cancel": Write(lambda w, seen: lifecycle.cancel(w, seen, LATER), "cancelled", before="pending"),
}
"""Each of the table in docs/DESIGN.md, with the arguments that ask the most: only the status can refuse it."""


def laid(bench, status, **told):
    """A row of this status in the table, and as whoever acts on it saw it."""
    if status == "none":
        return a_row("pending")
    return bench.put(a_row(status, **told))


def happened(written) -> bool:
    return not isinstance(written, Refused)


def test_every_transition_of_the_table_is_written_here():
    assert WRITES.keys() == documented().keys()


@pytest.mark.parametrize("status", ["none", *RowStatus])
@pytest.mark.parametrize("name", WRITES)
def test_a_write_happens_or_is_refused_when_the_table_says_so(bench, name, status):
    """Status x transition; a refused write leaves the item byte for byte as it was.

    The row carries another claim's token, so that no write can take an old one for its own.
    """
    row = laid(bench, status, **WRITES[name].told)
    begins, ends, _ = documented()[name]
    allowed = status in begins
    if row.token and not allowed:
        row.token = "another's"
    before = bench.raw()
    written = WRITES[name].make(bench.sweep_world, row)
    after = bench.raw()
    if allowed:
        assert happened(written)
        assert bench.row().status in ends
        assert bench.row().status == WRITES[name].to
    else:
        assert after == before
        assert name == "create" or not happened(written)


TERMINAL_WRITES = [(status, name) for status in sorted(TERMINAL) for name in WRITES]


@pytest.mark.parametrize(("status", "name"), TERMINAL_WRITES)
def test_an_end_absorbs_when_even_its_own_claim_writes_again(bench, status, name):
    """completed, error and cancelled never change again, byte for byte, whoever asks and with whichever token."""
    row = laid(bench, status, token="mine", **WRITES[name].told)
    before = bench.raw()
    WRITES[name].make(bench.sweep_world, row)
    assert bench.raw() == before


def a_case(name, case, row, *, allowed, **told):
    return pytest.param(name, row, allowed, told, id=f"{name}: {case}")


GUARDS = [
    a_case("claim", "due this very moment", {"not_before": LATER}, allowed=True),
    a_case("claim", "not due yet", {"not_before": LATER + 1}, allowed=False),
    a_case("claim", "the last try left", {"tries": MAX_TRIES - 1}, allowed=True),
    a_case("claim", "no try left", {"tries": MAX_TRIES}, allowed=False),
    a_case("claim", "attempts are not tries", {"attempt": 99, "tries": 0}, allowed=True),
    a_case(
        "claim",
        "its lease ended before now",
        {"status": "extracting", "lease_until": LATER - 1},
        allowed=True,
        token="new",
    ),
    a_case("claim", "its lease ends now", {"status": "extracting", "lease_until": LATER}, allowed=False, token="new"),
    a_case("claim", "another holds it", {"status": "extracting", "lease_until": LATER + 1}, allowed=False, token="new"),
    a_case("claim", "over, but no try left", {"status": "extracting", "tries": MAX_TRIES}, allowed=False, token="new"),
    a_case("claim", "it has no lease", {"status": "extracting", "lease_until": None}, allowed=True, token="new"),
    a_case("begin_step", "another's claim", {"token": "new"}, allowed=False),
    a_case("complete", "another's claim", {"token": "new"}, allowed=False),
    a_case("complete", "its own lease is over, and nobody took it", {"lease_until": NOW}, allowed=True),
    a_case("fail", "another's claim", {"token": "new"}, allowed=False),
    a_case("release", "another's claim", {"token": "new"}, allowed=False),
    a_case("release", "another's claim, throttled", {"token": "new"}, allowed=False, throttled=True),
    a_case("release", "another's claim, no try left", {"token": "new", "tries": MAX_TRIES}, allowed=False),
    a_case("expire", "its lease ends now", {"lease_until": LATER}, allowed=False),
    a_case("expire", "its lease ended before now", {"lease_until": LATER - 1}, allowed=True),
    a_case("expire", "taken over since it was seen", {"attempt": 2}, allowed=False),
    a_case("expire", "it has no lease", {"lease_until": None}, allowed=True),
    a_case("give_up", "neither spent nor old", {"tries": MAX_TRIES - 1, "waiting_since": DEADLINE}, allowed=False),
    a_case("give_up", "spent", {"tries": MAX_TRIES, "waiting_since": None}, allowed=True),
    a_case("give_up", "claimed too long ago", {"first_claimed_at": DEADLINE - 1, "waiting_since": None}, allowed=True),
    a_case("give_up", "claimed not too long ago", {"first_claimed_at": DEADLINE, "waiting_since": None}, allowed=False),
    a_case("give_up", "never claimed, never waiting", {"waiting_since": None}, allowed=False),
]


@pytest.mark.parametrize(("name", "row", "allowed", "told"), GUARDS)
def test_a_write_happens_when_its_guard_holds_and_not_otherwise(bench, name, row, allowed, told):
    """The boundaries of every condition. What the writer saw is the ordinary row; what it finds is told here."""
    write = WRITES[name]
    seen = a_row(write.before)
    bench.put(a_row(row.pop("status", write.before), **row))
    before = bench.raw()
    written = write.make(bench.sweep_world, seen, **told)
    assert happened(written) is allowed
    assert (bench.raw() == before) is not allowed


WRITTEN = {
    "claim": {"attempt": 1, "tries": 1, "token": "mine", "lease_until": LATER + MINUTE, "first_claimed_at": LATER},
    "begin_step": {"step": "asking", "step_at": LATER},
    "complete": {"data_key": "new", "summary": {"a": 1}, "lease_until": None},
    "fail": {"error_class": "new", "error_message": "m", "lease_until": None},
    "release": {"not_before": LATER + MINUTE, "lease_until": None},
    "expire": {"not_before": LATER, "lease_until": None},
    "stamp": {"sent_at": LATER, "sends": 1, "waiting_since": LATER},
    "give_up": {"error_class": "deadline"},
    "cancel": {},
}


@pytest.mark.parametrize("name", WRITTEN)
def test_a_write_changes_what_the_table_says_and_nothing_else_when_it_happens(bench, name):
    """Attempt and tries rise at a claim only; the token stays on the row afterwards; first_claimed_at is set once."""
    write = WRITES[name]
    before = laid(bench, write.before, **write.told).attribute_values
    write.make(bench.sweep_world, bench.row())
    after = bench.row().attribute_values
    expected = before | {"status": write.to} | WRITTEN[name]
    if name not in {"begin_step", "stamp"}:
        expected["updated_at"] = LATER
    expected.pop("error_message", None) if name == "give_up" else None
    told = {key: value for key, value in expected.items() if value is not None}
    assert {key: after.get(key) for key in told} == told
    assert after.keys() - told.keys() <= ({"error_message"} if name == "give_up" else set())
    assert bench.row().token == before.get("token", "mine" if name == "claim" else None)


@pytest.mark.parametrize(
    ("tries", "throttled", "status", "tries_after"),
    [
        (1, False, "pending", 1),
        (1, True, "pending", 0),
        (MAX_TRIES - 1, False, "pending", MAX_TRIES - 1),
        (MAX_TRIES, False, "extracting", MAX_TRIES),
        (MAX_TRIES, True, "pending", MAX_TRIES - 1),
    ],
)
def test_a_release_is_refused_when_the_tries_are_spent_unless_it_was_throttled(
    bench, tries, throttled, status, tries_after
):
    """◆ A throttle gives its try back and never ends a row; a failure at the cap leaves no row that nobody may claim."""
    seen = laid(bench, "extracting", tries=tries, attempt=7)
    written = _release(bench.sweep_world, seen, throttled=throttled)
    row = bench.row()
    assert (row.status, row.tries, row.attempt) == (status, tries_after, 7)
    assert happened(written) == (status == "pending")
    assert LEASES.holds(seen, row) == (status == "extracting")


@pytest.mark.parametrize(
    ("status", "told", "held"),
    [
        ("extracting", {}, True),
        ("extracting", {"token": "another's"}, False),
        ("pending", {}, False),
        ("completed", {}, False),
        ("error", {}, False),
    ],
)
def test_a_row_is_a_claims_own_when_it_is_extracting_under_its_token(status, told, held):
    """Only then may who was refused a release end it: mutation caught: ending a row that another has claimed."""
    assert LEASES.holds(a_row("extracting"), a_row(status, **told)) is held
    assert not LEASES.holds(a_row("extracting"), None)


def test_a_release_notes_what_the_gate_counted_when_the_row_was_refused_as_accounts_are(bench):
    """And forgets it at no later release: the row was refused once, whatever came after."""
    seen = laid(bench, "extracting", tries=1, attempt=1)
    assert happened(_release(bench.sweep_world, seen, throttled=True, refused=3))
    assert bench.row().refused == 3
    seen = laid(bench, "extracting", tries=1, attempt=1, refused=3)
    assert happened(_release(bench.sweep_world, seen, throttled=True))
    assert bench.row().refused == 3


@pytest.mark.parametrize(
    ("tries", "kind", "status", "error_class"),
    [
        (MAX_TRIES - 1, PROBE, "pending", None),
        (MAX_TRIES, PROBE, "error", "worker_lost"),
        (1, PROBE._replace(on_expiry="error"), "error", "worker_lost"),
    ],
)
def test_a_lost_worker_costs_the_row_when_its_tries_are_spent_or_its_kind_says_so(
    bench, tries, kind, status, error_class
):
    seen = laid(bench, "extracting", tries=tries, attempt=tries)
    assert happened(lifecycle.expire(bench.sweep_world, seen, kind, LATER))
    assert (bench.row().status, bench.row().error_class) == (status, error_class)


def test_a_message_is_cut_when_it_is_longer_than_a_row_should_carry(bench):
    """Rows are read at every sweep and stay under a kilobyte."""
    lifecycle.fail(bench.sweep_world, laid(bench, "extracting"), error_class="c", message="m" * 999, now=LATER)
    assert bench.row().error_message == "m" * 240


@pytest.mark.parametrize(
    ("what", "tries", "error_class"), [("spent", MAX_TRIES, "attempts_spent"), ("old", 0, "deadline")]
)
def test_the_reason_is_told_when_a_row_is_given_up(bench, what, tries, error_class):
    seen = laid(bench, "pending", tries=tries, waiting_since=DEADLINE - 1)
    _give_up(bench.sweep_world, seen)
    assert bench.row().error_class == error_class


@pytest.mark.parametrize("status", RowStatus)
def test_the_others_are_created_one_by_one_when_one_row_of_a_hundred_exists(bench, status):
    """◆ A refused transaction has written none. What exists stays, however far it has come."""
    there = bench.put(a_row(status, row=2))
    lifecycle.create(
        bench.api_world, [a_row("pending", row=number, document=f"d{number}").serialize() for number in range(5)]
    )
    rows = bench.all_rows()
    assert [row.row for row in rows] == [0, 1, 2, 3, 4]
    assert rows[2].attribute_values == there.attribute_values


RECOGNISED = ("claim", "begin_step", "complete", "fail", "release", "expire")
"""Writes whose caller goes on from what was written: they know their own when they meet it."""
COUNTED = {"stamp": ("sends", 2)}
"""A second stamp is a second send. A lost reply therefore doubles a window once too often, which errs on the quiet side."""


@pytest.mark.parametrize("how", ["it is made twice", "its reply is lost"])
@pytest.mark.parametrize("name", WRITES)
def test_a_write_happens_once_when(bench, name, how):
    """Made again by its maker, or by the SDK after a lost reply: the row is as after one, and the maker knows its own."""
    write = WRITES[name]
    seen = laid(bench, write.before, **write.told)
    with bench.calls.watch() as calls:
        if how == "its reply is lost":
            calls.lose_reply_of = 0
            written = write.make(bench.sweep_world, seen)
            once = None
        else:
            write.make(bench.sweep_world, seen)
            once = bench.row().attribute_values
            written = write.make(bench.sweep_world, seen)
    row = bench.row()
    assert row.status == write.to
    assert (row.attempt, row.tries) == ((1, 1) if write.before == "extracting" or name == "claim" else (0, 0))
    if name in COUNTED:
        assert getattr(row, COUNTED[name][0]) == COUNTED[name][1]
    elif once is not None:
        assert row.attribute_values == once
    if name in RECOGNISED:
        assert happened(written)
        assert written.attribute_values == row.attribute_values


@pytest.mark.parametrize("tries", [1, MAX_TRIES])
def test_a_release_counts_once_when_a_reply_is_lost(bench, tries):
    """The try of a throttle comes back once."""
    seen = laid(bench, "extracting", tries=tries)
    with bench.calls.watch() as calls:
        calls.lose_reply_of = 0
        written = _release(bench.sweep_world, seen, throttled=True)
    assert happened(written)
    assert (bench.row().status, bench.row().tries) == ("pending", tries - 1)


def test_an_old_claim_is_not_taken_for_ones_own_when_its_lease_is_over(bench):
    """◆ Going on after a lost reply needs the lease to be live: mutation caught: recognising by token alone."""
    bench.put(a_row("extracting", token="mine", lease_until=LATER - 1, tries=MAX_TRIES))
    assert not happened(_claim(bench.sweep_world, None))


def test_all_rows_are_there_once_when_the_reply_of_their_transaction_is_lost(bench):
    """The second transaction is refused whole; its rows are then put one by one and refused each."""
    with bench.calls.watch() as calls:
        calls.lose_reply_of = 0
        lifecycle.create(bench.api_world, [a_row("pending", row=number).serialize() for number in range(3)])
    assert [row.row for row in bench.all_rows()] == [0, 1, 2]


@pytest.mark.parametrize("status", RowStatus)
@pytest.mark.parametrize("lease_until", [LATER - 1, LATER + 1])
def test_a_row_of_a_deleted_task_is_erased_when_nobody_is_at_work_on_it(bench, status, lease_until):
    """A request that stood still may have made it after the deletion, so it may be in any state."""
    row = laid(bench, status, lease_until=lease_until)
    lifecycle.erase(bench.sweep_world, row, LATER)
    at_work = status == RowStatus.EXTRACTING and lease_until > LATER
    assert len(bench.all_rows()) == int(at_work)


@pytest.mark.parametrize(("marks", "stands"), [({"long": 2}, {"long": 2}), ({}, None)])
def test_a_row_says_its_marks_when_it_has_any(bench, marks, stands):
    """Nothing else is read of an ended row by each sweep: bytes are paid for."""
    row = laid(bench, "extracting")
    lifecycle.complete(bench.sweep_world, row, data_key="new", summary={}, marks=marks, now=LATER)
    assert bench.row().marks == stands
    assert ("marks" in bench.raw()["ResultsTable"][0]) == bool(marks)
