"""An editor wants to spend without end: a task that names no budget, one of a thousand dollars, one that gives its budget back.

The wall is the deployment's ceiling (MaxUsdPerTask): it is the budget of who names none, and no other may be above it.
"""

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from sheaf.outside import wiring
from sheaf.settings import ApiSettings
from tests.support import model_engines
from tests.support.bench import Bench, stack
from tests.support.provider import serving

TASKS = "/asl/extraction/tasks"
MOST = 50


def attack(*, walls: bool) -> list[str]:
    with tempfile.TemporaryDirectory() as folder, serving() as provider, stack(Path(folder) / "log") as bench:
        model_engines.configure(bench, provider)
        if not walls:
            settings = replace(bench.api_world.settings, max_usd_per_task=0)
            bench.worlds["ApiFunction"] = wiring.worlds[ApiSettings] = replace(bench.api_world, settings=settings)
        told = [_opened(bench), _opened(bench, budgetUsd=1_000), _given_back(bench)]
    return [f"a task that may cost {task['budgetUsd']}" for task in told if (task.get("budgetUsd") or MOST + 1) > MOST]


def _opened(bench: Bench, **more: Any) -> dict[str, Any]:
    """The task, or where it was refused one that may cost nothing worth speaking of."""
    document = bench.paper(f"A paper. {more}", "a.txt")
    key = f"budget-{more.get('budgetUsd')}"
    status, told = bench.post([document], kind="extract_paper", engine="openai", key=key, **more)
    return {"budgetUsd": MOST} if status == 400 and told["field"] == "budgetUsd" else dict(told)


def _given_back(bench: Bench) -> dict[str, Any]:
    task = _opened(bench, budgetUsd=1)
    return dict(bench.http("POST", f"{TASKS}/{task['taskId']}/budget", {"budgetUsd": None})[1])
