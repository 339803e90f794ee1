"""`python -m tests.simulation`: seeds, planted bugs, exhaustive faults. The last line is JSON; the exit code tells.

Without arguments: every single fault, every planted bug, every kept case, and as many seeds as fit into the rest of six minutes.
"""

import argparse
import json
import multiprocessing
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FUNCTIONS = ("api", "worker", "aggregator", "dead_letter", "janitor")
PROCESSES = int(os.environ.get("PROCESSES", "2"))
BUDGET_S = 330
LEAST_SEEDS_S = 45
SEEDS_A_BUG = 600


def use(tree: Path) -> None:
    """Import the product from this tree, in this process. Nothing of it may have been imported before."""
    sys.path[:0] = [str(ROOT), str(tree / "layers" / "sheaf"), *(str(tree / "functions" / name) for name in FUNCTIONS)]


def child(work: Callable[..., Any], arguments: tuple[Any, ...], queue: Any, tree: Path | None) -> None:
    """One process: its own import of the product, one piece of work, one answer."""
    try:
        if tree is not None:
            use(tree)
        queue.put(work(*arguments))
    except Exception as error:  # noqa: BLE001 - told to the parent, which fails
        queue.put(error)


def spread(
    work: Callable[..., Any], pieces: list[tuple[Any, ...]], told: Callable[[Any], None], tree: Path | None = ROOT
) -> list[Any]:
    """Each piece in a process of its own, `PROCESSES` at a time."""
    context = multiprocessing.get_context("fork")
    todo, running, answers = list(pieces), {}, []
    while todo or running:
        while todo and len(running) < PROCESSES:
            queue = context.Queue()
            process = context.Process(target=child, args=(work, todo.pop(0), queue, tree))
            process.start()
            running[process] = queue
        for process, queue in list(running.items()):
            if queue.empty() and process.is_alive():
                continue
            answer = queue.get(timeout=10)
            process.join()
            del running[process]
            if isinstance(answer, Exception):
                raise answer
            told(answer)
            answers.append(answer)
        time.sleep(0.02)
    return answers


# ---------------------------------------------------------------------------------------------------- what children do


def seeds(first: int, step: int, count: int | None, until: float) -> Any:
    """Seeds first, first + step, ... until there were `count` or the time is up."""
    from tests.simulation.outcome import Outcome  # noqa: PLC0415
    from tests.simulation.runs import run_seed  # noqa: PLC0415 - in the child, after `use`

    outcome, seed = Outcome(), first
    while (count is None or outcome.runs < count) and time.time() < until and len(outcome.broken) < 3:
        run_seed(seed, outcome)
        seed += step
    return outcome


def single_faults(part: int, of: int) -> Any:
    from tests.simulation.exhaustive import run_singles  # noqa: PLC0415

    return run_singles(part, of)


def pair_faults(part: int, of: int, limit: int | None, seed: int) -> Any:
    from tests.simulation.exhaustive import run_pairs  # noqa: PLC0415

    return run_pairs(part, of, limit, seed)


def kept_cases() -> Any:
    from tests.simulation.outcome import Outcome  # noqa: PLC0415
    from tests.simulation.runs import kept, replay  # noqa: PLC0415

    outcome = Outcome()
    for path in kept():
        simulation = replay(path)
        outcome.add(simulation)
        outcome.broken += [f"kept case {path.name}: {found}" for found in simulation.invariants.found[:1]]
    return outcome


def plant_and_run(number: int, first: int) -> tuple[str, int | None, str]:
    """Plant one bug; the seeds that it took to be seen (None: it survived) and by which rule."""
    from tests.simulation.planted.bugs import BUGS  # noqa: PLC0415
    from tests.simulation.planted.planting import plant  # noqa: PLC0415

    bug = BUGS[number]
    with tempfile.TemporaryDirectory() as folder:
        use(plant(bug, ROOT, Path(folder)))
        from tests.simulation.simulation import Simulation  # noqa: PLC0415

        for taken in range(SEEDS_A_BUG):
            mix = bug.mix if taken % 2 == 0 else None
            found = Simulation(first + taken, mix=mix).run().invariants.found
            if found:
                return bug.name, taken + 1, f"{found[0][0]}: {found[0][1]}"
    return bug.name, None, bug.sentence


# ---------------------------------------------------------------------------------------------------- what is asked for


