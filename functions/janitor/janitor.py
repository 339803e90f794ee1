"""Woken once a day to delete what nothing points at, and by the API to erase a deleted task."""

from typing import Any

from sheaf import tidying, wiring
from sheaf.settings import JanitorSettings

RESERVE_MS = 20_000


def lambda_handler(event: dict[str, Any], context: Any) -> dict[str, int]:
    """One look through the bucket, or at one task's part of it, as far as time allows."""
    world = wiring.connect(JanitorSettings)
    deadline = world.now() + context.get_remaining_time_in_millis() - RESERVE_MS
    return {"deleted": tidying.tidy(world, deadline, event.get("task"))}
