"""What is still listed in a deleted knowledge base is buried: by whoever deletes it first, and by the sweep for the rest."""

from typing import Any

from sheaf.library import lifecycle, queries
from sheaf.library.models import KnowledgeBase
from sheaf.store import Refused
from sheaf.wiring import World

TOGETHER = 200


def clear(world: World[Any], base: KnowledgeBase, until: int) -> bool:
    """Bury what is listed in a deleted knowledge base, for as long as there is time. True when nothing was found."""
    while True:
        keys = queries.listed(world, base.project, base.knowledge_base, TOGETHER)
        if not keys or world.now() >= until:
            return not keys
        buried = world.parallel(lambda key: lifecycle.bury(world, key, world.now()), keys)
        if not any(not isinstance(written, Refused) and written.deleted_at >= world.now() for written in buried):
            # All of them were buried before: it is the index that lags. The sweep looks once more.
            return False
