"""How long a provider's gate stays shut: as long as the provider asked for, up to an hour, and never shorter than its turn."""

from datetime import UTC, datetime
from email.utils import format_datetime

import pytest

from sheaf.model_calls import provider_errors
from sheaf.protocol.provider_gate import FIRST_MS, LONGEST_ASKED_MS, LONGEST_MS, Reason, closure_ms
from tests.support.items import HOUR, MINUTE, NOW, SECOND

MINUTES = (0, 1, 14, 15, 16, 29, 30, 31, 45, 59, 60)


@pytest.mark.parametrize("minutes", MINUTES)
@pytest.mark.parametrize("closures", [0, 1, 5, 50])
@pytest.mark.parametrize("reason", Reason)
def test_a_gate_is_shut_for_as_long_as_was_asked_when_that_is_longer_than_its_turn(reason, closures, minutes):
    """Mutation caught: whatever was asked is cut to half an hour, and the provider is tried before it said."""
    turn = min(FIRST_MS[reason] * 2**closures, LONGEST_MS)
    assert closure_ms(reason, closures, minutes * MINUTE) == max(turn, minutes * MINUTE)


def test_nobody_waits_longer_than_an_hour_whatever_was_asked():
    assert LONGEST_ASKED_MS == HOUR
    assert closure_ms(Reason.THROTTLED, 0, 2 * HOUR) == HOUR
    assert provider_errors.seconds("7200", NOW) == HOUR / SECOND


@pytest.mark.parametrize("minutes", MINUTES)
def test_retry_after_is_what_was_asked_when_it_names_a_number_or_a_date(minutes):
    later = datetime.fromtimestamp(NOW / SECOND, UTC).timestamp() + minutes * 60
    for told in (
        str(minutes * 60),
        f" {minutes * 60}.0 ",
        format_datetime(datetime.fromtimestamp(later, UTC), usegmt=True),
    ):
        assert provider_errors.seconds(told, NOW) == minutes * 60, told


@pytest.mark.parametrize("told", [None, "", "soon", "nan", "Wed, 99 Foo"])
def test_retry_after_counts_as_none_when_it_is_nonsense(told):
    assert provider_errors.seconds(told, NOW) is None


@pytest.mark.parametrize("told", ["0", "-5", "Wed, 01 Jan 2020 00:00:00 GMT"])
def test_nobody_waits_when_the_time_that_was_asked_for_is_past(told):
    assert provider_errors.seconds(told, NOW) == 0
