"""Rules of what a task may cost: its gate, its counts, what its rows say that they cost, and what starts too late."""

import json
from typing import Any

from tests.simulation.items import CLOSED, TERMINAL, task_of, val
from tests.simulation.spenders import PRICE

SOON_MS = 1_000
LATE = (75, 5_000)
"""What a call that timed out is taken to cost: its form at least, and its question."""


class BudgetRules:
    """Mixed into Invariants."""

    sim: Any
    skew: int
    violate: Any
    calls: dict[tuple[str, int], list[Any]]

    def prepare_budgets(self) -> None:
        self.turned_at: dict[str, int] = {}
        """When a task's budget or gate was last changed."""
        self.late: dict[tuple[str, int], set[str]] = {}
        """Who asked the provider though the budget had shut the gate, by task and when that shut."""

    def budget_written(self, name: str, task: str, before: Any, after: Any, ctx: Any) -> None:
        """A task was written: its gate and its budget go together."""
        was, is_now = val(before, "gate"), val(after, "gate")
        limit, counted = val(after, "budget"), val(before, "cost") or 0
        another = val(before, "budget") != limit
        if another or was != is_now:
            self.turned_at[task] = self.sim.kernel.now
        if was != "budget" and is_now == "budget":
            cost = self._cost(task)
            ran = any(val(row, "status") == "extracting" for row in self._rows(task, ctx))
            if ctx.function != "aggregator" or limit is None or (cost < limit and not ran):
                self.violate("B1", f"{name}: shut for its budget of {limit}, and it cost {cost}")
        if was != "budget":
            return
        enough = limit is None or limit > counted
        if is_now == "budget" and another and enough:
            self.violate("B1", f"{name}: may cost {limit} of which {counted} are spent, and does not go on")
        if is_now == "open" and not enough and (val(before, "counted_at") or 0) < ctx.started - self.skew:
            self.violate("B1", f"{name}: may cost {limit} of which {counted} are spent, and goes on")

    def budget_counted(self, name: str, task: Any, ctx: Any, before: int) -> None:
        """A sweep has counted: what was spent when it looked has shut the gate, and what is half spent is seen soon."""
        key, limit = val(task, "task"), val(task, "budget")
        looked = ctx.looked.get(key, 0)
        if limit is None or self.turned_at.get(key, 0) >= looked:
            return
        cost, rows = self._cost(key, before), self.sim.rows_of(key)
        still = all(val(row, "updated_at") <= before for row in rows)
        running = sum(val(row, "status") == "extracting" for row in rows)
        if val(task, "gate") == "budget" and still and not running and self._cost(key) < limit:
            self.violate(
                "B1", f"{name}: swept, it may cost {limit} and cost {cost}, nothing runs, and it does not go on"
            )
        if val(task, "gate") != "open":
            return
        if still and running and cost + running * (val(task, "row_cost") or 0) >= limit:
            self.violate(
                "B2", f"{name}: swept, it may cost {limit} and cost {cost}, {running} run, and its gate is open"
            )
        if cost >= limit:
            self.violate("B2", f"{name}: swept, it may cost {limit} and cost {cost}, and its gate is open")
        closed = val(task, "status") in CLOSED
        if not closed and 2 * (val(task, "cost") or 0) >= limit and val(task, "count_every") > SOON_MS:
            self.violate("B2", f"{name}: half spent, and counted again only after {val(task, 'count_every')} ms")

    def _cost(self, task: str, until: int | None = None) -> int:
        """What its rows have cost, or those that were last written until then."""
        rows = self.sim.rows_of(task)
        return sum(val(row, "cost") or 0 for row in rows if until is None or val(row, "updated_at") <= until)

    def _rows(self, task: str, ctx: Any) -> list[Any]:
        """Its rows, each as it was at some instant of this sweep: the looks of one sweep are not one instant."""
        past = self.sim.dynamo.tables["results"].past
        since = ctx.looked.get(task, 0) - self.sim.swarm.stale_ms
        found = []
        for row in self.sim.rows_of(task):
            history = past[row["shard"]["S"], val(row, "row")]
            until = [at for at, _ in history[1:]] + [self.sim.kernel.now]
            found += [item for (_, item), end in zip(history, until, strict=True) if item and end >= since]
        return found

    def cost_written(self, name: str, key: Any, after: Any, ctx: Any) -> None:
        """A worker wrote what came of a row: each answer that it was given is paid for once."""
        row = task_of(key[0]), key[1]
        answers = [call for call in self.calls.get(row, ()) if call.metered]
        unanswered = [call for call in self.calls.get(row, ()) if call.timed_out]
        late = len(unanswered)
        cost, paid = val(after, "cost") or 0, PRICE * len(answers)
        # Who died between a call and its row took with it what the call cost.
        sound = not any(by.faulted or by.zombie or by.dead for by in (ctx, *(c.process for c in answers + unanswered)))
        sound &= row not in self.sim.vanished
        least, most = paid + LATE[0] * late, paid + LATE[1] * late
        if cost > most or (cost < least and sound and val(after, "status") in TERMINAL):
            self.violate("B3", f"{name}: says {cost}, its {len(answers)} answers cost {paid}, {late} timed out")

    def retry_budget(self, name: str, parent: Any, after: Any, ctx: Any) -> None:
        """A retry that does not say what it may cost may cost what is left."""
        if val(parent, "budget") is None or "budgetUsd" in json.loads(ctx.event["body"] or "{}"):
            return
        left = val(parent, "budget") - (val(parent, "cost") or 0)
        if val(after, "budget") != left:
            self.violate("B5", f"{name}: may cost {val(after, 'budget')}, and {left} are left")

    def asked_late(self, call: Any) -> None:
        """A question to a model behind a gate that its task's budget has shut: only by who was on the way."""
        task, ctx = call.row[0], call.process
        item = self.sim.tasks[task,]
        if val(item, "gate") != "budget" or ctx.faulted or ctx.zombie:
            return
        late = self.late.setdefault((task, self.gate_at[task]), set())
        late.add(ctx.name)
        if len(late) > self.sim.shape.concurrency:
            self.violate("B4", f"{task}: its budget is spent, and {sorted(late)} asked since")
