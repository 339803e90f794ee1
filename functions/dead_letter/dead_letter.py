"""Messages of the dead-letter queues. Each is written on its row; the sweep decides what follows."""

from typing import Any

from sheaf import dead_letters, deliveries, wiring
from sheaf.settings import DeadLetterSettings


def lambda_handler(event: dict[str, Any], _context: Any) -> dict[str, list[dict[str, str]]]:
    """One batch of an SQS event source with ReportBatchItemFailures."""
    world = wiring.connect(DeadLetterSettings)
    return deliveries.batch(world, event, lambda message: dead_letters.record(world, message))
