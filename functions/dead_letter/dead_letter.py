"""Messages of the dead-letter queues. Each is written on its row; the sweep decides what follows."""

from typing import Any

from sheaf import dead_letters, deliveries, wiring
from sheaf.deliveries import Acknowledge, Answer, Message
from sheaf.library import post
from sheaf.needs import TimedTables
from sheaf.settings import DeadLetterSettings


def lambda_handler(event: deliveries.Event, _context: Any) -> dict[str, list[dict[str, str]]]:
    """One batch of an SQS event source with ReportBatchItemFailures."""
    world = wiring.connect(DeadLetterSettings)
    return deliveries.batch(world, event, lambda message: _record(world, message))


def _record(world: TimedTables, message: Message) -> Answer:
    """An intake's message is logged; a row's is written on its row."""
    return Acknowledge() if post.say_dead(message.body, message.receives) else dead_letters.record(world, message)
