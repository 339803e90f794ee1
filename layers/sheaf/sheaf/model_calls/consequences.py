"""What a failed call to a provider means: for its gate, and for the row that asked. Pure."""

from enum import Enum

from sheaf.errors import AccountRefused, Permanent, ProviderDown, Throttled, Walled
from sheaf.items import Pace, ProviderGate
from sheaf.outside.store import Refused, Written
from sheaf.protocol.provider_gate import FIRST_MS, STRIKES, Reason, is_shut

Failed = Throttled | ProviderDown


class Tell(Enum):
    NOTHING = "nothing"
    STRIKE = "strike"
    SHUT = "shut"


def reason_of(error: Failed) -> Reason:
    if isinstance(error, ProviderDown | Walled):
        return Reason.DOWN
    return Reason.ACCOUNT if isinstance(error, AccountRefused) else Reason.THROTTLED


def answers(gate: ProviderGate | None) -> int:
    return (gate.answers if gate else None) or 0


def consequence(error: Failed, gate: ProviderGate | None, refused: int | None, *, probing: bool) -> Tell:
    """Decide what the gate is told. `refused`: its count of answers when this row was refused before, as accounts are."""
    if isinstance(error, AccountRefused) and refused is not None and answers(gate) > refused:
        # Another paper was answered between its two refusals: they say nothing of the account.
        return Tell.NOTHING
    return Tell.SHUT if probing or reason_of(error) == Reason.THROTTLED else Tell.STRIKE


def is_struck_out(struck: Written[ProviderGate] | None, error: Failed) -> bool:
    """Whether so many calls in a row failed that the provider is at fault; also where another has shut the gate for that."""
    if struck is None or isinstance(struck, Refused):
        return struck is not None
    return (struck.failures or 0) >= STRIKES[reason_of(error)]


def for_row(error: Failed, tell: Tell, gate: ProviderGate | None, *, heard: bool, now: int) -> Failed | Permanent:
    """The row's own error. Behind a gate that is shut by now nobody's tries are used up, nor by what may be the account's."""
    if tell == Tell.NOTHING:
        why = "The provider refuses this document as it would an account, and answers others."
        return Permanent(why, "request_refused")
    if tell == Tell.STRIKE and not isinstance(error, AccountRefused):
        return error
    asked, gate_seconds = error.retry_after_seconds or 0, seconds_to_wait(gate, now)
    may_be_its_own, held = isinstance(error, AccountRefused), is_shut(gate)
    waiting = AccountRefused if may_be_its_own else Throttled
    least = FIRST_MS[reason_of(error)] / 1000 if may_be_its_own and not held else 0
    found = waiting(error.message, max(gate_seconds, asked, least))
    found.error_class = error.error_class
    found.held = held and gate_seconds >= asked
    found.refused = answers(gate) if may_be_its_own and heard else None
    return found


def seconds_to_wait(gate: ProviderGate | Pace | None, now: int) -> float:
    if gate is None:
        return 1.0
    until = gate.shut_until if isinstance(gate, ProviderGate) and is_shut(gate) else gate.next_at
    return max(1.0, ((until or 0) - now) / 1000)
