"""`row.wru`: write units of one row's life, from the sizes of the items as they are written, with the longest names."""

import hashlib
import json
import logging
import sys
import tempfile
from pathlib import Path
from typing import Any

from bench.place import ROOT
from bench.report import Line
from bench.units import item_size, write_units

for part in (
    "functions/api",
    "functions/worker",
    "functions/aggregator",
    "functions/janitor",
    "functions/intake",
    "tests/kinds",
):
    sys.path.append(str(ROOT / part))

PROJECT = "p" * 40
DOCUMENT = "d" + "0123456789abcdef" * 2
FILENAME = "Ångström and others – a very long title of a randomised controlled trial in a journal, 2026.pdf"


def row() -> Line:
    """In process: created by the API, claimed and completed by the worker, every write of the row's item weighed."""
    from tests.support.bench import stack  # noqa: PLC0415 - only this measure needs moto
    from tests.support.shelf import a_document, usable  # noqa: PLC0415

    writes: list[tuple[str, int, int]] = []
    logging.disable()  # the worker's own lines are no measures
    with tempfile.TemporaryDirectory() as folder, stack(Path(folder) / "probe.log") as bench:
        bench.clock.now += 123_456_789  # no round number: a round one is shorter
        _weigh(bench, writes)
        content = json.dumps({"acts": ["ok"]}).encode()
        key, sha256 = f"texts/{PROJECT}/{DOCUMENT}/{'0' * 20}-1.json", hashlib.sha256(content).hexdigest()
        put = bench.api_world.client("s3").put_object(Bucket="databucket", Key=key, Body=content)
        bench.put(a_document(PROJECT, "kb", DOCUMENT, usable=usable(FILENAME, key, put["VersionId"], sha256)))
        body = {"templateId": "rct", "documentIds": [DOCUMENT], "kind": "probe"}
        status, task = bench.http("POST", "/asl/extraction/tasks", body, project=PROJECT)
        assert status == 202, task  # noqa: PLR2004
        bench.clock.now += 7_777
        bench.deliver("probe")
        assert bench.row().status == "completed", bench.row().serialize()
    logging.disable(logging.NOTSET)
    units = [write_units(size, transactional=kind == "TransactWriteItems") for kind, _, size in writes]
    return Line(sum(units), "write units", more={"writes": len(units), "bytes": [size for _, _, size in writes]})


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
