"""Calls to a model's provider: whether one may be made now, and everything that follows for the provider from one.

`knock` asks at the provider's gate before a row is claimed. `Calling` makes a row's calls: it waits for the provider's
pace, keeps within time and lease, takes the way of asking that the endpoint knows, and tells the gate how it fared.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sheaf import provider_gate
from sheaf.engines.provider import FormatRefused, Model, Reply, Request, TooLong
from sheaf.errors import AccountRefused, OutOfTime, Permanent, ProviderDown, Throttled, Transient, Unavailable
from sheaf.metering import Meter, counted
from sheaf.models import Gate
from sheaf.provider_gate import SHUT, STRIKES, Reason
from sheaf.settings import EngineSettings
from sheaf.store import Refused
from sheaf.telemetry import say
from sheaf.wiring import World

WAIT_MAX_MS = 10_000
TURNS = 6
CALL_MIN_SECONDS = 15
MARGIN_SECONDS = 5
LOOK_AGAIN_MS = 30_000
BUSY = "busy"
"""A reply that says so is none: it is paid for, and not kept."""


@dataclass(frozen=True)
class Knock:
    """The gate's answer: go, or wait until; `prober` is the token of the one who may try a shut gate."""

    gate: Gate | None
    wait_until: int | None = None
    prober: str | None = None


def knock(world: World[Any], provider: str, gate: Gate | None, now: int) -> Knock:
    """Whether a row may be claimed for this provider now. Of a gate whose time is over one asker gets to try."""
    if gate is None or gate.state != SHUT:
        ahead = ((gate.next_at if gate else None) or 0) - now
        return Knock(gate, now + ahead if ahead > WAIT_MAX_MS else None)
    if (gate.shut_until or 0) > now:
        return Knock(gate, gate.shut_until)
    me = world.token()
    probing = provider_gate.begin_probe(world, provider, me, until=now + provider_gate.PROBE_MS, now=now)
    if not isinstance(probing, Refused):
        return Knock(probing, prober=me)
    if probing.item is None or probing.item.state != SHUT:
        return Knock(probing.item)
    until = max(probing.item.shut_until or 0, min(probing.item.probe_until or 0, now + LOOK_AGAIN_MS))
    return Knock(probing.item, until)


