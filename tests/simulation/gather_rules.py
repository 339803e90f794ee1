"""Rules of tasks by reference: what they come to is one listing, and nothing is written of rows that are not known."""

import json
import zlib
from typing import Any

from sheaf.protocol import manifest
from tests.simulation.items import CLOSED, unsent, val

SHELF = "k"
"""The knowledge base that such tasks name; its papers are only ever deleted."""


class GatherRules:
    """Mixed into Invariants."""

    sim: Any
    skew: int
    violate: Any

    def gathering_opened(self, name: str, after: Any) -> None:
        if val(after, "total") is not None or val(after, "manifest_key") is not None or unsent(after):
            self.violate("R2", f"{name}: opened by reference, with rows")
        if val(after, "dispatch_until") != 0 or val(after, "active") is None:
            self.violate("T3", f"{name}: opened as if somebody gathered it, or hidden")

    def gathering_written(self, name: str, task: str, before: Any, after: Any, ctx: Any) -> None:
        """A write of a task that was gathered until then."""
        if val(after, "status") == "processing":
            self._gathered(name, task, before, after, ctx)
        elif val(after, "total") is not None or self.sim.rows_of(task):
            self.violate("R2", f"{name}: {val(after, 'status')}, and has rows")
        elif val(after, "status") in CLOSED:
            self._closed_without_rows(name, before, after)

    def _gathered(self, name: str, task: str, before: Any, after: Any, ctx: Any) -> None:
        if val(before, "gate") == "cancelled":
            self.violate("R2", f"{name}: cancelled, and it goes on to rows")
        if ctx.event.get("source") != "gather" or ctx.event["until"] != val(before, "dispatch_until"):
            self.violate("R2", f"{name}: gathered for {ctx.event}, held until {val(before, 'dispatch_until')}")
        stored = [self.sim.s3.find(manifest.key(val(after, "manifest_key"), part)) for part in sorted(unsent(after))]
        if any(part is None or part.content is None or part.by is not ctx for part in stored):
            self.violate("R1", f"{name}: a part of its manifest is not there, or is another gatherer's")
            return
        named = [row[0] for part in stored for row in json.loads(zlib.decompress(part.content))]
        if len(named) != val(after, "total") or len({*named}) != len(named):
            self.violate("R1", f"{name}: {val(after, 'total')} rows, its manifest names {named}")
        project = task.partition("/")[0]
        there = {val(item, "document") for item in self._shelf(project) if val(item, "state") != "deleted"}
        ever = {val(item, "document") for item in self._shelf(project)}
        if not there <= {*named} <= ever:
            self.violate("R1", f"{name}: names {sorted(named)} where {sorted(there)} are, of {sorted(ever)}")

    def part_written(self, name: str, key: str, body: bytes) -> None:
        """Whoever gathers writes no part that a task names already; a request of his own that comes late has the same in it, or finds it erased."""
        where, _, _ = key.rpartition("/")
        task = where.removeprefix("tasks/").rpartition("/")[0]
        there = self.sim.s3.find(key)
        is_late = there is None or there.content in (None, body)
        if val(self.sim.tasks.get((task,)), "manifest_key") == where and not is_late:
            self.violate("R1", f"{name}: writes {key}, by which the task goes already")

    def _closed_without_rows(self, name: str, before: Any, after: Any) -> None:
        cancelled = val(before, "gate") == "cancelled"
        if val(after, "status") != ("cancelled" if cancelled else "failed"):
            self.violate("R2", f"{name}: closed as {val(after, 'status')}, its gate is {val(before, 'gate')}")
        live = [item for item in self._shelf(val(after, "project")) if val(item, "state") != "deleted"]
        if not cancelled and (live or not val(after, "error_message")):
            self.violate("R2", f"{name}: failed with {len(live)} papers there: {val(after, 'error_message')}")
        if "dispatch_until" in after or val(after, "completed_at") is None or "active" not in after:
            self.violate("R2", f"{name}: closed without rows, and held, without its instant, or told to nobody")

    def _shelf(self, project: str) -> list[Any]:
        parts = self.sim.dynamo.tables["library"].partitions
        found = [item for part in parts.values() for item in part.values() if "document" in item]
        return [
            item
            for item in found
            if val(item, "knowledge_base") == SHELF and val(item, "entry").startswith(f"{project}/document/")
        ]
