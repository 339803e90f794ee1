"""Woken once a day to delete what nothing points at."""

from typing import Any

from sheaf import tidying, wiring
from sheaf.settings import JanitorSettings

RESERVE_MS = 20_000


def lambda_handler(_event: dict[str, Any], context: Any) -> dict[str, int]:
    """One look through the bucket, as far as time allows."""
    world = wiring.connect(JanitorSettings)
    return {"deleted": tidying.tidy(world, world.now() + context.get_remaining_time_in_millis() - RESERVE_MS)}
