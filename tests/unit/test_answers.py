"""What a worker answers to a message whose row it may not have: done with, or hidden for as long as it must wait."""

import pytest

from sheaf.items import ProviderGate
from sheaf.model_calls.gated_call import Knock
from sheaf.outside.deliveries import Acknowledge, HideUntil
from sheaf.protocol.row_messages import Address
from sheaf.worker import work_row
from tests.support.items import HOUR, MAX_TRIES, MINUTE, NOW, SECOND, a_row

ACKNOWLEDGED = None
SHORT = 15 * MINUTE
LEASE = {"status": "extracting", "token": "another's", "attempt": 1}


def wait(answer):
    """Until when the message is hidden; None when it is acknowledged."""
    return answer.instant if isinstance(answer, HideUntil) else ACKNOWLEDGED


REFUSED = [
    ("no such row", None, ACKNOWLEDGED),
    ("completed", {"status": "completed"}, ACKNOWLEDGED),
    ("error", {"status": "error"}, ACKNOWLEDGED),
    ("cancelled", {"status": "cancelled"}, ACKNOWLEDGED),
    ("completed, with a lease left by accident", {"status": "completed", "lease_until": NOW + HOUR}, ACKNOWLEDGED),
    ("another's live lease", {**LEASE, "lease_until": NOW + 5 * MINUTE}, NOW + 5 * MINUTE),
    ("another's lease that ends now", {**LEASE, "lease_until": NOW}, NOW),
    ("another's live lease, no tries left", {**LEASE, "lease_until": NOW + MINUTE, "tries": MAX_TRIES}, NOW + MINUTE),
    ("another's lease is over, no tries left", {**LEASE, "lease_until": NOW - 1, "tries": MAX_TRIES}, ACKNOWLEDGED),
    ("extracting without a lease", {**LEASE, "lease_until": None}, ACKNOWLEDGED),
    ("pending but early", {"status": "pending", "not_before": NOW + 90 * SECOND}, NOW + 90 * SECOND),
    ("early, no tries left", {"status": "pending", "not_before": NOW + 1, "tries": MAX_TRIES}, NOW + 1),
    ("pending and due, no tries left", {"status": "pending", "tries": MAX_TRIES}, ACKNOWLEDGED),
]


@pytest.mark.parametrize(("row", "waits_for"), [pytest.param(*case[1:], id=case[0]) for case in REFUSED])
def test_a_refused_claim_is_acknowledged_or_waits_when_its_row_is(row, waits_for):
    """In this order, on the row as it stands."""
    answer = work_row.unclaimed(a_row(**row) if row else None, NOW)
    assert wait(answer) == waits_for


@pytest.mark.parametrize("state", ["paused", "cancelled", "budget"])
def test_nothing_may_start_when_its_tasks_gate_is(state):
    """The message is parked, and the sweep sends it again."""
    assert isinstance(work_row.behind_gate(state), Acknowledge)


@pytest.mark.parametrize("gate", [None, "open"])
def test_work_may_start_when_its_tasks_gate_is_open_or_there_is_none(gate):
    assert work_row.behind_gate(gate) is None


@pytest.mark.parametrize(("front", "starts"), [(None, True), (8, True), (7, False), (0, False)])
def test_a_row_starts_when_the_front_has_passed_it_or_there_is_none(front, starts):
    """Row 7. What is let go says why; the sweep sends it again."""
    answer = work_row.behind_front(front, 7)
    assert answer == (None if starts else Acknowledge("parked", {"reason": "limit"}))


@pytest.mark.parametrize(
    ("state", "parked", "until", "row", "waits_for"),
    [
        ("shut", True, NOW + SHORT, 0, NOW + SHORT),
        ("shut", True, NOW + SHORT + 1, 0, ACKNOWLEDGED),
        ("shut", None, NOW + SHORT + 1, 0, NOW + SHORT + 1),
        ("shut", None, NOW + 1, work_row.HIDDEN_ROWS - 1, NOW + 1),
        ("shut", None, NOW + 1, work_row.HIDDEN_ROWS, ACKNOWLEDGED),
        ("open", None, NOW + 1, work_row.HIDDEN_ROWS, NOW + 1),
    ],
)
def test_a_message_is_let_go_when_its_providers_gate_is_parked_for_long_or_many_rows_wait(
    state, parked, until, row, waits_for
):
    """Not where rows wait for their turn at an open gate."""
    gate = ProviderGate(gate="g", state=state, parked=parked)
    answer = work_row.behind_provider(Knock(gate, until), Address("p1/t1/0000", row, "openai"), NOW)
    assert answer is not None
    assert wait(answer) == waits_for


def test_a_message_is_hidden_when_its_turn_is_far_away_and_there_is_no_gate():
    assert work_row.behind_provider(Knock(None, NOW + HOUR), Address("p1/t1/0000", 0, "openai"), NOW) == HideUntil(
        NOW + HOUR
    )


def test_work_may_start_when_the_provider_need_not_be_waited_for():
    assert (
        work_row.behind_provider(Knock(ProviderGate(gate="g", parked=True)), Address("p1/t1/0000", 0, "openai"), NOW)
        is None
    )


def test_it_is_said_why_when_a_message_is_let_go():
    """A log that tells a spent row from an unknown one: mutation caught: one silent answer for all."""
    assert work_row.unclaimed(None, NOW) == Acknowledge("row_unknown")
    assert work_row.unclaimed(a_row("completed"), NOW) == Acknowledge()
    assert work_row.unclaimed(a_row(tries=MAX_TRIES), NOW) == Acknowledge("tries_spent", {"tries": MAX_TRIES})
    assert work_row.behind_gate("paused") == Acknowledge("parked", {"reason": "paused"})
