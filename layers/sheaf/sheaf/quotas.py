"""How much one project may have under way at once, so that none can fill the queue or the bill unseen."""

from typing import Any

from sheaf import queries
from sheaf.errors import TooMuch
from sheaf.wiring import World


def check(world: World[Any], project: str, documents: int) -> None:
    """Raises TooMuch. Counted from the index of active tasks, which lags: a limit for people, not a turnstile."""
    settings = world.settings
    running = queries.active_in(world, project)
    if len(running) >= settings.open_tasks_per_project:
        raise TooMuch(
            f"{len(running)} tasks are open in this project; {settings.open_tasks_per_project} is the most at once. "
            "Wait for one to end, or cancel one."
        )
    under_way = sum(running.values())
    if under_way + documents > settings.documents_per_project:
        raise TooMuch(
            f"{under_way} documents are under way in this project; with {documents} more it would be over "
            f"{settings.documents_per_project}. Wait for a task to end, or start with fewer."
        )
