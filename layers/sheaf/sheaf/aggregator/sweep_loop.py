"""The sweeper's round: pass after pass over every active task, for as long as there is something to do soon.

Woken by the schedule or by a nudge. One sweeper at a time is enough; the lease in `sweeper` sees to that, for thrift.
"""

from collections.abc import Callable

from sheaf.aggregator import open_work, sweeper_lease
from sheaf.aggregator.schedule import PASS_MIN_MS, Watch, due_at
from sheaf.errors import Unavailable
from sheaf.items import SweeperLease, Task
from sheaf.logs import say
from sheaf.outside.needs import BatchTables
from sheaf.outside.store import Refused
from sheaf.outside.wiring import PARALLEL
from sheaf.protocol import queries

LEAVE_WHEN_DUE_IN_MS = 35_000
INDEX_EVERY_MS = 10_000
STOP_BEFORE_MS = 15_000
HEARTBEAT_STALE_MS = 4_000
MEASURE_EVERY_MS = 60_000
"""A point of a curve on the dashboard."""
Sweep = Callable[[Task, Watch], bool]
"""One pass over a task: whether it needs another; sets when on the watch. Raises Unavailable."""


def run(world: BatchTables, sweep: Sweep, *, source: str, task: str | None, deadline: int) -> str:
    """Sweep for as long as there is something to sweep and time to do it in. Returns why it stopped."""
    me = world.token()
    ends_at = deadline - STOP_BEFORE_MS
    if not _become(world, me, task, ends_at):
        return "another is sweeping"
    say("sweeper_started", source=source)
    loop = _Loop(world, sweep, me, ends_at, {task} if task else set())
    try:
        return loop.until_done()
    finally:
        if loop.errors:
            raise ExceptionGroup("some tasks could not be swept; the others were", loop.errors)


def _become(world: BatchTables, me: str, task: str | None, ends_at: int) -> bool:
    """Take the sweeper's lease; or leave word with who has it; or, on the clock's tick, wait for one about to end."""
    while True:
        now = world.now()
        if task and sweeper_lease.nudge(world, {task}, now):
            return False
        taken = sweeper_lease.take(world, me, ends_at=ends_at, now=now)
        if not isinstance(taken, Refused):
            return True
        if task:
            continue
        wait = _worth_waiting(taken.item, now)
        if wait is None or now + wait >= ends_at:
            return False
        world.sleep(wait / 1000)


def _worth_waiting(holder: SweeperLease | None, now: int) -> int | None:
    """How long to wait for this holder before trying again; None when it is alive and has long to go."""
    if holder is None or holder.lease_until is None:
        return 100
    if (holder.ends_at or now) - now < sweeper_lease.TICK_MS or now - (
        holder.lease_until - sweeper_lease.LEASE_MS
    ) > HEARTBEAT_STALE_MS:
        return 1_000
    return None


class _Loop:
    """The passes of one sweeper."""

    def __init__(self, world: BatchTables, sweep: Sweep, me: str, ends_at: int, wanted: set[str]) -> None:
        self.world = world
        self.sweep = sweep
        self.me = me
        self.ends_at = ends_at
        self.wanted = wanted
        self.watches: dict[str, Watch] = {}
        self.indexed_at = 0
        self.measured_at = 0
        self.kinds: set[str] = set()
        self.errors: list[Exception] = []

    def until_done(self) -> str:
        while self.world.now() < self.ends_at:
            more = sweeper_lease.begin_pass(self.world, self.me, self.world.now())
            if more is None:
                return "another took over"
            began = self.world.now()
            self._pass(self._look_for_tasks(more))
            now = self.world.now()
            self._measure(now, began)
            if any(watch.due_at - now <= LEAVE_WHEN_DUE_IN_MS for watch in self.watches.values()):
                self.world.sleep(self._pause(now))
            elif sweeper_lease.leave(self.world, self.me):
                return "nothing to do soon" if self.watches else "nothing left to do"
        # What was left word of since stays on the lease, for whoever takes it next.
        sweeper_lease.leave(self.world, self.me, even_if_wanted=True)
        return "out of time"

    def _look_for_tasks(self, more: set[str]) -> list[str]:
        """The tasks that are due: first those that word was left of, then what the index, which lags, has shown."""
        first = list(self.wanted | more)
        self.wanted = set()
        now = self.world.now()
        if now - self.indexed_at >= INDEX_EVERY_MS or not self.watches:
            for key in queries.active_tasks(self.world):
                self.watches.setdefault(key, Watch())
            self.indexed_at = now
        for key in first:
            watch = self.watches.setdefault(key, Watch())
            watch.due_at, watch.asked = 0, True
        return first + [key for key, watch in self.watches.items() if watch.due_at <= now and key not in first]

    def _pass(self, due: list[str]) -> None:
        """Sweep them, a few at a time. When time is up, word of those that are left goes back, for the next holder."""
        for start in range(0, len(due), PARALLEL):
            self.world.parallel(self._sweep, due[start : start + PARALLEL])
            left, now = due[start + PARALLEL :], self.world.now()
            if left and now >= self.ends_at:
                sweeper_lease.nudge(self.world, set(left), now)
                return
            if left:
                sweeper_lease.prolong(self.world, self.me, now)

    def _sweep(self, key: str) -> None:
        """One task. Whatever goes wrong with it must not keep the others waiting."""
        watch = self.watches[key]
        try:
            watch.task = task = queries.task(self.world, key)
            if task is not None and watch.first_at is None and not watch.asked:
                watch.at_risk = task.extracting * (task.row_cost or 0)
                watch.due_at = due_at(task)
                if watch.due_at > self.world.now():
                    return
            watch.elsewhere = self._at_risk_beside(key)
            if task is None or task.notified_at is not None or not self.sweep(task, watch):
                del self.watches[key]
        except Unavailable as error:
            say("sweep_postponed", task=key, reason=str(error))
            watch.due_at = self.world.now() + PASS_MIN_MS
        except Exception as error:  # noqa: BLE001 - raised at the end of the run, when the other tasks were swept
            say("sweep_failed", task=key, reason=type(error).__name__)
            self.errors.append(error)
            watch.due_at = self.ends_at

    def _measure(self, now: int, began: int) -> None:
        """Say what is open of each kind: once a minute, and when the last task has closed."""
        tasks = [watch.task for watch in self.watches.values() if watch.task is not None]
        if now - self.measured_at < MEASURE_EVERY_MS and tasks:
            return
        self.measured_at = now
        kinds = {task.kind for task in tasks}
        for kind in sorted(kinds | self.kinds):
            measured = open_work.measured([task for task in tasks if task.kind == kind], now)
            say("work_open", kind=kind, measured={**measured, "SweepMilliseconds": now - began})
        self.kinds = kinds

    def _at_risk_beside(self, key: str) -> int:
        """What the rows that run in the project's other tasks may cost, by the last look at each."""
        project = key.partition("/")[0] + "/"
        return sum(other.at_risk for name, other in self.watches.items() if name != key and name.startswith(project))

    def _pause(self, now: int) -> float:
        """Seconds to the next pass; never long, because a nudge waits for it."""
        due_at = min(watch.due_at for watch in self.watches.values())
        return min(max(due_at - now, 50), PASS_MIN_MS) / 1000
