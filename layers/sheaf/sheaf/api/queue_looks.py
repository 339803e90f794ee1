"""What a kind's queue says when nothing of a task moves: why nobody takes what waits in it. Asked when it is to be shown."""

import json
from typing import NamedTuple

from botocore.exceptions import ClientError

from sheaf.errors import Unavailable
from sheaf.logs import say
from sheaf.outside.needs import ApiWorld
from sheaf.outside.store import call
from sheaf.protocol import row_messages
from sheaf.settings import Kind

LOOK_EVERY_MS = 15_000
DISABLED = "mapping_disabled"


class Look(NamedTuple):
    at: int
    waiting: int
    hidden: int
    reason: str | None


def reason(world: ApiWorld, kind: Kind) -> str | None:
    """Why a task of this kind stands still, in a word; None where its queue does not say it, or cannot be asked."""
    try:
        return look(world, kind).reason
    except (ClientError, Unavailable) as error:
        say("queue_not_seen", kind=kind.name, reason=type(error).__name__)
        return None


def look(world: ApiWorld, kind: Kind) -> Look:
    """The last look of this process at the queue, or a new one where that is old. Raises Unavailable."""
    now, seen = world.now(), world.ways.get(kind.queue)
    if seen is None or now - seen.at >= LOOK_EVERY_MS:
        waiting, hidden, delayed = row_messages.counters(world, kind.queue)
        why = _not_taken(world, kind, hidden) if waiting else "messages_hidden" if hidden + delayed else "messages_lost"
        seen = world.ways[kind.queue] = Look(now, waiting, hidden + delayed, why)
    return seen


def dead_letters(world: ApiWorld, kind: Kind) -> int:
    """How many of its messages lie in the queue of dead letters, which its queue names. Raises Unavailable."""
    (policy,) = row_messages.attributes(world, kind.queue, ["RedrivePolicy"])
    name = json.loads(policy)["deadLetterTargetArn"].rpartition(":")[2]
    return row_messages.counters(world, f"{kind.queue.rpartition('/')[0]}/{name}")[0]


def _not_taken(world: ApiWorld, kind: Kind, taken: int) -> str | None:
    mapping = call(world, "lambda", "get_event_source_mapping", UUID=world.settings.mappings[kind.name])
    if mapping["State"] in {"Disabled", "Disabling", "Deleting"}:
        return DISABLED
    if not taken:
        return "queue_not_consumed"
    most = mapping.get("ScalingConfig", {}).get("MaximumConcurrency")
    return "concurrency_taken" if most and taken >= int(most) else None
