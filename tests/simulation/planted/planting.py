"""Plant a bug in a copy of the product and count how many seeds it takes to be seen."""

import shutil
from pathlib import Path

from tests.simulation.planted.bug import Bug


class Gone(Exception):
    """The text that a bug would change is not in the product any more: the bug has to be written anew."""


def plant(bug: Bug, root: Path, into: Path) -> Path:
    """A copy of the product's code with this bug in it. Raises Gone."""
    # With what was compiled of it: a file that is not changed is not compiled a hundred times.
    shutil.copytree(root / "layers" / "sheaf" / "sheaf", into / "layers" / "sheaf" / "sheaf")
    shutil.copytree(root / "functions", into / "functions")
    for name, right, wrong in bug.changes:
        path = into / "layers" / "sheaf" / "sheaf" / name
        text = path.read_text()
        if text.count(right) != 1:
            raise Gone(f"{bug.name}: {text.count(right)} times in {name}: {right!r}")
        path.write_text(text.replace(right, wrong))
        for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
            compiled.unlink()
    return into


def fits(bug: Bug, root: Path) -> list[str]:
    """What of this bug does not fit the product any more."""
    package = root / "layers" / "sheaf" / "sheaf"
    return [f"{name}: {right!r}" for name, right, _ in bug.changes if (package / name).read_text().count(right) != 1]
