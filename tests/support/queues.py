"""The queues, with their messages in the test's hands: what is sent is held, hidden, delivered, lost."""

import copy
import json
from dataclasses import dataclass
from typing import Any

from sheaf.settings import Kinds
from tests.support.clock import Clock
from tests.support.stack_file import ROOT

DEAD = "DeadLetters"
EVENTS = {path.stem: json.loads(path.read_text()) for path in (ROOT / "events").glob("*.json")}


@dataclass
class Held:
    """A message that the pump has received and not yet deleted."""

    record: Any
    kind: str
    visible_at: int

    @property
    def receives(self) -> int:
        return int(self.record["attributes"]["ApproximateReceiveCount"])


class Queues:
    """Every message that was sent and is not yet acknowledged."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.kinds = Kinds()
        self.intake_queue = self.notice_queue = ""
        self.held: dict[str, Held] = {}
        self.queue_says_empty = False
        self.mapping_state = "Enabled"
        self.died = 0
        self.made_up = 0

    def message(self, body: str, kind: str = "probe") -> Held:
        """A message with this body, received a moment ago: nobody else has it."""
        self.made_up += 1
        record = copy.deepcopy(EVENTS["worker-message"]["Records"][0])
        record |= {"messageId": f"m{self.made_up}", "receiptHandle": f"r{self.made_up}", "body": body}
        record["attributes"]["ApproximateReceiveCount"] = "0"
        self.held[record["messageId"]] = held = Held(record, kind, self.clock.now)
        return held

    def lose_messages(self, kind: str = "probe") -> int:
        """Every message of this kind's queue vanishes."""
        lost = [identifier for identifier, held in self.held.items() if held.kind == kind]
        for identifier in lost:
            del self.held[identifier]
        return len(lost)

    def queued(self, kind: str = "probe") -> list[str]:
        """The bodies of all messages there are, seen or not."""
        return sorted(held.record["body"] for held in self.held.values() if held.kind == kind)

    def hide(self, queue: str, receipt: str, seconds: int) -> None:
        """As AWS does: by the queue that the message is of, and no other."""
        for held in self.held.values():
            if held.record["receiptHandle"] == receipt:
                assert held.kind == self.kind_of(queue), f"a message of {held.kind} is not in {queue}"
                held.visible_at = self.clock.now + seconds * 1000

    def enqueue(self, sent: dict[str, Any], taken: set[str]) -> None:
        for entry in sent["Entries"]:
            if entry["Id"] in taken:
                held = self.message(entry["MessageBody"], self.kind_of(sent["QueueUrl"]))
                held.visible_at += entry.get("DelaySeconds", 0) * 1000

    def kind_of(self, queue: str) -> str:
        """Whose queue this is: a kind's, the intake's, or the notices'; of dead letters, nobody's."""
        if queue.endswith(DEAD):
            return "dead"
        if queue in (self.intake_queue, self.notice_queue):
            return "intake" if queue == self.intake_queue else "notice"
        return next(kind.name for kind in self.kinds.values() if kind.queue == queue)

    def look_at(self, queue: str, names: list[str]) -> dict[str, Any]:
        """The queue's own numbers, which are the pump's."""
        held = [held for held in self.held.values() if held.kind == self.kind_of(queue)]
        waiting = self.died if queue.endswith(DEAD) else sum(each.visible_at <= self.clock.now for each in held)
        numbers = {
            "ApproximateNumberOfMessages": str(waiting),
            "ApproximateNumberOfMessagesNotVisible": str(max(0, len(held) - waiting)),
            "ApproximateNumberOfMessagesDelayed": "0",
            "RedrivePolicy": json.dumps({"deadLetterTargetArn": f"arn:aws:sqs:us-east-1:1:{_name(queue)}{DEAD}"}),
        }
        says = {} if self.queue_says_empty and "RedrivePolicy" not in names else numbers
        return {"Attributes": {name: says[name] for name in names if name in says}}


def _name(queue: str) -> str:
    return queue.rpartition("/")[2].removesuffix("Queue")
