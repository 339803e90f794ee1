"""What the emulator has kept of an earlier run: when it was saved, and messages that nobody works on any more."""

import json
import os
import time
from pathlib import Path
from typing import Any


def lost(folder: Path) -> str | None:
    """What an emulator that was killed has forgotten, in words; None where it ended by itself, or never ran.

    It saves when it ends and at no other time, and has no way to be asked for it.
    """
    started = folder / "emulator.json"
    if not started.exists():
        return None
    saved = max((file.stat().st_mtime for file in (folder / "state").glob("*.json")), default=None)
    if saved is not None and saved >= started.stat().st_mtime:
        return None
    kept = "all that was in it" if saved is None else f"what came after {_clock(saved)}"
    return f"The stack was stopped uncleanly (killed, or the power went); {kept} is lost. `make down` saves it."


def show_messages(folder: Path) -> None:
    """Messages that were in flight may be received at once: whoever had received them ended with the emulator.

    Left as they are they would stay out of sight for their queue's visibility timeout, half an hour.
    """
    file = folder / "state" / "sqs.json"
    if not file.exists():
        return
    saved: dict[str, Any] = json.loads(file.read_text())
    now = time.time()
    for queue in saved["payload"]["queues"]["data"].values():
        for message in queue["messages"]:
            if message["receipt_handle"]:
                message["visible_at"] = min(message["visible_at"], now)
    was_saved = file.stat().st_mtime
    file.write_text(json.dumps(saved))
    os.utime(file, (was_saved, was_saved))


def _clock(instant: float) -> str:
    """The time of day, and the day where it was not today."""
    then = time.localtime(instant)
    is_today = then[:3] == time.localtime()[:3]
    return time.strftime("%H:%M" if is_today else "%H:%M on %d %B %Y", then)
