"""A user's own allowance of costly reads: a bucket that fills by the minute, kept as one instant in Gates.

`next_at` says when the bucket would be full again; each read moves it on, and it may lie as far ahead as the bucket
holds. An instant passes by itself: nothing is counted, nothing is given back, nobody tidies up.
"""

import math

from sheaf.errors import TooFast
from sheaf.items import NOBODY, Allowance
from sheaf.outside.needs import ApiWorld
from sheaf.outside.store import Key, Refused, update

CHEAP = 10
"""Objects that one request may read without a look at the bucket, which is a call of its own."""


def spend(world: ApiWorld, user: str | None, reads: int, now: int) -> None:
    """Take so many reads. Raises TooFast with the seconds to wait; then nothing was taken.

    A request that finds anything left is answered whole. After a lost reply its reads are taken twice: a wait, no harm.
    """
    if reads <= CHEAP:
        return
    each_ms = 60_000 / world.settings.reads_per_minute
    cost, room = math.ceil(reads * each_ms), int(world.settings.reads_at_once * each_ms)
    key: Key = {"gate": f"reader/{user or NOBODY}"}
    full = Allowance.next_at.does_not_exist() | (Allowance.next_at <= now)
    written = update(world, Allowance, key, [Allowance.next_at.set(now + cost)], full)
    if isinstance(written, Refused) and _ahead(written, now) <= room:
        written = update(world, Allowance, key, [Allowance.next_at.add(cost)], Allowance.next_at <= now + room)
    if isinstance(written, Refused):
        raise TooFast(max(1, math.ceil((_ahead(written, now) - room) / 1000)))


def _ahead(found: Refused[Allowance], now: int) -> int:
    return (found.item.next_at or now) - now if found.item else 0
