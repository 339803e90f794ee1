"""What came of some runs. Crosses from process to process, so it knows nothing of the product."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Outcome:
    """Runs, faults, which fault met which call, and what broke."""

    runs: int = 0
    faults: int = 0
    cells: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    broken: list[str] = field(default_factory=list)

    def add(self, simulation: Any) -> None:
        self.runs += 1
        self.faults += len(simulation.faults.injected) + len(simulation.world_faults)
        self.cells.update(simulation.cells)

    def join(self, other: "Outcome") -> None:
        """What came of other runs is counted with these."""
        self.runs += other.runs
        self.faults += other.faults
        self.cells.update(other.cells)
        self.broken += other.broken
