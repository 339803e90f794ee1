"""What a worker answers to a message whose row it may not have: done with, or hidden for as long as it must wait."""

import pytest

from sheaf.items import ProviderGate
from sheaf.model_calls.gated_call import Knock
from sheaf.outside.deliveries import Acknowledge, HideUntil
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


@pytest.mark.parametrize(
    ("parked", "until", "waits_for"),
    [
        (True, NOW + SHORT, NOW + SHORT),
        (True, NOW + SHORT + 1, ACKNOWLEDGED),
        (None, NOW + SHORT + 1, NOW + SHORT + 1),
    ],
)
def test_a_message_is_let_go_when_its_providers_gate_is_parked_for_long(parked, until, waits_for):
    """Only where it is written down that messages were let go: else the sweep would not send it again."""
    answer = work_row.behind_provider(Knock(ProviderGate(gate="g", parked=parked), until), "openai", NOW)
    assert answer is not None
    assert wait(answer) == waits_for


def test_a_message_is_hidden_when_its_turn_is_far_away_and_there_is_no_gate():
    assert work_row.behind_provider(Knock(None, NOW + HOUR), "openai", NOW) == HideUntil(NOW + HOUR)


def test_work_may_start_when_the_provider_need_not_be_waited_for():
    assert work_row.behind_provider(Knock(ProviderGate(gate="g", parked=True)), "openai", NOW) is None


def test_it_is_said_why_when_a_message_is_let_go():
    """A log that tells a spent row from an unknown one: mutation caught: one silent answer for all."""
    assert work_row.unclaimed(None, NOW) == Acknowledge("row_unknown")
    assert work_row.unclaimed(a_row("completed"), NOW) == Acknowledge()
    assert work_row.unclaimed(a_row(tries=MAX_TRIES), NOW) == Acknowledge("tries_spent", {"tries": MAX_TRIES})
    assert work_row.behind_gate("paused") == Acknowledge("parked", {"reason": "paused"})
