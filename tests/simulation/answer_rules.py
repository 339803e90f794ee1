"""Rules of what handlers answer: batches to the mapping, pages to users, exceptions to nobody."""

import json
from typing import Any

from tests.simulation.items import TERMINAL, task_of, val


class AnswerRules:
    """Mixed into Invariants."""

    sim: Any
    skew: int
    violate: Any
    looked_for_reply: Any
    behind_front: Any
    upload_answered: Any

    def replied(self, ctx: Any, operation: str, arguments: dict[str, Any], reply: Any, refusal: str | None) -> None:
        """What one call told the process: whether the gate was shut, whether its claim was no longer the row's."""
        if ctx.function != "worker":
            return
        if operation == "get_item" and reply is not None and "ProjectionExpression" in arguments:
            ctx.read_gate = True
            ctx.saw_shut |= "Item" in reply and val(reply["Item"], "gate") != "open"
            ctx.front, ctx.looked_at_gate = val(reply.get("Item"), "front"), self.sim.kernel.now
        elif operation == "batch_get_item" and reply:
            ctx.read_gate = not reply.get("UnprocessedKeys")
            ctx.seen_gates |= {val(gate, "gate"): gate for gate in reply["Responses"].get("gates", [])}
        elif operation == "get_object" and arguments["Key"].startswith("replies/"):
            self.looked_for_reply(ctx, arguments["Key"])
        ctx.tried_to_claim |= operation == "update_item" and arguments["TableName"] == "results"
        if operation == "update_item" and refusal == "ConditionalCheckFailedException":
            ctx.lost_lease = True
            ctx.refused_at = self.sim.kernel.now

    def answered(self, ctx: Any, queue: Any, records: list[Any], failed: set[str]) -> None:
        """A handler ended well and named the messages that stay."""
        if failed - {record["messageId"] for record in records}:
            self.violate("S13", f"{ctx.name} names messages that it was not given: {failed}")
        for record in records:
            kept = record["messageId"] in failed
            content = json.loads(record["body"])
            if ctx.function == "notice":
                continue
            if ctx.function == "intake":
                self.upload_answered(ctx, record, kept)
                continue
            row = self.sim.row(content["s"].rpartition("/")[0], content["r"])
            if val(row, "status") == "extracting" and val(row, "token") in ctx.tokens and not ctx.errors:
                self.violate("S13", f"{ctx.name} leaves {record['body']} extracting under its own claim")
            (self._kept if kept else self._dropped)(ctx, queue, record, row)

    def ended(self, ctx: Any, outcome: str) -> None:
        """A process ended; nothing that it began may be left undone unless something failed."""
        unsent = sorted(
            row for row in ctx.must_send if not self.behind_front(self.sim.tasks[row[0],], self.sim.row(*row))
        )
        if outcome == "ok" and unsent and not ctx.faulted:
            self.violate("E1", f"{ctx.name} expired {unsent} and sent nothing")

    def _dropped(self, ctx: Any, _queue: Any, record: Any, row: Any) -> None:
        status = val(row, "status")
        if row is None or status in TERMINAL or ctx.saw_shut or self._let_go(ctx):
            return
        if ctx.front is not None and val(row, "row") >= ctx.front:
            return
        if val(row, "tries") >= self.sim.kind_of(task_of(row["shard"]["S"])).max_tries:
            return
        if ctx.lost_lease and ctx.act is not None:
            return  # its finishing write was refused: the row went on without it
        self.violate("S13", f"{ctx.name} acknowledges {record['body']} though its row is {status}")

    def _let_go(self, ctx: Any) -> bool:
        """Behind a provider's long closure, when it looked or by now: the sweep sends such rows again."""
        seen = [*ctx.seen_gates.values(), *self._gates_now(ctx)]
        return (
            any(val(gate, "state") == "shut" and "parked" in gate for gate in seen if "shut_until" in gate)
            or ctx.parked
        )

    def _kept(self, ctx: Any, queue: Any, record: Any, row: Any) -> None:
        if ctx.faulted or ctx.zombie:
            return
        if not ctx.tried_to_claim and ctx.works_on is None and max(self._provider_waits_until(ctx, 0)) > 0:
            return  # it waits for its provider, and has not looked at the row
        if row is None or (val(row, "status") in TERMINAL and val(row, "updated_at") < ctx.started - self.skew - 1_000):
            self.violate("S13", f"{ctx.name} keeps {record['body']} though its row is {val(row, 'status')}")
            return
        message, now = queue.messages.get(record["messageId"]), self.sim.kernel.now
        if message is None or message.receipts[-1] != record["receiptHandle"]:
            return
        status, token = val(row, "status"), val(row, "token")
        due = (
            val(row, "not_before")
            if status == "pending"
            else val(row, "lease_until")
            if status == "extracting" and token not in ctx.tokens
            else None
        )
        if (
            due is None
            or due - now < 1_000
            or (ctx.refused_at and val(row, "updated_at") > ctx.refused_at - self.skew - 1_000)
        ):
            return  # or the row moved on after it had been looked at
        tolerance = self.skew + 5_000
        if message.visible_at < min(due, now + 11 * 3_600_000) - tolerance:
            self.violate(
                "S13",
                f"{ctx.name} hides {record['body']} for {message.visible_at - now} ms; its row ({status}) is not due for {due - now} ms",
            )
        due = max(due, *self._provider_waits_until(ctx, now))
        if message.visible_at > due + tolerance + self.sim.shape.visibility_slack_ms:
            self.violate(
                "S13",
                f"{ctx.name} hides {record['body']} for {message.visible_at - now} ms; its row ({status}) is due in {due - now} ms",
            )

    def _provider_waits_until(self, ctx: Any, now: int) -> list[int]:
        """Until when its provider's gate, as it saw it or as it is, lets nobody in."""
        gates = [gate for name, gate in ctx.seen_gates.items() if name.startswith("provider/")]
        gates += self._gates_now(ctx)
        instants = [val(gate, name) or 0 for gate in gates for name in ("shut_until", "next_at")]
        return [0, *instants, now + 30_000 if gates else 0]

    def _gates_now(self, ctx: Any) -> list[Any]:
        """The gates of its provider that it has read, as they are."""
        return [
            gate for name in ctx.seen_gates if name.startswith("provider/") and (gate := self.sim.gates.get((name,)))
        ]

    # ------------------------------------------------------------------ users

    def shown(self, user: Any, body: dict[str, Any]) -> None:
        """One task as the API shows it."""
        names = ("pendingCount", "extractingCount", "completedCount", "errorCount", "cancelledCount")
        numbers = [body[name] for name in names]
        name = f"GET {body['taskId']}"
        if body["totalCount"] is None:
            if (
                any(numbers)
                or body["percent"] is not None
                or body["status"] not in {"gathering", "cancelled", "failed"}
            ):
                self.violate("I7", f"{name}: {numbers} of nothing, {body['percent']} %, {body['status']}")
            return
        closed = body["status"] in ("completed", "cancelled")
        ended = sum(numbers[2:])
        if (
            min(numbers) < 0
            or sum(numbers) != body["totalCount"]
            or body["totalCount"] != user.totals.setdefault(body["taskId"], body["totalCount"])
        ):
            self.violate("I7", f"{name}: {numbers} of {body['totalCount']}")
        if body["percent"] != (100 if closed else min(99, ended * 100 // body["totalCount"])):
            self.violate("I7", f"{name}: {body['percent']} % at {ended} of {body['totalCount']}, {body['status']}")
        if not body["asOf"] or (closed and ended != body["totalCount"]):
            self.violate("I7", f"{name}: closed with {numbers}, as of {body['asOf']}")

    def pried(self, project: str, task: str, status: int | None) -> None:
        """An answer to somebody of another project."""
        if status is not None and status < 500 and status != 404:
            self.violate("S11", f"{project} asks for {task} of another project: {status}")

    def accepted(self, user: Any, key: str | None, body_hash: str, status: int, task: str | None) -> None:
        """An answer to a request that may open a task."""
        if key is None or status not in (200, 202):
            return
        before = user.by_key.setdefault(key, (body_hash, task))
        if before != (body_hash, task):
            self.violate("S1", f"key {key}: {before} and then {(body_hash, task)}")

    def retried(self, user: Any, key: str, before: Any, body: str, status: int | None, answer: Any) -> None:
        """An answer to a retry; `before` is what the same retry had been answered when this one was sent."""
        if status in (200, 202):
            self.accepted(user, key, body, status, answer["taskId"])
        elif status == 409 and before and before[0] == body and not self._gone(key, before[1]):
            self.violate("S1", f"{key}: refused with {answer.get('type')}, though it had made {before[1]}")

    def _gone(self, key: str, child: str) -> bool:
        return any(
            "deleted_at" in task for (name,), task in self.sim.task_items() if name in key or name.endswith(child)
        )

    def raised(self, ctx: Any, error: Exception, meant: bool) -> None:
        """A handler raised."""
        if not meant:
            self.violate("X1", f"{ctx.name} raised {type(error).__name__}: {error}")

    def logged(self, line: str) -> None:
        """A log line was written."""
        if "canary" in line:
            self.violate("S14", line)
