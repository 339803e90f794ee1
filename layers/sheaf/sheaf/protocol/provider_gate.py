"""A project's gate of a model's provider: circuit and pace. Each change is one function here and one conditional write.

Nothing is counted that a crash could leave too high: pace, probe and closure are instants.
"""

from enum import StrEnum
from typing import Any, TypeVar

from pynamodb.expressions.update import Action

from sheaf.items import Pace, ProviderGate
from sheaf.outside.needs import Tables
from sheaf.outside.store import Written, assign, update

Turns = TypeVar("Turns", ProviderGate, Pace)


class Reason(StrEnum):
    THROTTLED = "throttled"
    DOWN = "unavailable"
    ACCOUNT = "account"


OPEN, SHUT = "open", "shut"
FIRST_MS = {Reason.THROTTLED: 15_000, Reason.DOWN: 30_000, Reason.ACCOUNT: 30_000}
LONGEST_MS = 30 * 60 * 1000
LONGEST_ASKED_MS = 3600 * 1000
PARKS_MS = 15 * 60 * 1000  # a closure longer than this lets messages go; the sweep sends the rows again
RELAPSE_MS = 10 * 60 * 1000  # shut again for the same reason within this, a gate goes on with its waits as they were
STRIKES = {Reason.DOWN: 3, Reason.ACCOUNT: 2}  # so many calls in a row without an answer, and it is not the document
PROBE_MS = 10 * 60 * 1000
SLOWEST_MS = 4_000
SLOWED_MS = 100
HALVES_EVERY_MS = 60_000
NO_PACE_MS = 10
AT_REST = {"prober": None, "probe_until": None, "failures": None}  # no probe, no row of failures


def is_shut(gate: ProviderGate | Pace | None) -> bool:
    return isinstance(gate, ProviderGate) and gate.state == SHUT


def pace_ms(gate: ProviderGate | None, now: int) -> int:
    """Between two calls of a project: what throttling made of it, which halves every minute."""
    if gate is None or not gate.interval or not gate.slowed_at:
        return 0
    slowed = gate.interval * 0.5 ** (max(0, now - gate.slowed_at) / HALVES_EVERY_MS)
    return int(slowed) if slowed >= NO_PACE_MS else 0


def closure_ms(reason: Reason, closures: int, asked_ms: int) -> int:
    """How long to shut: twice as long each time, and never shorter than the provider asked for."""
    wait = min(FIRST_MS[reason] * (1 << min(closures, 20)), LONGEST_MS)
    return max(wait, min(asked_ms, LONGEST_ASKED_MS))


def take_turn(
    world: Tables, model: type[Turns], gate: str, seen: Turns | None, *, interval_ms: int, now: int
) -> Written[Turns]:
    """Move the instant of the next call on by one interval, from where it was seen: the turn at that instant is mine."""
    turn = max(now, (seen.next_at if seen else None) or 0)
    as_seen = model.next_at == seen.next_at if seen and seen.next_at else model.next_at.does_not_exist()
    return update(world, model, {"gate": gate}, [model.next_at.set(turn + interval_ms)], as_seen & _not_shut())


def shut(
    world: Tables,
    gate: str,
    seen: ProviderGate | None,
    reason: Reason,
    *,
    asked_ms: int,
    prober: str | None,
    now: int,
    longer: bool = True,
) -> Written[ProviderGate]:
    """open -> shut, by who finds out; or shut for `longer`, by who probed in vain, unless its document may be at fault."""
    closures = _closures(seen, reason, now)
    if not longer and closures:
        closures -= 1
    wait = closure_ms(reason, closures, asked_ms)
    said = {"state": SHUT, "reason": reason, "shut_until": now + wait, "closures": closures + 1}
    actions = assign(ProviderGate, **said, **AT_REST, since=ProviderGate.since | now)
    if wait > PARKS_MS:
        actions.append(ProviderGate.parked.set(True))
    if reason == Reason.THROTTLED:
        interval = min(max(2 * pace_ms(seen, now), SLOWED_MS), SLOWEST_MS)
        actions += assign(ProviderGate, interval=interval, slowed_at=now)
    guard = ProviderGate.prober == prober if prober else _not_shut()
    return update(world, ProviderGate, {"gate": gate}, actions, guard)


