"""Lambda's side of a queue: polls, invokes, deletes what was handled, and leaves the rest to its visibility."""

from typing import Any

from tests.simulation.queues import Message, Queue


class Mapping:
    """One event source mapping with ReportBatchItemFailures and a maximum of concurrent invocations."""

    def __init__(
        self,
        simulation: Any,
        queue: Queue,
        function: str,
        *,
        batch: int,
        concurrency: int,
        timeout_ms: int,
        settings: Any = None,
    ) -> None:
        self.simulation = simulation
        self.queue = queue
        self.function = function
        self.batch = batch
        self.concurrency = concurrency
        self.timeout = timeout_ms
        self.settings = settings
        self.running = 0
        self.poll_at: int | None = None
        self.silent_until = 0

    def wake(self) -> None:
        """Poll when the next message can be seen."""
        if not self.queue.messages:
            return
        kernel = self.simulation.kernel
        due = max(min(message.visible_at for message in self.queue.messages.values()), kernel.now, self.silent_until)
        if self.poll_at is None or due < self.poll_at:
            self.poll_at = due
            kernel.at(due, self._poll, due)

    def _poll(self, due: int) -> None:
        if self.poll_at != due:
            return
        self.poll_at = None
        now, rng = self.simulation.kernel.now, self.simulation.rng
        if now >= self.silent_until:
            visible = [message for message in self.queue.messages.values() if message.visible_at <= now]
            rng.shuffle(visible)
            while visible and self.running < self.concurrency:
                batch = [message for message in visible[: self.batch] if self._received(message, now)]
                del visible[: self.batch]
                if batch:
                    self._invoke(batch)
            if visible:
                return  # woken again when an invocation ends
        self.wake()

    def _received(self, message: Message, now: int) -> bool:
        simulation, swarm = self.simulation, self.simulation.swarm
        if not self.queue.receive(message, now):
            return False
        if simulation.chance(swarm.throttled_receives):
            return False  # counted as a receive, never invoked: seen again when its visibility is over
        if simulation.chance(swarm.duplicates):
            message.visible_at = now + int(simulation.rng.random() ** 3 * self.queue.visibility)
        return True

    def _invoke(self, batch: list[Message]) -> None:
        self.running += 1
        records = [
            {
                "messageId": message.id, "receiptHandle": message.receipts[-1], "body": message.body,
                "attributes": {"ApproximateReceiveCount": str(message.receives)}, "eventSource": "aws:sqs",
            }
            for message in batch
        ]  # fmt: skip
        self.simulation.invoke(self.function, {"Records": records}, self.timeout, self._ended, self.settings)

    def _ended(self, sandbox: Any, outcome: str, result: Any) -> None:
        self.running -= 1
        records = sandbox.event["Records"]
        if outcome == "ok":
            failed = {failure["itemIdentifier"] for failure in result["batchItemFailures"]}
            self.simulation.invariants.answered(sandbox, self.queue, records, failed)
            for record in records:
                if record["messageId"] not in failed and not self.simulation.chance(self.simulation.swarm.undeleted):
                    self.queue.delete(record["messageId"], record["receiptHandle"])
        self.simulation.kernel.after(1, self.wake)
