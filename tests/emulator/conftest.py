"""One emulator for all of these tests, with the stack deployed as `make up` deploys it, the probe laid over it."""

import os
import secrets
import signal
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.support.deployed import Deployed, eventually

# A killed worker's row is found a minute and a half later, and the sweeper is awake until then: other tests use that
# time, and those that need it asleep come after them.
LATE = (
    "test_killed_worker.py",
    "test_messages.py",
    "test_kills.py",
    "test_nudges.py",
    "test_deploys.py",
    "test_chaos.py",
)
SEED = pytest.StashKey[int]()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    order = {name: place for place, name in enumerate(LATE, start=1)}
    items.sort(key=lambda item: order.get(item.path.name, 0))


@pytest.fixture
def seed(request) -> int:
    """What a test throws its dice with: CHAOS_SEED, or a new one, told if the test fails."""
    chosen = int(os.environ.get("CHAOS_SEED") or secrets.randbelow(10**6))
    request.node.stash[SEED] = chosen
    return chosen


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """A failure says what to replay, and where the log of its stack stays."""
    report = yield
    if report.failed and "emulator" in item.keywords:
        again = f"make chaos ONLY='{item.name}'" + (f" SEED={item.stash[SEED]}" if SEED in item.stash else "")
        stacks = [each.folder for each in item.funcargs.values() if isinstance(each, Deployed)]
        logs = "".join(f"\nlog:    {folder / 'emulator.log'} (once the stack is down)" for folder in stacks)
        report.sections.append(("to replay", f"replay: {again}{logs}"))
    return report


@dataclass(frozen=True)
class Kill:
    """A worker that was killed at its work: which task, which row, which process."""

    task_id: str
    row: int
    pid: int


@pytest.fixture(scope="session")
def _up(request, tmp_path_factory) -> Iterator[tuple[Deployed, Kill | None]]:
    made = Deployed(tmp_path_factory.mktemp("stack"), "sheaf-test")
    try:
        is_asked_for = any(item.path.name == "test_killed_worker.py" for item in request.session.items)
        yield made, _kill_one(made) if is_asked_for else None
    finally:
        made.remove()


@pytest.fixture(scope="session")
def deployed(_up):
    """The stack, up, with its users; nothing of it is left afterwards."""
    return _up[0]


@pytest.fixture(scope="session")
def kill(_up):
    """A worker that was killed when the stack had just come up."""
    return _up[1]


def _kill_one(deployed: Deployed) -> Kill:
    documents = deployed.probes([{"sleep_ms": 8000}, {}, {"acts": ["throttle:1", "ok"]}])
    task_id = deployed.open(documents)["taskId"]
    at_work = eventually(
        lambda: next((call for call in deployed.calls(task_id) if call["row"] == 0), None), "the slow document's call"
    )
    assert at_work["pid"] in deployed.workers("ProbeFunction")
    os.kill(at_work["pid"], signal.SIGKILL)
    return Kill(task_id, 0, at_work["pid"])
