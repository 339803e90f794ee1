"""Rules of decisions: none is lost, made twice or put in another's place unseen, and a review counts what holds."""

import hashlib
import json
import math
from typing import Any

from tests.simulation.items import parsed, val
from tests.simulation.work import FIELD


class DecisionRules:
    """Mixed into Invariants."""

    sim: Any
    violate: Any

    def prepare_decisions(self) -> None:
        self.decided: dict[str, str] = {}
        """Row by decision's id."""
        self.overtaken: dict[str, str] = {}
        self.decided_at: float = -math.inf
        """When a head last became another."""

    def review_written(self, key: Any, before: Any, after: Any, ctx: Any) -> None:
        """One write of the table Reviews: decisions are put once, heads follow from them."""
        if "/decision/" in key[1]:
            if before is not None or after is None:
                self.violate("V1", f"{key}: a decision was written over or taken away")
        elif key[1].endswith("/head"):
            self.decided_at = self.sim.kernel.now
            self._head_written(key, before, after)

    def _head_written(self, key: Any, before: Any, after: Any) -> None:
        """Each cell that is another now was decided on by who saw what was there."""
        was, now = parsed(before, "cells") if before else {}, parsed(after, "cells")
        made = [parsed(item, "made") for item in self._items(key[0]) if "/decision/" in item["place"]["S"]]
        seen = {(each["address"], each["before"]) for each in made if each["at"] == val(after, "at")}
        for address in was.keys() | now.keys():
            old, new = was.get(address), now.get(address)
            if old != new and (address, old["id"] if old else None) not in seen:
                self.violate("V2", f"{key[0]} {address}: {old} became {new}, and nobody had seen that")

    def _items(self, paper: str) -> list[Any]:
        return list(self.sim.dynamo.tables["reviews"].partitions.get(paper, {}).values())

    def decision_accepted(self, row: str, name: str) -> None:
        self.decided[name] = row

    def decision_refused(self, row: str, name: str) -> None:
        """It was said that somebody else was quicker."""
        self.overtaken[name] = row

    def decisions_at_the_end(self) -> None:
        there = [
            item["place"]["S"].rpartition("/")[2]
            for item in self.sim.dynamo.tables["reviews"].items()
            if "/decision/" in item["place"]["S"]
        ]
        lost = self.decided.keys() - {*there}
        if lost or len(there) != len({*there}):
            self.violate("V1", f"accepted and not there: {sorted(lost)}; there: {sorted(there)}")
        if false := self.overtaken.keys() & {*there}:
            self.violate("V1", f"refused, and there: {sorted(false)}")

    def review_shown(self, task: str, status: int | None, answer: Any) -> None:
        """How many of the table's cells are checked, at the end of all faults."""
        if status != 200:
            return
        chain = [name for name in self._chain(task) if "deleted_at" not in self.sim.tasks[name,]]  # type: ignore[attr-defined]
        wanted = sum(self._is_checked(name, row) for name in chain for row in self.sim.rows_of(name))
        if answer["checked"] != wanted:
            self.violate("V3", f"{task}: {answer['checked']} checked of {chain}, where {wanted} are")

    def _is_checked(self, task: str, row: Any) -> bool:
        if val(row, "status") != "completed":
            return False
        paper = f"{task.partition('/')[0]}/{val(row, 'document')}"
        heads = [item for item in self._items(paper) if item["place"]["S"].endswith("/head")]
        cell = parsed(heads[0], "cells").get(FIELD) if heads else None
        value = hashlib.sha256(json.dumps(val(row, "attempt")).encode()).hexdigest()[:12]
        return bool(cell and cell["verb"] != "comment" and cell["of"] == value)
