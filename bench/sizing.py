"""Milliseconds and GB-ms of an event of each function, by its memory: `PYTHONPATH=layers/sheaf:client python -m bench.sizing`.

Measured is the processor time of the real handlers on moto, without moto's own. Arithmetic is the rest: Lambda gives a
processor in proportion to memory, 1,769 MB are one, and more of it helps nobody with one thread; each call of AWS is waited for.
"""

import io
import json
import logging
import resource
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import boto3
from botocore.awsrequest import AWSResponse
from botocore.config import Config
from urllib3 import HTTPResponse

from bench import writing
from bench.place import ROOT
from bench.report import paired
from sheaf.outside import wiring

WHOLE_MB = 1_769
SIZES = (256, 512, 1_024, 1_769, 2_048)
CALL_MS, CALL_CPU_MS = 8, 0.4
"""What a call of AWS is waited for; and botocore's own part of it, which moto leaves out."""
RUNS, PAPERS, CALLS = 10, 100, 300
PDF = ROOT / "samples" / "giraf-2022.pdf"


class Cost(NamedTuple):
    """One event: milliseconds of processor, and how many calls of AWS it makes."""

    name: str
    cpu_ms: float
    calls: float

    def line(self) -> str:
        waits = [self.cpu_ms / min(1, mb / WHOLE_MB) + self.calls * CALL_MS for mb in SIZES]
        cells = [f"{_short(ms)}, {_short(ms * mb / 1024)}" for ms, mb in zip(waits, SIZES, strict=True)]
        return " | ".join(["", self.name, _short(self.cpu_ms), _short(self.calls), *cells, ""]).strip()


def _short(number: float) -> str:
    return f"{number:,.0f}" if number >= 10 else f"{number:.1f}"  # noqa: PLR2004


def _used() -> float:
    child = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + child.ru_utime + child.ru_stime


@contextmanager
def _measured(bench: Any) -> Iterator[Callable[[str, Callable[[], Any], int], Cost]]:
    """Whatever is run so many times, without what moto takes to answer it."""
    answer, moto = bench.calls.answer, [0.0]

    def timed(*call: Any) -> Any:
        began = _used()
        try:
            return answer(*call)
        finally:
            moto[0] += _used() - began

    def cost(name: str, event: Callable[[], Any], runs: int = RUNS) -> Cost:
        event()  # the first one imports
        with bench.calls.watch() as calls:
            began, moto[0] = _used(), 0.0
            for _ in range(runs):
                event()
            own = _used() - began - moto[0]
        each = len(calls.made) / runs
        return Cost(name, 1000 * own / runs + each * CALL_CPU_MS, each)

    bench.calls.answer = timed
    yield cost


def costs() -> Iterator[Cost]:
    import notice  # noqa: PLC0415
    from sheaf.notices import webhook_items  # noqa: PLC0415
    from tests.support.bench import TASKS, stack  # noqa: PLC0415
    from tests.support.uploads import BASES, uploaded  # noqa: PLC0415

    packed = sorted(writing.packed_papers(), key=lambda paper: len(paper[0]))
    text = packed[len(packed) // 2][2].encode()
    with tempfile.TemporaryDirectory() as folder, stack(Path(folder) / "probe.log") as bench, _measured(bench) as cost:
        url, hook = "https://example.org/hook", webhook_items.stored(bench.api_world, "p1")
        webhook_items.set_up(bench.api_world, "p1", hook, url, "u1", new_secret=False)
        for _ in range(RUNS + 1):
            bench.probes("ok")
        bench.settle("probe")
        notices = iter([held.record for held in bench.held.values() if held.kind == "notice"])
        yield cost("notice: a delivery", lambda: notice.lambda_handler({"Records": [next(notices)]}, bench.context(60)))
        yield cost("janitor: a round over 11 tasks", bench.tidy)
        base = bench.http("POST", BASES, {"name": "Papers"})[1]["knowledgeBaseId"]
        for number in range(RUNS + 1):
            uploaded(bench, base, PDF.read_bytes() + b"\n" * number, name="paper.pdf")
        yield cost("intake: a PDF of 10 pages", lambda: bench.take_in(limit=1))
        papers = [bench.paper(f"Paper {number}.", f"{number}.txt", read=text) for number in range(PAPERS)]
        yield cost("API: a POST of 100 papers", lambda: bench.open(papers))
        task = bench.tasks()[0].id
        yield cost("API: status", lambda: bench.http("GET", f"{TASKS}/{task}"))
        yield cost("worker: a paper by rule", lambda: bench.deliver(limit=1))
        writing.read_table(bench, [paper[0] for paper in packed], 500)
        yield cost("API: 500 rows, `view=values`", lambda: bench.http("GET", f"{TASKS}/500/results?view=values"))


def _page(folder: Path) -> Cost:
    """A file of 100 kB, as `make web` leaves it."""
    import serving  # noqa: PLC0415

    (folder / "a.js.br").write_bytes(bytes(100_000))
    site = serving.Site(folder, {"a.js": "tag"}, {}, b"")
    began = time.process_time()
    for _ in range(RUNS):
        json.dumps(site.answer("/a.js", {"accept-encoding": "br"}))
    return Cost("page: a file of 100 kB", 1000 * (time.process_time() - began) / RUNS, 0)


def _call_ms(config: Config) -> float:
    """Processor time of one GetItem that is answered before it is sent."""
    given = {"region_name": "us-east-1", "aws_access_key_id": "test", "aws_secret_access_key": "test"}
    client = boto3.client("dynamodb", config=config, **given)  # type: ignore[call-overload]
    body = HTTPResponse(io.BytesIO(b"{}"), preload_content=False)
    answer = AWSResponse("", 200, {"x-amz-crc32": str(zlib.crc32(b"{}"))}, body)
    client.meta.events.register("before-send.dynamodb", lambda **_: answer)
    began = time.process_time()
    for _ in range(CALLS):
        client.get_item(TableName="t", Key={"k": {"S": "v"}})
    return 1000 * (time.process_time() - began) / CALLS


if __name__ == "__main__":
    logging.disable()
    print("| an event | processor, ms | calls |", " | ".join(f"{mb:,} MB" for mb in SIZES), "|")
    print("|---" * (len(SIZES) + 3) + "|")
    for found in costs():
        print(found.line(), flush=True)
    with tempfile.TemporaryDirectory() as place:
        print(_page(Path(place)).line())
    pairs = [(_call_ms(wiring.AWS_CONFIG), _call_ms(Config())) for _ in range(RUNS)]
    print(f"\nA call of AWS: {paired(pairs, 'ms').shown('call', ok=True)}")
