"""A message died. Write that on its row, if the row still waits, and let the sweep decide."""

from sheaf import lifecycle, messages
from sheaf.deliveries import Acknowledge, Answer, HideUntil, Message
from sheaf.errors import Unavailable
from sheaf.needs import TimedTables
from sheaf.store import Refused
from sheaf.telemetry import say


def record(world: TimedTables, message: Message) -> Answer:
    """Write it down; the dead letter is offered again where that cannot be done."""
    address = messages.decode(message.body)
    if address is None:
        say("message_unreadable", message_id=message.message_id)
        return Acknowledge()
    reason = f"Its message was received {message.receives} times and never finished."
    try:
        written = lifecycle.record_dead_letter(world, address.key, reason=reason, now=world.now())
    except Unavailable as error:
        say("aws_unavailable", task=address.task, row=address.row, reason=str(error))
        return HideUntil(world.now())
    waits = not isinstance(written, Refused)
    say(
        "dead_letter",
        task=address.task,
        row=address.row,
        receives=message.receives,
        reason="row waits" if waits else "row done",
    )
    return Acknowledge()
