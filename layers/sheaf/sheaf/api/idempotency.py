"""What may be asked for again: the same key of the same request finds what it opened before."""

from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from sheaf.errors import Conflict
from sheaf.outside.needs import TimedTables


class Record(Protocol):
    """An item that stays for ever: it is the record of its key."""

    deleted_at: Any


T = TypeVar("T")
R = TypeVar("R", bound=Record)

REUSED = "This idempotency key was used for a different request. Use a new key."


class Opened(NamedTuple, Generic[T]):
    """What is open now; `replayed` when an earlier request had opened it."""

    item: T
    replayed: bool


def seed(world: TimedTables, key: str | None) -> str:
    """What an id is made of: the key, so that a repetition finds its own; a random word where there is none."""
    return f"key {key}" if key is not None else world.token()


def replayed(found: R | None, *, same: bool, deleted: Conflict) -> Opened[R]:
    """What an earlier request with this key has opened. Raises Conflict where that was another one, or `deleted`."""
    if found is None or not same:
        raise Conflict("idempotency-key-reused", REUSED)
    if found.deleted_at is not None:
        raise deleted
    return Opened(found, replayed=True)
