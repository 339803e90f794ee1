"""Calls to a model's provider: whether one may be made now, and everything that follows for the provider from one.

`knock` asks at the project's gate before a row is claimed; `Calling` makes its calls and tells the gate how they fared.
"""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Concatenate, NamedTuple, ParamSpec

from sheaf import items
from sheaf.engine_settings import EngineSettings
from sheaf.errors import AccountRefused, OutOfTime, Permanent, ProviderDown, Throttled, Transient, Unavailable
from sheaf.items import Pace, ProviderGate, Row, pace_gate
from sheaf.logs import Measured, say
from sheaf.model_calls import prices
from sheaf.model_calls.consequences import Failed, Tell, consequence, for_row, is_struck_out, reason_of, seconds_to_wait
from sheaf.model_calls.model_api import FormatRefused, Model, Reply, Request, TemperatureRefused, TooLong, Way
from sheaf.model_calls.prices import Meter, counted, guessed
from sheaf.outside.needs import AsksModels, TimedTables
from sheaf.outside.store import M, Refused, Written, as_it_is
from sheaf.plain_json import Json, JsonObject
from sheaf.protocol import lifecycle, provider_gate
from sheaf.protocol.provider_gate import SHUT, Reason, Turns

WAIT_MAX_MS = 10_000
TURNS = 6
CALL_MIN_SECONDS = 15
MARGIN_SECONDS = 5
LOOK_AGAIN_MS = 30_000
BUSY = "busy"  # a reply that says so is none: it is paid for, and not kept
KEPT_MS = 24 * 3600 * 1000  # a way of asking that was found out; then the strictest is tried again
WAYS_MAX = 500
A = ParamSpec("A")


class Knock(NamedTuple):
    """The gate's answer: go, or wait until; `prober` is the token of the one who may try a shut gate."""

    gate: ProviderGate | None
    wait_until: int | None = None
    prober: str | None = None
    pace: Pace | None = None


def knock(world: TimedTables, name: str, gate: ProviderGate | None, pace: Pace | None, now: int) -> Knock:
    """Whether a row may be claimed now. Of a gate whose time is over one asker gets to try."""
    if gate is None or gate.state != SHUT:
        turn = _next_turn(gate, pace)
        return Knock(gate, turn if turn - now > WAIT_MAX_MS else None, pace=pace)
    if (gate.shut_until or 0) > now:
        return Knock(gate, gate.shut_until)
    me = world.token()
    probing = provider_gate.begin_probe(world, name, me, until=now + provider_gate.PROBE_MS, now=now)
    if not isinstance(probing, Refused):
        return Knock(probing, prober=me, pace=pace)
    if probing.item is None or probing.item.state != SHUT:
        return Knock(probing.item, pace=pace)
    until = max(probing.item.shut_until or 0, min(probing.item.probe_until or 0, now + LOOK_AGAIN_MS))
    return Knock(probing.item, until)


def _next_turn(*gates: ProviderGate | Pace | None) -> int:
    return max((gate.next_at or 0) if gate else 0 for gate in gates)


def _next_way(model: Model, refused: Way, error: FormatRefused | TemperatureRefused) -> Way:
    """The same without a temperature, or in the next dialect. Raises Permanent where there is none."""
    if isinstance(error, TemperatureRefused) and refused.temperature:
        return refused._replace(temperature=False)
    at = model.dialects.index(refused.dialect) + 1
    if isinstance(error, TemperatureRefused) or at == len(model.dialects):
        raise Permanent(f"The provider refused the request ({error}).", "request_refused") from error
    return refused._replace(dialect=model.dialects[at])


