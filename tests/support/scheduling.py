"""Which of pytest-xdist's workers runs what: all that needs the emulator runs on one of them, and starts first.

So there is never more than one deployed stack at a time, and what waits for it is not made to wait by another.

Not `--dist loadgroup`, which pytest 9.2 has broken: https://github.com/pytest-dev/pytest-xdist/issues/1386
"""

from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

EMULATOR = "tests/emulator/"
DEPLOYED = (EMULATOR, "tests/browser/deployed/")


class OneEmulator(LoadScopeScheduling):  # type: ignore[misc]
    """A module is run as a whole, and everything on a deployed stack is one module."""

    def _split_scope(self, nodeid: str) -> str:
        return EMULATOR if nodeid.startswith(DEPLOYED) else nodeid.partition("::")[0]

    def _assign_work_unit(self, node) -> None:
        if EMULATOR in self.workqueue:
            self.workqueue.move_to_end(EMULATOR, last=False)
        super()._assign_work_unit(node)
