"""A user's allowance of costly reads: a bucket, kept as the instant at which it is full again."""

import math

from sheaf.errors import TooFast
from sheaf.items import NOBODY, Allowance
from sheaf.outside.needs import ApiWorld
from sheaf.outside.store import Key, Refused, update

CHEAP = 50  # rows that a request may read without a look at the bucket, which is a write and costs as much


def spend(world: ApiWorld, user: str | None, reads: int, now: int, *, goes_on: bool = False) -> None:
    """Take so many reads. Raises TooFast with the seconds to wait; whoever finds anything left is answered whole.

    One write, where the bucket is as expected: full at a table's first page, and not when its reader `goes_on`.
    """
    if reads <= CHEAP:
        return
    each_ms = 60_000 / world.settings.reads_per_minute
    cost, room = math.ceil(reads * each_ms), int(world.settings.reads_at_once * each_ms)
    key: Key = {"gate": f"reader/{user or NOBODY}"}
    full = Allowance.next_at.set(now + cost), Allowance.next_at.does_not_exist() | (Allowance.next_at <= now)
    begun = Allowance.next_at.add(cost), Allowance.next_at.between(now, now + room)
    for action, condition in (begun, full) if goes_on else (full, begun):
        written = update(world, Allowance, key, [action], condition)
        if not isinstance(written, Refused):
            return
        full_at = written.item.next_at if written.item else None
        wait = (full_at or now) - now - room
        if wait > 0:
            break
    raise TooFast(max(1, math.ceil(wait / 1000)))
