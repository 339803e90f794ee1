"""Woken once a day to delete what nothing points at, and by the API to erase a deleted task."""

from typing import Any

from clinical.intake import erase_files
from sheaf.janitor import task_objects
from sheaf.logs import invoked
from sheaf.outside import wiring
from sheaf.settings import JanitorSettings

RESERVE_MS = 20_000


@invoked
def lambda_handler(event: dict[str, str], context: Any) -> dict[str, int]:
    world = wiring.connect(JanitorSettings)
    now = world.now()
    time_left = context.get_remaining_time_in_millis() - RESERVE_MS
    erased = erase_files.tidy(world, now + time_left // 2) if "task" not in event else 0
    return {"deleted": erased + task_objects.tidy(world, now + time_left, event.get("task"))}
