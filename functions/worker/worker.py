"""Messages of one kind's queue, one a batch. A message that has to wait is reported as failed, so that it stays."""

import gc

gc.disable()  # nothing that is imported is garbage: looking for it is a tenth of a cold start

from typing import Any

from sheaf import wiring, working
from sheaf.settings import WorkerSettings
from sheaf.working import Message

gc.freeze()  # and nothing of it ever will be: it is not looked through when the collector comes back
gc.enable()


def lambda_handler(event: dict[str, Any], context: Any) -> dict[str, list[dict[str, str]]]:
    """One batch of an SQS event source with ReportBatchItemFailures."""
    world = wiring.connect(WorkerSettings)
    stay = [
        record["messageId"]
        for record in event["Records"]
        if working.handle(world, _message(record), context.get_remaining_time_in_millis())
    ]
    return {"batchItemFailures": [{"itemIdentifier": message_id} for message_id in stay]}


def _message(record: dict[str, Any]) -> Message:
    receives = int(record["attributes"]["ApproximateReceiveCount"])
    return Message(record["body"], record["receiptHandle"], record["messageId"], receives)
