"""The stack under test as a folder that `sam` can build: the real template with the kinds of tests/kinds laid over it."""

from pathlib import Path

from local import kinds, web
from tests.support import template


def stage(folder: Path, *names: str) -> Path:
    """Fill an empty folder; gives the template's path. Without names every kind there is."""
    web.build(lambda _line: None)
    return kinds.stage(folder, [template.block(name) for name in names or template.NAMES])
