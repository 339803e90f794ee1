"""An editor of one project wants another project's papers to wait: eight documents at which the provider, or what stands
before it, refuses, fails or is silent. The wall: how a provider fares is known of each project for itself.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from tests.support import model_engines
from tests.support.bench import stack
from tests.support.provider import serving
from tests.support.two_projects import BOUND_MS, EVIL, LAB, POISON, REFUSALS, good, opened, poison, rounds, statuses

DONE = ["completed"] * 8
PLAYED = ("an account's words", "a dropped line")
"""The others of the list are played by tests/integration/test_two_projects.py."""


def attack(*, walls: bool) -> list[str]:
    """Which refusals keep eight good papers waiting for longer than ten minutes; without the wall, in one project."""
    return [took for refusal in PLAYED if (took := _minutes(refusal, EVIL if walls else LAB))]


def _minutes(refusal: str, attacker: str) -> str | None:
    with TemporaryDirectory() as folder, stack(Path(folder) / "calls") as bench, serving() as provider:
        model_engines.configure(bench, provider)
        provider.choose = lambda call: REFUSALS[refusal] if POISON in call.turns[0] else "ok"
        opened(bench, attacker, poison(8))
        lab = opened(bench, LAB, good(8))
        took = rounds(bench, lambda: statuses(bench, lab) == DONE, BOUND_MS)
    return None if took < BOUND_MS else f"{refusal}: not done after {took // 60_000} minutes"
