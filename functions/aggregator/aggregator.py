"""Woken by the schedule every minute, by that tick for other sweepers, and by the API: `{"source": ..., "task"?: ...}`."""

import gc

gc.disable()  # nothing that is imported is garbage: looking for it is a tenth of a cold start

from typing import Any

import sheaf.outside  # noqa: F401 - boto3 comes first, as it says there
from clinical.intake import document_sweep
from sheaf.aggregator import gather_task, sweep_loop, sweep_task, tick
from sheaf.logs import invoked
from sheaf.outside import wiring
from sheaf.protocol import queries, scatter
from sheaf.settings import AggregatorSettings

gc.freeze()  # and nothing of it ever will be: it is not looked through when the collector comes back
gc.enable()

SCHEDULE = "schedule"


@invoked
def lambda_handler(event: dict[str, Any], context: Any) -> dict[str, str]:
    world = wiring.connect(AggregatorSettings)
    if event.get("source") == scatter.SCATTER:
        scatter.send_part(world, event["task"], event["part"], event["until"])
        return {"ended": "part sent"}
    if event.get("source") == gather_task.GATHER:
        gather_task.gather(world, event["task"], event["until"])
        return {"ended": "gathered"}
    deadline = world.now() + context.get_remaining_time_in_millis()
    source, task = event.get("source", "unknown"), event.get("task")
    try:
        if source == SCHEDULE:
            sweeper = tick.come(world)
        else:
            found = queries.task(world, task) if task else None
            sweeper = found.active if found else None
        if sweeper is None:
            return {"ended": "nothing is due"}
        nudged = None if source in {SCHEDULE, tick.SOURCE} else task
        ended = sweep_loop.run(
            world,
            lambda task, watch: sweep_task.sweep_task(world, task, watch),
            source=source,
            sweeper=sweeper,
            task=nudged,
            deadline=deadline,
        )
    finally:
        if source == SCHEDULE:
            document_sweep.mend(world, deadline)
    return {"ended": ended}
