"""`row.wru`: write units of one row's life, from the sizes of the items as they are written, with the longest names.

The row is that of the paper whose packed payload is the median of the samples and of the papers that DATA names.
"""

import hashlib
import json
import logging
import sys
import tempfile
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench import papers
from bench.place import ROOT
from bench.report import Line
from bench.units import item_size, write_units
from clinical.extract_paper import work
from clinical.papers import reader
from sheaf.jobs import Job
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

PAGE = 50
PROJECT = "p" * 40
DOCUMENT = "d" + "0123456789abcdef" * 2
FILENAME = "Ångström and others – a very long title of a randomised controlled trial in a journal, 2026.pdf"


def row() -> Line:
    """In process: created by the API, claimed and completed by the worker, every write of the row and its payload weighed."""
    from tests.support.bench import stack  # noqa: PLC0415 - only this measure needs moto
    from tests.support.shelf import a_document, usable  # noqa: PLC0415

    writes: list[tuple[str, int, int]] = []
    packed = sorted(_packed())
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
    sizes = {"bytes": [size for _, _, size in writes], "payload": middle[0], "largest": packed[-1][0]}
    return Line(sum(units), "write units", more={"writes": len(units), **sizes, "papers": len(packed)})


def page_requests() -> Line:
    """In process: what the API asks of AWS for a page of 50 rows with their data."""
    from tests.support.bench import TASKS, stack  # noqa: PLC0415

    logging.disable()
    with tempfile.TemporaryDirectory() as folder, stack(Path(folder) / "probe.log") as bench:
        task = bench.probes("ok", count=PAGE)
        bench.settle("probe")
        with bench.calls.watch() as calls:
            status, page = bench.http("GET", f"{TASKS}/{task}/results")
    logging.disable(logging.NOTSET)
    assert (status, sum(row["extractedData"] is not None for row in page["results"])) == (200, PAGE)
    return Line(len(calls.made), "requests", more={"rows": PAGE, "made": calls.operations})


def _packed() -> Iterator[tuple[int, str, str]]:
    """How large each paper's payload is, packed; the paper's name, and its text as the intake keeps it."""
    job = Job("p/t", 0, 1, PinnedItem("d", "k", None, None, "f"), {"template": "rct@1"}, bytes, lambda _: b"", float)
    found = {known.path: known.read() for known in papers.known()}
    for path in (ROOT / "samples").iterdir():
        if path.suffix in {".pdf", ".xml", ".nxml", ".txt"} and path not in found:
            found[path] = reader.read(path.read_bytes(), path.name)
    for path, paper in found.items():
        text = paper.to_json()
        data = work.work(replace(job, read=text.encode)).data
        packed = zlib.compress(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode())
        yield len(packed), path.name, text


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
