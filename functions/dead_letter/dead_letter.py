"""Messages of the dead-letter queues. Each is written on its row; the sweep decides what follows."""

from typing import Any

from sheaf import dead_letters, wiring
from sheaf.settings import DeadLetterSettings


def lambda_handler(event: dict[str, Any], _context: Any) -> dict[str, list[dict[str, str]]]:
    """One batch of an SQS event source with ReportBatchItemFailures."""
    world = wiring.connect(DeadLetterSettings)
    again = [
        record["messageId"]
        for record in event["Records"]
        if dead_letters.record(
            world,
            record["body"],
            message_id=record["messageId"],
            receives=int(record["attributes"]["ApproximateReceiveCount"]),
        )
    ]
    return {"batchItemFailures": [{"itemIdentifier": message_id} for message_id in again]}
