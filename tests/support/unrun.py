"""Which lines of the product a run of tests does not reach: `python -m tests.support.unrun [pytest's arguments]`.

It prints `file:line` and the line. No gate: on the fast tests it takes several times as long as they do, and
what runs in a child process is not seen. A function is watched only until each of its lines has run.
"""

import ast
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

from tests.support.stack_file import ROOT

ROOMS = tuple(str(ROOT / room) for room in ("layers", "functions"))
FAST = ["-q", "-p", "no:randomly", "tests/unit", "tests/integration", "tests/http", "-m", "not slow"]


class Watch:
    """The lines that have run, by file."""

    def __init__(self) -> None:
        self.run: dict[str, set[int]] = {}
        self.left: dict[CodeType, set[int]] = {}

    def begin(self, frame: FrameType, _event: str, _told: Any) -> Any:
        """Asked at each call: whether its lines are of interest still."""
        code = frame.f_code
        if not code.co_filename.startswith(ROOMS):
            return None
        if code not in self.left:
            self.left[code] = {line for _, _, line in code.co_lines() if line}
        return self.step if self.left[code] else None

    def step(self, frame: FrameType, event: str, _told: Any) -> Any:
        if event == "line":
            self.left[frame.f_code].discard(frame.f_lineno)
            self.run.setdefault(frame.f_code.co_filename, set()).add(frame.f_lineno)
        return self.step


def unrun(watch: Watch) -> Iterator[str]:
    """The first lines of statements within functions that have not run."""
    for path in sorted(each for room in ROOMS for each in Path(room).rglob("*.py")):
        lines = path.read_text().splitlines()
        for line in sorted(_statements(ast.parse("\n".join(lines))) - watch.run.get(str(path), set())):
            yield f"{path.relative_to(ROOT)}:{line}: {lines[line - 1].strip()}"


def _statements(tree: ast.AST) -> set[int]:
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    bodies = [node for function in functions for part in function.body for node in ast.walk(part)]
    return {node.lineno for node in bodies if isinstance(node, ast.stmt) and not _says_only(node)}


def _says_only(node: ast.stmt) -> bool:
    """What no line event is told of: a docstring, a name for types."""
    is_words = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return is_words or (isinstance(node, ast.AnnAssign) and node.value is None) or isinstance(node, ast.Global)


def main(arguments: list[str]) -> int:
    watch = Watch()
    threading.settrace(watch.begin)
    sys.settrace(watch.begin)
    failed = pytest.main(arguments or FAST)
    sys.settrace(None)
    found = list(unrun(watch))
    sys.stdout.write("\n".join([*found, f"{len(found)} lines are run by none of these tests", ""]))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
