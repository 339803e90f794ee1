"""Woken by the schedule every minute, and by the API when a task opens: `{"source": ..., "task"?: ...}`."""

import gc

gc.disable()  # nothing that is imported is garbage: looking for it is a tenth of a cold start

from typing import Any

import sheaf.outside  # noqa: F401 - boto3 comes first, as it says there
from clinical.intake import document_sweep
from sheaf.aggregator import sweep_loop, sweep_task
from sheaf.logs import invoked
from sheaf.outside import wiring
from sheaf.settings import AggregatorSettings

gc.freeze()  # and nothing of it ever will be: it is not looked through when the collector comes back
gc.enable()

SCHEDULE = "schedule"


@invoked
def lambda_handler(event: dict[str, str], context: Any) -> dict[str, str]:
    """Sweep for as long as there is something to do; on the clock's tick, the library's documents too."""
    world = wiring.connect(AggregatorSettings)
    deadline = world.now() + context.get_remaining_time_in_millis()
    source = event.get("source", "unknown")
    try:
        ended = sweep_loop.run(
            world,
            lambda task, watch: sweep_task.sweep_task(world, task, watch),
            source=source,
            task=event.get("task"),
            deadline=deadline,
        )
    finally:
        if source == SCHEDULE:
            document_sweep.mend(world, deadline)
    return {"ended": ended}
