"""The last look at a world in which everything has closed: what users see, what is stored, what a janitor leaves."""

from typing import Any

from sheaf.protocol import manifest
from tests.simulation.deployed import DAY_MS
from tests.simulation.faults import HOUR
from tests.simulation.items import is_payload, payload_key, task_of, val

REFUSALS = {
    "ok",
    "slow",
    "throttle",
    "provider_throttles",
    "429",
    "429 for long",
    "account",
    "format",
    "provider_account",
    "forbidden",
    "blocked",
}
"""What a provider does that says nothing of a document."""


class Ending:
    """Mixed into Simulation."""

    seed: int
    swarm: Any
    shape: Any
    kernel: Any
    invariants: Any
    users: Any
    dynamo: Any
    s3: Any
    tasks: Any
    world_faults: Any
    invoke: Any
    rows_of: Any
    gone: Any
    exporters: Any
    deciders: Any

    def last_look(self) -> None:
        """What users see at the end, and a janitor a day later."""
        self.users.look_at_everything()
        if self.shape.exports:
            self.exporters.look_at_everything()
        self.deciders.look_at_everything()
        if self.shape.webhooks:
            self.invariants.notices_at_the_end()
        for row in self.dynamo.tables["results"].items():
            if val(row, "status") == "completed" and not self.gone(task_of(row["shard"]["S"])):
                self.invariants.check_payload(
                    f"row {row['shard']['S']}#{val(row, 'row')} at the end", (row["shard"]["S"], val(row, "row")), row
                )
        if self.shape.uploads:
            self.invariants.documents_at_the_end()
        acts = set(self.swarm.answers if self.shape.engine else self.swarm.acts) | {
            fault.kind for fault in self.world_faults
        }
        if self.swarm.calm and acts <= REFUSALS:
            for row in self.dynamo.tables["results"].items():
                if val(row, "status") == "error" and val(row, "error_class") not in (
                    "deadline",
                    "not_ready",
                    "task_gone",
                    "request_refused",  # told apart: P6
                ):
                    self.invariants.violate(
                        "L7", f"{row['shard']['S']}#{val(row, 'row')} ended as {val(row, 'error_class')}"
                    )
        if self.seed % 5 == 0 or self.shape.janitor:
            for _ in range(2 if self.shape.story else 1):  # in the story the first of them may fail
                self.kernel.run(self.kernel.now + DAY_MS + HOUR)
                self.invoke("janitor", {"source": "schedule"}, 900_000, lambda *_: None)
                self.kernel.run(self.kernel.now + HOUR)
            if self.shape.exports:
                self.exporters.look_at_everything()
            self._after_the_janitor()
            if self.shape.exports:
                self.exporters.order_everything_again()

    def _after_the_janitor(self) -> None:
        rows = self.dynamo.tables["results"].items()
        tasks = [task for (name,), task in self.tasks.items() if not self.gone(name)]
        parts = [
            (val(task, "manifest_key"), part) for task in tasks for part in manifest.parts(0, val(task, "total") or 0)
        ]
        needed = {manifest.key(*part) for part in parts}
        needed |= {val(row, "data_key") for row in rows if val(row, "data_key") not in (None, "beside")}
        beside = {payload_key(row) for row in rows if "data_key" in row}
        left_beside = {key for part in self.dynamo.tables["results"].partitions.values() for key in part} - beside
        orphans = [key for key in left_beside if is_payload(key[0])]
        missing = [key for key in needed if self.s3.find(key) is None]
        recent = {
            f"tasks/{name}/erased" for (name,) in self.tasks if self._is_over_since(name, self.kernel.now - 2 * DAY_MS)
        }
        left = [key for key in self.s3.objects if key.startswith("tasks/") and key not in needed | recent]
        for (task,), item in self.tasks.items():
            if "deleted_at" in item and self.rows_of(task):
                self.invariants.violate("T7", f"{len(self.rows_of(task))} rows of {task} are left, which was deleted")
        if self.shape.exports:
            self.invariants.exports_after_the_janitor()
        if self.shape.uploads:
            self.invariants.library_after_the_janitor()
        if missing:
            self.invariants.violate("T6", f"the janitor deleted {missing}")
        if orphans and not self.kernel.stopped:
            self.invariants.violate("T6", f"the janitor left {orphans}")
        if left and self.tasks and not self.kernel.stopped:
            self.invariants.violate("T6", f"the janitor left {left}")

    def _is_over_since(self, task: str, instant: int) -> bool:
        """An export whose days ended after that: it waits for its second round."""
        over = val(self.tasks[task,], "expires_at")
        return over is not None and instant < over <= self.kernel.now
