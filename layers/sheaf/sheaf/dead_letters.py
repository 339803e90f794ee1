"""A message died. Write that on its row, if the row still waits, and let the sweep decide."""

from typing import Any

from sheaf import lifecycle, messages
from sheaf.errors import Unavailable
from sheaf.store import Refused
from sheaf.telemetry import say
from sheaf.wiring import World


def record(world: World[Any], body: str, *, message_id: str, receives: int) -> bool:
    """True when the dead letter must be offered again, because it could not be written down."""
    address = messages.decode(body)
    if address is None:
        say("message_unreadable", message_id=message_id)
        return False
    reason = f"Its message was received {receives} times and never finished."
    try:
        written = lifecycle.record_dead_letter(world, address.key, reason=reason, now=world.now())
    except Unavailable as error:
        say("aws_unavailable", task=address.task, row=address.row, reason=str(error))
        return True
    waits = not isinstance(written, Refused)
    say(
        "dead_letter",
        task=address.task,
        row=address.row,
        receives=receives,
        reason="row waits" if waits else "row done",
    )
    return False
