"""One line of JSON a measure and system, and the table that is made of them: `python -m bench.race.table < lines`."""

import json
import sys
from collections.abc import Iterable
from math import isfinite
from typing import Any

NO_FIGURE = "-"


def line(racer: str, measure: str, value: float, unit: str, **more: object) -> str:
    told = {"racer": racer, "measure": measure, "value": short(value), "unit": unit}
    return json.dumps(told | {name: short(each) for name, each in more.items()})


def short(value: object) -> object:
    """Three digits that count: more would be noise. Infinity, what never came, stays as it is."""
    if isinstance(value, float) and isfinite(value):
        return float(f"{value:.3g}") if abs(value) < 1_000 else round(value)  # noqa: PLR2004 - three digits
    return [short(each) for each in value] if isinstance(value, list) else value


def table(lines: Iterable[str]) -> str:
    """In Markdown: a row for each measure, a column for each system, in the order in which they come."""
    figures = [json.loads(each) for each in lines if each.startswith("{")]
    found = {(each["measure"], each["racer"]): each for each in figures if "measure" in each}
    racers = list(dict.fromkeys(each["racer"] for each in figures))
    rows = [["measure", *racers], ["---"] * (len(racers) + 1)]
    for measure, unit in dict.fromkeys((each["measure"], each["unit"]) for each in found.values()):
        rows.append([f"{measure}, {unit}", *(_cell(found.get((measure, racer))) for racer in racers)])
    rows.append(["load of the machine", *(_load(racer, figures) for racer in racers)])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _load(racer: str, figures: list[dict[str, Any]]) -> str:
    """The least and the most while it raced: others may have been at work too."""
    loads = sorted(each["load"] for each in figures if each["racer"] == racer and "load" in each)
    return "-".join(f"{load:.0f}" for load in dict.fromkeys((loads[0], loads[-1]))) if loads else NO_FIGURE


def _cell(figure: dict[str, Any] | None) -> str:
    """A value, and the requests behind it where they were counted."""
    if figure is None:
        return NO_FIGURE
    shown = f"{figure['value']:,g}"
    return f"{shown} ({figure['calls']:,})" if "calls" in figure else shown


if __name__ == "__main__":
    print(table(sys.stdin))
