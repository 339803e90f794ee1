"""What runs in processes of their own: each imports the product anew, whole or with a bug planted in it."""

import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FUNCTIONS = ("api", "worker", "aggregator", "janitor", "intake", "notice")
PROCESSES = int(os.environ.get("PROCESSES", "2"))
SEEDS_A_BUG = 600


def use(tree: Path) -> None:
    """Import the product from this tree, in this process. Nothing of it may have been imported before."""
    sys.path[:0] = [
        str(ROOT),
        str(ROOT / "tests" / "kinds"),
        str(tree / "layers" / "sheaf"),
        *(str(tree / "functions" / name) for name in FUNCTIONS),
    ]


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


def seeds(first: int, step: int, count: int | None, until: float, mix: str | None) -> Any:
    """Seeds first, first + step, ... until there were `count` or the time is up."""
    from tests.simulation.outcome import Outcome  # noqa: PLC0415
    from tests.simulation.runs import run_seed  # noqa: PLC0415 - in the child, after `use`

    outcome, seed = Outcome(), first
    while (count is None or outcome.runs < count) and time.time() < until and len(outcome.broken) < 3:
        run_seed(seed, outcome, mix)
        seed += step
    return outcome


def every_mix(part: int, of: int, each: int) -> Any:
    """So many seeds of every mix, always the same ones."""
    from tests.simulation.outcome import Outcome  # noqa: PLC0415
    from tests.simulation.runs import run_seed  # noqa: PLC0415
    from tests.simulation.swarm import MIXES  # noqa: PLC0415

    outcome = Outcome()
    for number, (mix, seed) in enumerate((mix, seed) for mix in MIXES for seed in range(each)):
        if number % of == part:
            run_seed(1_000_000 + seed, outcome, mix)
    return outcome


def single_faults(part: int, of: int, a_sort: int | None) -> Any:
    from tests.simulation.exhaustive import run_singles  # noqa: PLC0415

    return run_singles(part, of, a_sort)


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


def told(name: str, first: int) -> str:
    """Plant the bug of this name; what is printed of the first seed that it breaks."""
    from tests.simulation.planted.bugs import BUGS  # noqa: PLC0415
    from tests.simulation.planted.planting import plant  # noqa: PLC0415

    bug = next(bug for bug in BUGS if bug.name == name)
    with tempfile.TemporaryDirectory() as folder:
        use(plant(bug, ROOT, Path(folder)))
        from tests.simulation.runs import explain  # noqa: PLC0415
        from tests.simulation.simulation import Simulation  # noqa: PLC0415

        for taken in range(SEEDS_A_BUG):
            simulation = Simulation(first + taken, mix=bug.mix if taken % 2 == 0 else None).run()
            if simulation.invariants.found:
                return explain(simulation)
    return "It survived."


def plant_and_run(number: int, first: int, before: int | None) -> tuple[str, int | None, str, int | None]:
    """Plant one bug; the seeds that it took to be seen (None: it survived), by which rule, and by the how many-th.

    `before`: the how many-th saw it when that was last written down, and is looked at first.
    """
    from tests.simulation.planted.bugs import BUGS  # noqa: PLC0415
    from tests.simulation.planted.planting import plant  # noqa: PLC0415

    bug = BUGS[number]
    with tempfile.TemporaryDirectory() as folder:
        use(plant(bug, ROOT, Path(folder)))
        from tests.simulation.simulation import Simulation  # noqa: PLC0415

        places = [*([] if before is None else [before]), *range(SEEDS_A_BUG)]
        for taken, place in enumerate(places, start=1):
            mix = bug.mix if place % 2 == 0 else None
            found = Simulation(first + bug.first + place, mix=mix).run().invariants.found
            if found:
                return bug.name, taken, f"{found[0][0]}: {found[0][1]}", place
    return bug.name, None, bug.sentence, None
