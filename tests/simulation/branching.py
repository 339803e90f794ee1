"""Many runs that differ in one fault each, and are one run up to the call that it meets.

`os.fork` copies a run as it stands: greenlets, clocks, dice. The copy goes on with the fault, tells what came of it and
ends; the original waits for it and goes on without. It does not copy open files: a run that has some cannot branch.
"""

import gc
import os
import pickle
import random
import traceback
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

from tests.simulation.faults import Fault, Faults
from tests.simulation.outcome import Outcome


class Branching(Faults):
    """Faults that happen in every run, and faults of which each happens in one."""

    def __init__(self, plain: Faults, always: list[Fault], singly: list[Fault]) -> None:
        super().__init__(plain.swarm, always, also_when_over=plain.also_when_over)
        self.waiting: dict[tuple[str, int], list[Fault]] = defaultdict(list)
        for fault in singly:
            self.waiting[fault.process, fault.call].append(fault)
        self.taken: Fault | None = None
        """The fault of this copy; none in the original."""
        self.outcome = Outcome()
        """Of the copies; in a copy its own."""
        self._tells = -1

    def draw(
        self, process: str, function: str, call: int, operation: str, rng: random.Random, weight: float
    ) -> Fault | None:
        for fault in self.waiting.pop((process, call), []):
            if self._is_copy():
                self.waiting.clear()
                self.taken = self.replay[process, call] = fault
                break
        return super().draw(process, function, call, operation, rng, weight)

    def _is_copy(self) -> bool:
        """Whether this is the copy; in the original, when it has told what came of it."""
        hears, self._tells = os.pipe()
        if not os.fork():
            os.close(hears)
            self.outcome = Outcome()
            return True
        os.close(self._tells)
        with os.fdopen(hears, "rb") as pipe:
            self.outcome.join(pickle.load(pipe))
        os.wait()
        return False

    @contextmanager
    def branches(self) -> Iterator[None]:
        """Where the run is. Afterwards all that came of the copies is known; no copy leaves here."""
        gc.freeze()
        try:
            yield
            if self.taken:
                os.write(self._tells, pickle.dumps(self.outcome))
        except BaseException:
            traceback.print_exc()
            raise
        finally:
            if self.taken:
                os._exit(0)
            gc.unfreeze()
