"""A project's gate of a model's provider: circuit and pace. Each change is one function here and one conditional write.

Nothing is counted that a crash could leave too high: the pace is an instant, a probe ends by itself at another, and a
shut gate says until when. Workers read this gate with the task's before they claim.
"""

from enum import StrEnum
from typing import TYPE_CHECKING, Any

from sheaf.models import Gate
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
FIRST_MS = {Reason.THROTTLED: 15_000, Reason.DOWN: 30_000, Reason.ACCOUNT: 30_000}
LONGEST_MS = 30 * 60 * 1000
LONGEST_ASKED_MS = 3600 * 1000
PARKS_MS = 15 * 60 * 1000
"""A closure longer than this lets messages go; the sweep sends the rows again."""
RELAPSE_MS = 10 * 60 * 1000
"""Shut again for the same reason within this time of an opening, a gate goes on with the waits where it was."""
STRIKES = {Reason.DOWN: 3, Reason.ACCOUNT: 2}
"""So many calls in a row without an answer, and it is not the document."""
PROBE_MS = 10 * 60 * 1000
SLOWEST_MS = 4_000
SLOWED_MS = 100
HALVES_EVERY_MS = 60_000
NO_PACE_MS = 10


def is_shut(gate: Gate | None) -> bool:
    return gate is not None and gate.state == SHUT


def pace_ms(gate: Gate | None, now: int) -> int:
    """Between two calls of a project: what throttling made of it, which halves every minute."""
    if gate is None or not gate.interval or not gate.slowed_at:
        return 0
    slowed = gate.interval * 0.5 ** (max(0, now - gate.slowed_at) / HALVES_EVERY_MS)
    return int(slowed) if slowed >= NO_PACE_MS else 0


def closure_ms(reason: Reason, closures: int, asked_ms: int) -> int:
    """How long to shut: twice as long each time, and never shorter than the provider asked for."""
    wait = min(FIRST_MS[reason] * (1 << min(closures, 20)), LONGEST_MS)
    return max(wait, min(asked_ms, LONGEST_ASKED_MS))


def take_turn(world: World[Any], gate: str, seen: Gate | None, interval_ms: int, now: int) -> Gate | Refused[Gate]:
    """Move the instant of the next call on by one interval, from where it was seen: the turn at that instant is mine."""
    turn = max(now, (seen.next_at if seen else None) or 0)
    as_seen = Gate.next_at == seen.next_at if seen and seen.next_at else Gate.next_at.does_not_exist()
    return update(world, Gate, _key(gate), [Gate.next_at.set(turn + interval_ms)], as_seen & _not_shut())


def shut(
    world: World[Any],
    gate: str,
    seen: Gate | None,
    reason: Reason,
    *,
    asked_ms: int,
    prober: str | None,
    now: int,
    longer: bool = True,
) -> Gate | Refused[Gate]:
    """open -> shut, by whoever first finds out; or shut -> shut for longer, by the one who probed it in vain.

    Not for `longer` after one whose document may be at fault, until it has been tried before.
    """
    closures = _closures(seen, reason, now)
    if not longer and closures:
        closures -= 1
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
        interval = min(max(2 * pace_ms(seen, now), SLOWED_MS), SLOWEST_MS)
        actions += [Gate.interval.set(interval), Gate.slowed_at.set(now)]
    return update(world, Gate, _key(gate), actions, Gate.prober == prober if prober else _not_shut())


def _closures(seen: Gate | None, reason: Reason, now: int) -> int:
    """Another reason begins anew; so does an account's, of which an answer since has shown that it was good."""
    if seen is None or not seen.closures or seen.reason != reason:
        return 0
    if seen.state == SHUT:
        return seen.closures
    return seen.closures if reason != Reason.ACCOUNT and now - (seen.reopened_at or 0) <= RELAPSE_MS else 0


def begin_probe(world: World[Any], gate: str, me: str, *, until: int, now: int) -> Gate | Refused[Gate]:
    """shut -> shut, and one worker may try: its time is up at `until`, whatever becomes of it."""
    over = (Gate.state == SHUT) & (Gate.shut_until <= now)
    free = Gate.prober.does_not_exist() | (Gate.probe_until < now)
    actions = [Gate.prober.set(me), Gate.probe_until.set(until)]
    return update(world, Gate, _key(gate), actions, over & free, already=lambda found: bool(found.prober == me))


def end_probe(world: World[Any], gate: str, me: str) -> Gate | Refused[Gate]:
    """The prober found nothing to ask: the next one may."""
    return update(world, Gate, _key(gate), [Gate.prober.remove(), Gate.probe_until.remove()], Gate.prober == me)


def reopen(
    world: World[Any], gate: str, seen: Gate, me: str, now: int, *, replied: bool = True
) -> Gate | Refused[Gate]:
    """shut -> open, by the prober that was answered. `opened_at`, for the sweep, where messages had been let go."""
    actions: list[Action] = [
        Gate.state.set(OPEN),
        Gate.reopened_at.set(now),
        *_counted(replied=replied),
        Gate.since.remove(),
        Gate.shut_until.remove(),
        Gate.prober.remove(),
        Gate.probe_until.remove(),
        Gate.failures.remove(),
        Gate.parked.remove(),
    ]
    if seen.parked:
        actions.append(Gate.opened_at.set(now))
    return update(world, Gate, _key(gate), actions, Gate.prober == me)


def hasten(world: World[Any], gate: str, *, every_ms: int, now: int) -> Gate | Refused[Gate]:
    """shut -> shut, and its time is over: somebody asked for a probe. Asked once in so long; in vain, the wait is no longer.

    Its rows are hidden for longer than that, so they count as let go.
    """
    waits = (Gate.state == SHUT) & (Gate.shut_until > now) & Gate.prober.does_not_exist()
    rested = Gate.asked_at.does_not_exist() | (Gate.asked_at <= now - every_ms)
    actions: list[Action] = [
        Gate.shut_until.set(now),
        Gate.asked_at.set(now),
        Gate.closures.set(Gate.closures - 1),
        Gate.parked.set(True),
    ]
    return update(world, Gate, _key(gate), actions, waits & rested)


def strike(world: World[Any], gate: str) -> Gate | Refused[Gate]:
    """One more call in a row that the provider did not answer."""
    return update(world, Gate, _key(gate), [Gate.failures.add(1)], _not_shut())


def calm(world: World[Any], gate: str, *, replied: bool = True) -> Gate | Refused[Gate]:
    """It answered: the row of failures is broken."""
    return update(world, Gate, _key(gate), [Gate.failures.remove(), *_counted(replied=replied)], _not_shut())


def _counted(*, replied: bool) -> list["Action"]:
    """Only a reply shows that the account is good; a refusal of the question may come before that is looked at."""
    return [Gate.answers.add(1)] if replied else []


def _key(gate: str) -> Key:
    return {"gate": gate}


def _not_shut() -> Any:
    return Gate.state.does_not_exist() | (Gate.state != SHUT)
