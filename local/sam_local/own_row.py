"""A row of its own for a worker's event: real work, however often it is sent, and nobody of the emulator's is quicker."""

import json
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from local import demo
from local.command import Say
from local.settings import ROOT
from local.stack import PROJECT, Stack
from sheaf_client.api import TASKS

WORKER = "ExtractPaperFunction"
SAMPLE = ROOT / "samples" / "PMC5712123.nxml"
POLL_SECONDS = 3  # a poll that had begun before its mapping was switched off still takes what it finds


@contextmanager
def given(deployed: Stack, function: str, event: Path, say: Say) -> Iterator[Path]:
    """The event, of a new task's first row where it is a worker's; its function sleeps in the emulator meanwhile."""
    if function != WORKER:
        yield event
        return
    content = json.loads(event.read_text())
    here = demo.user(deployed.emulator.folder)
    paper = here.read(here.upload(demo.samples_base(here), SAMPLE)["documentId"])
    _wake(deployed, function, awake=False)
    try:
        time.sleep(POLL_SECONDS)
        task = here.submit({"templateId": "rct", "documentIds": [paper["documentId"]]})["taskId"]
        # Its rows, as soon as there are any.
        any(any(here.results(task)) for _ in here.watch(task))
        say(f"For this event there is task {task}, of one paper; {function} sleeps in the emulator meanwhile.")
        record = content["Records"][0]
        record["body"] = json.dumps(json.loads(record["body"]) | {"s": f"{PROJECT}/{task}/0000", "r": 0})
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(content, file)
            file.flush()
            yield Path(file.name)
        say(f"What it wrote: {deployed.api}{TASKS}/{task}/results")
    finally:
        _wake(deployed, function, awake=True)


def _wake(deployed: Stack, function: str, *, awake: bool) -> None:
    name = deployed.resources[function]
    for mapping in deployed.lambdas.list_event_source_mappings(FunctionName=name)["EventSourceMappings"]:
        deployed.lambdas.update_event_source_mapping(UUID=mapping["UUID"], Enabled=awake)
