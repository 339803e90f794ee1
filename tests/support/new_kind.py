"""`make kind NAME=page_lengths`: a new kind of work, as a copy of `count_words` under its name, to be changed from there.

Four files in tests/kinds: the module, the block, an event, a test that passes at once. docs/adding-a-kind.md is the recipe.
"""

import re
import sys
from pathlib import Path

from local.stack import PROJECT
from sheaf.protocol import scatter
from tests.support.kinds import BLOCKS, names

MODEL = "count_words"
FILES = ("{}.py", "{}.yaml", "{}.json", "test_{}.py")


def first_task(kind: str) -> str:
    """The task that a kind's event tells of: the one that is opened with the idempotency key `<kind>-first`."""
    return scatter.task_id(PROJECT, f"key {kind}-first")


def write(kind: str) -> list[Path]:
    """Raises SystemExit in words where a name cannot be one, or is taken."""
    if not re.fullmatch(r"[a-z]{2,}(_[a-z]+)*", kind):
        sys.exit("A kind's name is words in small letters with _ between them: make kind NAME=page_lengths")
    made = [BLOCKS / each.format(kind) for each in FILES]
    taken = [path.name for path in made if path.exists()]
    if taken:
        sys.exit(f"There is one already: {', '.join(taken)}")
    changes = [*zip(names(MODEL), names(kind), strict=True), (first_task(MODEL), first_task(kind))]
    for path, model in zip(made, FILES, strict=True):
        text = (BLOCKS / model.format(MODEL)).read_text()
        for old, new in changes:
            text = text.replace(old, new)
        path.write_text(text)
    return made


if __name__ == "__main__":
    sys.stdout.write("".join(f"{path}\n" for path in write(sys.argv[1])))
