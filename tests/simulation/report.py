"""What was found in all: told as it comes, and once more at the end, with the exit code."""

import json
import time
from collections import Counter
from typing import Any

from tests.simulation.matrix import covered, gaps, table


class Report:
    """What was found in all, told as it comes and once more at the end."""

    def __init__(self) -> None:
        self.started = time.time()
        self.seeds = self.faults = self.caught = self.planted = 0
        self.cells: Counter[tuple[str, str, str]] = Counter()
        self.gaps: list[str] = []
        self.broken: list[str] = []
        self.taken: list[int] = []
        self.places: dict[str, int] = {}

    def ran(self, what: str, outcomes: list[Any], *, are_seeds: bool = False) -> None:
        for outcome in outcomes:
            self.seeds += outcome.runs if are_seeds else 0
            self.faults += outcome.faults
            self.cells.update(outcome.cells)
            self.broken += outcome.broken
        runs = sum(outcome.runs for outcome in outcomes)
        print(
            f"{time.time() - self.started:6.1f} s  {what}: {runs} runs, {sum(len(o.broken) for o in outcomes)} broken",
            flush=True,
        )

    def bug(self, answer: tuple[str, int | None, str, int | None]) -> None:
        name, taken, text, place = answer
        self.planted += 1
        self.caught += taken is not None
        self.taken += [taken] if taken else []
        self.places |= {} if place is None else {name: place}
        print(
            f"{time.time() - self.started:6.1f} s  {'SURVIVED' if taken is None else f'{taken:4} seeds'}  {name}: {text[:130]}",
            flush=True,
        )

    def judge_cells(self) -> None:
        """Every cell has to have been met by now, by runs that are the same on every machine."""
        self.gaps = gaps(self.cells)

    def end(self) -> int:
        print(table(self.cells))
        print(*self.gaps, sep="\n", end="\n" if self.gaps else "")
        if self.taken:
            print(
                f"planted bugs: {self.caught}/{self.planted}, median {sorted(self.taken)[len(self.taken) // 2]} seeds, worst {max(self.taken)}"
            )
        for number, text in enumerate(self.broken[:10]):
            print(f"\nVIOLATION {number + 1} of {len(self.broken)}\n    {text}")
        met, there_are = covered(self.cells)
        last = {
            "name": "simulation", "seeds": self.seeds, "faults": self.faults, "violations": len(self.broken),
            "planted": f"{self.caught}/{self.planted}", "cells": f"{met}/{there_are}",
        }  # fmt: skip
        print(json.dumps(last, separators=(",", ":")), flush=True)
        return int(bool(self.broken or self.gaps) or self.caught < self.planted)
