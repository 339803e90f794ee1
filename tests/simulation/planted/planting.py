"""Plant a bug in a copy of the product and count how many seeds it takes to be seen."""

import shutil
from pathlib import Path

from tests.simulation.planted.bug import Bug
from tests.support import anchored
from tests.support.anchored import Gone


def plant(bug: Bug, root: Path, into: Path) -> Path:
    """A copy of the product's code with this bug in it. Raises Gone."""
    # With what was compiled of it: a file that is not changed is not compiled a hundred times.
    for room in anchored.ROOMS:
        shutil.copytree(root / room, into / room)
    for edit in bug.edits:
        path = anchored.apply(edit, into)
        for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
            compiled.unlink()
    return into


def fits(bug: Bug, root: Path) -> list[str]:
    """What of this bug does not fit the product any more."""
    gone = []
    for edit in bug.edits:
        try:
            anchored.find(edit, root)
        except Gone as error:
            gone.append(str(error))
    return gone