class Report:
    """What was found in all, told as it comes and once more at the end."""

    def __init__(self) -> None:
        self.started = time.time()
        self.seeds = self.faults = self.caught = self.planted = 0
        self.cells: Counter[tuple[str, str, str]] = Counter()
        self.broken: list[str] = []
        self.taken: list[int] = []

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

    def bug(self, answer: tuple[str, int | None, str]) -> None:
        name, taken, text = answer
        self.planted += 1
        self.caught += taken is not None
        self.taken += [taken] if taken else []
        print(
            f"{time.time() - self.started:6.1f} s  {'SURVIVED' if taken is None else f'{taken:4} seeds'}  {name}: {text[:130]}",
            flush=True,
        )

    def end(self) -> int:
        from tests.simulation.matrix import covered, table  # noqa: PLC0415

        print(table(self.cells))
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
        return int(bool(self.broken) or self.caught < self.planted)


def run_seeds(report: Report, first: int, count: int | None, seconds: float) -> None:
    until = time.time() + seconds
    each = None if count is None else -(-count // PROCESSES)
    report.ran(
        "seeds",
        spread(seeds, [(first + n, PROCESSES, each, until) for n in range(PROCESSES)], lambda _: None),
        are_seeds=True,
    )


def run_planted(report: Report, first: int, name: str = "") -> None:
    from tests.simulation.planted.bugs import BUGS  # noqa: PLC0415

    asked = [(number, first) for number, bug in enumerate(BUGS) if name in bug.name]
    spread(plant_and_run, asked, report.bug, tree=None)


def run_kept(report: Report) -> None:
    report.ran("kept cases", spread(kept_cases, [()], lambda _: None))


def run_singles(report: Report) -> None:
    report.ran(
        "single faults", spread(single_faults, [(n, PROCESSES * 4) for n in range(PROCESSES * 4)], lambda _: None)
    )


def one_seed(seed: int) -> int:
    """One seed, told in full."""
    use(ROOT)
    from tests.simulation.simulation import Simulation  # noqa: PLC0415

    simulation = Simulation(seed, trace=True).run()
    print("\n".join(simulation.trace or []))
    print(*simulation.drawn, simulation.world_faults, simulation.faults.injected, sep="\n")
    print(simulation.invariants.found or "nothing broken")
    return int(bool(simulation.invariants.found))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seeds", type=int, help="so many seeds, and nothing else")
    parser.add_argument("--minutes", type=float, help="seeds for so long, and nothing else")
    parser.add_argument("--hours", type=float, help="the same in hours")
    parser.add_argument("--seed", type=int, help="this seed only, with its trace")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument(
        "--planted", nargs="?", const="", metavar="NAME", help="the planted bugs only, or those of such a name"
    )
    parser.add_argument("--kept", action="store_true", help="the kept cases only")
    parser.add_argument("--exhaustive", action="store_true", help="every single fault only")
    parser.add_argument("--pairs", type=int, nargs="?", const=0, help="all ordered pairs of faults, or so many of them")
    return parser.parse_args()


def main() -> int:
    """Do what was asked for; the exit code is 0 only when nothing broke and no planted bug survived."""
    asked = arguments()
    if asked.seed is not None:
        return one_seed(asked.seed)
    report = Report()
    seconds = (asked.minutes or 0) * 60 + (asked.hours or 0) * 3600
    if asked.planted is not None:
        run_planted(report, asked.first, asked.planted)
    elif asked.kept:
        run_kept(report)
    elif asked.exhaustive:
        run_singles(report)
    elif asked.pairs is not None:
        limit = -(-asked.pairs // PROCESSES) or None
        report.ran(
            "pairs", spread(pair_faults, [(n, PROCESSES, limit, asked.first) for n in range(PROCESSES)], lambda _: None)
        )
    elif asked.seeds or seconds:
        run_seeds(report, asked.first, asked.seeds, seconds or 10**9)
    else:
        run_kept(report)
        run_singles(report)
        run_planted(report, asked.first)
        run_seeds(report, asked.first, None, max(LEAST_SEEDS_S, BUDGET_S - (time.time() - report.started)))
    return report.end()


if __name__ == "__main__":
    if os.environ.get("PYTHONHASHSEED") != "0":
        # The order of sets is part of a run: the same seed has to be the same run everywhere.
        os.execve(
            sys.executable,
            [sys.executable, "-m", "tests.simulation", *sys.argv[1:]],
            {**os.environ, "PYTHONHASHSEED": "0"},
        )
    import boto3  # noqa: F401 - loaded once, before the processes part
    import pynamodb.models  # noqa: F401
    from aws_lambda_powertools.event_handler import api_gateway  # noqa: F401

    sys.exit(main())
