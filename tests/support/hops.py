"""How many hops of ours there are between an event and AWS: `python -m tests.support.hops [at least]`.

Counted on the stack of every AWS call in a task's whole life (tests/support/life.py). The function is one hop, however
many files its folder has and whatever calls it back; each module of the layer after it is one, up to the module that
calls boto3. Calls within a module are none; a way that comes back to a module counts it again. Printed are the ways
with the operation at their end and how often it was made, the longest first; `at least` leaves out what has fewer hops.
"""

import sys
import tempfile
import tomllib
from collections import Counter
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

from tests.support.stack_file import ROOT

FUNCTIONS, LAYERS = ROOT / "functions", ROOT / "layers"
READS = ("Get", "BatchGet", "Query", "Head", "List")
BOUNDS = {"read": 4, "write": 5}


def way(frame: FrameType | None) -> tuple[str, ...]:
    """The function and the modules after it on this stack; empty for a call that no function makes."""
    modules: list[str] = []
    while frame:
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(FUNCTIONS):
            return (path.relative_to(FUNCTIONS).parts[0], *reversed(modules))
        if path.is_relative_to(LAYERS) and modules[-1:] != [_name(path)]:
            modules.append(_name(path))
        frame = frame.f_back
    return ()


def _name(path: Path) -> str:
    return ".".join(path.relative_to(LAYERS).with_suffix("").parts[1:]).removesuffix(".__init__")


def walked() -> Counter[tuple[str, tuple[str, ...], str]]:
    """Whether it reads or writes, the way, and the operation at its end: of every call, with how many there were."""
    found: Counter[tuple[str, tuple[str, ...], str]] = Counter()
    stack = import_module("tests.support.bench").stack
    with tempfile.TemporaryDirectory() as folder, stack(Path(folder) / "log") as bench:
        answer = bench.calls.answer

        def looked_at(client: Any, operation: str, arguments: dict[str, Any]) -> Any:
            modules = way(sys._getframe())
            if modules:
                found["read" if operation.startswith(READS) else "write", modules, operation] += 1
            return answer(client, operation, arguments)

        bench.calls.answer = looked_at
        import_module("tests.support.life").a_whole_life(bench)
    return found


def main(least: int = 0) -> None:
    found = walked()
    for (what, modules, operation), times in sorted(
        found.items(), key=lambda each: (each[0][0], -len(each[0][1]), each[0])
    ):
        if len(modules) >= least:
            sys.stdout.write(f"{len(modules)} {what:5} {times:4} x {operation:24} {' > '.join(modules)}\n")
    for what, bound in BOUNDS.items():
        hops = Counter[int]()
        for (each, modules, _), times in found.items():
            hops[len(modules)] += times * (each == what)
        within = sum(times for length, times in hops.items() if length <= bound)
        longest = max(length for length, times in hops.items() if times)
        sys.stdout.write(f"{what}s: {within} of {hops.total()} calls within {bound} hops, the longest {longest}\n")


if __name__ == "__main__":
    tests = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]
    sys.path[:0] = [str(ROOT / folder) for folder in tests["pythonpath"]]
    main(*map(int, sys.argv[1:]))
