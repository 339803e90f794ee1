"""Rules of the most rows that a task may have at work at once: who starts, and that somebody does."""

from typing import Any, NamedTuple

from tests.simulation.items import val


class Claimed(NamedTuple):
    """When the worker that has a row had looked at its task's gate, and when it claimed."""

    looked: int
    at: int


class LimitRules:
    """Mixed into Invariants."""

    sim: Any
    violate: Any

    def prepare_limits(self) -> None:
        self.limited_at: dict[str, int] = {}
        """When a task's limit was last changed."""
        self.front_at: dict[str, int] = {}
        """When its front was last written."""
        self.claimed_by: dict[tuple[str, int], Claimed] = {}

    def limit_written(self, name: str, task: str, before: Any, after: Any) -> None:
        """A task was written: its front goes on, or back to the first row with another limit."""
        was, is_now = val(before, "front"), val(after, "front")
        another = val(before, "most_at_work") != val(after, "most_at_work")
        if another:
            self.limited_at[task] = self.sim.kernel.now
        if another or was != is_now:
            self.front_at[task] = self.sim.kernel.now
        if (another and is_now != 0) or (not another and was is not None and (is_now is None or is_now < was)):
            self.violate("M1", f"{name}: its front goes from {was} to {is_now}")

    def may_start(self, name: str, task: str, row: int, ctx: Any) -> None:
        """A worker has claimed a row: it saw the front behind it, and there was a place.

        Who had looked before the limit was another, and claims after it, counts for nobody: those few run on.
        """
        now, changed = self.sim.kernel.now, self.limited_at.get(task, -1)
        self.claimed_by[task, row] = Claimed(ctx.looked_at_gate, now)
        if ctx.front is not None and row >= ctx.front:
            self.violate("M1", f"{name}: claimed at the front of {ctx.front}")
        limit = val(self.sim.tasks[task,], "most_at_work")
        if limit is None or ctx.looked_at_gate <= changed:
            return
        numbers = [val(found, "row") for found in self.sim.rows_of(task) if val(found, "status") == "extracting"]
        claims = [self.claimed_by[task, number] for number in numbers]
        counted = [claim for claim in claims if not claim.looked <= changed <= claim.at]
        if len(counted) > limit:
            self.violate("M1", f"{name}: {len(counted)} rows are at work, {limit} may be")

    def behind_front(self, task: Any, row: Any) -> bool:
        """Whether it waits because others are at work."""
        return "front" in task and val(row, "row") >= val(task, "front")

    def sent_too_soon(self, task: str, number: int, ctx: Any) -> None:
        """A sweep sends a row: it is before the front, unless the limit was changed since it looked."""
        item = self.sim.tasks[task,]
        unchanged = self.limited_at.get(task, -1) < ctx.looked.get(task, 0)
        if ctx.function == "aggregator" and unchanged and "front" in item and number >= val(item, "front"):
            self.violate("M2", f"{ctx.name} sends {task}#{number}, at or behind the front")

    def places_filled(self, name: str, task: Any, before: int) -> None:
        """A sweep has counted: as many may start as there were places when it looked."""
        key = val(task, "task")
        if "front" not in task or val(task, "dispatch_until") is not None or self.limited_at.get(key, 0) >= before:
            return
        rows = self.sim.rows_of(key)
        if len(rows) < val(task, "total") or any(val(row, "updated_at") > before for row in rows):
            return
        waiting = sum(val(row, "status") == "pending" for row in rows)
        at_work = sum(val(row, "status") == "extracting" for row in rows)
        able = sum(val(row, "status") == "pending" and not self.behind_front(task, row) for row in rows)
        places = waiting if "most_at_work" not in task else val(task, "most_at_work") - at_work
        if able < min(waiting, places):
            self.violate("M2", f"{name}: swept, {at_work} at work, {waiting} wait, and only {able} may start")
