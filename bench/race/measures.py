"""What each system is asked, the same of all: accept, status, drain, close, and a kill in the midst of the work."""

import os
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple, Protocol

from bench.race import diary
from bench.race.diary import Entry, Kept

CONCURRENCY = 10
NODES = 2
"""Half of the workers are killed at once."""
JOB_SECONDS = 30
"""A job may take so long, in every system: its time limits are made of it."""
POLL_SECONDS = 0.5
"""Where nobody tells the caller that all is done, the caller asks so often."""
RUNS = int(os.environ.get("RUNS") or 3)
ACCEPTED = (100, 1_000, 10_000)
DRAINED = 1_000
SLEEP_MS = 50
KILLED, KILLED_MS = 40, 1_000
IN_MIDST = 15
WITHIN = 300
NOT_TOLD = "the caller was never told that all is done"


class Progress(NamedTuple):
    """How many jobs are done, and how many requests it took to say so."""

    done: int
    calls: int


class Racer(Protocol):
    """A system that is up, with its queue empty and its workers at rest."""

    settings: str
    versions: str

    def accept(self, batch: str, count: int, sleep_ms: int) -> None: ...
    def progress(self, batch: str) -> Progress: ...
    def wait(self, batch: str) -> bool:
        """Until the caller knows that all is done; false if that is not known in time."""

    def work(self) -> None: ...
    def rest(self) -> None: ...
    def kill_half(self, batch: str) -> float:
        """The instant of the kill."""

    def diary(self, batch: str) -> list[Entry]: ...
    def clear(self) -> None: ...


class Found(NamedTuple):
    """The median of some runs of one measure."""

    measure: str
    value: float
    unit: str
    more: dict[str, object]


def race(racer: Racer, size: float = 1) -> Iterator[Found]:
    """All measures in their order. `size` makes every number of jobs smaller, to try it out."""
    many = [max(KILLED, int(count * size)) for count in (*ACCEPTED, DRAINED)]
    _drain(racer, "warm", many[0], 0)
    for count, shown in zip(many[:-1], ACCEPTED, strict=True):
        yield _accept(racer, count, shown)
    yield _status(racer, many[-1])
    for name, sleep_ms in (("noop", 0), (f"{SLEEP_MS}ms", SLEEP_MS)):
        yield from _drains(racer, name, many[-1], sleep_ms)
    yield from _kills(racer)


def _accept(racer: Racer, count: int, shown: int) -> Found:
    seconds = []
    for run in range(RUNS):
        seconds.append(_timed(partial(racer.accept, f"accept-{count}-{run}", count, 0)))
        racer.clear()
    return _median(f"accept.{shown}", [1000 * each for each in seconds], "ms")


def _status(racer: Racer, count: int) -> Found:
    """Asked while the work goes on; the requests are counted before it begins, when nobody else makes any."""
    racer.accept("status", count, SLEEP_MS)
    calls = racer.progress("status").calls
    racer.work()
    _until_begun(racer, "status", count // 4)
    seconds = [_timed(partial(racer.progress, "status")) for _ in range(RUNS)]
    assert racer.wait("status"), NOT_TOLD
    racer.rest()
    racer.clear()
    return _median(f"status.{DRAINED}", [1000 * each for each in seconds], "ms", calls=calls)


def _drains(racer: Racer, name: str, count: int, sleep_ms: int) -> Iterator[Found]:
    seconds, lags = zip(*(_drain(racer, f"{name}-{run}", count, sleep_ms) for run in range(RUNS)), strict=True)
    yield _median(f"drain.{name}", [count / each for each in seconds], "jobs/s")
    if sleep_ms:
        ideal = count * sleep_ms / 1000 / CONCURRENCY
        yield _median(f"overhead.{name}", [each / ideal for each in seconds], "x ideal")
    yield _median(f"close.{name}", [1000 * each for each in lags], "ms")


def _drain(racer: Racer, batch: str, count: int, sleep_ms: int) -> tuple[float, float]:
    """Seconds of work, with all of it accepted before anybody works; and from its end until the caller knows."""
    racer.accept(batch, count, sleep_ms)
    racer.work()
    assert racer.wait(batch), NOT_TOLD
    told_at = time.time()
    racer.rest()
    entries = racer.diary(batch)
    racer.clear()
    return diary.drained(entries), told_at - diary.last_end(entries)


def _kills(racer: Racer) -> Iterator[Found]:
    runs = [_kill(racer, f"kill-{run}") for run in range(RUNS)]
    found = [kept for kept, _ in runs]
    yield _median("kill.recovery", [each.recovered_after for each in found], "s", interrupted=[k[0] for k in found])
    yield _median("kill.closed", [lag for _, lag in runs], "s")
    for name in ("again", "twice", "lost"):
        yield Found(f"kill.{name}", sum(getattr(each, name) for each in found), "jobs", {"of": RUNS * KILLED})


def _kill(racer: Racer, batch: str) -> tuple[Kept, float]:
    """What became of the jobs, and the seconds from the kill until the caller knew that all is done."""
    racer.accept(batch, KILLED, KILLED_MS)
    racer.work()
    _until_begun(racer, batch, IN_MIDST)
    time.sleep(KILLED_MS / 4000)
    killed_at = racer.kill_half(batch)
    told = racer.wait(batch)
    told_after = time.time() - killed_at if told else float("inf")
    racer.rest()
    entries = racer.diary(batch)
    racer.clear()
    return diary.kept(entries, KILLED, killed_at), told_after


def _until_begun(racer: Racer, batch: str, count: int) -> None:
    deadline = time.monotonic() + WITHIN
    while len(diary.begun(racer.diary(batch))) < count:
        assert time.monotonic() < deadline, "the workers do nothing"
        time.sleep(0.05)


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _median(measure: str, values: list[float], unit: str, **more: object) -> Found:
    return Found(measure, statistics.median(values), unit, {"range": [min(values), max(values)]} | more)
