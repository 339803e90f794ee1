"""Messages of the intake's queue, one a batch: a file came, or one is to be looked at again."""

import gc

gc.disable()  # nothing that is imported is garbage: looking for it is a tenth of a cold start

from typing import Any

import sheaf.outside  # noqa: F401 - boto3 comes first, as it says there
from clinical.intake import read_document
from sheaf.logs import invoked
from sheaf.outside import deliveries, wiring
from sheaf.settings import IntakeSettings

gc.freeze()  # and nothing of it ever will be: it is not looked through when the collector comes back
gc.enable()


@invoked
def lambda_handler(event: deliveries.Event, context: Any) -> deliveries.BatchReply:
    """One batch of an SQS event source with ReportBatchItemFailures; or a deploy's question whether files can be read here."""
    world = wiring.connect(IntakeSettings)
    if event.get("source") == "smoke":
        read_document.try_reader(world)
        return {"batchItemFailures": []}
    handle = lambda message: read_document.handle(world, message, context.get_remaining_time_in_millis())  # noqa: E731
    return deliveries.batch(world, event, handle, world.settings.intake_queue)
