"""Messages of the dead-letter queues. Each is written on its row; the sweep decides what follows."""

from typing import Any

from sheaf import dead_letters, wiring
from sheaf.library import post
from sheaf.settings import DeadLetterSettings
from sheaf.wiring import World


def lambda_handler(event: dict[str, Any], _context: Any) -> dict[str, list[dict[str, str]]]:
    """One batch of an SQS event source with ReportBatchItemFailures."""
    world = wiring.connect(DeadLetterSettings)
    again = [record["messageId"] for record in event["Records"] if not _is_recorded(world, record)]
    return {"batchItemFailures": [{"itemIdentifier": message_id} for message_id in again]}


def _is_recorded(world: World[Any], record: dict[str, Any]) -> bool:
    """An intake's message is logged; a row's is written on its row."""
    body, receives = record["body"], int(record["attributes"]["ApproximateReceiveCount"])
    if post.say_dead(body, receives):
        return True
    return not dead_letters.record(world, body, message_id=record["messageId"], receives=receives)
