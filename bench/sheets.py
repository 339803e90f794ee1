"""`sheet.*`: a workbook of the seed's size, 3,339 rows of 151 columns: announced, read, cleaned, kept, looked at.

With DATA=/path the shared workbook and its truth; without, one of the same size that is made here, whose truth is known by construction.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from python_calamine import CalamineWorkbook

from bench.place import Place, place
from bench.report import RUNS, Line, median, paired
from sheaf.apart.isolation import environment
from sheaf_client.api import send
from sheets import read_workbook, table_file, workbook_files
from sheets.sheet_limits import LIMITS
from tests.support.workbooks import announcement, large_registry

SESSIONS = "/dc/sessions"
ROWS = 50
PEAKS = """
import re, resource, sys
from sheaf.apart.isolation import read_apart
from sheets.sheet_limits import LIMITS
import sheets.clean_sheet
read_apart(open(sys.argv[1], "rb").read(), "", LIMITS, reader="sheets.read_workbook", advice="", walled="where_possible")
# What Linux says by rusage has the size of whoever started this process.
said = re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read()) if sys.platform == "linux" else None
print(said[1] if said else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
KINDS = {"category_zh": "category", "yes_no": "boolean", "number_as_text": "float"}
"""How the truth calls what we call otherwise."""


@cache
def _workbook() -> tuple[bytes, dict[str, Any]]:
    """The file, and what is true of it."""
    folder = os.environ.get("DATA")
    if folder and (place := Path(folder, "xlsx", "registry_3339x151.xlsx")).exists():
        return place.read_bytes(), json.loads(place.with_name("registry_truth.json").read_text())
    return large_registry()


def parse() -> Line:
    """Read, clean, describe and save into a file, in one process, over a bare reading of the same bytes."""
    content, _ = _workbook()
    pairs = []
    for _ in range(RUNS + 1):
        began = time.process_time()
        made = _cleaned(content)
        with tempfile.TemporaryFile() as file:
            file.write(made.content)
        ours = time.process_time() - began
        began = time.process_time()
        CalamineWorkbook.from_filelike(BytesIO(content)).get_sheet_by_index(0).to_python(skip_empty_area=False)
        pairs.append((ours, time.process_time() - began))
    return paired(pairs[1:], "s", kB=len(made.content) // 1000)


def _cleaned(content: bytes) -> table_file.File:
    return read_workbook.clean(workbook_files.read(content, LIMITS))


def truth() -> Line:
    """Of all that is known of the workbook, which share is said right: header row, rows, and of each column what it holds."""
    content, known = _workbook()
    made = _cleaned(content)
    sheet = table_file.sheets(made.content[: made.head])[0]
    checks = [sheet["headerRow"] == known["header_row_0based"] + 1, sheet["rows"] == known["n_rows"]]
    wrong = []
    for column, true in zip(sheet["columns"], known["columns"], strict=True):
        said = _said(column)
        expected = _expected(true)
        right = [said[name] == value for name, value in expected.items()]
        checks += right
        wrong += [] if all(right) else [true["header_raw"]]
    return Line(sum(checks) / len(checks), "share", more={"checks": len(checks), "wrong": wrong[:10]})


def _said(column: Any) -> dict[str, Any]:
    numbers = {name: _short(column[name]) for name in ("min", "max", "mean")}
    categories = sorted(str(value).casefold() for value, _ in column["top"])
    return {
        **numbers,
        "kind": column["type"],
        "missing": column["missing"],
        "bad": column["invalid"],
        "categories": categories,
    }


def _expected(true: dict[str, Any]) -> dict[str, Any]:
    found = {"kind": KINDS.get(true["kind"], true["kind"]), "missing": true["n_missing"], "bad": true["n_bad"]}
    found |= {name: _short(true[name]) for name in ("min", "max", "mean") if name in true}
    return found | ({"categories": true["distinct_normalised"]} if "distinct_normalised" in true else {})


def _short(value: Any) -> Any:
    return round(value, 3) if isinstance(value, int | float) else value


def memory() -> Line:
    """What the worker and the process in which it reads hold at their most, together."""
    content, _ = _workbook()
    with tempfile.NamedTemporaryFile() as file:
        file.write(content)
        file.flush()
        command = [sys.executable, "-c", PEAKS, file.name]
        told = subprocess.run(command, env=environment(), capture_output=True, check=True).stdout
    peaks = [int(peak) // (1_000_000 if sys.platform == "darwin" else 1_000) for peak in told.split()]
    return Line(sum(peaks), "MB", more={"worker": peaks[0], "reader": peaks[1]})


def _opened(at: Place) -> tuple[float, str, Any]:
    content, _ = _workbook()
    began = time.monotonic()
    status, body = at.ask("POST", SESSIONS, announcement(content))
    assert status == 201, body  # noqa: PLR2004 - HTTP's own number
    return time.monotonic() - began, str(body["session"]["sessionId"]), body["upload"]


def answer() -> Line:
    """From the POST to its answer; beside it, from the end of the upload until its work is seen, and until its table is there."""
    at, answers, seen, ready = place(), [], [], []
    content, _ = _workbook()
    for _ in range(RUNS + 1):
        took, session, form = _opened(at)
        send(form, content)
        began = time.monotonic()
        answers.append(took)
        at.wait_for(lambda session=session: _at_work(at, session) or None, every=0.05)
        seen.append(time.monotonic() - began)
        at.wait_for(lambda session=session: _status(at, session)["status"] == "ready" or None, every=0.05)
        ready.append(time.monotonic() - began)
    return median(answers[1:], "s", seen=max(seen[1:]), ready=max(ready[1:]))


def _at_work(at: Place, session: str) -> bool:
    found = _status(at, session)
    return found["status"] == "ready" or found["step"] in {"reading", "cleaning", "saving"}


def _status(at: Place, session: str) -> Any:
    return at.ask("GET", f"{SESSIONS}/{session}/status")[1]


def preview() -> Line:
    """KB of the file that 50 rows take, at the worst place; beside it how long they take over HTTP."""
    at = place()
    content, _ = _workbook()
    _, session, form = _opened(at)
    send(form, content)
    at.wait_for(lambda: _status(at, session)["status"] == "ready" or None, every=0.1)
    took = []
    for number in range(2 * RUNS):
        began = time.monotonic()
        status, body = at.ask("GET", f"{SESSIONS}/{session}/preview?rows={ROWS}&offset={300 * number}")
        took.append(time.monotonic() - began)
        assert status == 200, body  # noqa: PLR2004 - HTTP's own number
        assert len(body["rows"]) == ROWS
    made = _cleaned(content)
    about = table_file.sheets(made.content[: made.head])
    spans = [table_file.span(made.head, about, 0, first, ROWS) for first in range(0, about[0]["rows"] - ROWS, 7)]
    most = made.head + max(span.end - span.start for span in spans)
    return Line(most / 1000, "KB", more={"seconds": sorted(took)[-2], "runs": len(took)})


def answers_at_once(line: Line) -> bool:
    return line.value <= 0.3 and line.more["seen"] <= 2  # noqa: PLR2004 - the bounds


def is_small_and_quick(line: Line) -> bool:
    return line.value <= 200 and line.more["seconds"] <= 0.5  # noqa: PLR2004 - the bounds
