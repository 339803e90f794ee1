"""The real template with more kinds of work, as a folder that `sam build` can build: its code beside it.

    python -m tests.support.staging FOLDER page_lengths …

does it for a kind of one's own (docs/adding-a-kind.md).
"""

import shutil
import sys
from pathlib import Path

from local import web
from tests.support import kinds, stack_file


def stage(folder: Path, *names: str) -> Path:
    """Fill an empty folder, each kind's module beside a worker and beside the API. Gives the template's path."""
    web.build(lambda _line: None)
    for name in ("functions", "layers"):
        shutil.copytree(stack_file.ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    made = stack_file.load()
    for name in names:
        made = kinds.laid(made, stack_file.load(kinds.block(name)))
        worker = shutil.copytree(folder / "functions" / "worker", folder / "functions" / name)
        for place in (worker, folder / "functions" / "api"):
            shutil.copy2(kinds.block(name).with_suffix(".py"), place)
    staged = folder / "template.yaml"
    staged.write_text(stack_file.dump(made))
    return staged


if __name__ == "__main__":
    sys.stdout.write(f"{stage(Path(sys.argv[1]), *sys.argv[2:])}\n")
