"""The line from one row to its model's provider: whether a call may be made now, and everything that follows from one.

`knock` asks at the provider's gate before a row is claimed. `Line` is what an engine has while it works on the row:
it waits for the provider's pace, checks the lease, stores each reply before it is used, counts what it cost, and tells
the gate how the provider fared.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sheaf import provider_gate, replies
from sheaf.engines import prices
from sheaf.engines.provider import FormatRefused, Model, ModelFault, Reply, Request, TooLong, Truncated, Usage
from sheaf.errors import (
    AccountRefused,
    Failure,
    OutOfTime,
    Permanent,
    ProviderDown,
    Throttled,
    Transient,
    Unavailable,
)
from sheaf.models import Gate, Row
from sheaf.provider_gate import SHUT, STRIKES, Reason
from sheaf.replies import Kept
from sheaf.settings import EngineSettings
from sheaf.store import Refused
from sheaf.telemetry import say
from sheaf.wiring import World

WAIT_MAX_MS = 10_000
TURNS = 6
CALL_MIN_SECONDS = 15
MARGIN_SECONDS = 5
LOOK_AGAIN_MS = 30_000
ORDINALS = 3
BUSY = "busy"
"""A reply that says so is none: it is not kept."""


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
class Meter:
    """What one attempt at a row cost."""

    calls: int = 0
    reused: int = 0
    usage: Usage = field(default_factory=Usage)
    micro_usd: int | None = 0
    """None where the model's price is not known."""

    def add(self, usage: Usage, cost: int | None) -> None:
        was = self.usage
        self.usage = Usage(
            was.input + usage.input, was.cached + usage.cached, was.stored + usage.stored, was.output + usage.output
        )
        self.micro_usd = None if cost is None or self.micro_usd is None else self.micro_usd + cost

    def told(self) -> dict[str, Any]:
        """As it stands in a result."""
        return {
            "calls": self.calls,
            "reused": self.reused,
            "inputTokens": self.usage.input,
            "cachedTokens": self.usage.cached,
            "storedTokens": self.usage.stored,
            "outputTokens": self.usage.output,
            "costUsd": None if self.micro_usd is None else self.micro_usd / 1_000_000,
        }


@dataclass
class Line:
    """One row's way to its provider."""

    world: World[Any]
    settings: EngineSettings
    row: Row
    knock: Knock
    stop_at: int
    lease_until: int
    meter: Meter = field(default_factory=Meter)

    def __post_init__(self) -> None:
        """Where it stands before the first call."""
        self.gate = self.knock.gate
        self.prober = self.knock.prober
        self.price = prices.of(self.settings)

    # ------------------------------------------------------------------ replies

    def accepted(self, asked: str, check: Callable[[Reply], Mapping[str, Any]]) -> Mapping[str, Any] | None:
        """What an earlier reply to the same question says, of whatever row, if it passes the check; else None.

        A row that is to be read afresh takes none but its own.
        """
        for ordinal in range(ORDINALS):
            kept = self._find(asked, ordinal)
            if kept is None:
                return None
            if self.row.fresh and not self._is_mine(kept):
                continue
            try:
                content = check(kept.reply)
            except (ModelFault, Truncated, TooLong, Failure):
                continue
            self._reuse(kept)
            return content
        return None

    def reply(self, asked: str, ordinal: int, model: Model, request: Request) -> Reply:
        """The row's own reply of an attempt that was cut short, or a new one: stored before it is looked at.

        Raises Permanent, Throttled, AccountRefused, ProviderDown, Transient, TooLong.
        """
        kept = self._find(asked, ordinal)
        if kept is not None and self._is_mine(kept):
            self._reuse(kept)
            return kept.reply
        reply = self._call(model, request)
        self.meter.calls += 1
        self.meter.add(reply.usage, prices.cost(self.price, reply.usage))
        at = replies.key(self.row.project, self.row.document, asked, ordinal)
        try:
            replies.keep(self.world, at, Kept(self.row.task, self.row.row, self.row.attempt, reply))
        except Unavailable as error:
            say("reply_not_kept", task=self.row.task, row=self.row.row, reason=str(error))
        return reply

    def _find(self, asked: str, ordinal: int) -> Kept | None:
        try:
            return replies.find(self.world, replies.key(self.row.project, self.row.document, asked, ordinal))
        except Unavailable as error:
            raise Transient("Storage did not answer.", "storage_unavailable") from error

    def _is_mine(self, kept: Kept) -> bool:
        return kept.task == self.row.task and kept.row == self.row.row

    def _reuse(self, kept: Kept) -> None:
        """An attempt of this row that died before it could say so has paid for it; then it is counted now."""
        self.meter.reused += 1
        if self._is_mine(kept) and kept.attempt > (self.row.metered or 0):
            self.meter.add(kept.reply.usage, prices.cost(self.price, kept.reply.usage))

    # ------------------------------------------------------------------ calls

    def seconds_left(self) -> float:
        return (self.stop_at - self.world.now()) / 1000

    def _call(self, model: Model, request: Request) -> Reply:
        """One call in the way that this endpoint is known to take, or in the next one if it refuses that."""
        while True:
            dialect = self._dialect(model)
            try:
                return self._call_in(model, request, dialect)
            except FormatRefused as error:
                self._next_dialect(model, dialect, error)

    def _call_in(self, model: Model, request: Request, dialect: str) -> Reply:
        self._wait_for_turn()
        try:
            reply = model.send(request, dialect, self._seconds())
        except (Throttled, ProviderDown) as error:
            raise self._failed(error) from error
        except (Permanent, TooLong):
            # An answer all the same: the provider is there.
            self._answered()
            raise
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

    def _dialect(self, model: Model) -> str:
        endpoint, _, known = ((self.gate.dialect if self.gate else None) or "").rpartition("|")
        return known if endpoint == model.endpoint and known in model.dialects else model.dialects[0]

    def _next_dialect(self, model: Model, refused: str, error: FormatRefused) -> None:
        at = model.dialects.index(refused) + 1
        if at == len(model.dialects):
            raise Permanent("The provider refused the request.", "request_refused") from error
        seen = self.gate.dialect if self.gate else None
        told = f"{model.endpoint}|{model.dialects[at]}"
        written = self._tell(provider_gate.remember, told, seen)
        gate = written.item if isinstance(written, Refused) else written or self.gate
        self.gate = gate or Gate(gate=f"provider/{self.settings.name}")
        self.gate.dialect = told
        say("format_downgraded", provider=self.settings.name, reason=model.dialects[at])

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
        if written is not None and not isinstance(written, Refused):
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
