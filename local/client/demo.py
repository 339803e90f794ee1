"""`make run`: the sample papers become one finished table, through the same HTTP API that everyone uses."""

import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from local import LocalError
from local.client import api, papers
from local.client.api import TASKS, Api
from local.client.table import counts, render
from local.settings import ROOT
from local.stack import Stack

SAMPLES = ROOT / "samples"
CLOSED = {"completed", "cancelled"}
WAIT_SECONDS = 300
BAR = 30


def run(stack: Stack) -> None:
    """Load the papers, open a task, wait for it, print its table. Raises LocalError."""
    here = api.here(stack.emulator.folder)
    opened = papers.open_task(here, _read_samples(here), "demo")
    say(f"Task {opened['taskId']} is open: one row a paper.")
    task = _follow(here, opened, stack)
    # The samples' rows are one page.
    say("\n" + render(here.get(f"{TASKS}/{task['taskId']}/results")["results"]))
    say(f"\nAll fields: {counts(task['cells'])}. Nobody has checked them yet: the page shows each beside its sentence.")
    say("Found: its quote is on that page, and code confirmed that it says so. Not found says nothing of the paper.")
    say(_closing(task, stack, _workbook(here, task, stack.emulator.folder)))
    if task["status"] != "completed" or task["errorCount"]:
        raise LocalError(f"The task is {task['status']}; rows in error: {task['errorCount']}. The table says why.")


def _read_samples(here: Api) -> list[papers.Document]:
    """The sample papers, uploaded and read now or before. Raises LocalError."""
    files = sorted(file for file in SAMPLES.iterdir() if file.suffix != ".md")
    uploaded = papers.upload(here, papers.knowledge_base(here, "Sample papers", papers.SAMPLES), files)
    say(f"{len(files)} sample papers are uploaded; each is read once:")
    bar = Bar(live=sys.stdout.isatty())
    read = papers.follow(here, uploaded, lambda seen: bar.draw(_reading(seen)))
    bar.end()
    if failed := [item for item in read if item["status"] != "ready"]:
        papers.say_states(failed)
        raise LocalError(f"{len(failed)} of {len(read)} sample papers could not be read.")
    return read


def _follow(here: Api, task: Mapping[str, Any], stack: Stack) -> Mapping[str, Any]:
    """The task once it has closed, looked at each second. Raises LocalError when that takes too long."""
    deadline = time.monotonic() + WAIT_SECONDS
    bar = Bar(live=sys.stdout.isatty())
    bar.draw(_progress(task))
    while task["status"] not in CLOSED:
        if time.monotonic() > deadline:
            raise LocalError(
                f"\nThe task is still {task['status']} after {WAIT_SECONDS // 60} minutes.\n"
                f"  {stack.emulator.log} is the log of the emulator and of every function; look for ERROR and Traceback.\n"
                "  `make down` and `make run` start the emulator again with its state; `make clean` starts from nothing."
            )
        time.sleep(1)
        task = here.get(f"{TASKS}/{task['taskId']}")
        bar.draw(_progress(task))
    bar.end()
    return task


@dataclass
class Bar:
    """One line drawn over and over on a terminal; elsewhere a line for each change."""

    live: bool
    last: str = ""

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


def _reading(seen: Sequence[Mapping[str, Any]]) -> str:
    counts = {status: sum(item["status"] == status for item in seen) for status in ("uploading", "reading", "ready")}
    states = ", ".join(f"{count} {state}" for state, count in counts.items() if count)
    return f"{_filled(counts['ready'], len(seen))} {states}"


def _progress(task: Mapping[str, Any]) -> str:
    done = int(task["totalCount"]) - int(task["pendingCount"]) - int(task["extractingCount"])
    return (
        f"{_filled(done, task['totalCount'])} {task['percent']:>3} %  {done} of {task['totalCount']} papers"
        f" ({task['extractingCount']} being read, {task['errorCount']} errors)  {task['status']}"
    )


def _filled(done: int, total: int) -> str:
    return f"[{'#' * (BAR * done // max(total, 1)):.<{BAR}}]"


def _workbook(here: Api, task: Mapping[str, Any], folder: Path) -> Path:
    """The table as a workbook, beside the stack's state. Raises LocalError."""
    exports, deadline = f"{TASKS}/{task['taskId']}/exports", time.monotonic() + WAIT_SECONDS
    export = here.post(exports, {"format": "xlsx"})
    while export["status"] in {"waiting", "writing"} and time.monotonic() < deadline:
        time.sleep(0.5)
        export = here.get(f"{exports}/{export['exportId']}")
    if export["status"] != "ready":
        raise LocalError(f"The workbook is {export['status']}: {export['errorMessage'] or 'it takes too long'}")
    written = folder / str(export["filename"])
    written.write_bytes(api.send("GET", export["url"], timeout=60).data)
    return written


def _closing(task: Mapping[str, Any], stack: Stack, workbook: Path) -> str:
    return f"""
Page         {stack.page}
API          {stack.api}
Workbook     {workbook.relative_to(ROOT)}
This task    curl -H "Authorization: Bearer $(make -s token)" {stack.api}{TASKS}/{task["taskId"]}/results
Log          {stack.emulator.log.relative_to(ROOT)}
Next         make run (another task)   make token   make down (keeps the state)   make clean   make help"""


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
