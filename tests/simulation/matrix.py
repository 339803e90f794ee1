"""Which fault met which call how often."""

from collections import Counter

from tests.simulation.faults import CALL_KINDS, WORLD_KINDS, applies

Cells = Counter[tuple[str, str, str]]
FUNCTIONS = ("api", "worker", "aggregator", "dead_letter", "janitor")


def wanted(cells: Cells) -> set[tuple[str, str, str]]:
    """Every cell there could be: each fault at each call that any function was seen to make, and each fault of the world."""
    calls = {(function, operation) for function, operation, _ in cells if function in FUNCTIONS}
    out = {
        (function, operation, kind)
        for function, operation in calls
        for kind in CALL_KINDS
        if applies(kind, operation, function)
    }
    return out | {("world", kind, kind) for kind in WORLD_KINDS}


def covered(cells: Cells) -> tuple[int, int]:
    """How many cells were met, and how many there are."""
    all_cells = wanted(cells)
    return sum(cells[cell] > 0 for cell in all_cells), len(all_cells)


def table(cells: Cells) -> str:
    """One line a call, one column a fault; a dot where the fault makes no sense, a nought where it was not met."""
    kinds = list(CALL_KINDS)
    lines = [f"{'fault x call':44}" + "".join(f"{kind[:11]:>12}" for kind in kinds)]
    for function, operation in sorted(
        {(function, operation) for function, operation, _ in cells if function in FUNCTIONS}
    ):
        numbers = [
            str(cells[function, operation, kind]) if applies(kind, operation, function) else "." for kind in kinds
        ]
        lines.append(f"{function + ' ' + operation:44}" + "".join(f"{number:>12}" for number in numbers))
    lines += [f"world: {kind:30} {cells['world', kind, kind]:>8}" for kind in WORLD_KINDS]
    return "\n".join(lines)