@dataclass
class Calling:
    world: AsksModels
    settings: EngineSettings
    row: Row
    knock: Knock
    stop_at: int

    def __post_init__(self) -> None:
        """Where it stands before the first call."""
        self.meter = Meter(prices.of(self.settings))
        self.way: Way | None = None  # the way of asking that was found out here
        self.gate = self.knock.gate
        self.pace = self.knock.pace
        self.prober = self.knock.prober
        self.gate_name = items.provider_gate(self.settings.name, self.row.project)
        # The project, and the version of its template that is asked for: what ways of asking are remembered for.
        self.template = (self.row.project, json.dumps(self.row.options))
        self.heard = False
        self.begun = False

    def say(self, event: str, *, measured: Measured | None = None, **fields: Json) -> None:
        about: JsonObject = {"task": self.row.task, "row": self.row.row, "attempt": self.row.attempt}
        say(event, measured=measured, provider=self.settings.name, **about, **fields)

    def seconds_left(self) -> float:
        return (self.stop_at - self.world.now()) / 1000

    def call(self, model: Model, request: Request) -> Reply:
        """One call in the way that this endpoint takes, or the next ones. Raises what `Model.send` does, Transient, OutOfTime."""
        while True:
            way = self.way or self._known_way(model)
            try:
                reply = self._call_in(model, request if way.temperature else request._replace(temperature=None), way)
            except (FormatRefused, TemperatureRefused) as error:
                self.way = _next_way(model, way, error)
            else:
                if self.way is not None:
                    self._remember_way(model, self.way)
                return reply

    def _known_way(self, model: Model) -> Way:
        """The strictest, where nothing else was found out in the last day: by this process, of this template alone."""
        way, found_at = self.world.ways.get((*self.template, model.endpoint), (None, 0))
        return way if way and self.world.now() - found_at < KEPT_MS else Way(model.dialects[0])

    def _remember_way(self, model: Model, way: Way) -> None:
        """It was answered: it is the one to begin with. What was merely tried is not remembered."""
        if way == self._known_way(model):
            return
        if len(self.world.ways) >= WAYS_MAX:
            self.world.ways.clear()
        self.world.ways[*self.template, model.endpoint] = (way, self.world.now())
        say("format_downgraded", reason=way.dialect if way.temperature else f"{way.dialect}, no temperature")

    def _call_in(self, model: Model, request: Request, way: Way) -> Reply:
        self._wait_for_turn()
        began = self.world.now()
        self._begin(began)
        try:
            reply = counted(request, model.send(request, way.dialect, self._seconds()))
        except (Throttled, ProviderDown) as error:
            if isinstance(error, ProviderDown) and error.timed_out:
                self.meter.calls += 1
                self.meter.add(guessed(request))
            raise self._failed(error) from error
        except (Permanent, TooLong, FormatRefused, TemperatureRefused):
            # An answer all the same: the provider is there.
            self._answered(replied=False)
            raise
        self.meter.calls += 1
        self.meter.add(reply.usage)
        self.say("model_replied", milliseconds=self.world.now() - began)
        if reply.stop == BUSY:
            raise self._failed(ProviderDown("The provider ran out of room while it answered."))
        self._answered(replied=True)
        return reply

    def _begin(self, now: int) -> None:
        """The row says that it asks, once an attempt. Raises Transient where it is another's: nothing is paid for that nobody will take."""
        if self.begun:
            return
        self.begun = True
        with suppress(Unavailable):  # a word for people is no reason to wait
            if isinstance(lifecycle.begin_step(self.world, self.row, "asking", now), Refused):
                raise Transient("Another has claimed the row meanwhile.", "claim_lost")

    def _seconds(self) -> float:
        """How long this call may take: it has to be over before the work has to stop, and well within the lease."""
        seconds = min(self.settings.call_seconds, self.seconds_left() - MARGIN_SECONDS)
        if seconds < min(CALL_MIN_SECONDS, self.settings.call_seconds):
            raise OutOfTime("Too little time is left for a call; the next attempt goes on from here.")
        if self.world.now() + seconds * 1000 >= (self.row.lease_until or 0):
            raise Transient("The lease would not outlive the call.", "lease_short")
        return seconds

    def _wait_for_turn(self) -> None:
        """The deployment's pace, then the project's; no write while there is none to keep. Raises Throttled if far away."""
        if self.prober:
            self._stand_back()
            return
        if self.settings.calls_per_minute:
            base = 60_000 // self.settings.calls_per_minute
            self.pace = self._turn(Pace, pace_gate(self.settings.name), self.pace, lambda _seen, _now: base)
        self.gate = self._turn(ProviderGate, self.gate_name, self.gate, provider_gate.pace_ms)

    def _stand_back(self) -> None:
        """Whose document may be at fault tries a gate only when no other has come to. Raises Throttled."""
        if self.row.refused is None or self.gate is None or self.gate.asked_at == self.gate.shut_until:
            return
        wait = (self.gate.shut_until or 0) + LOOK_AGAIN_MS - self.world.now()
        if wait > 0:
            found = Throttled("Another is to try the provider first.", wait / 1000)
            found.held = True
            raise found

    def _turn(
        self, model: type[Turns], name: str, seen: Turns | None, pace: Callable[[Turns | None, int], int]
    ) -> Turns | None:
        for _ in range(TURNS):
            now = self.world.now()
            interval, turn = pace(seen, now), max(now, _next_turn(seen))
            if not interval:
                return seen
            if turn - now > WAIT_MAX_MS:
                break
            taken: Written[Turns] | None
            taken = self._tell(provider_gate.take_turn, model, name, seen, interval_ms=interval, now=now)
            if isinstance(taken, model):
                self.world.sleep((turn - now) / 1000)
                return taken
            seen = taken.item if isinstance(taken, Refused) else seen
            if taken is None or provider_gate.is_shut(seen):
                break
        raise Throttled("The provider's pace allows no call just now.", seconds_to_wait(seen, self.world.now()))

    def _answered(self, *, replied: bool) -> None:
        if self.prober and self.gate:
            now, gate = self.world.now(), self.gate_name
            opened = self._tell(provider_gate.reopen, gate, self.gate, self.prober, now, replied=replied)
            if opened is None:
                # Still shut, and still ours to open, with the next call or by the next probe.
                return
            if not isinstance(opened, Refused):
                self.gate = opened
                self.say("provider_opened")
            self.prober = None
        elif self.gate and self.gate.failures:
            self._tell(provider_gate.calm, self.gate_name, replied=replied)
            self.gate.failures = None

    def _failed(self, error: Failed) -> Failed | Permanent:
        reason = reason_of(error)
        self.say("model_refused", reason=reason, measured={"Throttles": 1} if reason == Reason.THROTTLED else None)
        tell = consequence(error, self.gate, self.row.refused, probing=self.prober is not None)
        if tell == Tell.STRIKE:
            struck = self._tell(provider_gate.strike, self.gate_name)
            self._look(struck)
            tell = Tell.SHUT if is_struck_out(struck, error) else tell
        if tell == Tell.SHUT:
            self._shut(error)
        return for_row(error, tell, self.gate, heard=self.heard, now=self.world.now())

    def _shut(self, error: Failed) -> None:
        reason, asked_ms = reason_of(error), int((error.retry_after_seconds or 0) * 1000)
        longer = self.row.refused is not None or not isinstance(error, AccountRefused)
        gate, seen, prober, now = self.gate_name, self.gate, self.prober, self.world.now()
        shut = provider_gate.shut
        written = self._tell(shut, gate, seen, reason, asked_ms=asked_ms, prober=prober, now=now, longer=longer)
        self.prober = None
        self._look(written)
        if isinstance(written, ProviderGate):
            self.say("provider_shut", reason=reason, until=written.shut_until, measured={"GatesShut": 1})
            if reason == Reason.ACCOUNT:
                self.say("account_refused", measured={"AccountRefusals": 1})

    def _look(self, written: Written[ProviderGate] | None) -> None:
        if written is not None:
            self.gate = as_it_is(written)

    def _tell(
        self, change: Callable[Concatenate[AsksModels, A], Written[M]], *arguments: A.args, **more: A.kwargs
    ) -> Written[M] | None:
        """Make a change of the gate; None where its table does not answer: the row goes on, and another will tell."""
        self.heard = False
        try:
            written = change(self.world, *arguments, **more)
        except Unavailable as error:
            self.say("gate_not_told", reason=str(error))
            return None
        self.heard = True
        return written
