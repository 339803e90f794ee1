"""A sweeper's round, woken by the tick or by a nudge: pass after pass, for as long as there is something to do soon."""

from collections.abc import Callable
from dataclasses import dataclass, field

from sheaf.aggregator import sweeper_lease
from sheaf.aggregator.schedule import PASS_MIN_MS, Watch, due_at
from sheaf.aggregator.tick import TICK_MS
from sheaf.errors import Unavailable
from sheaf.items import SweeperLease, Task
from sheaf.logs import say
from sheaf.outside.needs import BatchTables
from sheaf.outside.store import Refused
from sheaf.outside.wiring import PARALLEL
from sheaf.protocol import queries

LEAVE_WHEN_DUE_IN_MS = 35_000
INDEX_EVERY_MS = 10_000
INDEX_LAGS_MS = 5_000  # after a nudge the index is looked at in each pass: it may show a new task a moment later
STOP_BEFORE_MS = 15_000
HEARTBEAT_MS = 1_000  # how often the lease is prolonged, and so how soon a nudge is heard
HEARTBEAT_STALE_MS = 4_000
Sweep = Callable[[Task, Watch], bool]  # whether it needs another; sets when on the watch. Raises Unavailable


def run(world: BatchTables, sweep: Sweep, *, source: str, sweeper: str, task: str | None, deadline: int) -> str:
    """Sweep what this sweeper has while there is something soon; says why it stopped. `task`: who nudged, None for the tick."""
    me = world.token()
    ends_at = deadline - STOP_BEFORE_MS
    if not _become(world, sweeper, me, task, ends_at):
        return "another is sweeping"
    say("sweeper_started", source=source)
    loop = _Loop(world, sweep, sweeper, me, ends_at)
    if task:
        loop.watches[task] = Watch(asked=True)
    try:
        return loop.until_done()
    finally:
        if loop.errors:
            raise ExceptionGroup("some tasks could not be swept; the others were", loop.errors)


def _become(world: BatchTables, sweeper: str, me: str, task: str | None, ends_at: int) -> bool:
    """Take the sweeper's lease; or leave word with who has it; or, on the clock's tick, wait for one about to end."""
    while True:
        now = world.now()
        if task and sweeper_lease.nudge(world, sweeper, {task}, now):
            return False
        taken = sweeper_lease.take(world, sweeper, me, ends_at=ends_at, now=now)
        if not isinstance(taken, Refused):
            return True
        if task:
            continue
        wait = _worth_waiting(taken.item, now)
        if wait is None or now + wait >= ends_at:
            return False
        world.sleep(wait / 1000)


def _worth_waiting(holder: SweeperLease | None, now: int) -> int | None:
    if holder is None or holder.lease_until is None:
        return 100
    ends_soon = (holder.ends_at or now) - now < TICK_MS
    is_silent = now - (holder.lease_until - sweeper_lease.LEASE_MS) > HEARTBEAT_STALE_MS
    return 1_000 if ends_soon or is_silent else None


@dataclass
class _Loop:
    world: BatchTables
    sweep: Sweep
    sweeper: str
    me: str
    ends_at: int
    watches: dict[str, Watch] = field(default_factory=dict)
    wanted: set[str] = field(default_factory=set)
    indexed_at: int = 0
    listens_until: int = 0
    heard_at: int = 0
    errors: list[Exception] = field(default_factory=list)

    def until_done(self) -> str:
        while self.world.now() < self.ends_at:
            if not self._hear():
                return "another took over"
            self._pass(self._look_for_tasks())
            now = self.world.now()
            soon = any(watch.due_at - now <= LEAVE_WHEN_DUE_IN_MS for watch in self.watches.values())
            if soon or self.wanted or now < self.listens_until:
                self.world.sleep(self._pause(now))
            elif sweeper_lease.leave(self.world, self.sweeper, self.me):
                return "nothing to do soon" if self.watches else "nothing left to do"
            else:
                self.heard_at = 0
        # What was left word of since stays on the lease, for whoever takes it next.
        sweeper_lease.leave(self.world, self.sweeper, self.me, even_if_wanted=True)
        return "out of time"

    def _hear(self) -> bool:
        """Keep the lease and hear what word was left of, once a heartbeat. False when the lease went to another."""
        now = self.world.now()
        if now - self.heard_at >= HEARTBEAT_MS:
            self.heard_at = now
            more = sweeper_lease.hear(self.world, self.sweeper, self.me, now)
            if more is None:
                return False
            self.wanted |= more
        return True

    def _look_for_tasks(self) -> list[str]:
        """The tasks that are due, and those that word was left of. The index shows them, and it lags."""
        now = self.world.now()
        if self.wanted:
            self.listens_until = now + INDEX_LAGS_MS
        if now < self.listens_until or now - self.indexed_at >= INDEX_EVERY_MS or not self.watches:
            for key in queries.active_tasks(self.world, self.sweeper):
                self.watches.setdefault(key, Watch())
            self.indexed_at = now
        for key, watch in self.watches.items():
            if sweeper_lease.slot(key) in self.wanted:
                watch.due_at, watch.asked = 0, True
        self.wanted = set()
        due = [key for key, watch in self.watches.items() if watch.due_at <= now]
        return sorted(due, key=lambda key: self.watches[key].due_at)

    def _pass(self, due: list[str]) -> None:
        """Sweep them, a few at a time. When time is up, word of those that are left goes back, for the next holder."""
        for start in range(0, len(due), PARALLEL):
            self.world.parallel(self._sweep, due[start : start + PARALLEL])
            left, now = due[start + PARALLEL :], self.world.now()
            if left and now >= self.ends_at:
                sweeper_lease.nudge(self.world, self.sweeper, set(left), now)
            if not left or now >= self.ends_at or not self._hear():
                return

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
            watch.elsewhere = self._at_risk_beside(key) if task is not None and task.budget is not None else 0
            if task is None or task.notified_at is not None or not self.sweep(task, watch):
                del self.watches[key]
        except Unavailable as error:
            say("sweep_postponed", task=key, reason=str(error))
            watch.due_at = self.world.now() + PASS_MIN_MS
        except Exception as error:  # noqa: BLE001 - raised at the end of the run, when the other tasks were swept
            say("sweep_failed", task=key, reason=type(error).__name__)
            self.errors.append(error)
            watch.due_at = self.ends_at

    def _at_risk_beside(self, key: str) -> int:
        project = key.partition("/")[0] + "/"
        return sum(each.at_risk for name, each in [*self.watches.items()] if name != key and name.startswith(project))

    def _pause(self, now: int) -> float:
        """Seconds to the next pass; never long, because a nudge waits for it."""
        due_at = min((watch.due_at for watch in self.watches.values()), default=now + HEARTBEAT_MS)
        return min(max(due_at - now, 50), HEARTBEAT_MS) / 1000
