"""What the API answers, as lines for a terminal. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sheaf_client.transport import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sheaf_client.shapes import Doctor, Document, Estimate, Task

CLOCK_SECONDS = 60


def progress(task: Task) -> tuple[int, str]:
    """How many rows have ended, and how the task stands."""
    done = task["totalCount"] - task["pendingCount"] - task["extractingCount"]
    some = {"at work": task["extractingCount"], "failed": task["errorCount"], "cancelled": task["cancelledCount"]}
    counts = [f"{done} of {task['totalCount']} papers", *(f"{count} {word}" for word, count in some.items() if count)]
    return done, ", ".join(counts)


def why(task: Task) -> str:
    """Why it does not move and what to do, if it does not."""
    return "{detail} {advice}".format(**task["notMoving"]) if task["notMoving"] else ""


def ended(task: Task) -> str:
    cost = "" if task["costUsd"] is None else f", for {task['costUsd']:.2f} USD"
    return f"Task {task['taskId']} is {task['status']}: {progress(task)[1]}{cost}."


def estimate(expected: Estimate) -> str:
    cost = "nobody knows what that costs" if expected["costUsd"] is None else f"about {expected['costUsd']:.2f} USD"
    return f"{expected['documents']} papers by {expected['engine']}: {cost}."


def paper(filename: str, ended: Document | Refused) -> str:
    """How a file has ended, and what to do if that is not well."""
    if isinstance(ended, Refused):
        return f"refused     {filename}: {ended}"
    why = " ".join(filter(None, (ended["reason"], ended["advice"])))
    return f"{ended['status']:<10}  {filename}  {ended['documentId']}" + (f": {why}" if why else "")


def wrong(seen: Doctor, ahead_seconds: float) -> Iterator[str]:
    """All that is wrong, with what to do about it; nothing where all is well."""
    if abs(ahead_seconds) > CLOCK_SECONDS:
        yield f"The clock of this machine is off by {ahead_seconds:+.0f} s: set it."
    yield from filter(None, (each["detail"] for each in (seen["sweep"], *seen["kinds"])))
    for task in seen["notMoving"]:
        yield f"Task {task['taskId']}, {task['rows']} rows since {task['since']}: {task['detail']} {task['advice']}"
    for row in seen["failedRows"]:
        yield f"Row {row['resultId']}, {row['errorClass'] or 'failed'}: {row['errorMessage'] or ''} {row['advice']}"


def health(seen: Doctor) -> Iterator[str]:
    """Queues now, and the last 24 hours."""
    for kind in seen["kinds"]:
        yield f"{kind['kind']}: {kind['waiting']} waiting, {kind['hidden']} at work, {kind['deadLetters']} dead letters."
    day = seen["lastDay"]
    classes = "".join(f", {count} {name}" for name, count in day["failedBy"].items())
    yield f"Last 24 hours: {day['tasks']} tasks, {day['closed']} closed; {day['rowsCompleted']} rows done, {day['rowsFailed']} failed{classes}."
