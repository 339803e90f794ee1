"""One seed's world: AWS's model, the real handlers in sandboxes, users, faults, and the rules that watch.

Until `quiet_at` things go wrong; from then on nothing does, and everything that was opened has to close in time.
"""

import copy
import json
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from botocore.exceptions import ClientError

from sheaf.apart.reader_errors import ReaderBroken
from sheaf.errors import Unavailable
from tests.simulation.deciders import Deciders
from tests.simulation.deployed import Deployed
from tests.simulation.ending import Ending
from tests.simulation.exporters import Exporters
from tests.simulation.faults import HOUR, MINUTE, Fault, Faults
from tests.simulation.invariants import Invariants
from tests.simulation.items import CLOSED, TERMINAL, sealed_shards, val
from tests.simulation.kernel import T0, Kernel
from tests.simulation.librarians import Librarians, notice
from tests.simulation.limiters import Limiters
from tests.simulation.liveness_rules import LOOKS_AGAIN_MS
from tests.simulation.notice_rules import Receiver
from tests.simulation.provider import Provider
from tests.simulation.queues import Message, Queue
from tests.simulation.sandbox import Sandbox
from tests.simulation.shape import Shape, draw_exports, draw_shape
from tests.simulation.spenders import Spenders
from tests.simulation.swarm import MIXES, Swarm, draw_swarm, draw_world_faults
from tests.simulation.telling import brief, broken
from tests.simulation.users import Users
from tests.simulation.work import PlannedDefect

DEFECT = 500
CHECK_EVERY_MS = 30_000
AT_MOST_MS = 10 * HOUR
DRAIN_MS = 2 * HOUR + 30 * MINUTE


