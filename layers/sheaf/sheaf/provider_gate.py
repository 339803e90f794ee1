"""The gate of a model's provider: its circuit and its pace. Each change is one function here and one conditional write.

Nothing is counted that a crash could leave too high: the pace is an instant, a probe ends by itself at another, and a
shut gate says until when. Workers read this gate with the task's before they claim.
"""

from enum import StrEnum
from typing import TYPE_CHECKING, Any

from sheaf.models import Gate, provider_gate
from sheaf.store import Key, Refused, update
from sheaf.wiring import World

if TYPE_CHECKING:
    from pynamodb.expressions.update import Action


class Reason(StrEnum):
    """Why a provider's gate is shut."""

    THROTTLED = "throttled"
    DOWN = "unavailable"
    ACCOUNT = "account"


OPEN, SHUT = "open", "shut"
FIRST_MS = {Reason.THROTTLED: 15_000, Reason.DOWN: 30_000, Reason.ACCOUNT: 120_000}
LONGEST_MS = 30 * 60 * 1000
LONGEST_ASKED_MS = 3600 * 1000
PARKS_MS = 15 * 60 * 1000
"""A closure longer than this lets messages go; the sweep sends the rows again."""
RELAPSE_MS = 10 * 60 * 1000
"""Shut again within this time of an opening, a gate goes on with the waits where it was."""
STRIKES = 3
PROBE_MS = 10 * 60 * 1000
SLOWEST_MS = 4_000
SLOWED_MS = 100
HALVES_EVERY_MS = 60_000
NO_PACE_MS = 10


def is_shut(gate: Gate | None) -> bool:
    return gate is not None and gate.state == SHUT


def pace_ms(gate: Gate | None, base_ms: int, now: int) -> int:
    """Between two calls: what throttling made of it, which halves every minute, and never less than the base."""
    slowed = 0.0
    if gate is not None and gate.interval and gate.slowed_at:
        slowed = gate.interval * 0.5 ** (max(0, now - gate.slowed_at) / HALVES_EVERY_MS)
    return max(base_ms, int(slowed) if slowed >= NO_PACE_MS else 0)


def closure_ms(reason: Reason, closures: int, asked_ms: int) -> int:
    """How long to shut: twice as long each time, and never shorter than the provider asked for."""
    wait = min(FIRST_MS[reason] * (1 << min(closures, 20)), LONGEST_MS)
    return max(wait, min(asked_ms, LONGEST_ASKED_MS))


def take_turn(world: World[Any], provider: str, seen: Gate | None, interval_ms: int, now: int) -> Gate | Refused[Gate]:
    """Move the instant of the next call on by one interval, from where it was seen: the turn at that instant is mine."""
    turn = max(now, (seen.next_at if seen else None) or 0)
    as_seen = Gate.next_at == seen.next_at if seen and seen.next_at else Gate.next_at.does_not_exist()
    return update(world, Gate, _key(provider), [Gate.next_at.set(turn + interval_ms)], as_seen & _not_shut())


def shut(
    world: World[Any],
    provider: str,
    seen: Gate | None,
    reason: Reason,
    *,
    asked_ms: int,
    prober: str | None,
    now: int,
) -> Gate | Refused[Gate]:
    """open -> shut, by whoever first finds out; or shut -> shut for longer, by the one who probed it in vain."""
    closures = _closures(seen, now)
    wait = closure_ms(reason, closures, asked_ms)
    actions: list[Action] = [
        Gate.state.set(SHUT),
        Gate.reason.set(reason),
        Gate.since.set(Gate.since | now),
        Gate.shut_until.set(now + wait),
        Gate.closures.set(closures + 1),
        Gate.prober.remove(),
        Gate.probe_until.remove(),
        Gate.failures.remove(),
    ]
    if wait > PARKS_MS:
        actions.append(Gate.parked.set(True))
    if reason == Reason.THROTTLED:
        interval = min(max(2 * pace_ms(seen, 0, now), SLOWED_MS), SLOWEST_MS)
        actions += [Gate.interval.set(interval), Gate.slowed_at.set(now)]
    return update(world, Gate, _key(provider), actions, Gate.prober == prober if prober else _not_shut())


def _closures(seen: Gate | None, now: int) -> int:
    if seen is None or not seen.closures:
        return 0
    calm = seen.state != SHUT and now - (seen.reopened_at or 0) > RELAPSE_MS
    return 0 if calm else seen.closures


def begin_probe(world: World[Any], provider: str, me: str, *, until: int, now: int) -> Gate | Refused[Gate]:
    """shut -> shut, and one worker may try: its time is up at `until`, whatever becomes of it."""
    over = (Gate.state == SHUT) & (Gate.shut_until <= now)
    free = Gate.prober.does_not_exist() | (Gate.probe_until < now)
    actions = [Gate.prober.set(me), Gate.probe_until.set(until)]
    return _own(update(world, Gate, _key(provider), actions, over & free), me)


def end_probe(world: World[Any], provider: str, me: str) -> Gate | Refused[Gate]:
    """The prober found nothing to ask: the next one may."""
    return update(world, Gate, _key(provider), [Gate.prober.remove(), Gate.probe_until.remove()], Gate.prober == me)


def reopen(world: World[Any], provider: str, seen: Gate, me: str, now: int) -> Gate | Refused[Gate]:
    """shut -> open, by the prober that was answered. `opened_at`, for the sweep, where messages had been let go."""
    actions: list[Action] = [
        Gate.state.set(OPEN),
        Gate.reopened_at.set(now),
        Gate.reason.remove(),
        Gate.since.remove(),
        Gate.shut_until.remove(),
        Gate.prober.remove(),
        Gate.probe_until.remove(),
        Gate.failures.remove(),
        Gate.parked.remove(),
    ]
    if seen.parked:
        actions.append(Gate.opened_at.set(now))
    return update(world, Gate, _key(provider), actions, Gate.prober == me)


def strike(world: World[Any], provider: str) -> Gate | Refused[Gate]:
    """One more call in a row that the provider did not answer."""
    return update(world, Gate, _key(provider), [Gate.failures.add(1)], _not_shut())


def calm(world: World[Any], provider: str) -> Gate | Refused[Gate]:
    """It answered: the row of failures is broken."""
    return update(world, Gate, _key(provider), [Gate.failures.remove()], _not_shut())


def remember(world: World[Any], provider: str, dialect: str, seen: str | None) -> Gate | Refused[Gate]:
    """The endpoint takes this way of asking for JSON; every worker begins with it from now on."""
    as_seen = Gate.dialect == seen if seen else Gate.dialect.does_not_exist()
    return update(world, Gate, _key(provider), [Gate.dialect.set(dialect)], as_seen)


def _key(provider: str) -> Key:
    return {"gate": provider_gate(provider)}


def _not_shut() -> Any:
    return Gate.state.does_not_exist() | (Gate.state != SHUT)


def _own(written: Gate | Refused[Gate], me: str) -> Gate | Refused[Gate]:
    """Our own earlier write, if that is what refused this one."""
    if isinstance(written, Refused) and written.item is not None and written.item.prober == me:
        return written.item
    return written
