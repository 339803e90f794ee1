"""A task of 100,000 documents, by reference, from its request to its close: `PYTHONPATH=layers/sheaf:client python -m bench.level3`.

On demand only: on two cores the rows alone take half an hour. MINUTES=5 lets them run for so long and cancels the rest, which
the task then has to close over as well. What it prints is one line, and its exit code is 1 where a row is missing or was worked on twice.
"""

import json
import os
import secrets
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from bench.place import CLOSED, TASKS, Place, place, remove_all
from bench.submitting import _shelf
from bench.units import item_size
from sheaf.items import Task
from sheaf.outside.wiring import PARALLEL
from tests.support.shelf import a_document, usable

COUNT = int(os.environ.get("COUNT") or 100_000)
MINUTES = float(os.environ.get("MINUTES") or 0)
ACCEPTED = 202


def main() -> int:
    at, base = place(), "k" + secrets.token_hex(9)
    _fill(at, base)
    began = time.monotonic()
    status, task = at.ask("POST", TASKS, {"templateId": "rct", "kind": "probe", "knowledgeBaseId": base})
    assert (status, task["status"]) == (ACCEPTED, "gathering"), task
    told: dict[str, Any] = {"documents": COUNT, "answered_s": time.monotonic() - began}
    name = str(task["taskId"])
    at.wait_for(lambda: at.task(name).total, within=600)
    told["gathered_s"] = time.monotonic() - began
    at.wait_for(lambda: at.task(name).scattered_at, within=3_600, every=1)
    told["scattered_s"] = time.monotonic() - began
    ended = _closed(at, name)
    told |= {"closed_s": time.monotonic() - began, "item_bytes": item_size(at.raw_task(name))}
    rows, calls = Counter(row.status for row in at.rows(ended)), Counter(at.probe_calls(name))
    whole = rows.total() == COUNT and rows == _counts(ended) and not rows["pending"] + rows["extracting"]
    once = len(calls) == rows["completed"] and set(calls.values()) == {1}
    print(json.dumps(told | {"status": ended.status, "rows": rows, "whole": whole, "each_once": once}))
    return int(not (whole and once))


def _fill(at: Place, base: str) -> None:
    """A knowledge base of so many documents, all over one object."""
    frozen = at.objects[0]
    puts = [{"PutRequest": {"Item": _document(at, base, number, frozen)}} for number in range(COUNT)]
    chunks = [puts[first : first + 25] for first in range(0, COUNT, 25)] + [
        [{"PutRequest": {"Item": _shelf(at, base)}}]
    ]
    table, write = at.name("LibraryTable"), at.client("dynamodb").batch_write_item
    with ThreadPoolExecutor(PARALLEL) as pool:
        assert not any(
            reply["UnprocessedItems"] for reply in pool.map(lambda chunk: write(RequestItems={table: chunk}), chunks)
        )


def _document(at: Place, base: str, number: int, frozen: Any) -> dict[str, Any]:
    of = usable(f"{number}.json", frozen.key, frozen.version)
    return a_document(at.project, base, f"level3{number:012d}", created_at=number, usable=of).serialize()


def _closed(at: Place, name: str) -> Task:
    until = time.monotonic() + (MINUTES * 60 or 7_200)
    while at.task(name).status not in CLOSED and time.monotonic() < until:
        time.sleep(2)
    if at.task(name).status not in CLOSED:
        at.ask("POST", f"{TASKS}/{name}/cancel")
    return at.closed(name, within=3_600, every=2)


def _counts(task: Task) -> Counter[str]:
    return Counter(completed=task.completed, error=task.error, cancelled=task.cancelled)


if __name__ == "__main__":
    try:
        sys.exit(main())
    finally:
        remove_all()
