"""One owner at a time, of rows and of documents: claim, lease, tries, and how a write knows its own success.

A claim writes a random token. Each later write of its owner names it, and so does who asks if a refused one was made.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from pynamodb.attributes import UnicodeAttribute
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from sheaf.items import Leased
from sheaf.outside.needs import Tables
from sheaf.outside.store import Already, Key, Written, assign, update

L = TypeVar("L", bound=Leased)


class Bid(NamedTuple):
    token: str
    lease_until: int
    max_tries: int
    now: int


class Due(NamedTuple):
    at: int
    max_tries: int | None  # of its kind; None where the attempt does not count, and its try is given back
    refused: int | None = None  # so often its provider has refused it by now; None leaves that as it is


@dataclass(frozen=True)
class Leases(Generic[L]):
    model: type[L]
    key: Callable[[L], Key]
    standing: UnicodeAttribute  # the attribute that says how far an item has come
    owned: str  # what it says under a claim

    def claim(self, world: Tables, key: Key, bid: Bid, free: Condition, *more: Action) -> Written[L]:
        """Become the owner until `bid.lease_until`, if it is free and has tries left."""
        own = self.own(bid.token, self.owned)
        counted = {"attempt": self.model.attempt + 1, "tries": self.model.tries + 1}
        said = {"token": bid.token, "lease_until": bid.lease_until, "updated_at": bid.now}
        actions = [self.standing.set(self.owned), *assign(self.model, **counted, **said), *more]
        guard = (self.model.tries < bid.max_tries) & free
        already: Already[L] = lambda item: own(item) and (item.lease_until or 0) > bid.now  # noqa: E731
        return update(world, self.model, key, actions, guard, already=already)

    def abandoned(self, now: int) -> Condition:
        """Its owner's lease is over; or there is none, which no write leaves behind."""
        no_lease = self.model.lease_until.does_not_exist() | (self.model.lease_until < now)
        left: Condition = (self.standing == self.owned) & no_lease
        return left

    def end(self, world: Tables, item: L, standing: str, now: int, *more: Action) -> Written[L]:
        """Its owner's last write. What comes back has of the item only what this wrote: nobody needs the rest any more."""
        actions = self.ending(standing, now, *more)
        own, key = self.own(item.token, standing), self.key(item)
        return update(world, self.model, key, actions, self.by_owner(item), already=own, returned="UPDATED_NEW")

    def ending(self, standing: str, now: int, *more: Action) -> list[Action]:
        """What is written where nobody is to own it any more, whoever says so."""
        return [self.standing.set(standing), self.model.updated_at.set(now), self.model.lease_until.remove(), *more]

    def release(self, world: Tables, item: L, due: Due, actions: list[Action], already: Already[L]) -> Written[L]:
        """The owner gives it back. Refused where that was its last try."""
        guard = self.by_owner(item)
        if due.max_tries is None:
            actions = [*actions, self.model.tries.set(self.model.tries - 1)]
        else:
            guard &= self.model.tries < due.max_tries
        return update(world, self.model, self.key(item), actions, guard, already=already)

    def by_owner(self, item: L) -> Condition:
        """Every write after a claim names the claim it belongs to; a status alone would let a late owner overwrite."""
        mine: Condition = (self.standing == self.owned) & (self.model.token == item.token)
        return mine

    def own(self, token: str | None, standing: str) -> Already[L]:
        name = str(self.standing.attr_name)
        return lambda item: token is not None and item.token == token and getattr(item, name) == standing

    def holds(self, item: L, found: L | None) -> bool:
        """The claim that `item` was given owns what was found: its release was refused for its tries alone."""
        return found is not None and self.own(item.token, self.owned)(found)
