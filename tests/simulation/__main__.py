"""`python -m tests.simulation`: seeds, planted bugs, exhaustive faults. The last line is JSON; the exit code tells.

Without arguments: every kept case, every kind of single fault at four calls of each sort, some seeds of every mix and every planted bug,
which are the gate and the same on every machine however slow; and as many of the first 1,200 seeds as fit into the rest of five minutes.
Others: --minutes, --hours, and --exhaustive for the single faults at every call.
"""

import argparse
import json
import os
import sys
import time

from tests.simulation.processes import (
    PROCESSES,
    ROOT,
    every_mix,
    kept_cases,
    pair_faults,
    plant_and_run,
    seeds,
    single_faults,
    spread,
    told,
    use,
)
from tests.simulation.report import Report

BUDGET_S = 300
SEEDS_A_MIX = 12
CALLS_A_SORT = 4
"""Of the calls of one function that do one thing to one item. Of 22,700 single faults this leaves 4,100, and none of another kind."""
FOUND_AT = ROOT / "tests" / "simulation" / "planted" / "found_at.json"
"""By which of its seeds each planted bug is seen. It may be out of date: then a bug is looked for as one that nobody has seen."""
MORE_SEEDS = 1_200
"""No more than these, so that a faster machine judges no change by seeds that nobody has seen yet."""


def run_seeds(report: Report, first: int, count: int | None, seconds: float, mix: str | None = None) -> None:
    until = time.time() + seconds
    each = None if count is None else -(-count // PROCESSES)
    report.ran(
        "seeds",
        spread(seeds, [(first + n, PROCESSES, each, until, mix) for n in range(PROCESSES)], lambda _: None),
        are_seeds=True,
    )


def run_planted(report: Report, first: int, name: str = "", *, remember: bool = False) -> None:
    """Each bug, first of all with the seed that saw it last. From another first seed: as if nobody had seen it."""
    from tests.simulation.planted.bugs import BUGS  # noqa: PLC0415

    before = {} if first else json.loads(FOUND_AT.read_text())
    asked = [(number, first, before.get(bug.name)) for number, bug in enumerate(BUGS) if name in bug.name]
    spread(plant_and_run, asked, report.bug, tree=None)
    if remember:
        FOUND_AT.write_text(json.dumps(before | report.places, indent=1, sort_keys=True) + "\n")


def run_kept(report: Report) -> None:
    report.ran("kept cases", spread(kept_cases, [()], lambda _: None))


def run_singles(report: Report, a_sort: int | None) -> None:
    parts = [(n, PROCESSES * 4, a_sort) for n in range(PROCESSES * 4)]
    report.ran("single faults", spread(single_faults, parts, lambda _: None))


def run_mixes(report: Report) -> None:
    parts = [(n, PROCESSES * 4, SEEDS_A_MIX) for n in range(PROCESSES * 4)]
    report.ran("seeds of every mix", spread(every_mix, parts, lambda _: None), are_seeds=True)


def one_seed(seed: int, mix: str | None) -> int:
    """One seed, told in full."""
    use(ROOT)
    from tests.simulation.simulation import Simulation  # noqa: PLC0415

    simulation = Simulation(seed, mix=mix, trace=True).run()
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
    parser.add_argument("--mix", help="of this mix of trouble, whatever the seed would draw")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument(
        "--planted", nargs="?", const="", metavar="NAME", help="the planted bugs only, or those of such a name"
    )
    parser.add_argument("--remember", action="store_true", help="with --planted: write down which seed saw each bug")
    parser.add_argument("--plant", metavar="NAME", help="plant this bug and show what is printed when it is found")
    parser.add_argument("--kept", action="store_true", help="the kept cases only")
    parser.add_argument("--exhaustive", action="store_true", help="every single fault at every call only")
    parser.add_argument("--pairs", type=int, nargs="?", const=0, help="all ordered pairs of faults, or so many of them")
    return parser.parse_args()


def main() -> int:
    """Do what was asked for; the exit code is 0 only when nothing broke and no planted bug survived."""
    asked = arguments()
    if asked.seed is not None:
        return one_seed(asked.seed, asked.mix)
    if asked.plant:
        spread(told, [(asked.plant, asked.first)], print, tree=None)
        return 0
    report = Report()
    seconds = (asked.minutes or 0) * 60 + (asked.hours or 0) * 3600
    if asked.planted is not None:
        run_planted(report, asked.first, asked.planted, remember=asked.remember)
    elif asked.kept:
        run_kept(report)
    elif asked.exhaustive:
        run_singles(report, None)
    elif asked.pairs is not None:
        limit = -(-asked.pairs // PROCESSES) or None
        report.ran(
            "pairs", spread(pair_faults, [(n, PROCESSES, limit, asked.first) for n in range(PROCESSES)], lambda _: None)
        )
    elif asked.seeds or seconds:
        run_seeds(report, asked.first, asked.seeds, seconds or 10**9, asked.mix)
    else:
        run_kept(report)
        run_singles(report, CALLS_A_SORT)
        run_mixes(report)
        report.judge_cells()
        run_planted(report, asked.first)
        run_seeds(report, asked.first, MORE_SEEDS, BUDGET_S - (time.time() - report.started))
    return report.end()


if __name__ == "__main__":
    if os.environ.get("PYTHONHASHSEED") != "0":
        # The order of sets is part of a run: the same seed has to be the same run everywhere.
        os.execve(
            sys.executable,
            [sys.executable, "-m", "tests.simulation", *sys.argv[1:]],
            {**os.environ, "PYTHONHASHSEED": "0"},
        )
    import pynamodb.models  # noqa: F401 - loaded once, before the processes part, as is all that follows
    from aws_lambda_powertools.event_handler import api_gateway  # noqa: F401

    from tests.simulation import clients
    from tests.support import quick_moto  # noqa: F401

    clients.prepare()
    sys.exit(main())
