"""Rules of a provider's gate, of the calls made through it, and of the replies that were paid for."""

import json
from typing import Any

from tests.simulation.calls import Call
from tests.simulation.deployed import LONGEST_ASKED_MS, PARKS_MS, PROBED_EVERY_MS
from tests.simulation.items import TERMINAL, val
from tests.simulation.provider import NAME, gate_of

TURN_AHEAD_MS = 10_000
SLOWEST_MS = 4_000
LOOKS_AGAIN_MS = 200_000
WORKS_MS = 180_000
STOPS_BEFORE_MS = 20_000
THROTTLES = {"429", "429 for long", "account", "forbidden", "blocked"}
REFUSES = {"account", "forbidden", "blocked"}
"""Said to an account, or to one paper by what disliked its words."""
ASKED_EVERY_MS = 15_000
LAB_MS = 10 * 60_000
BY_ASKING = {"shut_until", "asked_at", "closures", "parked"}
"""Answers that say nothing of the document, and must cost it nothing."""


class ProviderRules:
    """Mixed into Invariants."""

    sim: Any
    skew: int
    violate: Any
    call_started: Any
    call_ended: Any
    asked_late: Any
    calls: Any

    def prepare_provider(self) -> None:
        self.paid: dict[tuple[Any, str], list[Call]] = {}

    # ------------------------------------------------------------------ the gate

    def provider_written(self, gate: str, before: Any, after: Any, ctx: Any) -> None:
        name, now = f"{gate} by {ctx.name}", self.sim.kernel.now
        if ctx.function == "api":
            self._asked_for(name, before, after)
            return
        if ctx.function != "worker":
            self.violate("I6", f"{name}: written by {ctx.function}")
        if ctx.works_on and gate not in (f"provider/{NAME}", gate_of(ctx.works_on[0])):
            self.violate("P6", f"{name}: told by a row of {ctx.works_on[0]}")
        mine = val(before, "prober") in ctx.tokens
        if val(before, "state") == "shut" and not mine:
            changed = {attribute for attribute in {*before, *after} if before.get(attribute) != after.get(attribute)}
            if changed - {"prober", "probe_until"}:
                self.violate("P3", f"{name}: shut, and {sorted(changed)} changed by one who does not probe it")
        if val(after, "prober") != val(before, "prober") and "prober" in after:
            self._probe_began(name, before, after, ctx, now)
        if (val(before, "state") != "shut" and val(after, "state") == "shut") or val(before, "shut_until") != val(
            after, "shut_until"
        ):
            self._shut(name, after, ctx, now)
        if val(before, "state") == "shut" and val(after, "state") == "open":
            self._reopened(name, before, after, now)
        if val(before, "next_at") != val(after, "next_at"):
            self._turn(name, before, after, ctx, now)

    def _asked_for(self, name: str, before: Any, after: Any) -> None:
        """Somebody asked that the provider be tried: nothing else comes of it, and not too often."""
        changed = {attribute for attribute in {*before, *after} if before.get(attribute) != after.get(attribute)}
        if changed - BY_ASKING or val(before, "state") != "shut" or "prober" in before:
            self.violate("P7", f"{name}: {sorted(changed)} changed of a gate that was {val(before, 'state')}")
        gap = val(after, "asked_at") - (val(before, "asked_at") or 0)
        if gap < ASKED_EVERY_MS:
            self.violate("P7", f"{name}: asked again after {gap} ms")
        if val(after, "closures") > val(before, "closures") - 1:
            self.violate("P7", f"{name}: asked, and a probe in vain makes the wait longer")

    def _probe_began(self, name: str, before: Any, after: Any, ctx: Any, now: int) -> None:
        if val(after, "prober") not in ctx.tokens or val(before, "state") != "shut":
            self.violate("P2", f"{name}: a probe of an open gate, or another's")
        if (val(before, "shut_until") or 0) > now + self.skew:
            self.violate("P2", f"{name}: probed {val(before, 'shut_until') - now} ms early")
        if "prober" in before and val(before, "probe_until") >= now + self.skew:
            self.violate(
                "P2", f"{name}: probed while {val(before, 'prober')} does, for {val(before, 'probe_until') - now} ms"
            )

    def _shut(self, name: str, after: Any, ctx: Any, now: int) -> None:
        if val(after, "state") != "shut":
            return
        ctx.shut_it = True
        if ctx.zombie:
            return  # it writes what was true long ago
        wait = val(after, "shut_until") - now
        if not ctx.faulted and wait < min(ctx.asked_ms, LONGEST_ASKED_MS) - self.skew - 1_000:
            self.violate("P3", f"{name}: shut for {wait} ms, though {ctx.asked_ms} were asked for")
        if wait > LONGEST_ASKED_MS + self.skew:
            self.violate("P3", f"{name}: shut for {wait} ms")
        if wait > PARKS_MS + self.skew and "parked" not in after:
            self.violate("P4", f"{name}: messages are let go, and it is not written down")

    def _reopened(self, name: str, before: Any, after: Any, now: int) -> None:
        if "parked" in before and (val(after, "opened_at") or 0) < now - self.skew - 60_000:
            self.violate("P4", f"{name}: open again, and those that were let go will not be sent again")

    def _turn(self, name: str, before: Any, after: Any, ctx: Any, now: int) -> None:
        """The pace is an instant that moves by at least one interval a call, and never far ahead."""
        of_all = name.startswith(f"provider/{NAME} ")
        base = 60_000 // self.sim.shape.calls_per_minute if of_all else 1
        was, after_it = val(before, "next_at") or 0, val(after, "next_at")
        if after_it - was < base:
            self.violate("P5", f"{name}: two turns {after_it - was} ms apart, the pace is {base}")
        if after_it - now > TURN_AHEAD_MS + max(SLOWEST_MS, base) + self.skew:
            self.violate("P5", f"{name}: the next turn is {after_it - now} ms ahead")
        if of_all:
            ctx.turn, ctx.turns = max(was, now + ctx.skew), ctx.turns + 1

    # ------------------------------------------------------------------ calls

    def asked(self, call: Call) -> None:
        """A request goes out to the provider."""
        self.call_started(call)
        self.asked_late(call)
        ctx, now = call.process, self.sim.kernel.now
        name = f"call for {call.row[0]}#{call.row[1]} by {ctx.name}"
        gate = self.sim.provider_gate(call.row[0])
        probes = "prober" in (gate or {}) and val(gate, "prober") in ctx.tokens
        saw = ctx.seen_gates.get(val(gate, "gate"))
        if (
            val(gate, "state") == "shut"
            and not probes
            and val(saw, "state") == "shut"
            and val(saw, "since") == val(gate, "since")
            and not ctx.zombie
        ):
            self.violate("P2", f"{name}: through a gate that it saw shut, and it is not the one who probes")
        if self.sim.shape.calls_per_minute and not probes and not ctx.was_answered_as_prober:
            self._in_turn(name, ctx, now)
        ctx.was_answered_as_prober = probes
        self._paid_before(name, call)

    def _in_turn(self, name: str, ctx: Any, now: int) -> None:
        if ctx.turns < 1:
            self.violate("P5", f"{name}: without a turn")
        elif now + ctx.skew < ctx.turn - 5:
            self.violate("P5", f"{name}: {ctx.turn - now - ctx.skew} ms before its turn")
        ctx.turns -= 1

    def _paid_before(self, name: str, call: Call) -> None:
        """What is kept is not asked for again; what was paid is kept before anything follows from it."""
        ctx = call.process
        self.replies_are_kept(name, ctx)
        if call.question is None:
            self.violate("S12", f"{name}: it did not look for a reply that there may be")
            return
        if ctx.found_mine:
            self.violate("S12", f"{name}: its reply {call.question} is kept, and it asks again")
        paid = self.paid.setdefault((call.row, call.question), [])
        last = paid[-1] if paid else None
        failed = last and (last.process.faulted or last.process.zombie or last.process.dead)
        if last and not (failed or self.sim.swarm.wild_clocks):
            self.violate("C1", f"{name}: {last.process.name} had paid for it, and nothing failed since")

    def told(self, call: Call) -> None:
        """Its answer came, or it was cut off."""
        self.call_ended(call)
        call.process.last_answer = call.outcome
        if call.paid and call.question is not None:
            self.paid.setdefault((call.row, call.question), []).append(call)
            call.process.paid_for.append(call.question)

    def replies_are_kept(self, name: str, ctx: Any) -> None:
        """Before a row says what came of it, and before the next question."""
        lost = [key for key in ctx.paid_for if not (self.sim.s3.find(key) or self.sim.s3.find(_for_all(key)))]
        if lost and not (ctx.faulted or ctx.zombie):
            self.violate("S12", f"{name}: paid for {lost}, and not kept")

    def looked_for_reply(self, ctx: Any, key: str) -> None:
        """A worker asks storage for an earlier reply."""
        kept = self.sim.s3.find(key)
        told = json.loads(kept.content) if kept and kept.content else {}
        ctx.looked_for = key
        ctx.found_mine = (told.get("task"), told.get("row")) == ctx.works_on

    def worker_left(self, name: str, before: Any, after: Any, ctx: Any) -> None:
        """A worker wrote what came of its row: nothing of the provider's trouble may be on it."""
        self.replies_are_kept(name, ctx)
        task = after["shard"]["S"].rpartition("/")[0]
        gate = self.sim.provider_gate(task)
        if val(after, "error_class") == "request_refused" and ctx.last_answer in REFUSES:
            self._told_apart(name, (task, val(after, "row")), ctx)
            return
        in_time = self.sim.kernel.now < ctx.deadline - STOPS_BEFORE_MS
        shut_by_it = ctx.shut_it and val(gate, "state") == "shut" and in_time
        refused = in_time and ctx.last_answer in THROTTLES
        if (
            (shut_by_it or refused)
            and val(after, "tries") >= val(before, "tries")
            and val(after, "status") != "completed"
        ):
            self.violate(
                "P1",
                f"{name}: a try used after {ctx.last_answer}, {'behind a gate that it shut' if shut_by_it else 'at once'}",
            )

    def _told_apart(self, name: str, row: Any, ctx: Any) -> None:
        """A paper that is refused as accounts are: it was so before, and another of its project was answered since."""
        project = row[0].partition("/")[0]
        refused = [call.ended for call in self.calls.get(row, ()) if call.outcome in REFUSES]
        others = [
            call for of, calls in self.calls.items() if of != row and of[0].startswith(f"{project}/") for call in calls
        ]
        # An answer is told a little after it came.
        since = min(refused) - 60_000 - self.skew
        answered = any(call.metered and (call.ended or 0) > since for call in others)
        if not (ctx.faulted or ctx.zombie) and (len(refused) < 2 or not answered):
            self.violate("P6", f"{name}: ended after {len(refused)} refusals, and no other of {project} was answered")

    # ------------------------------------------------------------------ in time

    def poison_keeps_nobody_waiting(self, now: int) -> None:
        """Where nothing but the second project's papers is wrong, the first is done in time."""
        for (task,), item in self.sim.task_items():
            late = val(item, "status") == "processing" and val(item, "created_at") < now - LAB_MS - self.skew
            if late and task.startswith("p1/"):
                self.violate("L8", f"{task}: open for {now - val(item, 'created_at')} ms behind another's papers")

    def provider_waits(self, now: int) -> None:
        """A provider that could be there again is tried, as long as a row waits for it."""
        bound = PROBED_EVERY_MS + LOOKS_AGAIN_MS + WORKS_MS + self.skew
        for (task,), item in self.sim.task_items():
            gate = self.sim.provider_gate(task)
            if val(gate, "state") != "shut":
                continue
            over = max(val(gate, "shut_until"), val(gate, "probe_until") or 0, self.sim.quiet_since)
            if val(item, "provider") is None or val(item, "gate") != "open" or "dispatch_until" in item:
                continue
            for row in self.sim.rows_of(task):
                ready = max(over, val(row, "not_before"), val(row, "updated_at"))
                if val(row, "status") == "pending" and ready < now - bound and not self._message_hidden(row):
                    self.violate(
                        "P4", f"row {task}#{val(row, 'row')}: nobody has tried the provider for {now - ready} ms"
                    )

    def _message_hidden(self, row: Any) -> bool:
        return bool(self.sim.under_way(row))

    def behind_provider(self, task: Any, since: int) -> bool:
        """Whether its provider's gate is shut, or was so recently that nobody can have noticed that it is not."""
        gate = self.sim.provider_gate(val(task, "task")) if val(task, "provider") else None
        return val(gate, "state") == "shut" or (val(gate, "reopened_at") or 0) >= since

    def nothing_lost_to_the_provider(self, row: Any) -> None:
        """L7, where all that the provider did was to refuse."""
        if val(row, "status") in TERMINAL - {"completed", "cancelled"} and val(row, "error_class") not in (
            "deadline",
            "not_ready",
        ):
            self.violate("L7", f"{row['shard']['S']}#{val(row, 'row')} ended as {val(row, 'error_class')}")


def _for_all(key: str) -> str:
    """Where a reply lies that can be used, of the place of one that cannot."""
    return f"{key.rpartition('/')[0]}/usable.json"
