"""The sweep over documents under way, once a minute. Two at once are harmless: their writes have conditions."""

from enum import Enum

from clinical.intake import intake_queue
from clinical.library import deleted_bases, document_lifecycle, library_queries
from clinical.library.document_lifecycle import LOOK_AFTER_MS, NEVER_CAME, SPENT, State
from clinical.library.library_items import Document
from sheaf.errors import Unavailable
from sheaf.logs import say
from sheaf.outside import objects
from sheaf.outside.needs import BatchAws, Objects
from sheaf.settings import AggregatorSettings

TOGETHER = 500
BASE_MS = 15_000
UPLOAD_SLACK_MS = 10 * 60 * 1000  # one begun at its form's last moment may still be under way when the form is over
AGAIN_MAX_MS = 3600 * 1000


class Do(Enum):
    LEAVE = "leave"
    LOOK = "look"
    SEND = "send"
    GIVE_UP = "give_up"


def decide(item: Document, now: int, max_tries: int) -> Do:
    if item.due_at is None or item.due_at > now:
        return Do.LEAVE
    if item.state == State.UPLOADING:
        return Do.LOOK
    if item.state == State.READING and (item.lease_until or 0) < now:
        return Do.GIVE_UP if item.tries >= max_tries else Do.SEND
    return Do.LEAVE


def again(item: Document, now: int) -> int:
    """When to look once more: after 2 minutes, and twice as long each time. Pure."""
    wait: int = LOOK_AFTER_MS << min(int(item.sends), 10)
    return now + min(wait, AGAIN_MAX_MS)


def mend(world: BatchAws[AggregatorSettings], until: int) -> dict[str, int]:
    """One round over what is due. Gives how many documents were sent again and given up. Raises Unavailable."""
    now = world.now()
    found, bases = library_queries.due(world, now, TOGETHER)
    todo = [(item, decide(item, now, world.settings.intake_max_tries)) for item in found]
    send = [item for item, do in todo if do is Do.SEND]
    ended = [item for item, do in todo if do is Do.GIVE_UP]
    world.parallel(lambda item: document_lifecycle.give_up(world, item, SPENT, now), ended)
    there = world.parallel(lambda item: _look(world, item, now), [item for item, do in todo if do is Do.LOOK])
    send += [item for item in there if item is not None]
    # Sent first and put off after: a crash between the two costs a second message, never a document without one.
    intake_queue.send(world, send)
    world.parallel(lambda item: document_lifecycle.postpone(world, item, again(item, now)), send)
    for base in bases:
        try:
            if deleted_bases.go_on(world, base, min(until, now + BASE_MS)):
                document_lifecycle.settled(world, base)
        except Unavailable as error:
            say("sweep_postponed", reason=str(error))
    if found or bases:
        say("library_swept", total=len(found), resent=len(send), given_up=len(ended))
    return {"resent": len(send), "given_up": len(ended)}


def _look(world: Objects, item: Document, now: int) -> Document | None:
    if objects.latest(world, item.key) is not None:
        return item
    if now > (item.upload_until or 0) + UPLOAD_SLACK_MS:
        document_lifecycle.give_up(world, item, NEVER_CAME, now)
    else:
        last = (item.upload_until or 0) + UPLOAD_SLACK_MS + 1
        document_lifecycle.postpone(world, item, max(now + LOOK_AFTER_MS, min(again(item, now), last)))
    return None
