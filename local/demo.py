"""`make run`: the sample papers become one finished table, through the same HTTP API that everyone uses."""

import json
import secrets
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from local import LocalError, papers, people
from local.api import Api
from local.settings import ROOT
from local.stack import Stack
from local.table import render

SAMPLES = ROOT / "samples"
TASKS = "/asl/extraction/tasks"
CLOSED = {"completed", "cancelled"}
WAIT_SECONDS = 300
BAR = 30
PAPERS = {".pdf", ".xml", ".nxml", ".txt"}


class DemoError(LocalError):
    """The demo did not reach its table; the message says where to look."""


def run(stack: Stack, folder: Path) -> None:
    """Load the papers, open a task, wait for it, print its table. Raises DemoError, ApiError."""
    places: dict[str, str] = json.loads((folder / "local.json").read_text())
    api = Api(stack.api, people.token(places), renew=lambda: people.token(places))
    documents = _read_samples(api)
    request = {"templateId": "rct", "documentIds": documents, "idempotencyKey": f"demo-{secrets.token_hex(8)}"}
    opened = api.post(TASKS, request)
    say(f"Task {opened['taskId']} is open: one row a paper.")
    task = _follow(api, opened, stack)
    rows = _results(api, str(task["taskId"]))
    say("")
    say(render(rows))
    say("A dash: the paper does not report it. A question mark: it does, in ways that contradict each other.")
    say(_closing(task, places, stack))
    if task["status"] != "completed" or task["errorCount"]:
        message = f"The task is {task['status']}; rows in error: {task['errorCount']}. The table says why."
        raise DemoError(message)


def _read_samples(api: Api) -> list[str]:
    """The ids of the sample papers, uploaded and read now or before. Raises DemoError."""
    files = sorted(file for file in SAMPLES.iterdir() if file.suffix in PAPERS)
    base = papers.knowledge_base(api, "Sample papers", papers.SAMPLES)
    uploaded = papers.upload(api, base, files)
    say(f"{len(files)} sample papers are uploaded; each is read once:")
    bar = Bar(live=sys.stdout.isatty())
    read = papers.follow(api, uploaded, lambda seen: bar.draw(_reading(seen)))
    bar.end()
    failed = [item for item in read if item["status"] != "ready"]
    if failed:
        papers.say_states(failed)
        message = f"{len(failed)} of {len(read)} sample papers could not be read."
        raise DemoError(message)
    return [str(item["documentId"]) for item in read]


def _reading(seen: Sequence[Mapping[str, Any]]) -> str:
    counts = {status: sum(item["status"] == status for item in seen) for status in ("uploading", "reading", "ready")}
    done = counts["ready"] * BAR // max(1, len(seen))
    told = ", ".join(f"{count} {state}" for state, count in counts.items() if count)
    return f"[{'#' * done}{'.' * (BAR - done)}] {told}"


def _follow(api: Api, task: Mapping[str, Any], stack: Stack) -> Mapping[str, Any]:
    """The task once it has closed, looked at each second. Raises DemoError when that takes too long."""
    deadline = time.monotonic() + WAIT_SECONDS
    bar = Bar(live=sys.stdout.isatty())
    bar.show(task)
    while task["status"] not in CLOSED:
        if time.monotonic() > deadline:
            raise DemoError(_late(task, stack))
        time.sleep(1)
        task = api.get(f"{TASKS}/{task['taskId']}")
        bar.show(task)
    bar.end()
    return task


@dataclass
class Bar:
    """One line drawn over and over on a terminal; elsewhere a line for each change."""

    live: bool
    last: str = ""

    def show(self, task: Mapping[str, Any]) -> None:
        self.draw(_progress(task))

    def draw(self, line: str) -> None:
        if self.live:
            sys.stdout.write(f"\r{line}\033[K")
            sys.stdout.flush()
        elif line != self.last:
            say(line)
        self.last = line

    def end(self) -> None:
        if self.live:
            say("")


def _progress(task: Mapping[str, Any]) -> str:
    done = int(task["totalCount"]) - int(task["pendingCount"]) - int(task["extractingCount"])
    filled = BAR * done // max(int(task["totalCount"]), 1)
    return (
        f"[{'#' * filled}{'.' * (BAR - filled)}] {task['percent']:>3} %  {done} of {task['totalCount']} papers"
        f" ({task['extractingCount']} being read, {task['errorCount']} errors)  {task['status']}"
    )


def _late(task: Mapping[str, Any], stack: Stack) -> str:
    return (
        f"\nThe task is still {task['status']} after {WAIT_SECONDS // 60} minutes.\n"
        f"  {stack.emulator.log} is the log of the emulator and of every function; look for ERROR and Traceback.\n"
        "  `make down` and `make run` start the emulator again with its state; `make clean` starts from nothing."
    )


def _results(api: Api, task_id: str) -> Sequence[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    cursor: str | None = ""
    while cursor is not None:
        page = api.get(f"{TASKS}/{task_id}/results" + (f"?cursor={cursor}" if cursor else ""))
        rows += page["results"]
        cursor = page["nextCursor"]
    return rows


def _closing(task: Mapping[str, Any], places: dict[str, str], stack: Stack) -> str:
    page = [f"Page         {places['page']}"] if places["page"] else []
    return "\n".join(
        (
            "",
            *page,
            f"API          {places['api']}",
            f'This task    curl -H "Authorization: Bearer $(make -s token)" {places["api"]}{TASKS}/{task["taskId"]}/results',
            f"Log          {stack.emulator.log.relative_to(ROOT)}",
            "Next         make run (another task)   make token   make down (keeps the state)   make clean   make help",
        )
    )


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