def _closures(seen: ProviderGate | None, reason: Reason, now: int) -> int:
    """Another reason begins anew; so does an account's, of which an answer since has shown that it was good."""
    if seen is None or not seen.closures or seen.reason != reason:
        return 0
    if seen.state == SHUT:
        return seen.closures
    return seen.closures if reason != Reason.ACCOUNT and now - (seen.reopened_at or 0) <= RELAPSE_MS else 0


def begin_probe(world: Tables, gate: str, me: str, *, until: int, now: int) -> Written[ProviderGate]:
    """shut -> shut, and one worker may try: its time is up at `until`, whatever becomes of it."""
    over = (ProviderGate.state == SHUT) & (ProviderGate.shut_until <= now)
    free = ProviderGate.prober.does_not_exist() | (ProviderGate.probe_until < now)
    actions = [ProviderGate.prober.set(me), ProviderGate.probe_until.set(until)]
    mine = lambda found: bool(found.prober == me)  # noqa: E731 - one line of a condition
    return update(world, ProviderGate, {"gate": gate}, actions, over & free, already=mine)


def end_probe(world: Tables, gate: str, me: str) -> Written[ProviderGate]:
    """The prober found nothing to ask: the next one may."""
    actions = assign(ProviderGate, prober=None, probe_until=None)
    return update(world, ProviderGate, {"gate": gate}, actions, ProviderGate.prober == me)


def reopen(
    world: Tables, gate: str, seen: ProviderGate, me: str, now: int, *, replied: bool = True
) -> Written[ProviderGate]:
    """shut -> open, by the prober that was answered. `opened_at`, for the sweep, where messages had been let go."""
    opened = assign(ProviderGate, state=OPEN, reopened_at=now, since=None, shut_until=None, parked=None, **AT_REST)
    actions = [*opened, *_counted(replied=replied)]
    if seen.parked:
        actions.append(ProviderGate.opened_at.set(now))
    return update(world, ProviderGate, {"gate": gate}, actions, ProviderGate.prober == me)


def hasten(world: Tables, gate: str, *, every_ms: int, now: int) -> Written[ProviderGate]:
    """shut -> shut, its time over: somebody asked for a probe, once in so long. Its rows, hidden for longer, count as let go."""
    waits = (ProviderGate.state == SHUT) & (ProviderGate.shut_until > now) & ProviderGate.prober.does_not_exist()
    rested = ProviderGate.asked_at.does_not_exist() | (ProviderGate.asked_at <= now - every_ms)
    over = assign(ProviderGate, shut_until=now, asked_at=now, parked=True)
    actions = [*over, ProviderGate.closures.set(ProviderGate.closures - 1)]
    return update(world, ProviderGate, {"gate": gate}, actions, waits & rested)


def strike(world: Tables, gate: str) -> Written[ProviderGate]:
    """One more call in a row that the provider did not answer."""
    return update(world, ProviderGate, {"gate": gate}, [ProviderGate.failures.add(1)], _not_shut())


def calm(world: Tables, gate: str, *, replied: bool = True) -> Written[ProviderGate]:
    """It answered: the row of failures is broken."""
    actions = [ProviderGate.failures.remove(), *_counted(replied=replied)]
    return update(world, ProviderGate, {"gate": gate}, actions, _not_shut())


def _counted(*, replied: bool) -> list[Action]:
    """Only a reply shows that the account is good; a refusal of the question may come before that is looked at."""
    return [ProviderGate.answers.add(1)] if replied else []


def _not_shut() -> Any:
    return ProviderGate.state.does_not_exist() | (ProviderGate.state != SHUT)
