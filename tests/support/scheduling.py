"""Which of pytest-xdist's workers runs what: all that needs the emulator runs on the first of them, and starts first.

So nothing there is made to wait by another stack. It waits most of the time, so the others, whose work is nearly all
processor time, are nicer than it. They begin with the longest modules: one that came last would keep a single worker
busy at the end. The functions in containers share one stack, so they are one module too.

Not `--dist loadgroup`, which pytest 9.2 has broken: https://github.com/pytest-dev/pytest-xdist/issues/1386
"""

import os

from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

EMULATOR = "tests/emulator/"
CONTAINERS = "tests/sam_local/"
TOGETHER = {EMULATOR: EMULATOR, "tests/browser/deployed/": EMULATOR, CONTAINERS: CONTAINERS}
FIRST = "gw0"
NICER = 5
LONGEST = (
    CONTAINERS,
    "tests/contract/test_mutants.py",
    "tests/browser/test_by_hand.py",
    "tests/browser/test_words.py",
    "tests/browser/test_states.py",
    "tests/integration/test_cut.py",
    "tests/simulation/test_simulation.py",
)
"""Most seconds for their few tests; the modules after these come by their number of tests."""


def make_room(worker: str) -> None:
    """In a worker as it begins."""
    if worker != FIRST:
        os.nice(NICER)


class OneEmulator(LoadScopeScheduling):  # type: ignore[misc]
    """A module is run as a whole, and everything on one deployed stack is one module."""

    def _split_scope(self, nodeid: str) -> str:
        whole = next((whole for folder, whole in TOGETHER.items() if nodeid.startswith(folder)), None)
        return whole or nodeid.partition("::")[0]

    def _assign_work_unit(self, node) -> None:
        for scope in reversed(LONGEST):
            self._move(scope, last=False)
        self._move(EMULATOR, last=node.gateway.id != FIRST)
        super()._assign_work_unit(node)

    def _move(self, scope: str, *, last: bool) -> None:
        if scope in self.workqueue:
            self.workqueue.move_to_end(scope, last=last)
