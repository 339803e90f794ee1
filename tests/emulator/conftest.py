"""One emulator for all of these tests, with the stack deployed as `make up` deploys it, the kinds of tests/kinds laid over it."""

import os
import secrets
import signal
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from clinical.library.document_lifecycle import State
from clinical.library.library_items import Document
from sheaf_client.api import Sheaf
from tests.support.deployed import Deployed, eventually

# A killed worker's row is found a minute and a half later, a killed intake's document after two to three, and the sweeper
# is awake until then: other tests use that time, and those that need it asleep come after them.
LATE = (
    "test_killed_worker.py",
    "test_messages.py",
    "test_kills.py",
    "test_killed_intake.py",
    "test_nudges.py",
    "test_deploys.py",
    "test_chaos.py",
)
SEED = pytest.StashKey[int]()
# Twelve million bytes: to read them takes most of a second here.
PAGES, LINES = 20, 17_500
KILLS_TRIED = 5


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
        # Up to a blank, which -k does not take: it looks for a part of the name.
        name = item.name.partition(" ")[0]
        again = f"make chaos ONLY='{name}'" + (f" SEED={item.stash[SEED]}" if SEED in item.stash else "")
        stacks = [each.folder for each in item.funcargs.values() if isinstance(each, Deployed)]
        logs = "".join(f"\nlog:    {folder / 'emulator.log'} (once the stack is down)" for folder in stacks)
        report.sections.append(("to replay", f"replay: {again}{logs}"))
    return report


@dataclass(frozen=True)
class Kill:
    """A worker that was killed at its work: which task, which row, which process, and until when the row was its own."""

    task_id: str
    row: int
    pid: int
    lease_until: int


@dataclass(frozen=True)
class KilledIntake:
    """An intake that was killed in mid-document: the file, and the document as it was left."""

    content: bytes
    left: Document


@dataclass(frozen=True)
class Up:
    """The stack, and what was killed when it had just come up, if a test asks for it."""

    deployed: Deployed
    worker: Kill | None
    intake: KilledIntake | None


@pytest.fixture(scope="session")
def _up(request, tmp_path_factory) -> Iterator[Up]:
    made = Deployed(tmp_path_factory.mktemp("stack"), "sheaf-test")
    asked = {item.path.name for item in request.session.items}
    try:
        worker = _kill_one(made) if "test_killed_worker.py" in asked else None
        intake = _kill_an_intake(made, tmp_path_factory.mktemp("papers")) if "test_killed_intake.py" in asked else None
        yield Up(made, worker, intake)
    finally:
        made.remove()


@pytest.fixture(scope="session")
def deployed(_up):
    """The stack, up, with its users; nothing of it is left afterwards."""
    return _up.deployed


@pytest.fixture(scope="session")
def kill(_up):
    """A worker that was killed when the stack had just come up."""
    return _up.worker


@pytest.fixture(scope="session")
def killed_intake(_up):
    """An intake that was killed when the stack had just come up."""
    return _up.intake


def _kill_one(deployed: Deployed) -> Kill:
    documents = deployed.probes([{"acts": ["sleep:5000", "ok"]}, {}, {"acts": ["throttle:1", "ok"]}])
    task_id = deployed.open(documents)["taskId"]
    at_work = eventually(
        lambda: next((call for call in deployed.calls(task_id) if call["row"] == 0), None), "the slow document's call"
    )
    assert at_work["pid"] in deployed.workers("ProbeFunction")
    os.kill(at_work["pid"], signal.SIGKILL)
    return Kill(task_id, 0, at_work["pid"], deployed.rows(task_id)[0].lease_until)


def _kill_an_intake(deployed: Deployed, folder: Path) -> KilledIntake:
    """SIGKILL the intake and the process in which it reads, while it does. Should one be too quick for us, the next."""
    api = Sheaf(deployed.stack.api, deployed.token("editor"))
    base = api.new_knowledge_base("Killed")["knowledgeBaseId"]
    for _ in range(KILLS_TRIED):
        file = folder / "long.txt"
        page = f"{secrets.token_hex(8)} is a word of it.\n".encode() * LINES
        file.write_bytes(b"\f".join([page] * PAGES))
        document = api.upload(base, file)
        found = eventually(deployed.readers, "an intake that reads", every=0.001)
        for pid in (*found, *(child for children in found.values() for child in children)):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        left = deployed.document(document["documentId"])
        if left.state == State.READING and left.token:
            return KilledIntake(file.read_bytes(), left)
    raise AssertionError(f"{KILLS_TRIED} times the intake was done before it was killed")
