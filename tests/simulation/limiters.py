"""People who say how many rows of a task may be at work at once, and say otherwise while it runs."""

from typing import Any

from tests.simulation.items import CLOSED, val
from tests.simulation.kernel import T0


class Limiters:
    """Everybody who wants no more than so much at once in this world."""

    def __init__(self, simulation: Any) -> None:
        self.sim = simulation
        self.rng = simulation.rng

    def begin(self) -> None:
        for _ in range(self.rng.randint(0, 8)):
            self.sim.kernel.at(T0 + self.rng.randint(0, self.sim.shape.quiet_ms), self._change)

    def says(self) -> dict[str, int]:
        """What a request says of it, if it says something."""
        return {"mostAtWork": self._some()} if self.sim.shape.limits and self.rng.random() < 0.6 else {}

    def _some(self) -> int:
        return int(self.rng.choice([1, 1, 1, 2, 3, 20]))

    def _change(self) -> None:
        running = [task for (task,), item in self.sim.task_items() if val(item, "status") not in CLOSED]
        if running and not self.sim.quiet:
            most = self.rng.choice([None, self._some(), self._some(), self._some()])
            self.sim.users.http("POST", f"{self.rng.choice(running)}/limit", lambda *_: None, {"mostAtWork": most})
