"""One line a measure, and whether it is what it must be."""

import json
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

RUNS = 5
Judge = Callable[["Line"], bool]


@dataclass(frozen=True)
class Line:
    """What one measure found. `ratio` is ours over the baseline's, pair by pair where they were taken in pairs."""

    value: float | bool
    unit: str
    baseline: float | None = None
    ratio: float | None = None
    more: dict[str, Any] = field(default_factory=dict)

    def shown(self, name: str, *, ok: bool) -> str:
        told = {"name": name, "value": _short(self.value), "unit": self.unit}
        told |= {"baseline": _short(self.baseline), "ratio": _short(self.ratio), "ok": ok}
        return json.dumps(told | {key: _short(value) for key, value in self.more.items()})


def _short(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 4)
    return [_short(each) for each in value] if isinstance(value, list) else value


def paired(pairs: Sequence[tuple[float, float]], unit: str, **more: Any) -> Line:
    """Medians of ours and of the baseline, and the median of the pairs' ratios: what slows both down cancels out."""
    ours, bare = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratios = sorted(mine / other for mine, other in pairs)
    return Line(
        ours, unit, bare, statistics.median(ratios), {"ratios": [ratios[0], ratios[-1]], "pairs": len(pairs)} | more
    )


def median(values: Sequence[float], unit: str, **more: Any) -> Line:
    return Line(statistics.median(values), unit, more={"runs": len(values), "range": [min(values), max(values)]} | more)


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least this share of them does not exceed."""
    return sorted(values)[max(0, -(-len(values) * int(share * 100) // 100) - 1)]


def value_at_most(bound: float) -> Judge:
    return lambda line: line.value <= bound


def value_at_least(bound: float) -> Judge:
    return lambda line: line.value >= bound


def value_is(*, wanted: float | bool) -> Judge:
    return lambda line: line.value == wanted


def ratio_at_most(bound: float) -> Judge:
    return lambda line: line.ratio is not None and line.ratio <= bound
