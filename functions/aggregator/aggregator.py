"""Woken by the schedule every minute, and by the API when a task opens: `{"source": ..., "task"?: ...}`."""

from typing import Any

from sheaf import patrol, wiring
from sheaf.settings import AggregatorSettings


def lambda_handler(event: dict[str, Any], context: Any) -> dict[str, str]:
    """Sweep for as long as there is something to do."""
    world = wiring.connect(AggregatorSettings)
    deadline = world.now() + context.get_remaining_time_in_millis()
    ended = patrol.run(world, source=event.get("source", "unknown"), task=event.get("task"), deadline=deadline)
    return {"ended": ended}
