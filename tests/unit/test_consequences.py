"""What a failed call means for the gate and for the row, decided on plain values."""

from typing import Any

import pytest

from sheaf.errors import AccountRefused, Permanent, ProviderDown, Throttled, Walled
from sheaf.items import Pace, ProviderGate
from sheaf.model_calls.consequences import Tell, consequence, for_row, is_struck_out, seconds_to_wait
from sheaf.outside.store import Refused

NOW = 1_800_000_000_000
THROTTLED, DOWN = Throttled("Fewer."), ProviderDown("Down.")
ACCOUNT, WALLED = AccountRefused("Account."), Walled("Wall.")


def gate(**told: Any) -> ProviderGate:
    return ProviderGate(gate="provider/openai/p1", **told)


@pytest.mark.parametrize(
    ("error", "answers", "refused", "probing", "told"),
    [
        (THROTTLED, None, None, False, Tell.SHUT),
        (DOWN, None, None, False, Tell.STRIKE),
        (DOWN, 9, 1, False, Tell.STRIKE),
        (DOWN, None, None, True, Tell.SHUT),
        (ACCOUNT, None, None, False, Tell.STRIKE),
        (ACCOUNT, 3, None, False, Tell.STRIKE),
        (ACCOUNT, 3, 3, False, Tell.STRIKE),
        (ACCOUNT, 3, 3, True, Tell.SHUT),
        (ACCOUNT, 4, 3, False, Tell.NOTHING),
        (ACCOUNT, 4, 3, True, Tell.NOTHING),
        (WALLED, 4, 3, False, Tell.NOTHING),
        (WALLED, 1, 0, True, Tell.NOTHING),
    ],
)
def test_the_gate_is_told_what_follows_when_a_call_failed(error, answers, refused, probing, told):
    """Mutations caught: a document that was refused twice taken for its account; a probe in vain counted as a strike."""
    seen = None if answers is None else gate(answers=answers)
    assert consequence(error, seen, refused, probing=probing) == told


@pytest.mark.parametrize(
    ("struck", "error", "out"),
    [
        (None, DOWN, False),
        (gate(failures=2), DOWN, False),
        (gate(failures=3), DOWN, True),
        (gate(failures=2), WALLED, False),
        (gate(failures=1), ACCOUNT, False),
        (gate(failures=2), ACCOUNT, True),
        (Refused(gate(state="shut")), DOWN, True),
    ],
)
def test_a_provider_is_struck_out_when_so_many_calls_failed_or_another_has_said_so(struck, error, out):
    """A gate that could not be told strikes nobody out."""
    assert is_struck_out(struck, error) is out


@pytest.mark.parametrize(
    ("error", "told", "seen", "heard", "expected"),
    [
        (DOWN, Tell.STRIKE, gate(), True, (ProviderDown, None, None)),
        (ACCOUNT, Tell.NOTHING, gate(answers=4), True, (Permanent, None, None)),
        (DOWN, Tell.SHUT, gate(state="shut", shut_until=NOW + 9_000), True, (Throttled, 9, None)),
        (ACCOUNT, Tell.STRIKE, gate(answers=4), True, (AccountRefused, 30, 4)),
        (ACCOUNT, Tell.STRIKE, gate(answers=4), False, (AccountRefused, 30, None)),
        (ACCOUNT, Tell.SHUT, gate(state="shut", shut_until=NOW + 9_000), True, (AccountRefused, 9, 0)),
    ],
)
def test_a_row_gets_what_costs_it_no_try_when_the_provider_may_be_at_fault(error, told, seen, heard, expected):
    found = for_row(error, told, seen, heard=heard, now=NOW)
    wait, refused = getattr(found, "retry_after_seconds", None), getattr(found, "refused", None)
    assert (type(found), wait, refused) == expected


@pytest.mark.parametrize(("asked", "held", "wait"), [(5.0, True, 9.0), (9.0, True, 9.0), (60.0, False, 60.0)], ids=str)
def test_a_row_is_held_by_the_gate_unless_its_provider_asked_for_longer(asked, held, wait):
    shut = gate(state="shut", shut_until=NOW + 9_000)
    found = for_row(Throttled("Fewer.", asked), Tell.SHUT, shut, heard=True, now=NOW)
    assert isinstance(found, Throttled)
    assert (found.held, found.retry_after_seconds) == (held, wait)


@pytest.mark.parametrize(
    ("seen", "seconds"),
    [
        (None, 1),
        (gate(state="shut", shut_until=NOW + 5_000, next_at=NOW + 8_000), 5),
        (gate(state="open", shut_until=NOW + 5_000, next_at=NOW + 8_000), 8),
        (Pace(gate="provider/openai", next_at=NOW + 8_000), 8),
        (Pace(gate="provider/openai", next_at=NOW - 8_000), 1),
    ],
)
def test_a_wait_ends_when_the_gate_opens_or_has_a_turn(seen, seconds):
    assert seconds_to_wait(seen, NOW) == seconds
