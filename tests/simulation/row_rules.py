"""Rules of rows: every write of one, and every call made for one."""

import json
import zlib
from typing import Any

from tests.simulation.calls import Call
from tests.simulation.deployed import EXPORT, HIDDEN_ROWS, PROBED_EVERY_MS
from tests.simulation.items import TERMINAL, paused_for, payload_key, task_of, val

EDGES = {
    "worker": {("pending", "extracting"), ("extracting", "extracting"), ("extracting", "completed"), ("extracting", "error"), ("extracting", "pending"), ("pending", "pending")},
    "aggregator": {
        (None, "pending"), (None, "error"), (None, "cancelled"), ("extracting", "pending"), ("extracting", "error"),
        ("pending", "pending"), ("pending", "error"), ("pending", "cancelled"),
    },
    "api": {(None, "pending"), (None, "error")},
}  # fmt: skip
FROZEN = ("document", "pinned_key", "pinned_version", "pinned_sha256", "options", "created_at")
ONCE = ("first_claimed_at", "waiting_since")
LEASE_SLACK_MS = 60_000
MINUTE = 60_000
WINDOW_MAX_MS = 4 * 60 * MINUTE


class RowRules:
    """Mixed into Invariants."""

    sim: Any
    skew: int
    violate: Any
    worker_left: Any
    cost_written: Any
    may_start: Any
    check_file: Any
    table_gone: Any

    def prepare_rows(self) -> None:
        self.holders: dict[Any, Any] = {}
        self.calls: dict[tuple[str, int], list[Call]] = {}

    def row_written(self, key: Any, before: Any, after: Any, ctx: Any) -> None:
        name = f"row {key[0]}#{key[1]} by {ctx.name}"
        old, new = val(before, "status"), val(after, "status")
        if (
            after is None
            and ctx.function == "janitor"
            and self.sim.gone(task_of(key[0]), self.sim.kernel.now + self.skew)
        ):
            return
        if after is None or (old in TERMINAL and before != after):
            self.violate("I2", f"{name}: {old} changed to {new}: {_difference(before, after)}")
            return
        if (old, new) not in EDGES.get(ctx.function, ()):
            self.violate("I6" if ctx.function == "worker" else "S5", f"{name}: {old} -> {new}")
        if before is None:
            return
        self._numbers(name, before, after, ctx, old, new)
        if ctx.function == "worker":
            self._worker_wrote(name, key, before, after, ctx, old, new)
        elif ctx.function == "aggregator":
            self._aggregator_wrote(name, key, before, after, ctx, old, new)
        if old == "extracting" and new != "extracting":
            self.holders.pop(key, None)

    def _numbers(self, name: str, before: Any, after: Any, ctx: Any, old: str, new: str) -> None:
        claim = ctx.function == "worker" and new == "extracting" and not _is_word(before, after)
        rise = val(after, "attempt") - val(before, "attempt")
        if rise != int(claim):
            self.violate("S5", f"{name}: {old} -> {new} moved attempt by {rise}")
        tries = val(after, "tries") - val(before, "tries")
        given_back = ctx.function == "worker" and ctx.act == "throttle" and (old, new) == ("extracting", "pending")
        if tries != (1 if claim else -1 if given_back else 0):
            self.violate("I8", f"{name}: {old} -> {new} moved tries by {tries}, act {ctx.act}")
        if not 0 <= val(after, "tries") <= self._most_tries(after):
            self.violate("I8", f"{name}: {val(after, 'tries')} tries")
        for fixed in FROZEN:
            if before.get(fixed) != after.get(fixed):
                self.violate("S9", f"{name}: {fixed} changed")
        for once in ONCE:
            if once in before and before.get(once) != after.get(once):
                self.violate("S10", f"{name}: {once} changed, and with it the deadline")

    def _most_tries(self, row: Any) -> int:
        return int(self.sim.kind_of(task_of(row["shard"]["S"])).max_tries)

    # ------------------------------------------------------------------ workers

    def _worker_wrote(self, name: str, key: Any, before: Any, after: Any, ctx: Any, old: str, new: str) -> None:
        now = self.sim.kernel.now
        if old == "pending" and new == "pending":
            self._parked(name, key, before, after, ctx)
            return
        if _is_word(before, after):
            if val(before, "token") not in ctx.tokens or self.holders.get(key) is not ctx:
                self.violate("S4", f"{name}: says that it asks, over the claim {val(before, 'token')}")
            return
        if new == "extracting":
            self._claimed(name, key, before, after, ctx, old, now)
            return
        if val(before, "token") not in ctx.tokens or self.holders.get(key) is not ctx:
            self.violate("S4", f"{name}: {old} -> {new} over the claim {val(before, 'token')}")
        if self.sim.shape.engine:
            self.worker_left(name, before, after, ctx)
            self.cost_written(name, key, after, ctx)
        if new == "completed":
            self.check_payload(name, key, after)
        elif new == "error":
            self._worker_failed(name, after, ctx)
        elif ctx.act == "permanent":
            self.violate("S10", f"{name}: refused for good, yet pending again")
        elif ctx.act != "throttle" and val(after, "tries") >= self._most_tries(after):
            self.violate("S10", f"{name}: released with no try left")

    def _parked(self, name: str, key: Any, before: Any, after: Any, ctx: Any) -> None:
        """Its message is let go: only of a row behind the first ones, and only where its provider's gate was shut."""
        if set(_difference(before, after)) - {"parked_at"}:
            self.violate("S5", f"{name}: parked, and with it {_difference(before, after)}")
        if key[1] < HIDDEN_ROWS or not any(val(gate, "state") == "shut" for gate in ctx.seen_gates.values()):
            self.violate("G2", f"{name}: its message is let go, and no gate holds it")
        ctx.parked = True

    def _claimed(self, name: str, key: Any, before: Any, after: Any, ctx: Any, old: str, now: int) -> None:
        if val(after, "token") not in ctx.tokens or val(after, "token") == val(before, "token"):
            self.violate("S4", f"{name}: claimed under a token that is not its own and new: {val(after, 'token')}")
        if old == "pending" and val(before, "not_before") > now + self.skew:
            self.violate("S5", f"{name}: claimed {val(before, 'not_before') - now} ms early")
        if old == "extracting":
            self._not_live(name, key, before, now)
        if val(after, "lease_until") < ctx.deadline + LEASE_SLACK_MS - self.skew:
            self.violate(
                "I3",
                f"{name}: its lease ends {ctx.deadline + LEASE_SLACK_MS - val(after, 'lease_until')} ms before the function's time and slack",
            )
        if ctx.saw_shut or not ctx.read_gate:
            self.violate(
                "G2", f"{name}: claimed {'behind a shut gate' if ctx.saw_shut else 'without a look at the gate'}"
            )
        self.may_start(name, task_of(key[0]), key[1], ctx)
        self.holders[key] = ctx
        ctx.claimed = key

    def _not_live(self, name: str, key: Any, before: Any, now: int) -> None:
        lease = val(before, "lease_until")
        if lease is not None and lease >= now + self.skew:
            self.violate("S4", f"{name}: taken from a lease that has {lease - now} ms to go")
        holder = self.holders.get(key)
        if self.sim.swarm.wild_clocks:
            return
        if holder and not holder.dead and not holder.done and not holder.zombie:
            self.violate("I3", f"{name}: taken from {holder.name}, which is alive")

    def check_payload(self, name: str, key: Any, after: Any) -> None:
        """A completed row points at its own payload, made from the pinned bytes."""
        if self.sim.kind_of(task_of(key[0])).name == EXPORT:
            self.check_file(name, key, after)
            return
        stored = self.sim.dynamo.tables["results"].get(payload_key(after))
        if val(after, "data_key") != "beside" or stored is None:
            self.violate("S9", f"{name}: completed, and its payload is not there")
            return
        if val(stored, "claim") != val(after, "token"):
            self.violate("S9", f"{name}: its payload is of another claim")
        payload = json.loads(zlib.decompress(val(stored, "packed")))
        pinned = self.sim.s3.find(val(after, "pinned_key"), val(after, "pinned_version"))
        if (payload["row"], payload["attempt"]) != (key[1], val(after, "attempt")):
            self.violate(
                "S9",
                f"{name}: its payload is of row {payload['row']} attempt {payload['attempt']}, not {val(after, 'attempt')}",
            )
        if pinned is None or payload["read"] != zlib.crc32(pinned.content):
            self.violate("S9", f"{name}: it was made from other bytes than those pinned")

    def payload_written(self, key: Any, before: Any, after: Any, ctx: Any) -> None:
        """A payload is put once, by the claim that it names; the janitor takes what no row points at."""
        row = self.sim.dynamo.tables["results"].get((task_of(key[0]), key[1] // 1_000_000))
        name = f"payload {key[0]}#{key[1]} by {ctx.name}"
        if after is None:
            deleted = "deleted_at" in self.sim.tasks[task_of(task_of(key[0])),]
            if ctx.function != "janitor" or (not deleted and "data_key" in (row or {}) and payload_key(row) == key):
                self.violate("T6", f"{name}: deleted, and its row points at it")
        elif before is not None or ctx.function != "worker" or val(after, "claim") not in ctx.tokens:
            self.violate("S9", f"{name}: written over {val(before, 'claim')} by {ctx.tokens}")

    def table_shown(self, rows: list[Any]) -> None:
        """Rows as the API shows them: each completed one with what its own last attempt found."""
        for row in rows:
            data = row["extractedData"] or {}
            shown = (data.get("row"), data.get("attempt"))
            if row["status"] == "completed" and shown != (row["row"], row["attempts"]):
                self.violate("S9", f"row {row['resultId']}, attempt {row['attempts']}, is shown with {shown}")

    def _worker_failed(self, name: str, after: Any, ctx: Any) -> None:
        spent = val(after, "tries") >= self._most_tries(after)
        if ctx.act == "throttle":
            self.violate("I8", f"{name}: a throttle ended it ({val(after, 'error_class')})")
        elif ctx.exports and val(after, "error_class") == "task_gone":
            self.table_gone(name, task_of(after["shard"]["S"]))
        elif ctx.act != "permanent" and not spent:
            self.violate(
                "S10", f"{name}: error {val(after, 'error_class')} at try {val(after, 'tries')} after {ctx.act}"
            )

    # ------------------------------------------------------------------ aggregators

    def _aggregator_wrote(self, name: str, key: Any, before: Any, after: Any, ctx: Any, old: str, new: str) -> None:
        now = self.sim.kernel.now
        task = self.sim.tasks.get((task_of(key[0]),))
        if old == "extracting":
            self._not_live(name, key, before, now)
            wish = self.sim.kind_of(task_of(key[0])).on_expiry
            spent = val(before, "tries") >= self._most_tries(before) or wish == "error"
            if (new == "error") != spent:
                self.violate("S10", f"{name}: expired to {new} at try {val(before, 'tries')}")
            elif new == "pending":
                ctx.must_send.add((task_of(key[0]), key[1]))
        elif new == "error":
            self._given_up(name, before, after, task, now)
        elif old == new == "pending" and val(after, "sends") != val(before, "sends"):
            self._sent_again(name, before, after, task, ctx)
        elif new == "cancelled" and val(task, "gate") != "cancelled":
            self.violate("S10", f"{name}: cancelled though nobody asked")

    def _sent_again(self, name: str, before: Any, after: Any, task: Any, ctx: Any) -> None:
        now = self.sim.kernel.now
        if "waiting_since" not in after:
            self.violate("S10", f"{name}: sent again, and its deadline's clock does not run")
        sent = val(before, "sent_at") or 0
        gap, window = now - max(sent, val(before, "updated_at")), self.sim.shape.stall_ms * 2 ** val(before, "sends")
        provider = self.sim.provider_gate(val(task, "task")) if val(task, "provider") else None
        opened = max([*(val(task, "pauses") or [])[1::2], val(provider, "opened_at") or 0])
        called_for = opened >= sent or (val(before, "parked_at") or 0) >= sent or self.sim.queue_was_empty(task, now)
        if val(provider, "state") == "shut":  # one row tries a provider that could be there again
            called_for |= sent < max(val(provider, "shut_until"), now - PROBED_EVERY_MS) + self.skew
        if (
            val(before, "sends") > 1
            and not called_for
            and not ctx.faulted
            and MINUTE + self.skew < gap < min(window, WINDOW_MAX_MS) - MINUTE - self.skew
        ):
            self.violate("C2", f"{name}: sent again after {gap} ms, the window is {window}")

    def _given_up(self, name: str, before: Any, after: Any, task: Any, now: int) -> None:
        starts = [
            start for start in (val(before, "first_claimed_at"), val(before, "waiting_since")) if start is not None
        ]
        start = min(starts, default=now)
        age = now - start - paused_for(val(task, "pauses"), start, now)
        if val(after, "error_class") == "attempts_spent":
            if val(before, "tries") < self._most_tries(before):
                self.violate("S10", f"{name}: attempts_spent at try {val(before, 'tries')}")
        elif age < self.sim.shape.row_deadline_ms - self.skew - 1_000:
            self.violate(
                "S10",
                f"{name}: given up after {age} ms of {self.sim.shape.row_deadline_ms} ({val(after, 'error_class')})",
            )

    # ------------------------------------------------------------------ calls

    def call_started(self, call: Call) -> None:
        """A call to the provider goes out."""
        ctx, now = call.process, self.sim.kernel.now
        row = self.sim.row(*call.row)
        name = f"call for {call.row[0]}#{call.row[1]} by {ctx.name}"
        if not (ctx.zombie or self.sim.swarm.wild_clocks):
            lease = val(row, "lease_until") or 0
            if val(row, "status") != "extracting" or val(row, "token") not in ctx.tokens or lease < now - self.skew:
                self.violate("I3", f"{name}: outside a live lease ({val(row, 'status')}, until {lease - now} ms)")
        before = self.calls.setdefault(call.row, [])
        for other in before:
            if self.sim.swarm.wild_clocks:
                break
            if other.ended is None and not (other.process.dead or other.process.zombie or ctx.zombie):
                self.violate("I3", f"{name}: while {other.process.name} is calling")
        if (
            before
            and call.question is None
            and call.row not in self.sim.vanished  # its first life's payload is in its place
            and not self.sim.swarm.wild_clocks
            and before[-1].outcome in ("ok", "Permanent")
            and not before[-1].process.faulted
            and not before[-1].process.zombie
        ):
            self.violate(
                "C1",
                f"{name}: {before[-1].process.name} had its answer ({before[-1].outcome}) and nothing failed since",
            )
        before.append(call)

    def call_ended(self, call: Call) -> None:
        """Its answer came, or it was cut off."""
        ctx, now = call.process, self.sim.kernel.now
        if (
            call.outcome in ("ok", "Throttled", "Transient", "Permanent")
            and not ctx.faulted
            and now > ctx.deadline - 19_000
        ):
            self.violate(
                "I3",
                f"call for {call.row} by {ctx.name}: it ended {ctx.deadline - now} ms before the function's end, not 20 s",
            )


def _is_word(before: Any, after: Any) -> bool:
    """Whether the row only says that its model is asked, once or once more after a lost reply."""
    return val(before, "status") == "extracting" and set(_difference(before, after)) <= {"step", "step_at"}


def _difference(before: Any, after: Any) -> dict[str, Any]:
    after = after or {}
    return {
        name: (val(before, name), val(after, name)) for name in {*before, *after} if before.get(name) != after.get(name)
    }