@dataclass
class Calling:
    """One row's calls to its provider."""

    world: World[Any]
    settings: EngineSettings
    knock: Knock
    stop_at: int
    lease_until: int
    meter: Meter
    dialect: str | None = None
    """The way of asking that was found out here, where the gate does not know it."""

    def __post_init__(self) -> None:
        """Where it stands before the first call."""
        self.gate = self.knock.gate
        self.prober = self.knock.prober

    def seconds_left(self) -> float:
        return (self.stop_at - self.world.now()) / 1000

    def call(self, model: Model, request: Request) -> Reply:
        """One call in the way that this endpoint is known to take, or in the next ones if it refuses that.

        Raises Permanent, Throttled, AccountRefused, ProviderDown, Transient, TooLong.
        """
        while True:
            dialect = self.dialect or self._known_dialect(model)
            try:
                reply = self._call_in(model, request, dialect)
            except FormatRefused as error:
                self.dialect = _next_dialect(model, dialect, error)
            else:
                self._remember_dialect(model)
                return reply

    def _call_in(self, model: Model, request: Request, dialect: str) -> Reply:
        self._wait_for_turn()
        try:
            reply = counted(request, model.send(request, dialect, self._seconds()))
        except (Throttled, ProviderDown) as error:
            raise self._failed(error) from error
        except (Permanent, TooLong, FormatRefused):
            # An answer all the same: the provider is there.
            self._answered()
            raise
        self.meter.calls += 1
        self.meter.add(reply.usage)
        if reply.stop == BUSY:
            raise self._failed(ProviderDown("The provider ran out of room while it answered."))
        self._answered()
        return reply

    def _seconds(self) -> float:
        """How long this call may take: it has to be over before the work has to stop, and well within the lease."""
        seconds = min(self.settings.call_seconds, self.seconds_left() - MARGIN_SECONDS)
        if seconds < min(CALL_MIN_SECONDS, self.settings.call_seconds):
            raise OutOfTime("Too little time is left for a call; the next attempt goes on from here.")
        if self.world.now() + seconds * 1000 >= self.lease_until:
            raise Transient("The lease would not outlive the call.", "lease_short")
        return seconds

    def _wait_for_turn(self) -> None:
        """The pace: no write at all while there is none to keep. Raises Throttled where the turn is too far away."""
        base = 60_000 // self.settings.calls_per_minute if self.settings.calls_per_minute else 0
        for _ in range(TURNS):
            now = self.world.now()
            interval = provider_gate.pace_ms(self.gate, base, now)
            if not interval or self.prober:
                return
            turn = max(now, (self.gate.next_at if self.gate else None) or 0)
            if turn - now > WAIT_MAX_MS:
                break
            taken = self._tell(provider_gate.take_turn, self.gate, interval, now)
            if isinstance(taken, Gate):
                self.gate = taken
                self.world.sleep((turn - now) / 1000)
                return
            self.gate = taken.item if taken else self.gate
            if taken is None or provider_gate.is_shut(self.gate):
                break
        raise Throttled("The provider's pace allows no call just now.", self._wait_seconds())

    def _wait_seconds(self) -> float:
        """Until the gate opens, or has a turn to give."""
        if self.gate is None:
            return 1.0
        until = self.gate.shut_until if provider_gate.is_shut(self.gate) else self.gate.next_at
        return max(1.0, ((until or 0) - self.world.now()) / 1000)

    def _known_dialect(self, model: Model) -> str:
        endpoint, _, known = ((self.gate.dialect if self.gate else None) or "").rpartition("|")
        return known if endpoint == model.endpoint and known in model.dialects else model.dialects[0]

    def _remember_dialect(self, model: Model) -> None:
        """A plainer way was answered: it is the one to begin with. What was merely tried is not remembered."""
        if self.dialect is None or self.dialect == self._known_dialect(model):
            return
        told = f"{model.endpoint}|{self.dialect}"
        written = self._tell(provider_gate.remember, told, self.gate.dialect if self.gate else None)
        if isinstance(written, Gate):
            self.gate = written
            say("format_downgraded", provider=self.settings.name, reason=self.dialect)

    # ------------------------------------------------------------------ the gate

    def _answered(self) -> None:
        if self.prober and self.gate:
            opened = self._tell(provider_gate.reopen, self.gate, self.prober, self.world.now())
            if opened is None:
                # Still shut, and still ours to open, with the next call or by the next probe.
                return
            if not isinstance(opened, Refused):
                self.gate = opened
                say("provider_opened", provider=self.settings.name)
            self.prober = None
        elif self.gate and self.gate.failures:
            self._tell(provider_gate.calm)
            self.gate.failures = None

    def _failed(self, error: Throttled | ProviderDown) -> Throttled | ProviderDown:
        """Tell the gate. Behind a gate that is shut by now, nobody's tries are used up."""
        if isinstance(error, AccountRefused):
            reason = Reason.ACCOUNT
        elif isinstance(error, Throttled):
            reason = Reason.THROTTLED
        else:
            reason = Reason.DOWN
            if not self.prober and not self._struck_out():
                return error
        asked = int((error.retry_after_seconds or 0) * 1000)
        written = self._tell(
            provider_gate.shut, self.gate, reason, asked_ms=asked, prober=self.prober, now=self.world.now()
        )
        self.prober = None
        if written is not None:
            self.gate = written.item if isinstance(written, Refused) else written
        if isinstance(written, Gate):
            say("provider_shut", provider=self.settings.name, reason=reason, until=written.shut_until)
        seconds = max(self._wait_seconds(), error.retry_after_seconds or 0)
        waiting = AccountRefused if isinstance(error, AccountRefused) else Throttled
        found = waiting(error.message, seconds)
        found.error_class = error.error_class
        return found

    def _struck_out(self) -> bool:
        """Whether so many calls in a row went unanswered that the provider, not this document, is at fault."""
        struck = self._tell(provider_gate.strike)
        if struck is None:
            return False
        if isinstance(struck, Refused):
            # Shut already, by another's call of the same time.
            self.gate = struck.item
            return True
        self.gate = struck
        return (struck.failures or 0) >= STRIKES

    def _tell(
        self, change: Callable[..., Gate | Refused[Gate]], *seen: Any, **more: Any
    ) -> Gate | Refused[Gate] | None:
        """A change of the gate; None where its table does not answer.

        The row goes on as if the gate had heard: what the provider said is what counts for it, and another will tell.
        """
        try:
            return change(self.world, self.settings.name, *seen, **more)
        except Unavailable as error:
            say("gate_not_told", provider=self.settings.name, reason=str(error))
            return None


def _next_dialect(model: Model, refused: str, error: FormatRefused) -> str:
    at = model.dialects.index(refused) + 1
    if at == len(model.dialects):
        raise Permanent("The provider refused the request.", "request_refused") from error
    return model.dialects[at]
