"""People who say what a task may cost, say otherwise while it runs, and give more to one that waits for it."""

from typing import Any

from tests.simulation.items import CLOSED, val
from tests.simulation.kernel import T0

PRICE = 110
"""Of one answer, in millionths of a dollar: 100 tokens read and 10 written, a dollar a million each."""
GIVES_EVERY_MS = 360_000
"""Longer than the rules say that a sweep may take to look at what waits."""


class Spenders:
    """Everybody who pays in this world."""

    def __init__(self, simulation: Any) -> None:
        self.sim = simulation
        self.rng = simulation.rng

    def begin(self) -> None:
        for _ in range(self.rng.randint(2, 12)):
            self.sim.kernel.at(T0 + self.rng.randint(0, self.sim.shape.quiet_ms), self._change)

    def end(self) -> None:
        """When the faults stop: whatever waits for money gets some, now and later, so that everything can close."""
        if self.sim.shape.budgets and self.sim.ticking:
            for (task,), item in self.sim.task_items():
                if val(item, "gate") == "budget":
                    more = (val(item, "cost") or 0) + PRICE * self.rng.randint(1, 3)
                    self._set(task, self.rng.choice([None, more]))
            self.sim.kernel.after(GIVES_EVERY_MS, self.end)

    def says(self, rate: float = 0.8) -> dict[str, float | None]:
        """What a request says of its budget, if it says something."""
        if not self.sim.shape.budgets or self.rng.random() > rate:
            return {}
        return {"budgetUsd": self._some()}

    def _some(self) -> float:
        """From less than one answer to more than all of them."""
        return float(self.rng.choice([1, PRICE, 2 * PRICE, 3 * PRICE + 1, 5 * PRICE, 20 * PRICE]) / 1_000_000)

    def _change(self) -> None:
        """Another budget for a task that runs, mostly one that waits for it: more, less or none."""
        running = [task for (task,), item in self.sim.task_items() if val(item, "status") not in CLOSED]
        waiting = [task for task in running if val(self.sim.tasks[task,], "gate") == "budget"]
        if running and not self.sim.quiet:
            task = self.rng.choice(waiting if waiting and self.rng.random() < 0.7 else running)
            dollars = self.rng.choice([None, self._some(), self._some(), self._some()])
            self._set(task, None if dollars is None else dollars * 1_000_000)

    def _set(self, task: str, budget: float | None) -> None:
        body = {"budgetUsd": None if budget is None else budget / 1_000_000}
        self.sim.users.http("POST", f"{task}/budget", lambda *_: None, body)
