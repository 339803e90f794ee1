"""`make run`: the sample papers become one finished table, by the client and the HTTP API that everyone uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from local import LocalError
from local.settings import ROOT
from sheaf_client import api, following, profiles, terminal, transport
from sheaf_client.api import TASKS, Sheaf

if TYPE_CHECKING:
    from pathlib import Path

    from local.stack import Stack
    from sheaf_client.shapes import Task

SAMPLES = ROOT / "samples"
KEY = "samples"  # of the samples' knowledge base: the same one at every run, unless somebody deleted it


def run(stack: Stack) -> None:
    """Load the papers, open a task, wait for it, print its table. Raises LocalError."""
    here = user(stack.emulator.folder)
    try:
        task = _table(here)
        export = here.export(task["taskId"], "xlsx")
        workbook = stack.emulator.folder / export["filename"]
        api.save(export, workbook)
    except transport.SheafError as trouble:
        where = f"{stack.emulator.log} is the log of the emulator and of every function."
        raise LocalError(f"{trouble}\n{where}") from trouble
    click.echo(f"""
Page         {stack.page}
API          {stack.api}
Workbook     {workbook.relative_to(ROOT)}
This task    curl -H "Authorization: Bearer $(make -s token)" {stack.api}{TASKS}/{task["taskId"]}/results
Log          {stack.emulator.log.relative_to(ROOT)}
Next         make run (another task)   make token   make down (keeps the state)   make clean   make help""")
    if task["completedCount"] < (task["totalCount"] or 1):
        raise LocalError(f"{terminal.ended(task)} The table says why.")


def user(folder: Path) -> Sheaf:
    return profiles.of(profiles.local(folder / "local.json"))


def samples_base(here: Sheaf) -> str:
    return here.new_knowledge_base("Sample papers", KEY)["knowledgeBaseId"]


def _table(here: Sheaf) -> Task:
    samples = sorted(file for file in SAMPLES.iterdir() if file.suffix != ".md")
    click.echo(f"{len(samples)} sample papers; each is read once:")
    ended = following.put(here, samples_base(here), samples)
    read = [each for each in ended if following.is_ready(each)]
    if len(read) < len(ended):
        lines = "\n".join(terminal.paper(file.name, each) for file, each in zip(samples, ended, strict=True))
        raise LocalError(f"{len(ended) - len(read)} of {len(ended)} sample papers could not be read:\n{lines}")
    task = here.submit({"templateId": "rct", "documentIds": [paper["documentId"] for paper in read]})
    click.echo(f"Task {task['taskId']} is open: one row a paper.")
    closed = following.follow(here, task["taskId"])
    click.echo("\n" + terminal.table(list(here.results(task["taskId"]))))
    click.echo(f"""
All fields: {terminal.counts(closed["cells"])}. Nobody has checked them yet: the page shows each beside its sentence.
Found: its quote is on that page, and code confirmed that it says so. Not found says nothing of the paper.""")
    return closed
