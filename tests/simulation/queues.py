"""A reference model of SQS: at least once, in any order, hidden for a while, dead after so many receives."""

import random
from dataclasses import dataclass, field
from typing import Any

from tests.simulation.dynamo import refused

HIDDEN_MAX_S = 12 * 3600
BATCH_MAX = 10
BATCH_BYTES = 1_048_576


@dataclass
class Message:
    """One message. `receipts` are all the handles ever given for it; only the last one hides."""

    id: str
    body: str
    group: str | None
    sent_at: int
    visible_at: int
    receives: int = 0
    received_at: int = 0
    receipts: list[str] = field(default_factory=list)


class Queue:
    """One queue with its visibility, retention and redrive."""

    def __init__(
        self, name: str, visibility_ms: int, retention_ms: int, dead: "Queue | None" = None, max_receives: int = 0
    ) -> None:
        self.name = name
        self.visibility = visibility_ms
        self.retention = retention_ms
        self.dead = dead
        self.max_receives = max_receives
        self.messages: dict[str, Message] = {}
        self.made = 0
        self.told: dict[str, str] | None = None

    def add(self, body: str, group: str | None, now: int, delay_ms: int) -> Message:
        self.made += 1
        message = Message(f"{self.name}-{self.made}", body, group, now, now + delay_ms)
        self.messages[message.id] = message
        return message

    def receive(self, message: Message, now: int) -> bool:
        """True when it is to be handled; False when its time or its receives are over."""
        if now - message.sent_at > self.retention:
            del self.messages[message.id]
            return False
        message.receives += 1
        if self.dead and message.receives > self.max_receives:
            self.bury(message)
            return False
        message.received_at = now
        message.visible_at = now + self.visibility
        message.receipts.append(f"{message.id}#{message.receives}")
        return True

    def bury(self, message: Message) -> None:
        """Into the dead-letter queue, as old as it is."""
        del self.messages[message.id]
        if self.dead:
            moved = self.dead.add(message.body, message.group, message.sent_at, 0)
            moved.visible_at = max(message.visible_at, message.sent_at)

    def delete(self, message_id: str, receipt: str) -> None:
        """With an older receipt the message may stay: it was received again since."""
        message = self.messages.get(message_id)
        if message and message.receipts[-1:] == [receipt]:
            del self.messages[message_id]

    def counts(self, now: int) -> dict[str, str]:
        visible = sum(message.visible_at <= now for message in self.messages.values())
        hidden = sum(message.visible_at > now and bool(message.receipts) for message in self.messages.values())
        return {
            "ApproximateNumberOfMessages": str(visible),
            "ApproximateNumberOfMessagesNotVisible": str(hidden),
            "ApproximateNumberOfMessagesDelayed": str(len(self.messages) - visible - hidden),
        }


class Sqs:
    """The calls."""

    def __init__(self, queues: list[Queue], rng: random.Random) -> None:
        self.queues = {queue.name: queue for queue in queues}
        self.rng = rng
        self.vague = 0.0
        self.lost = 0.0
        self.delay_ms = 0

    def send_message_batch(self, ctx: Any, *, QueueUrl: str, Entries: list[dict[str, Any]]) -> dict[str, Any]:
        queue = self.queues[QueueUrl]
        ids = [entry["Id"] for entry in Entries]
        if not 0 < len(ids) <= BATCH_MAX or len(set(ids)) != len(ids):
            raise refused("AWS.SimpleQueueService.TooManyEntriesInBatchRequest", "SendMessageBatch")
        failed = [entry["Id"] for entry in Entries if ctx.leaves_out()]
        taken = [entry for entry in Entries if entry["Id"] not in failed]
        for entry in taken:
            if entry.keys() - {"Id", "MessageBody", "MessageGroupId"}:
                raise refused("InvalidParameterValue", "SendMessageBatch", message=str(entry.keys()))
            message = queue.add(
                entry["MessageBody"], entry.get("MessageGroupId"), ctx.kernel.now, self.rng.randint(0, self.delay_ms)
            )
            ctx.world.sent(queue, message, ctx)
        refusal = {"SenderFault": False, "Code": "InternalError"}
        return {
            "Successful": [{"Id": entry["Id"]} for entry in taken],
            **({"Failed": [{"Id": i, **refusal} for i in failed]} if failed else {}),
        }

    def change_message_visibility(
        self, ctx: Any, *, QueueUrl: str, ReceiptHandle: str, VisibilityTimeout: int
    ) -> dict[str, Any]:
        queue, now = self.queues[QueueUrl], ctx.kernel.now
        message = queue.messages.get(ReceiptHandle.partition("#")[0])
        if message is None or ReceiptHandle != message.receipts[-1] or message.visible_at <= now:
            raise refused("InvalidParameterValue", "ChangeMessageVisibility", message="The receipt handle has expired")
        if (
            not 0 <= VisibilityTimeout <= HIDDEN_MAX_S
            or now + VisibilityTimeout * 1000 - message.received_at > HIDDEN_MAX_S * 1000
        ):
            raise refused(
                "InvalidParameterValue",
                "ChangeMessageVisibility",
                message="Total VisibilityTimeout is beyond the limit",
            )
        message.visible_at = now + VisibilityTimeout * 1000
        ctx.world.wake(queue)
        return {}

    def get_queue_attributes(self, ctx: Any, *, QueueUrl: str, AttributeNames: list[str]) -> dict[str, Any]:
        """Approximate: now and then it says what it said before, or leaves one of the three numbers at nought."""
        queue = self.queues[QueueUrl]
        told = queue.counts(ctx.kernel.now)
        if self.rng.random() < self.vague:
            told = queue.told or dict.fromkeys(told, "0")
        elif self.rng.random() < self.vague:
            told = {**told, self.rng.choice(sorted(told)): "0"}
        queue.told = told
        return {"Attributes": {name: told[name] for name in AttributeNames if name in told}}
