"""Rules of notices, and the receivers that they watch: who is told of a close, with which id, as often as it takes."""

import json
from typing import Any

from sheaf.errors import TimedOut, Unavailable
from sheaf.notices.webhook_items import Webhook
from sheaf.outside.http_request import Answered, Ask
from tests.simulation.deployed import EXPORT, NOTICES
from tests.simulation.items import CLOSED, val
from tests.simulation.kernel import T0

ADDRESS = "93.184.216.34"
RECEIVER = "https://hooks.example.org/sheaf"
SET_UP = {"receiver", "secret", "before", "before_until"}
MAY = {("dynamodb", "get_item"), ("dynamodb", "update_item"), ("sqs", "change_message_visibility")}
ACTS = ("taken", "taken", 500, 500, 503, 302, "late", "away")
GONE_SELDOM = 0.06


class Receiver:
    """One a project: it takes what it is sent, or does not, until the faults stop."""

    def __init__(self, simulation: Any) -> None:
        self.sim = simulation
        self.asked = 0
        self.taken: list[tuple[str, bytes]] = []

    def begin(self) -> None:
        """Each project's editors have set theirs up."""
        table = self.sim.dynamo.tables["library"]
        for project in ("p1", "p2"):
            secret = "whsec_c2VjcmV0"
            hook = Webhook(
                f"{project}/webhook", opening="before", changed_at=T0, receiver=RECEIVER, secret=secret
            ).serialize()
            table.set(table.key(hook), hook, T0)

    def at(self, sandbox: Any) -> Ask:
        """As the process of this delivery reaches it."""

        def ask(
            _method: str, _url: str, body: bytes | None, headers: dict[str, str], seconds: float, _limit: int
        ) -> Any:
            sandbox.wait(5 + int(sandbox.rng.random() * 500))
            act = self._act()
            self.sim.note(f"RECEIVER {act} {headers['webhook-id']}", sandbox, "")
            if act == "away":
                raise Unavailable("post: ConnectionRefusedError")
            # What is too late for its sender was taken all the same, now and then.
            if act == "taken" or (act == "late" and self.sim.rng.random() < 0.5):
                self.taken.append((headers["webhook-id"], body or b""))
                self.sim.invariants.received(sandbox, headers["webhook-id"], body or b"")
            if act == "late":
                sandbox.wait(int(seconds * 1000))
                raise TimedOut("late")
            return Answered(200 if act == "taken" else act, {}, b"")

        return ask

    def _act(self) -> Any:
        self.asked += 1
        if self.sim.quiet or self.sim.shape.story:
            return "taken" if self.sim.quiet or self.asked > 1 else 500
        return 410 if self.sim.chance(GONE_SELDOM) else self.sim.rng.choice(ACTS)


class NoticeRules:
    """Mixed into Invariants."""

    sim: Any
    violate: Any

    def prepare_notices(self) -> None:
        self.notices_sent: set[str] = set()

    def notice_may(self, ctx: Any, service: str, operation: str, arguments: dict[str, Any]) -> None:
        """It reads webhooks, and notes what came of a delivery."""
        key = arguments.get("Key", {}).get("entry", {}).get("S", f"{NOTICES}/webhook")
        if (service, operation) not in MAY or not key.endswith("/webhook"):
            self.violate("I6", f"{ctx.name} calls {service}.{operation} on {key}")

    def webhook_written(self, entry: str, before: Any, after: Any, ctx: Any) -> None:
        changed = {
            name for name in {*(before or {}), *(after or {})} if (before or {}).get(name) != (after or {}).get(name)
        }
        if ctx.function == "notice" and changed & SET_UP:
            self.violate("I6", f"{ctx.name} changes {sorted(changed)} of {entry}")

    def notice_sent(self, body: str) -> None:
        self.notices_sent.add(json.loads(body)[0])

    def told_of(self, task: str) -> bool:
        """Whether all are told, or will be, who are to be told of this close."""
        is_export = val(self.sim.tasks[task,], "kind") == EXPORT
        hooked = self.sim.shape.webhooks and not is_export
        return self.sim.noticed(task) and (not hooked or f"{task}/closed" in self.notices_sent)

    def received(self, ctx: Any, notice: str, body: bytes) -> None:
        """A receiver takes one: it is true, and the same as the one before."""
        task = notice.removesuffix("/closed")
        item, said = self.sim.tasks.get((task,)), json.loads(body)
        if item is None or val(item, "status") not in CLOSED or val(item, "kind") == EXPORT:
            self.violate("W1", f"{ctx.name} tells of {notice}: {val(item, 'kind')}, {val(item, 'status')}")
            return
        counts = [said["data"][f"{name}Count"] for name in ("total", "completed", "error", "cancelled")]
        if counts != [val(item, name) for name in ("total", "completed", "error", "cancelled")]:
            self.violate("W1", f"{ctx.name} tells of {notice}: {said['data']}, and it is {item}")
        if [each for name, each in self.sim.receiver.taken if name == notice and each != body]:
            self.violate("W1", f"{ctx.name} tells of {notice} in other words than before")

    def notices_at_the_end(self) -> None:
        """Every close was taken, or its project's editors see that it was given up."""
        taken = {name for name, _ in self.sim.receiver.taken}
        for (task,), item in self.sim.task_items():
            if val(item, "kind") == EXPORT or val(item, "status") not in CLOSED:
                continue
            hook = self.sim.dynamo.tables["library"].get((f"{task.partition('/')[0]}/webhook",))
            given_up = task.partition("/")[2] in (val(hook, "undelivered") or ())
            if f"{task}/closed" not in taken and not given_up:
                self.violate("W2", f"{task} closed, and nobody was told, nor that it was given up")
