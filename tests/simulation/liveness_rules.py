"""Rules of what must come in time once the faults have stopped, each with its bound in virtual time."""

from typing import Any

from tests.simulation.items import CLOSED, TERMINAL, val

LOOKS_AGAIN_MS = 200_000
"""Within this an undisturbed aggregator has looked at every open task: a sweeper's lease left behind (15 s), the
schedule's next tick (60 s), its quietest interval (60 s), and as much again for slowness."""
PASS_MS = 10_000
"""From a sweep's look at the gates to its look at a task, with room for slowness."""
NEVER = 1 << 60
WINDOW_MAX_MS = 4 * 3_600_000


class LivenessRules:
    """Mixed into Invariants."""

    sim: Any
    skew: int
    violate: Any
    gate_at: dict[str, int]
    dispatched_at: dict[str, int]
    documents_wait: Any
    provider_waits: Any
    poison_keeps_nobody_waiting: Any
    behind_provider: Any
    budget_counted: Any
    places_filled: Any
    behind_front: Any
    front_at: dict[str, int]
    limited_at: dict[str, int]

    def nothing_waits(self) -> None:
        """Looked at again and again from `LOOKS_AGAIN_MS` after the last fault on."""
        now = self.sim.kernel.now
        since = now - LOOKS_AGAIN_MS - self.skew
        for (task,), item in self.sim.task_items():
            if val(item, "status") in CLOSED:
                if "active" in item and val(item, "completed_at") < since and self.sim.quiet_since < since:
                    self.violate(
                        "L2", f"task {task} closed {now - val(item, 'completed_at')} ms ago and nobody was told"
                    )
                continue
            self._task_waits(task, item, since, now)
        if self.sim.shape.uploads:
            self.documents_wait(since)
        if self.sim.shape.engine:
            self.provider_waits(now)
        if self.sim.shape.poison and self.sim.untroubled:
            self.poison_keeps_nobody_waiting(now)

    def pass_done(self, name: str, task: Any, ctx: Any) -> None:
        """A sweep has counted: what was plainly due when it looked is done. It looks at the gates first."""
        before = ctx.looked.get(val(task, "task"), 0) - PASS_MS - self.skew
        self.budget_counted(name, task, ctx, before)
        self.places_filled(name, task, before)
        turned_before = self.gate_at[val(task, "task")] < before
        for row in self.sim.rows_of(val(task, "task")):
            if max(self._written_at(row), val(row, "updated_at"), val(row, "not_before")) > before:
                continue
            status, at = val(row, "status"), f"{name}: swept, and row {val(row, 'row')}"
            if status == "extracting" and "lease_until" in row and val(row, "lease_until") < before:
                self.violate("L3", f"{at} still has a lease that was over {before - val(row, 'lease_until')} ms before")
            if status == "pending" and val(task, "gate") == "cancelled" and turned_before:
                self.violate("L3", f"{at} is not cancelled")
            if self.behind_provider(task, before) or self.behind_front(task, row):
                continue
            if (
                status == "pending"
                and val(task, "gate") == "open"
                and turned_before
                and val(task, "dispatch_until") is None
            ):
                due, why = self._due(task, row, only=("gate opened", "front passed"))
                if due < before:
                    self.violate("L3", f"{at} was not sent again, due {before - due} ms before ({why})")

    def _written_at(self, row: Any) -> int:
        """When it really was last written: one that stood still writes the instant at which it began to."""
        past = self.sim.dynamo.tables["results"].past[row["shard"]["S"], val(row, "row")]
        return int(past[-1][0])

    def _task_waits(self, task: str, item: Any, since: int, now: int) -> None:
        dispatch = val(item, "dispatch_until")
        rows = self.sim.rows_of(task)
        last = max([val(row, "updated_at") for row in rows] + [val(item, "created_at"), self.sim.quiet_since])
        over = max(dispatch or 0, self.dispatched_at[task])
        if dispatch is not None and max(over, self.sim.quiet_since) < since:
            self.violate("L2", f"task {task}: nobody goes on with its scatter since {now - over} ms")
        if (
            dispatch is None
            and len(rows) < val(item, "total")
            and max(self.sim.quiet_since, val(item, "scattered_at") or 0) < since
        ):
            self.violate("L2", f"task {task}: called scattered, {len(rows)} of {val(item, 'total')} rows, not set back")
        if len(rows) == val(item, "total") and all(val(row, "status") in TERMINAL for row in rows) and last < since:
            self.violate("L2", f"task {task}: all rows ended {now - last} ms ago, not closed")
        for row in rows:
            self._row_waits(item, row, since, now)

    def _row_waits(self, task: Any, row: Any, since: int, now: int) -> None:
        status, quiet = val(row, "status"), self.sim.quiet_since
        name = f"row {row['shard']['S']}#{val(row, 'row')}"
        if status == "extracting":
            over = val(row, "lease_until") or val(row, "updated_at")
            if max(over, quiet) < since:
                self.violate("L2", f"{name}: its lease is over since {now - over} ms")
        if status != "pending":
            return
        asked = self.gate_at[val(task, "task")] if val(task, "gate") == "cancelled" else None
        if asked is not None and max(asked, quiet, val(row, "updated_at")) < since:
            self.violate("L2", f"{name}: not cancelled, asked {now - asked} ms ago")
        if (
            val(task, "gate") in ("paused", "budget")
            and not self.behind_front(task, row)
            and self.front_at.get(val(task, "task"), 0) < since
            and "waiting_since" not in row
            and max(self.gate_at[val(task, "task")], quiet, val(row, "updated_at")) < since
        ):
            self.violate("L2", f"{name}: behind a shut gate, and its deadline's clock does not run")
        if self.behind_provider(task, since) or self.behind_front(task, row):
            return
        if val(task, "dispatch_until") is None and val(task, "gate") == "open" and not self.sim.under_way(row):
            due, why = self._due(
                task, row, only=("nothing heard", "gate opened", "queue empty", "let go", "front passed")
            )
            if max(due, val(row, "not_before"), quiet) < since:
                self.violate("L2", f"{name}: due, has no message since {now - due} ms, and none is sent ({why})")

    def _due(self, task: Any, row: Any, only: tuple[str, ...]) -> tuple[int, str]:
        """When it is time to send a row's message again: what DESIGN 3.2 says, written down a second time."""
        sent = max(val(task, "scattered_at") or 0, val(row, "sent_at") or 0)
        heard = max(sent, val(row, "updated_at"))
        doubling = 2 ** (val(row, "sends") or 0)
        # A row that merely waits its turn is silent for as long as its task says that it still needs.
        # A fifth of `slow_after` is at least the time between two ends; `finish_at` counts from the last one.
        left = val(task, "total") - sum(val(task, name) for name in ("completed", "error", "cancelled"))
        rest = max(
            (val(task, "finish_at") or 0) - (val(task, "counted_at") or 0), left * (val(task, "slow_after") or 0) // 5
        )
        window = max(self.sim.shape.stall_ms, rest)
        due = []
        rows = self.sim.rows_of(val(task, "task"))
        # Others' messages may stand in for its own: then the longest silent row of a task in which nothing moves is sent.
        silent = [(val(each, "sent_at") or 0, val(each, "row")) for each in rows if val(each, "status") == "pending"]
        if min(silent) == (val(row, "sent_at") or 0, val(row, "row")):
            moved = max(max(val(each, "sent_at") or 0, val(each, "updated_at")) for each in rows)
            due = [(max(heard + min(window * doubling, WINDOW_MAX_MS), moved + window), "nothing heard")]
        provider = self.sim.provider_gate(val(task, "task")) if val(task, "provider") else None
        opened = max([*(val(task, "pauses") or [])[1::2], val(provider, "opened_at") or 0])
        before_the_change = sent < self.limited_at.get(val(task, "task"), 0) - self.skew
        if "front" in task and ("sent_at" not in row or before_the_change):
            due.append((self.front_at[val(task, "task")], "front passed"))
        if sent < opened:
            due.append((opened, "gate opened"))
        if (val(row, "parked_at") or 0) > sent:
            due.append((max(val(row, "parked_at"), val(provider, "reopened_at") or 0), "let go"))
        empty = self.sim.empty_since(task)
        if empty is not None and empty > max(heard + self.skew, self.sim.quiet_since):
            due.append((empty + 150_000, "queue empty"))
        return min([found for found in due if found[1] in only], default=(NEVER, ""))
