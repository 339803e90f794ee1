"""A project's webhook: where it is told of closes, and what signs that. Each change is one conditional write."""

import base64
import hashlib
from collections.abc import Mapping

from pynamodb.attributes import UnicodeAttribute, UnicodeSetAttribute
from pynamodb.expressions.update import Action

from sheaf.items import CompactJson, Int, Item
from sheaf.outside.needs import Tables, TimedTables
from sheaf.outside.store import Key, Written, assign, get, update

BEFORE_MS = 24 * 3600 * 1000  # for so long the secret before the newest signs too
UNDELIVERED_MAX = 100
DELIVERED, WAITING, GIVEN_UP = "delivered", "waiting", "given_up"


class Webhook(Item):
    setting = "library_table"

    entry = UnicodeAttribute(hash_key=True)
    opening = UnicodeAttribute()
    changed_at = Int()
    changed_by = UnicodeAttribute(null=True)
    receiver = UnicodeAttribute(null=True)  # its address; none where the webhook was removed
    secret = UnicodeAttribute(null=True)
    before = UnicodeAttribute(null=True)
    before_until = Int(null=True)
    last = CompactJson(null=True)  # what came of the last delivery
    undelivered = UnicodeSetAttribute(null=True)  # tasks whose notice was given up

    def secrets(self, now: int) -> list[str]:
        return [str(self.secret), *([self.before] if (self.before_until or 0) > now else [])]


def _key(project: str) -> Key:
    return {"entry": f"{project}/webhook"}


def stored(world: Tables, project: str) -> Webhook | None:
    """The project's item, also where its webhook was removed."""
    return get(world, Webhook, _key(project))


def find(world: Tables, project: str) -> Webhook | None:
    found = stored(world, project)
    return found if found and found.receiver else None


def set_up(
    world: TimedTables, project: str, seen: Webhook | None, receiver: str, by: str | None, *, new_secret: bool
) -> tuple[Written[Webhook], str | None]:
    """The webhook as written, or what refused it; and its secret, where it has a new one."""
    secret, now = None, world.now()
    actions = assign(Webhook, receiver=receiver)
    if new_secret or seen is None or seen.secret is None:
        random = hashlib.sha256("".join(world.token() for _ in range(4)).encode())
        secret = f"whsec_{base64.b64encode(random.digest()).decode()}"
        actions += assign(Webhook, secret=secret)
        if seen and seen.secret:
            actions += assign(Webhook, before=seen.secret, before_until=now + BEFORE_MS)
    return _change(world, project, seen, actions, by), secret


def remove(world: TimedTables, project: str, seen: Webhook, by: str | None) -> Written[Webhook]:
    """Nobody is told any more; nothing of it stays but who removed it."""
    parts = ("receiver", "secret", "before", "before_until", "last", "undelivered")
    return _change(world, project, seen, assign(Webhook, **dict.fromkeys(parts)), by)


def _change(
    world: TimedTables, project: str, seen: Webhook | None, actions: list[Action], by: str | None
) -> Written[Webhook]:
    mine = world.token()
    actions += assign(Webhook, opening=mine, changed_at=world.now(), changed_by=by or None)
    as_seen = Webhook.opening == seen.opening if seen else Webhook.opening.does_not_exist()
    return update(world, Webhook, _key(project), actions, as_seen, already=lambda found: bool(found.opening == mine))


def note(world: Tables, project: str, seen: Webhook, last: Mapping[str, object], task: str | None) -> None:
    """What came of a delivery; refused, and of no interest, where the webhook is another by now."""
    actions: list[Action] = [Webhook.last.set(dict(last))]
    if task and last["state"] == DELIVERED:
        actions.append(Webhook.undelivered.delete({task}))
    elif task and last["state"] == GIVEN_UP and len(seen.undelivered or ()) < UNDELIVERED_MAX:
        actions.append(Webhook.undelivered.add({task}))
    update(world, Webhook, _key(project), actions, Webhook.opening == seen.opening)
