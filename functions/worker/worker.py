"""Messages of one kind's queue, one a batch. A message that has to wait is reported as failed, so that it stays."""

import gc

gc.disable()  # nothing that is imported is garbage: looking for it is a tenth of a cold start

from typing import Any

from sheaf.logs import invoked
from sheaf.outside import deliveries, wiring
from sheaf.settings import WorkerSettings
from sheaf.worker import work_row

gc.freeze()  # and nothing of it ever will be: it is not looked through when the collector comes back
gc.enable()


@invoked
def lambda_handler(event: deliveries.Event, context: Any) -> deliveries.BatchReply:
    world = wiring.connect(WorkerSettings)
    queue = world.settings.kinds[world.settings.kind].queue
    handle = lambda message: work_row.handle(world, message, context.get_remaining_time_in_millis())  # noqa: E731
    return deliveries.batch(world, event, handle, queue)
