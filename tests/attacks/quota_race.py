"""An editor of one project wants more knowledge bases than it may have: 24 requests at once, where there is room for 2.

Each request looks and writes between the looks and the writes of all the others, turn by turn (moto's own threads would not
interleave them). The wall is that a place is taken in one conditional write before the thing is made (sheaf.protocol.quotas).
"""

import tempfile
from pathlib import Path
from typing import Any

from sheaf.protocol import quotas
from sheaf.protocol.quotas import Quota
from tests.support.bench import Bench, stack

ROOM, REQUESTS = 2, 24


def attack(*, walls: bool) -> list[str]:
    made: list[str] = []
    quota = Quota("bases", ROOM, lambda _world, _project, things: dict.fromkeys(set(things) & set(made), True))
    with tempfile.TemporaryDirectory() as folder, stack(Path(folder) / "log") as bench:
        asked = [f"base-{number}" for number in range(REQUESTS)]
        if walls:
            _one_within_the_other(bench, quota, asked, made)
        else:
            # Check, then act: all have looked before the first has made anything.
            saw_room = [name for name in asked if len(made) < ROOM]
            made += saw_room
    return made[ROOM:]


def _one_within_the_other(bench: Bench, quota: Quota, asked: list[str], made: list[str]) -> None:
    """The next request comes before the first call of each."""
    if not asked:
        return
    later = asked[1:]

    def next_one(*_: Any) -> None:
        rest, later[:] = list(later), []
        _one_within_the_other(bench, quota, rest, made)

    with bench.calls.watch() as calls:
        calls.on_call = next_one
        if quotas.take(bench.api_world, "p1", quota, asked[0]) is None:
            made.append(asked[0])
