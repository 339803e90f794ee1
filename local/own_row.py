"""A row of its own for a worker's event: real work, however often it is sent, and nobody of the emulator's is quicker."""

import json
import secrets
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from local import papers, people
from local.api import Api
from local.aws import DIRECT, session
from local.emulator import Say
from local.settings import ROOT
from local.stack import Stack

WORKER = "ExtractPaperFunction"
SAMPLE = ROOT / "samples" / "attia-2017.txt"
TASKS = "/asl/extraction/tasks"
POLL_SECONDS = 3
"""A poll that had begun before its mapping was switched off still takes what it finds."""
WAIT_SECONDS = 60


@contextmanager
def given(deployed: Stack, function: str, event: Path, folder: Path, say: Say) -> Iterator[Path]:
    """The event, of a new task's first row where it is a worker's; its function sleeps in the emulator meanwhile."""
    if function != WORKER:
        yield event
        return
    content = json.loads(event.read_text())
    api = Api(deployed.api, people.token(json.loads((folder / "local.json").read_text())))
    base = papers.knowledge_base(api, "Sample papers", papers.SAMPLES)
    (paper,) = papers.follow(api, papers.upload(api, base, [SAMPLE]), lambda _: None)
    _wake(deployed, function, awake=False)
    try:
        time.sleep(POLL_SECONDS)
        task = _open(api, str(paper["documentId"]))
        say(f"For this event there is task {task}, of one paper; {function} sleeps in the emulator meanwhile.")
        record = content["Records"][0]
        record["body"] = json.dumps(json.loads(record["body"]) | {"s": f"{people.PROJECT}/{task}/0000", "r": 0})
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(content, file)
            file.flush()
            yield Path(file.name)
        say(f"What it wrote: {deployed.api}{TASKS}/{task}/results")
    finally:
        _wake(deployed, function, awake=True)


def _open(api: Api, document: str) -> str:
    """A new task, once its rows are there."""
    asked = {"templateId": "rct", "documentIds": [document], "idempotencyKey": f"invoke-{secrets.token_hex(8)}"}
    task = str(api.post(TASKS, asked)["taskId"])
    deadline = time.monotonic() + WAIT_SECONDS
    while not api.get(f"{TASKS}/{task}/results")["results"] and time.monotonic() < deadline:
        time.sleep(0.2)
    return task


def _wake(deployed: Stack, function: str, *, awake: bool) -> None:
    functions = session().client("lambda", endpoint_url=deployed.emulator.endpoint, config=DIRECT)
    name = deployed.resources[function]
    for mapping in functions.list_event_source_mappings(FunctionName=name)["EventSourceMappings"]:
        functions.update_event_source_mapping(UUID=mapping["UUID"], Enabled=awake)
