"""People who decide on cells: alone and two at once, again when no answer comes, and take back what they decided."""

import random
from typing import Any

from tests.simulation.items import val
from tests.simulation.kernel import T0
from tests.simulation.work import FIELD

RESULTS = "/api/v1/asl/extraction/results"
ANSWER_MS = 30_000
AGAIN_AT_MOST = 6


class Deciders:
    """Everybody who has the last word in this world."""

    def __init__(self, simulation: Any) -> None:
        self.sim = simulation
        self.rng = random.Random(simulation.seed)
        self.made = 0

    def begin(self) -> None:
        for _ in range(self.sim.shape.deciders):
            self.sim.kernel.at(T0 + self.rng.randint(0, self.sim.shape.quiet_ms), self._look)

    def _rows(self) -> list[str]:
        """Rows that were read, of tasks that are not deleted."""
        tasks = [task for task in sorted({*self.sim.users.known}) if "deleted_at" not in self.sim.tasks[task,]]
        rows = [(task, row) for task in tasks for row in self.sim.rows_of(task)]
        return [f"{task}-{val(row, 'row')}" for task, row in rows if val(row, "status") == "completed"]

    def _look(self) -> None:
        """One or several look at a row at the same time, and at how much of its task is checked."""
        rows = self._rows()
        if not rows or self.sim.quiet:
            return
        row = self.rng.choice(rows)
        for _ in range(self.rng.choice([1, 1, 2, 3])):
            self._ask("GET", row, "", lambda status, answer: self._decide(row, answer) if status == 200 else None)
        if self.rng.random() < 0.5:
            self.sim.users.http("GET", f"{row.rpartition('-')[0]}/review", lambda *_: None)

    def _decide(self, row: str, shown: Any) -> None:
        cell = ((shown["review"] or {"cells": {}})["cells"]).get(FIELD)
        verb = self.rng.choice(["agree", "absent", "correct", "comment", *(["undo", "undo"] if cell else [])])
        self.made += 1
        more: dict[str, Any] = {"correct": {"value": self.made}, "comment": {"comment": "so"}}.get(verb, {})
        decision = {"id": f"i{self.made}", "address": FIELD, "verb": verb, "before": cell and cell["id"], **more}
        self._send(row, decision)

    def _send(self, row: str, decision: dict[str, Any], times: int = 1) -> None:
        def answered(status: int | None, answer: Any) -> None:
            if status == 200:
                self.sim.invariants.decision_accepted(row, decision["id"])
                if not self.sim.quiet:
                    self.sim.users.later(self.rng.randint(500, 60_000), self._look)
            elif status == 409 and answer["type"].endswith("decided-meanwhile"):
                self.sim.invariants.decision_refused(row, decision["id"])
            elif (status is None or status >= 500) and times < AGAIN_AT_MOST:
                self.sim.users.later(self.rng.randint(500, 20_000), self._send, row, decision, times + 1)

        self._ask("POST", row, "/decisions", answered, {"decisions": [decision]})

    def _ask(self, method: str, row: str, verb: str, answered: Any, body: Any = None) -> None:
        self.sim.users.http(method, f"{row}{verb}", answered, body, at=RESULTS)

    def look_at_everything(self) -> None:
        """At the end: all that was accepted is there, and each review counts what holds."""
        if not self.sim.shape.deciders:
            return
        self.sim.invariants.decisions_at_the_end()
        for task in sorted({row.rpartition("-")[0] for row in self._rows()}):
            shown = lambda status, answer, of=task: self.sim.invariants.review_shown(of, status, answer)  # noqa: E731
            self.sim.users.http("GET", f"{task}/review", shown)
        self.sim.kernel.run(self.sim.kernel.now + ANSWER_MS)