class Simulation(Deployed, Ending):
    """Everything of one run. The same seed and the same faults give the same run."""

    def __init__(
        self,
        seed: int,
        *,
        mix: str | None = None,
        swarm: Swarm | None = None,
        shape: Shape | None = None,
        replay: list[Fault] | None = None,
        trace: bool = False,
    ) -> None:
        self.seed = seed
        lots = random.Random(seed)
        self.mix = mix
        """The mix that was asked for; without one the seed draws it."""
        self.swarm = swarm or draw_swarm(lots, mix)
        self.shape = shape or draw_shape(lots, MIXES[self.swarm.mix][2])
        self.rng = random.Random(seed)
        if replay is not None:
            self.world_faults = [fault for fault in replay if fault.process == "world"]
        else:
            self.world_faults = draw_world_faults(lots, self.shape.quiet_ms, engine=self.shape.engine)
        if shape is None:
            self.shape = draw_exports(lots, self.shape)
        self.drawn = copy.deepcopy(self.swarm), self.shape
        """As it was before anything changed it."""
        self.faults = Faults(self.swarm, replay, also_when_over=self.shape.story)
        self.kernel = Kernel()
        self.invariants = Invariants(self)
        self.trace: list[str] | None = [] if trace else None
        self.made: list[tuple[str, int, str]] | None = None
        """Every call, where somebody wants to know: process, its number, operation."""
        self.cells: Counter[tuple[str, str, str]] = Counter()
        self.numbers: Counter[str] = Counter()
        self.quiet = False
        self.quiet_since = T0 + self.shape.quiet_ms
        self.untroubled = (
            self.swarm.calm
            and not self.world_faults
            and not self.shape.story
            and not replay
            and not (self.swarm.lost_ticks or self.swarm.late_ticks_ms or self.swarm.index_lag_ms)
        )
        self.ticking = True
        self.vanished: set[tuple[str, int]] = set()
        self.empty_at: dict[str, int] = {}
        self._make_aws()
        self._tune_product()
        self.users = Users(self)
        self.librarians = Librarians(self)
        self.spenders = Spenders(self)
        self.limiters = Limiters(self)
        self.exporters = Exporters(self)
        self.deciders = Deciders(self)
        self.receiver = Receiver(self)
        self.provider = Provider(self)

    # ------------------------------------------------------------------ what happens

    def chance(self, rate: float) -> bool:
        return rate > 0 and not self.quiet and self.rng.random() < rate

    def happening(self, kind: str) -> bool:
        age = self.kernel.now - T0
        return any(fault.kind == kind and fault.call <= age < fault.call + fault.amount for fault in self.world_faults)

    def frozen_since(self, instant: int) -> bool:
        """Whether the index has shown the past at any time since then."""
        return any(f.kind == "index_frozen" and T0 + f.call + f.amount > instant for f in self.world_faults)

    def _index_lag(self, rng: random.Random) -> int:
        age = self.kernel.now - T0
        frozen = [
            age - fault.call
            for fault in self.world_faults
            if fault.kind == "index_frozen" and fault.call <= age < fault.call + fault.amount
        ]
        return max(frozen, default=int(rng.random() * self.swarm.index_lag_ms))

    def invoke(
        self, function: str, event: Any, timeout_ms: int, ended: Callable[[Any, str, Any], None], settings: Any = None
    ) -> None:
        """Start a function, after a moment, with settings of its own if there are several of its sort."""
        settings = settings or self.settings[function]
        self.kernel.after(self.rng.randint(1, 60), self._launch, function, event, timeout_ms, ended, settings)

    def _launch(self, function: str, event: Any, timeout_ms: int, ended: Any, settings: Any) -> None:
        self.numbers[function] += 1
        is_broken = function == "worker" and self.happening("deploy_broken")
        handler = broken if is_broken else self.handlers[function]

        def finished(sandbox: Any, outcome: str, result: Any) -> None:
            self.note(f"{outcome} {result if outcome != 'error' else repr(result)}", sandbox, "end")
            if outcome == "error":
                meant = isinstance(result, (PlannedDefect, Unavailable, ReaderBroken)) or (
                    is_broken and isinstance(result, ImportError)
                )
                self.invariants.raised(sandbox, result, meant)
            if outcome == "ok" and function == "api" and result.get("statusCode") == DEFECT:
                self.invariants.raised(sandbox, RuntimeError("the API answered 500"), meant=False)
            self.invariants.ended(sandbox, outcome)
            ended(sandbox, outcome, result)

        sandbox = Sandbox(
            self, function, self.numbers[function], lambda process: handler(event, process), finished, timeout_ms
        )
        sandbox.event = event
        sandbox.make_world(settings)
        self.note(f"start {json.dumps(event)[:160] if function != 'api' else ''}", sandbox, "")
        self.kernel.at(sandbox.deadline, self._time_out, sandbox)
        sandbox.start()

    def _time_out(self, sandbox: Sandbox) -> None:
        if not sandbox.zombie and not sandbox.done:
            if not sandbox.faulted and not sandbox.dead:
                self.invariants.violate("X1", f"{sandbox.name} ran into its time limit")
            sandbox.faulted = True
            sandbox.kill("function timeout")

    def nudged(self, function: str, payload: bytes) -> None:
        """An asynchronous invoke was accepted: it comes at once, or late, twice, never."""
        if self.chance(self.swarm.lost_nudges) or self.happening("aggregator_off"):
            return
        if function == "janitor":
            self.invoke("janitor", json.loads(payload), 900_000, lambda *_: None)
            return
        for delay in [self.rng.randint(5, 300)] + (
            [self.rng.randint(5, 120_000)] if self.chance(self.swarm.double_ticks) else []
        ):
            self.kernel.after(delay, self._aggregate, json.loads(payload))

    def _aggregate(self, event: Any) -> None:
        self.invoke("aggregator", event, self.shape.aggregator_ms, lambda *_: None)

    def _tick(self) -> None:
        if not self.ticking:
            return
        self.kernel.after(MINUTE, self._tick)
        if self.chance(self.swarm.lost_ticks) or self.happening("aggregator_off"):
            return
        late = self.rng.randint(0, self.swarm.late_ticks_ms) if not self.quiet else 0
        self.kernel.after(late, self._aggregate, {"source": "schedule"})
        if self.chance(self.swarm.double_ticks):
            self.kernel.after(self.rng.randint(0, 5_000), self._aggregate, {"source": "schedule"})

    def uploaded(self, key: str, content: bytes, content_type: str, *, told: bool = True) -> None:
        """Somebody used a form: the object is there, and its notice comes at once, or late, twice, never."""
        version = self.s3.put_object(self, Bucket="bucket", Key=key, Body=content, ContentType=content_type)[
            "VersionId"
        ]
        self.note(f"UPLOAD {key} {version}", None, "")
        if not told or self.chance(self.swarm.lost_notices):
            return
        for _ in range(2 if self.chance(self.swarm.double_notices) else 1):
            late = self.rng.randint(0, self.swarm.late_notices_ms) if not self.quiet else 0
            self.kernel.after(self.rng.randint(50, 1_500) + late, self._notify, notice(key, version))

    def _notify(self, body: str) -> None:
        self.intake.add(body, None, self.kernel.now, 0)
        self.wake(self.intake)

    def sent(self, queue: Queue, message: Message, ctx: Any) -> None:
        if queue is self.notices:
            # SQS loses nothing that it has taken; rows have a sweep for what is purged or dead, and notices have not.
            self.invariants.notice_sent(message.body)
            self.wake(queue)
            return
        if queue is not self.intake:
            self.invariants.sent(message.body, ctx)
        if self.chance(self.swarm.lost_messages):
            queue.messages.pop(message.id, None)
        self.wake(queue)

    def wake(self, queue: Queue) -> None:
        self.mappings[queue.name].wake()

    def taken_from(self, sandbox: Sandbox) -> bool:
        """Whether another has by now what this process held: its row, the sweeper's lease, its task's scatter. If it
        held nothing, there is nothing to wait for."""
        if sandbox.function == "worker":
            holder = self.invariants.holders.get(sandbox.claimed)
            return holder is not sandbox and (holder is not None or self.row_ended(sandbox.claimed))
        if sandbox.function == "intake":
            item = self.dynamo.tables["library"].get((sandbox.reads,)) if sandbox.reads else None
            return val(item, "state") != "reading" or val(item, "token") not in {None, *sandbox.tokens}
        if sandbox.function == "aggregator" and sandbox.event["source"] in {"scatter", "gather"}:
            task = self.tasks[sandbox.event["task"],]
            return bool(val(task, "dispatch_until") != sandbox.event["until"])
        if sandbox.function == "aggregator":
            return val(self.gates.get((sandbox.sweeps,)), "holder") not in {None, *sandbox.tokens}
        return sandbox.opened is None or val(self.tasks[sandbox.opened,], "dispatch_until") != sandbox.holds_until

    def row_ended(self, key: Any) -> bool:
        return key is None or val(self.dynamo.tables["results"].get(key), "status") in TERMINAL

    def _befall(self, fault: Fault) -> None:
        """A fault of the whole world that is one event."""
        self.note(f"WORLD {fault.kind} {fault.amount}", None, "")
        queues = [*self.queues.values(), self.intake]
        if fault.kind == "queue_silent":
            for queue in [*queues, self.notices]:
                self.mappings[queue.name].silent_until = self.kernel.now + fault.amount
                self.kernel.after(fault.amount + 1, self.mappings[queue.name].wake)
        elif fault.kind == "queue_purged":
            for queue in queues:
                queue.messages.clear()
        elif fault.kind == "row_vanishes":
            self._lose_a_row()
        elif fault.kind == "deploy":
            self.deploy(random.Random(fault.amount))
        elif fault.kind == "all_dead":
            for queue in queues:
                for message in list(queue.messages.values()):
                    queue.bury(message)

    def _lose_a_row(self) -> None:
        """As a table restored to an earlier moment would: a row of a running task is gone."""
        table = self.dynamo.tables["results"]
        for key, item in [(key, item) for part in table.partitions.values() for key, item in part.items()]:
            if val(item, "status") != "pending":
                continue
            task = self.tasks[key[0].rpartition("/")[0],]
            if (
                val(task, "status") == "processing"
                and "dispatch_until" not in task
                and int(key[0][-4:]) not in sealed_shards(task)
            ):
                table.set(key, None, self.kernel.now)
                self.vanished.add((key[0].rpartition("/")[0], key[1]))
                return

    # ------------------------------------------------------------------ calls

    def execute(
        self, sandbox: Any, service: str, operation: str, arguments: dict[str, Any], *, unheard: bool = False
    ) -> Any:
        """The call, done now; `unheard` when its reply is lost."""
        self.invariants.may_call(sandbox, service, operation, arguments)
        if (
            operation == "put_object"
            and "manifest" in arguments["Key"]
            and self.chance(0.5 if self.shape.habit == "deleting" else 0.1)
        ):
            self.invoke("janitor", {"source": "schedule"}, 900_000, lambda *_: None)  # it comes at the worst moment
        reply, refusal = None, None
        try:
            reply = getattr(self.services[service], operation)(sandbox, **arguments)
        except ClientError as error:
            refusal = str(error.response["Error"]["Code"])
            if operation == "change_message_visibility":
                sandbox.faulted = True
            raise
        finally:
            self.empty_at = {
                kind: self.empty_at.get(kind, self.kernel.now)
                for kind, queue in self.queues.items()
                if not queue.messages
            }
            if not unheard:
                self.invariants.replied(sandbox, operation, arguments, reply, refusal)
            if self.trace is not None:
                self.note(brief(operation, arguments, reply, refusal), sandbox, operation)
        return reply

    def count(self, function: str, operation: str, fault: str | None) -> None:
        self.cells[function, operation, fault or "none"] += 1

    def note(self, text: str, sandbox: Any, operation: str) -> None:
        if self.trace is not None:
            who = sandbox.name if sandbox else "-"
            self.trace.append(f"{(self.kernel.now - T0) / 1000:10.3f} {who:16} {operation} {text}"[:420])

    # ------------------------------------------------------------------ the run

    def run(self) -> "Simulation":
        """Faults, then quiet, then a look at what is left. What broke is in `invariants.found`."""
        kernel = self.kernel
        kernel.after(self.rng.randint(0, MINUTE), self._tick)
        for fault in self.world_faults:
            self.count("world", fault.kind, fault.kind)
            kernel.at(T0 + fault.call, self._befall, fault)
        self.users.begin()
        if self.shape.uploads:
            self.librarians.begin()
        if self.shape.budgets:
            self.spenders.begin()
        if self.shape.limits:
            self.limiters.begin()
        if self.shape.exports:
            self.exporters.begin()
        self.deciders.begin()
        if self.shape.webhooks:
            self.receiver.begin()
        if self.untroubled:
            self._watch_all_along()
        kernel.run(self.quiet_since)
        self._go_quiet()
        while not kernel.stopped and not self._settled():
            kernel.run(kernel.now + CHECK_EVERY_MS)
            if not kernel.stopped:
                self.invariants.nothing_waits()
            if kernel.now > self.quiet_since + AT_MOST_MS and not kernel.stopped:
                self.invariants.violate(
                    "L1",
                    f"still open: {[(item['entry']['S'], val(item, 'state')) for item in self.documents()]} {[(k, val(t, 'status'), 'active' in t) for (k,), t in self.task_items()]}",
                )
        if not kernel.stopped:
            self.ticking = False
            kernel.run(kernel.now + DRAIN_MS)
        if not kernel.stopped:
            self.last_look()
        kernel.end()
        return self

    def _watch_all_along(self) -> None:
        """Nothing can go wrong here, so nothing may wait either, from the beginning on."""
        end, self.quiet_since = self.quiet_since, T0
        while not self.kernel.stopped and self.kernel.now < end:
            self.kernel.run(self.kernel.now + CHECK_EVERY_MS)
            if not self.kernel.stopped:
                self.invariants.nothing_waits()

    def _go_quiet(self) -> None:
        """No more faults. Whoever paused looks on for a while, so that the sweep has to put the gates right, and resumes."""
        self.quiet = self.faults.over = True
        self.swarm.index_lag_ms = min(self.swarm.index_lag_ms, 5_000)
        self.sqs.vague, self.sqs.delay_ms = 0.0, 300
        self.note("QUIET", None, "")
        for mapping in self.mappings.values():
            mapping.wake()
        if any(val(task, "gate") in ("paused", "budget") for task in self.tasks.values()):
            self.kernel.run(self.kernel.now + LOOKS_AGAIN_MS + 2 * MINUTE)
            if not self.kernel.stopped:
                self.invariants.nothing_waits()
        self.users.end()
        self.spenders.end()

    def _settled(self) -> bool:
        if any(val(item, "state") in ("uploading", "reading") for item in self.documents()):
            return False
        return self.users.content and all(
            val(task, "status") in CLOSED and "active" not in task for task in self.tasks.values()
        )
