"""The stack under test as a folder that `sam` can build: the real template with the probe laid over it, its code beside it."""

import shutil
from pathlib import Path

from local import web
from tests.support import template

ROOT = template.ROOT


def stage(folder: Path) -> Path:
    """Fill an empty folder; gives the template's path. The probe's function is the worker's own with the probe beside it."""
    web.build(lambda _line: None)
    for name in ("functions", "layers"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(folder / "functions" / "worker", folder / "functions" / "probe")
    shutil.copy2(ROOT / "tests" / "probe" / "probe.py", folder / "functions" / "probe" / "probe.py")
    staged = folder / "template.yaml"
    staged.write_text(template.dump(template.probed()))
    return staged
