"""The same for every peer in Python: its settings, its diary, and the orders that the race gives it.

An order is a line of JSON: a function's name as `verb`, and its arguments. The answer is a line of JSON too.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

URL = os.environ["RACE_URL"]
JOB_SECONDS = int(os.environ["RACE_JOB_SECONDS"])
"""A job may take so long; every time limit of a peer is made of it, as far as the peer lets one choose."""
POLL_SECONDS = float(os.environ["RACE_POLL_SECONDS"])


def note(batch: str, number: int, event: str) -> None:
    """One appending write, so that the work is counted here and not by the system that is measured."""
    line = {"batch": batch, "number": number, "event": event, "at": time.time(), "pid": os.getpid()}
    with Path(os.environ["RACE_DIARY"]).open("a") as diary:
        diary.write(json.dumps(line) + "\n")


def work(batch: str, number: int, sleep_ms: int) -> None:
    """The work itself: nothing, or a sleep."""
    note(batch, number, "begun")
    time.sleep(sleep_ms / 1000)
    note(batch, number, "ended")


def answer(*verbs: Callable[..., Any]) -> None:
    """Do what is ordered until nobody orders any more."""
    named = {verb.__name__: verb for verb in verbs}
    for line in sys.stdin:
        order = json.loads(line)
        print(json.dumps(named[order.pop("verb")](**order)), flush=True)


def until(found: Callable[[], bool], within: float) -> bool:
    """Ask again and again, for a system that tells nobody when all is done."""
    deadline = time.monotonic() + within
    while not (seen := found()) and time.monotonic() < deadline:
        time.sleep(POLL_SECONDS)
    return seen
