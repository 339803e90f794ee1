"""Run seeds, make a failure small, and keep it."""

import copy
import json
import re
import subprocess
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.simulation.faults import Fault, shown, to_json
from tests.simulation.outcome import Outcome
from tests.simulation.shape import Shape
from tests.simulation.simulation import Simulation
from tests.simulation.swarm import Swarm

SEEDS = Path(__file__).parent / "seeds"
MINIMISING_RUNS = 120
TRACE_TAIL = 40


def run_seed(seed: int, outcome: Outcome, mix: str | None = None) -> Simulation:
    """One seed's world, from its drawing of lots to its last look."""
    simulation = Simulation(seed, mix=mix).run()
    outcome.add(simulation)
    if simulation.invariants.found:
        outcome.broken.append(explain(simulation))
    return simulation


def all_faults(simulation: Simulation) -> list[Fault]:
    return [*simulation.world_faults, *simulation.faults.injected]


def again(simulation: Simulation, faults: list[Fault], *, trace: bool = False) -> Simulation:
    """The same world with these faults only."""
    swarm, shape = simulation.drawn
    return Simulation(simulation.seed, swarm=copy.deepcopy(swarm), shape=shape, replay=faults, trace=trace).run()


def breaks(simulation: Simulation, rule: str) -> bool:
    return any(found == rule for found, _ in simulation.invariants.found)


def minimised(simulation: Simulation) -> list[Fault]:
    """As few of the run's faults as still break the same rule; all of them if that is not to be had."""
    rule, faults = simulation.invariants.found[0][0], all_faults(simulation)
    if not breaks(again(simulation, faults), rule):
        return faults
    size, tried = max(1, len(faults) // 2), 0
    while size >= 1 and tried < MINIMISING_RUNS:
        at = 0
        while at < len(faults) and tried < MINIMISING_RUNS:
            fewer = faults[:at] + faults[at + size :]
            tried += 1
            if breaks(again(simulation, fewer), rule):
                faults = fewer
            else:
                at += size
        size //= 2
    return faults


def explain(simulation: Simulation) -> str:
    """Rule, seed, commit, the faults that it takes, how to see all of it, and the trace as far as it has to do with it."""
    rule, text = simulation.invariants.found[0]
    faults = minimised(simulation)
    last = again(simulation, faults, trace=True)
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    ).stdout.strip()
    swarm, shape = simulation.drawn
    mix = f" --mix '{simulation.mix}'" if simulation.mix else ""
    lines = [
        f"{rule}: {text}",
        f"seed {simulation.seed}, commit {commit}, {len(faults)} faults: {shown(faults)}",
        f"python -m tests.simulation --seed {simulation.seed}{mix}",
        f"{swarm}",
        f"{shape}",
    ]
    return "\n    ".join(lines + _what_matters(last))


def _what_matters(simulation: Simulation) -> list[str]:
    """The end of the trace, without what is about other tasks, and without the sweeper's heartbeats."""
    names = set(re.findall(r"p\d/\w{20}", " ".join(text for _, text in simulation.invariants.found)))
    lines = [
        line
        for line in simulation.trace or []
        if "FAULT" in line or "WORLD" in line or any(name in line for name in names) or not names
    ]
    return [line for line in lines if "task_progress" not in line and " query " not in line][-TRACE_TAIL:]


def keep(simulation: Simulation, name: str, why: str) -> Path:
    """A regression: the world as it was drawn, so that drawing lots otherwise one day does not change it."""
    path = SEEDS / f"{name}.json"
    case: dict[str, Any] = {
        "why": why, "rule": simulation.invariants.found[0][0], "seed": simulation.seed, "swarm": asdict(simulation.drawn[0]),
        "shape": asdict(simulation.drawn[1]), "faults": to_json(minimised(simulation)),
    }  # fmt: skip
    path.write_text(json.dumps(case, indent=1) + "\n")
    return path


def kept() -> list[Path]:
    return sorted(SEEDS.glob("*.json"))


def replay(path: Path) -> Simulation:
    """A kept case, on the product as it is now."""
    case = json.loads(path.read_text())
    faults = [Fault(*fault) for fault in case["faults"]]
    return Simulation(case["seed"], swarm=Swarm(**case["swarm"]), shape=Shape(**case["shape"]), replay=faults).run()
