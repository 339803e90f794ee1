"""`export.*`: a table as a file: how long, in how much memory, with formulas defused, and read back by another library.

Rows are those that the rules make of the papers there are, again and again under names of their own.
"""

import csv
import io
import json
import re
import resource
import subprocess
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from tempfile import TemporaryFile
from typing import IO, Any

from python_calamine import CalamineWorkbook

from bench import papers
from bench.report import Line
from clinical import templates
from clinical.answered import Values
from clinical.export_table import text_files, workbook
from clinical.export_table.table import About, Cell, Paper, cell, defused, entries
from clinical.extract_paper import work
from sheaf.jobs import Job
from sheaf.protocol.manifest import PinnedItem

ROWS, MANY, HOSTILE = 1_000, 10_000, 10_000
FIELDS = templates.find("rct").fields
SOME = 12
STARTS = ("=", "+", "-", "@", "\t=", "\r=", "＝", "＋", "－", "＠", "'=", "=cmd|'/c calc'!A0", "@SUM(", '+"', "-2+3+")
RUNS = re.compile(r"[=+\-@\t\r\n＝＋－＠]")
PLAIN = re.compile(r"[-+]?[\d.,]+(?:[eE][-+]?\d+)?%?")


def xlsx_1000() -> Line:
    """Seconds of processor time for the workbook of 1,000 rows."""
    rows = list(_rows(ROWS))
    began = time.process_time()
    size = len(_written(workbook.write, rows))
    return Line(time.process_time() - began, "s", more={"rows": ROWS, "kB": size // 1000})


def memory() -> Line:
    """The peak of a process of its own that writes 10,000 rows, one after another."""
    told = subprocess.run([sys.executable, "-m", "bench.exporting"], capture_output=True, check=True)
    return Line(int(told.stdout), "MB", more={"rows": MANY})


def formulas() -> Line:
    """Which share of 10,000 hostile cells is text, and no formula, in every format."""
    told = [f"{STARTS[number % len(STARTS)]}{number}" for number in range(HOSTILE)]
    field = FIELDS[0]
    rows = [
        Paper(f"t-{n}", f"d{n}", text, "completed", None, text, {field.name: _value(text)})
        for n, text in enumerate(told)
    ]
    with zipfile.ZipFile(io.BytesIO(_written(workbook.write, rows, [field]))) as book:
        sheets = [book.read(name).decode() for name in book.namelist() if name.startswith("xl/worksheets/sheet")]
    run = sum(len(re.findall(r"<f>|<hyperlink", sheet)) for sheet in sheets)
    for writer in (text_files.wide, text_files.long):
        for line in csv.reader(io.StringIO(_written(writer, rows, [field]).decode("utf-8-sig"), newline="")):
            run += any(RUNS.match(each) and not PLAIN.fullmatch(each) for each in line)
    lines = _written(text_files.json_lines, rows, [field]).decode().splitlines()
    kept = sum(json.loads(line)["study"] == text for line, text in zip(lines, told, strict=True))
    return Line(1 - (run + HOSTILE - kept) / (4 * HOSTILE), "share", more={"run": run, "kept in jsonl": kept})


def back() -> Line:
    """Which share of values and states another library reads back as they are, in every format."""
    rows = list(_rows(SOME))
    checks: Counter[str] = Counter()
    wanted = [[cell(field, row.values[field.name]) for field in FIELDS] for row in rows]
    states = [[row.values[field.name]["state"] for field in FIELDS] for row in rows]
    table = _sheet(_written(workbook.write, rows), 0)[2:]
    for given, want in zip(table, wanted, strict=True):
        checks.update(_same(_plain(each), _plain(value)) for each, value in zip(given[4:], want, strict=True))
    for given, want, state in zip(_csv(text_files.wide, rows), wanted, states, strict=True):
        checks.update(_same(_undone(each), _printed(value)) for each, value in zip(given[5::2], want, strict=True))
        checks.update(_same(each, value) for each, value in zip(given[6::2], state, strict=True))
    long = Counter((line[1], line[6]) for line in _csv(text_files.long, rows))
    wished = Counter(
        (name, value["state"] if value["state"] == "contradictory" else entry["state"])
        for row in rows for name, value in row.values.items()
        for entry in entries(value) for _ in (entry["value"] if isinstance(entry["value"], dict) else [0])
    )  # fmt: skip
    checks["right"] += (long & wished).total()
    checks["wrong"] += (wished - long).total()
    for line, row in zip(_written(text_files.json_lines, rows).decode().splitlines(), rows, strict=True):
        checks[_same(json.loads(line)["fields"], row.values)] += len(FIELDS)
    return Line(checks["right"] / checks.total(), "share", more=dict(checks))


def _same(given: Any, wanted: Any) -> str:
    return "right" if given == wanted else "wrong"


def _plain(told: Cell) -> Cell:
    """As the workbook's reader gives it."""
    if told is None or isinstance(told, bool):
        return "" if told is None else str(told).upper()
    return float(told) if isinstance(told, int) else told


def _printed(told: Cell) -> str:
    """As a CSV has it; what is text and what a number is for its reader to say."""
    return str(_plain(told)) if told is None or isinstance(told, bool) else str(told)


def _undone(told: str) -> str:
    """Without the apostrophe."""
    return told.removeprefix("'") if told[:1] == "'" and defused(told[1:]) == told else told


def _csv(writer: Any, rows: list[Paper]) -> list[list[str]]:
    return list(csv.reader(io.StringIO(_written(writer, rows).decode("utf-8-sig"), newline="")))[1:]


def _sheet(content: bytes, number: int) -> list[list[Any]]:
    book = CalamineWorkbook.from_filelike(io.BytesIO(content))
    return [
        [str(each).upper() if isinstance(each, bool) else each for each in row]
        for row in book.get_sheet_by_index(number).to_python()
    ]


def _written(writer: Callable[..., None], rows: Any, fields: Any = FIELDS) -> bytes:
    with TemporaryFile() as file:
        _write(writer, rows, fields, file)
        file.seek(0)
        return file.read()


def _write(writer: Callable[..., None], rows: Any, fields: Any, file: IO[bytes]) -> None:
    link = "https://sheaf.example/#/p1/tasks/t1/results"
    writer(file, rows, fields, About("both", link, Counter(), Counter(), Counter(), {"task": "t1"}))


def _value(text: str) -> Any:
    return {"state": "found", "value": text, "quote": text, "page": 1, "start": 0, "end": len(text), "match": "exact"}


def _rows(number: int) -> Iterator[Paper]:
    read = [(name, data["studyId"], data["fields"]) for name, data in _read()]
    for at, (name, study, values) in enumerate(islice(cycle(read), number)):
        yield Paper(f"t1-{at}", f"d{at}", f"{at} {name}", "completed", None, study, _own(values))


def _own(values: Values) -> Values:
    return {**values}


def _read() -> Iterator[tuple[str, Any]]:
    for known in papers.known()[:SOME]:
        text = known.read()
        content = text.to_json().encode()
        item = PinnedItem(known.name, "", None, None, known.path.name)
        job = Job(
            "p1/t1", 0, 1, item, {"template": "rct@1"}, lambda content=content: content, lambda _: b"", lambda: 60.0
        )
        yield known.path.name, work.work(job).data


if __name__ == "__main__":
    with TemporaryFile() as out:
        _write(workbook.write, _rows(MANY), FIELDS, out)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
