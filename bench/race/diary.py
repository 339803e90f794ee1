"""What the jobs themselves wrote down: pure, so that a recorded diary can be read again."""

import json
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple


class Entry(NamedTuple):
    """A job has begun, or ended, in a process."""

    batch: str
    number: int
    event: str
    at: float
    pid: int


class Kept(NamedTuple):
    """What became of a batch whose workers were killed."""

    interrupted: int
    recovered_after: float
    """Seconds from the kill until the last job that it interrupted had ended."""
    again: int
    """Jobs begun more often than the kill explains."""
    twice: int
    """Jobs that ended more than once."""
    lost: int


def read(lines: Iterable[str], batch: str) -> list[Entry]:
    """A batch's entries. The last line may be half written."""
    whole = (json.loads(line) for line in lines if line.endswith("\n"))
    return [Entry(**line) for line in whole if line["batch"] == batch]


def ended(entries: Iterable[Entry]) -> list[Entry]:
    return [entry for entry in entries if entry.event == "ended"]


def begun(entries: Iterable[Entry]) -> list[Entry]:
    return [entry for entry in entries if entry.event == "begun"]


def drained(entries: Iterable[Entry]) -> float:
    """Seconds that all jobs took, at the pace of the last three quarters: workers have started by then."""
    ends = sorted(entry.at for entry in ended(entries))
    skipped = len(ends) // 4
    return (ends[-1] - ends[skipped - 1]) * len(ends) / (len(ends) - skipped)


def last_end(entries: Iterable[Entry]) -> float:
    return max(entry.at for entry in ended(entries))


def at_work(entries: list[Entry]) -> list[Entry]:
    """The beginnings that have no end yet."""
    over = {(entry.number, entry.pid) for entry in ended(entries)}
    return [entry for entry in begun(entries) if (entry.number, entry.pid) not in over]


def kept(entries: list[Entry], count: int, killed_at: float) -> Kept:
    """Hold the diary against the kill: a job that began before and never ended in that process was interrupted."""
    broken = {entry.number for entry in at_work(entries) if entry.at <= killed_at}
    ends = Counter(entry.number for entry in ended(entries))
    begins = Counter(entry.number for entry in begun(entries))
    last = max((entry.at for entry in ended(entries) if entry.number in broken), default=killed_at)
    return Kept(
        len(broken),
        last - killed_at,
        sum(times - 1 - (number in broken) > 0 for number, times in begins.items()),
        sum(times > 1 for times in ends.values()),
        count - len(ends),
    )
