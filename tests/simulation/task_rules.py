"""Rules of tasks, gates and the sweeper's lease, and of who may call what."""

import json
import re
import zlib
from typing import Any

from sheaf.aggregator.sweep_loop import INDEX_LAGS_MS
from sheaf.aggregator.sweeper_lease import slot
from sheaf.protocol import manifest
from tests.simulation.deployed import EXPORT
from tests.simulation.faults import HOUR
from tests.simulation.items import CLOSED, TERMINAL, counts, is_payload, parsed, sealed_shards, unsent, val

AFTER_CLOSE = {"active", "notified_at", "deleted_at", "deleted_by", "project", "gate", "retried_by"}
WORKER_CALLS = {
    ("dynamodb", "update_item"), ("dynamodb", "put_item"), ("dynamodb", "batch_get_item"), ("dynamodb", "get_item"), ("s3", "get_object"), ("s3", "put_object"),
    ("sqs", "change_message_visibility"),
}  # fmt: skip


class TaskRules:
    """Mixed into Invariants."""

    sim: Any
    skew: int
    violate: Any
    intake_may: Any
    provider_written: Any
    budget_written: Any
    retry_budget: Any
    limit_written: Any
    sent_too_soon: Any
    export_may: Any
    export_opened: Any
    notice_may: Any
    told_of: Any
    gathering_opened: Any
    gathering_written: Any
    part_written: Any

    def prepare_tasks(self) -> None:
        self.gate_at: dict[str, int] = {}
        self.dispatched_at: dict[str, int] = {}
        """When it was last written who scatters."""
        self.sends: dict[tuple[str, int], list[tuple[int, Any]]] = {}

    # ------------------------------------------------------------------ who may do what

    def may_call(self, ctx: Any, service: str, operation: str, arguments: dict[str, Any]) -> None:
        """I6 is IAM's to enforce; here it is seen."""
        if ctx.function == "worker":
            tables = set(arguments.get("RequestItems") or [arguments.get("TableName", "-")])
            whole = "tasks" in tables and arguments.get("ProjectionExpression") != "task, gate, front"
            if ctx.exports and self.export_may(ctx, operation, arguments, tables):
                pass
            elif (
                (service, operation) not in WORKER_CALLS
                or "library" in tables
                or whole
                or (operation == "put_item" and not is_payload(arguments["Item"]["shard"]["S"]))
                or (operation == "update_item" and "results" not in tables and not _of_provider(arguments))
            ):
                self.violate("I6", f"{ctx.name} calls {service}.{operation} on {sorted(tables)}")
        elif ctx.function == "intake":
            self.intake_may(ctx, service, operation, arguments)
        elif ctx.function == "notice":
            self.notice_may(ctx, service, operation, arguments)
        elif ctx.function == "aggregator" and operation == "put_object":
            self.part_written(ctx.name, arguments["Key"], arguments["Body"])
        elif ctx.function == "api":
            claims = ctx.event["requestContext"]["authorizer"]["jwt"]["claims"]
            touched = {f"[{project}]" for project in re.findall(r"\b(p[12])/", str(arguments))}
            if touched - {claims["cognito:groups"]}:
                self.violate(
                    "S11", f"{ctx.name} for {claims['cognito:groups']} calls {service}.{operation} for {touched}"
                )
        if operation == "get_item" and arguments["TableName"] == "tasks":
            ctx.looked[arguments["Key"]["task"]["S"]] = self.sim.kernel.now

    # ------------------------------------------------------------------ tasks

    def task_written(self, task: str, before: Any, after: Any, ctx: Any) -> None:
        name = f"task {task} by {ctx.name}"
        if ctx.function not in ("api", "aggregator") or (ctx.function == "aggregator" and before is None):
            self.violate("I6", f"{name}: written by {ctx.function}")
        if val(before, "gate") != val(after, "gate"):
            self._turned(name, task, before, after)
        if val(before, "dispatch_until") != val(after, "dispatch_until"):
            self.dispatched_at[task] = self.sim.kernel.now
        if before is None:
            self._opened(name, after, ctx)
            return
        changed = {attribute for attribute in {*before, *after} if before.get(attribute) != after.get(attribute)}
        if val(before, "status") == "gathering":
            self.gathering_written(name, task, before, after, ctx)
            return
        if val(before, "status") in CLOSED:
            self._after_close(name, task, before, after, changed)
            return
        if "total" in changed:
            self.violate("I4", f"{name}: {sorted(changed)} changed")
        self._counted(name, task, after)
        self.budget_written(name, task, before, after, ctx)
        self.limit_written(name, task, before, after)
        if "counted_at" in changed and not ctx.faulted and not self.sim.swarm.stale_ms:
            self.pass_done(name, after, ctx)
        if val(after, "status") in CLOSED:
            self._closed(name, task, after, ctx)
            self.sim.users.closed(task)
            self.sim.exporters.closed(task)
        elif changed & {"unsent", "dispatch_until"}:
            self._scattered(name, task, before, after)

    def _after_close(self, name: str, task: str, before: Any, after: Any, changed: set[str]) -> None:
        if changed - AFTER_CLOSE:
            self.violate("I4", f"{name}: closed, and then {sorted(changed)} changed")
        if "active" in changed and not self.told_of(task):
            self.violate("T5", f"{name}: out of the index, and nobody was told")
        if "retried_by" in changed:
            self._has_child(name, task, before, after)

    def _turned(self, name: str, task: str, before: Any, after: Any) -> None:
        self.gate_at[task] = self.sim.kernel.now
        if val(before, "gate") == "cancelled":
            self.violate("G1", f"{name}: cancelled, and then {val(after, 'gate')}")

    def _has_child(self, name: str, task: str, before: Any, after: Any) -> None:
        """A closed parent names its only child, in the write that makes the child."""
        newest = val(after, "retried_by")
        child = self.sim.dynamo.tables["tasks"].get((newest,))
        if "retried_by" in before or child is None or val(child, "retry_of") != task:
            self.violate("F1", f"{name}: {task} -> {newest}, which retries {val(child, 'retry_of')}")

    def _retried(self, name: str, after: Any, ctx: Any) -> None:
        parent = self.sim.tasks[val(after, "retry_of"),]
        self.retry_budget(name, parent, after, ctx)
        if val(parent, "status") not in CLOSED or val(after, "total") != val(parent, "error") + val(
            parent, "cancelled"
        ):
            self.violate(
                "F1", f"{name}: {val(after, 'total')} rows retried of {counts(parent)}, {val(parent, 'status')}"
            )
        siblings = [key for (key,), task in self.sim.task_items() if val(task, "retry_of") == val(after, "retry_of")]
        if len(siblings) > 1:
            self.violate("F1", f"{name}: {siblings} retry the same task")

    def _opened(self, name: str, after: Any, ctx: Any) -> None:
        ctx.opened, ctx.holds_until = val(after, "task"), val(after, "dispatch_until")
        if "retry_of" in after:
            self._retried(name, after, ctx)
        if val(after, "kind") == EXPORT:
            self.export_opened(name, after, ctx)
        if val(after, "status") == "gathering":
            self.gathering_opened(name, after)
            return
        parts = manifest.parts(0, val(after, "total"))
        stored = [self.sim.s3.find(manifest.key(val(after, "manifest_key"), part)) for part in parts]
        if any(part is None or part.content is None for part in stored):
            self.violate("T1", f"{name}: opened without its manifest")
        elif sum(len(json.loads(zlib.decompress(part.content))) for part in stored) != val(after, "total"):
            self.violate("T1", f"{name}: its total is not the manifest's")
        if unsent(after) != {*parts}:
            self.violate("T3", f"{name}: opened with {unsent(after)} unsent of {parts}")
        if val(after, "dispatch_until") is None or val(after, "active") is None or val(after, "status") != "processing":
            self.violate("T3", f"{name}: opened as if it were scattered, closed or hidden")

    def _counted(self, name: str, task: str, after: Any) -> None:
        shown = counts(after)
        rows = self.sim.rows_of(task)
        real = {status: sum(val(row, "status") == status for row in rows) for status in TERMINAL}
        if min(shown.values()) < 0 or sum(shown.values()) > val(after, "total"):
            self.violate("I1", f"{name}: {shown} of {val(after, 'total')}")
        if any(shown[status] > real[status] for status in TERMINAL):
            self.violate("I1", f"{name}: shows {shown}, there are {real}")
        there = [row for row in rows if int(row["shard"]["S"][-4:]) in sealed_shards(after)]
        for shard in sealed_shards(after):
            ended = [val(row, "status") for row in there if int(row["shard"]["S"][-4:]) == shard]
            size = min(val(after, "shard_rows"), val(after, "total") - shard * val(after, "shard_rows"))
            if len(ended) != size or any(status not in TERMINAL for status in ended):
                self.violate("T4", f"{name}: shard {shard} of {size} sealed with {ended}")
        told = (parsed(after, "sealed") or {"sum": [0, 0, 0]})["sum"]
        states = [val(row, "status") for row in there]
        if told[:3] != [states.count(status) for status in ("completed", "error", "cancelled")]:
            self.violate("I1", f"{name}: sealed as {told} with {states}")
        elif told[3:] and told[3:] != self._paid_for(there):
            self.violate("I1", f"{name}: sealed as {told}, its rows cost {self._paid_for(there)}")

    def _paid_for(self, rows: Any) -> list[int]:
        """What these rows cost, and their tokens."""
        return [sum(val(row, name) or 0 for row in rows) for name in ("cost", "tokens")]

    def _closed(self, name: str, task: str, after: Any, ctx: Any) -> None:
        rows = self.sim.rows_of(task)
        real = {status: sum(val(row, "status") == status for row in rows) for status in TERMINAL}
        if ctx.function != "aggregator" or len(rows) != val(after, "total") or sum(real.values()) != len(rows):
            self.violate("I4", f"{name}: closed with {[val(row, 'status') for row in rows]} of {val(after, 'total')}")
        if counts(after) != {"extracting": 0, **real} or val(after, "completed_at") is None:
            self.violate("I4", f"{name}: closed with counts {counts(after)}, rows {real}")
        if "dispatch_until" in after:
            self.violate("I4", f"{name}: closed while it still says that someone scatters")
        if "active" not in after and not self.told_of(task):
            self.violate("T5", f"{name}: out of the index as it closes, and nobody was told")
        if val(after, "status") != ("cancelled" if real["cancelled"] else "completed"):
            self.violate("I4", f"{name}: closed as {val(after, 'status')} with {real}")

    def _scattered(self, name: str, task: str, before: Any, after: Any) -> None:
        """All rows of a part that is not unsent any more, or all of them once it is said, are there and were sent."""
        held, now = val(before, "dispatch_until") or 0, self.sim.kernel.now
        if (val(after, "dispatch_until") or 0) > held > now + self.skew:
            self.violate("N1", f"{name}: takes the scatter from one who has {held - now} ms")
        said = unsent(before) - unsent(after)
        if "dispatch_until" in before and "dispatch_until" not in after:
            said = {*manifest.parts(0, val(after, "total"))}
            if unsent(after):
                self.violate("T3", f"{name}: says scattered, {unsent(after)} are unsent")
        for number in range(val(after, "total")):
            if number // manifest.PART not in said or (task, number) in self.sim.vanished:
                continue
            row = self.sim.row(task, number)
            # Where there is a limit the sweep sends each row when its turn comes.
            needs_none = (
                val(after, "gate") == "cancelled"
                or "front" in after
                or (val(row, "status") in TERMINAL and not val(row, "attempt"))
            )
            if row is None or (not needs_none and (task, number) not in self.sends):
                self.violate("T3", f"{name}: says {said} sent, row {number} is {'unsent' if row else 'missing'}")
                return

    # ------------------------------------------------------------------ messages

    def sent(self, body: str, ctx: Any) -> None:
        """One message was taken by the queue."""
        content = json.loads(body)
        task, number = content["s"].rpartition("/")[0], content["r"]
        if ctx.function not in ("api", "aggregator"):
            self.violate("I6", f"{ctx.name} sends a message")
        deleted = self.sim.gone(task)
        if self.sim.row(task, number) is None and (task, number) not in self.sim.vanished and not deleted:
            self.violate("T2", f"{ctx.name} sends a message for row {task}#{number}, which is not there")
        ctx.must_send.discard((task, number))
        self.sent_too_soon(task, number, ctx)
        times = self.sends.setdefault((task, number), [])
        times.append((self.sim.kernel.now, ctx))
        if not ctx.faulted:
            recent = [at for at, by in times[-12:] if not by.faulted and at > self.sim.kernel.now - 50_000]
            if len(recent) > 7 + self.sim.swarm.stale_ms // 400:
                self.violate("C2", f"row {task}#{number}: {len(recent)} messages within 50 s")

    # ------------------------------------------------------------------ gates

    def gate_written(self, gate: str, before: Any, after: Any, ctx: Any) -> None:
        if gate.startswith("sweeper/"):
            self._sweeper(gate, before, after, ctx)
        elif gate.startswith("provider/"):
            self.provider_written(gate, before, after, ctx)

    def _sweeper(self, gate: str, before: Any, after: Any, ctx: Any) -> None:
        holder, now = val(before, "holder"), self.sim.kernel.now
        if val(after, "holder") in ctx.tokens:
            ctx.sweeps = gate
        if val(after, "holder") != holder and holder is not None:
            if "holder" in after and (val(before, "lease_until") or 0) > now + self.skew:
                self.violate(
                    "N1",
                    f"{ctx.name} takes the sweeper's lease from {holder}, which has {val(before, 'lease_until') - now} ms",
                )
            if "holder" not in after and holder not in ctx.tokens:
                self.violate("N1", f"{ctx.name} gives up the lease of {holder}")
            if "holder" not in after and "wanted" in before and now < val(before, "ends_at") - self.skew:
                self.violate("N1", f"{ctx.name} leaves while {val(before, 'wanted')} are wanted")
            if "holder" not in after and not ctx.faulted:
                self._owes_nothing(gate, before, ctx)
        for left in set(val(after, "wanted") or ()) - set(val(before, "wanted") or ()):
            ctx.owed.pop(left, None)
        taken = set(val(before, "wanted") or ()) - set(val(after, "wanted") or ())
        if taken and holder not in ctx.tokens:
            self.violate("N1", f"{ctx.name} empties what {holder} was told")
        ctx.owed |= dict.fromkeys(taken, now)

    def _owes_nothing(self, gate: str, lease: Any, ctx: Any) -> None:
        """Of each slot that it was told it has read the tasks that the index can have shown; out of time, the next one does."""
        if (
            self.sim.swarm.index_lag_ms > INDEX_LAGS_MS - 1_000
            or val(lease, "ends_at") <= self.sim.kernel.now + self.skew
        ):
            return
        for (task,), item in self.sim.task_items():
            told = ctx.owed.get(slot(task))
            if told is None or f"sweeper/{val(item, 'active')}" != gate or self.sim.frozen_since(told - HOUR):
                continue
            if max(told, val(item, "created_at")) > ctx.looked.get(task, 0) and val(item, "created_at") < told:
                self.violate("N2", f"{ctx.name} leaves without having read {task}")


def _of_provider(arguments: dict[str, Any]) -> bool:
    """A worker tells its provider's gate how the provider fares."""
    key = arguments["Key"].get("gate")
    return key is not None and val(arguments["Key"], "gate").startswith("provider/")
