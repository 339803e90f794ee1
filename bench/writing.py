"""`row.wru` and `results.requests`: what a row costs to write, and its table to read. Papers are the samples, and DATA's.

Write units are those of one row's life, from the sizes of the items as they are written, with the longest names; the row is that of
the paper whose packed payload is the median.
"""

import gzip
import hashlib
import json
import logging
import sys
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import Any

from bench import papers
from bench.place import ROOT
from bench.report import Line
from bench.units import item_size, write_units
from clinical.extract_paper import work
from clinical.papers import reader
from sheaf.items import shard_key
from sheaf.jobs import Job
from sheaf.protocol import payloads
from sheaf.protocol.manifest import PinnedItem

for part in (
    "functions/api",
    "functions/worker",
    "functions/aggregator",
    "functions/janitor",
    "functions/intake",
    "functions/notice",
    "tests/kinds",
):
    sys.path.append(str(ROOT / part))

PAGE, ROWS = 50, 1_000
MOST, MOST_OF_PAGE = 12, 4
PROJECT = "p" * 40
DOCUMENT = "d" + "0123456789abcdef" * 2
FILENAME = "Ångström and others – a very long title of a randomised controlled trial in a journal, 2026.pdf"


def row() -> Line:
    """In process: created by the API, claimed and completed by the worker, every write of the row and its payload weighed."""
    from tests.support.bench import stack  # noqa: PLC0415 - only this measure needs moto
    from tests.support.shelf import a_document, usable  # noqa: PLC0415

    writes: list[tuple[str, int, int]] = []
    packed = sorted(packed_papers(), key=lambda paper: len(paper[0]))
    middle = packed[len(packed) // 2]
    logging.disable()  # the worker's own lines are no measures
    with tempfile.TemporaryDirectory() as folder, stack(Path(folder) / "probe.log") as bench:
        bench.clock.now += 123_456_789  # no round number: a round one is shorter
        _weigh(bench, writes)
        content = middle[2].encode()
        key, sha256 = f"texts/{PROJECT}/{DOCUMENT}/{'0' * 20}-1.json", hashlib.sha256(content).hexdigest()
        put = bench.api_world.client("s3").put_object(Bucket="databucket", Key=key, Body=content)
        bench.put(a_document(PROJECT, "kb", DOCUMENT, usable=usable(FILENAME, key, put["VersionId"], sha256)))
        body = {"templateId": "rct", "documentIds": [DOCUMENT]}
        status, task = bench.http("POST", "/asl/extraction/tasks", body, project=PROJECT)
        assert status == 202, task  # noqa: PLR2004
        bench.clock.now += 7_777
        bench.deliver()
        assert bench.row().status == "completed", bench.row().serialize()
    logging.disable(logging.NOTSET)
    units = [write_units(size, transactional=kind == "TransactWriteItems") for kind, _, size in writes]
    sizes = {"bytes": [size for _, _, size in writes], "payload": len(middle[0]), "largest": len(packed[-1][0])}
    return Line(sum(units), "write units", more={"writes": len(units), **sizes, "papers": len(packed)})


def requests() -> Line:
    """In process: what the API asks of AWS for all pages of 1,000 rows with `view=values`, and for the 50 that the page draws first."""
    from tests.support.bench import stack  # noqa: PLC0415

    logging.disable()
    packed = [paper[0] for paper in packed_papers()]
    with tempfile.TemporaryDirectory() as folder, stack(Path(folder) / "probe.log") as bench:
        first, pages, sent = read_table(bench, packed, PAGE, "glance")
        made, many, all_sent = read_table(bench, packed, ROWS)
    logging.disable(logging.NOTSET)
    fifty: dict[str, Any] = {"of_50": len(first), "pages_of_50": pages, "kb_of_50": sent / 1000}
    return Line(len(made), "requests", more={"pages": many, "kb": all_sent / 1000, "made": made, **fifty})


def are_few(line: Line) -> bool:
    return line.value <= MOST and line.more["of_50"] <= MOST_OF_PAGE


def read_table(bench: Any, packed: Sequence[bytes], count: int, view: str = "values") -> tuple[list[str], int, int]:
    """The calls, the pages and the bytes as they are sent of a closed task with so many rows of these payloads, packed by gzip."""
    from tests.http.front import TASKS  # noqa: PLC0415
    from tests.support.items import a_row, a_task  # noqa: PLC0415

    bench.put(
        a_task(task=f"p1/{count}", kind="extract_paper", status="completed", active=None, total=count, completed=count)
    )
    for number, payload in zip(range(count), cycle(packed), strict=False):
        place = {"shard": shard_key(f"p1/{count}", number // 250), "row": number, "data_key": payloads.BESIDE}
        row = bench.put(a_row("completed", **place, document=f"d{number}", token=f"t{number}"))
        payloads.write(bench.api_world, row, json.loads(zlib.decompress(payload)), None)
    bench.pass_time(minutes=10)  # the reader's allowance is full again
    with bench.calls.watch() as calls:
        pages = list(_pages(bench, f"{TASKS}/{count}/results?view={view}"))
    assert sum(len(page["results"]) for page, _ in pages) == count
    return calls.operations, len(pages), sum(size for _, size in pages)


def _pages(bench: Any, path: str) -> Iterator[tuple[Any, int]]:
    """Each page, and how many bytes it is on the wire."""
    cursor: str | None = "0"
    while cursor is not None:
        status, page = bench.http("GET", f"{path}&cursor={cursor}")
        assert status == 200, page  # noqa: PLR2004
        cursor = page["nextCursor"]
        yield page, len(gzip.compress(json.dumps(page, ensure_ascii=False).encode(), 6))


def packed_papers() -> Iterator[tuple[bytes, str, str]]:
    """Each paper's payload, packed; the paper's name, and its text as the intake keeps it."""
    job = Job("p/t", 0, 1, PinnedItem("d", "k", None, None, "f"), {"template": "rct@1"}, bytes, lambda _: b"", float)
    found = {known.path: known.read() for known in papers.known()}
    for path in (ROOT / "samples").iterdir():
        if path.suffix in {".pdf", ".xml", ".nxml", ".txt"} and path not in found:
            found[path] = reader.read(path.read_bytes(), path.name)
    for path, paper in found.items():
        text = paper.to_json()
        data = work.work(replace(job, read=text.encode)).data
        packed = zlib.compress(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode())
        yield packed, path.name, text


def _weigh(bench: Any, writes: list[tuple[str, int, int]]) -> None:
    """The larger of before and after, for each write of Results."""
    answer = bench.calls.answer

    def weighed(client: Any, operation: str, arguments: dict[str, Any]) -> Any:
        keys = _keys(operation, arguments)
        before = [_size(bench, key) for key in keys]
        reply = answer(client, operation, arguments)
        after = [_size(bench, key) for key in keys]
        writes.extend((operation, number, max(pair)) for number, pair in enumerate(zip(before, after, strict=True)))
        return reply

    bench.calls.answer = weighed
    bench.calls.watching = True


def _keys(operation: str, arguments: dict[str, Any]) -> list[Any]:
    if operation == "UpdateItem" and arguments["TableName"] == "ResultsTable":
        return [arguments["Key"]]
    if operation == "PutItem" and arguments["TableName"] == "ResultsTable":
        return [{name: arguments["Item"][name] for name in ("shard", "row")}]
    puts = [each["Put"] for each in arguments.get("TransactItems", ()) if each["Put"]["TableName"] == "ResultsTable"]
    return [{name: put["Item"][name] for name in ("shard", "row")} for put in puts]


def _size(bench: Any, key: Any) -> int:
    with bench.calls.unwatched():
        found = bench.api_world.client("dynamodb").get_item(TableName="ResultsTable", Key=key, ConsistentRead=True)
    return item_size(found.get("Item", {}))
