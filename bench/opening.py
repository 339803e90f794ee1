"""`page.slow`, `page.rows10000`, `page.marks`: how long a table takes to open, and whether a quote's mark is seen when its value is opened."""

import itertools
import json
import time
import zlib
from itertools import cycle
from typing import Any

from playwright.sync_api import Error, Page

from bench.page import RESULTS, a_browser, stood_in
from bench.place import Place, place
from bench.report import RUNS, Line, median
from bench.writing import packed_papers
from local import demo
from sheaf.items import SHARD_ROWS, Payload, shard_key
from sheaf.protocol import payloads
from sheaf_client import following
from tests.browser.conftest import signed_in
from tests.support.items import a_row, a_task

SLOW = {"offline": False, "latency": 150, "downloadThroughput": 1_600_000 / 8, "uploadThroughput": 750_000 / 8}
SLOW_ROWS, MANY_ROWS = 1_000, 10_000
BATCH = 25
SIZES = ((1280, 720), (1440, 900), (1920, 1080))
OPENINGS = 100
"""At each size."""
OPENS_MS, SETTLED_MS = 60_000, 600
IS_MARKED = r"""quote => { const letters = text => text.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  const marked = [...document.querySelectorAll(".marked, mark")].map(each => each.textContent).join("");
  return letters(marked).includes(letters(quote)); }"""
IN_VIEW = """([mark, pane]) => { const [m, p] = [mark, pane].map(each => document.querySelector(each)?.getBoundingClientRect());
  return !!m && !!p && m.top >= p.top && m.bottom <= p.bottom && m.bottom <= innerHeight && m.height > 0; }"""
SINCE_OPENED = "() => performance.now() / 1000"
SECONDS_MAX, HEAP_MB_MAX = 2, 150


def _signed_in(at: Place, chromium: Any, **more: Any) -> Page:
    context = chromium.new_context(locale="en-GB", **more)
    return signed_in(context.new_page(), at.stack.page, at.places["username"], at.places["password"])


def slow() -> Line:
    """The page and the first row of 1,000 papers' true payloads, with nothing in the cache, at 1.6 Mbit/s."""
    at, times = place(), []
    packed = [paper for paper, _, _ in packed_papers()]
    first = json.loads(zlib.decompress(packed[0]))["fields"]["title"]["value"][:20]
    _lay_down(at, "slow", packed)
    with a_browser() as chromium:
        tab = _signed_in(at, chromium)
        network = tab.context.new_cdp_session(tab)
        network.send("Network.enable")
        network.send("Network.setCacheDisabled", {"cacheDisabled": True})
        network.send("Network.emulateNetworkConditions", SLOW)
        for _ in range(RUNS):
            tab.goto("about:blank")
            tab.goto(f"{at.stack.page}#/{at.project}/tasks/slow/results", wait_until="commit")
            tab.locator("tbody").get_by_text(first).first.wait_for(timeout=120_000)
            times.append(float(tab.evaluate(SINCE_OPENED)))
    return median(times, "s")


def _lay_down(at: Place, task: str, packed: list[bytes]) -> None:
    """A closed task of so many papers that were read: reading them is not what is measured."""
    key = f"{at.project}/{task}"
    done: dict[str, Any] = {"status": "completed", "active": None, "total": SLOW_ROWS, "completed": SLOW_ROWS}
    item = a_task(task=key, listed_in=at.project, kind="extract_paper", **done)
    at.client("dynamodb").put_item(TableName=at.name("TasksTable"), Item=item.serialize())
    puts = []
    for number, payload in zip(range(SLOW_ROWS), cycle(packed), strict=False):
        where: dict[str, Any] = {"shard": shard_key(key, number // SHARD_ROWS), "row": number}
        row = a_row("completed", **where, token=f"{number}", document=f"{task}{number}", data_key=payloads.BESIDE)
        behind = number * payloads.ATTEMPTS + row.attempt
        kept = Payload(shard=f"{row.shard}/data", row=behind, claim=row.token, packed=payload)
        puts += [{"PutRequest": {"Item": each.serialize()}} for each in (row, kept)]
    for start in range(0, len(puts), BATCH):
        written = at.client("dynamodb").batch_write_item(
            RequestItems={at.name("ResultsTable"): puts[start : start + BATCH]}
        )
        assert not written.get("UnprocessedItems"), "the table was not laid down"


def rows10000() -> Line:
    """Before the stand-in: until the first row of 10,000, and what the tab holds when all have come."""
    with stood_in() as (stand_in, tab):
        stand_in.task("t1", [stand_in.row("t1", number) for number in range(MANY_ROWS)])
        network = tab.context.new_cdp_session(tab)
        begun = time.perf_counter()
        tab.goto(RESULTS)
        tab.locator("tbody tr td").first.wait_for()
        seconds = time.perf_counter() - begun
        tab.get_by_text(f"{MANY_ROWS:,} rows").wait_for(timeout=120_000)
        network.send("HeapProfiler.collectGarbage")
        heap = network.send("Runtime.getHeapUsage")["usedSize"] / 1e6
    return Line(seconds, "s", more={"heap_mb": heap})


def is_light(line: Line) -> bool:
    return line.value <= SECONDS_MAX and line.more["heap_mb"] <= HEAP_MB_MAX


def marks() -> Line:
    """A hundred values of the samples at each size, as the rules found them on the deployed stack: how many marks are out of view."""
    at = place()
    here = demo.user(at.folder / "home")
    samples = sorted(file for file in demo.SAMPLES.iterdir() if file.suffix != ".md")
    read = [paper["documentId"] for paper in following.put(here, demo.samples_base(here), samples)]
    task = here.submit({"templateId": "rct", "documentIds": read})["taskId"]
    at.closed(task)
    found = at.ask("GET", f"/asl/extraction/tasks/{task}/results")[1]["results"]
    told = [[(row["resultId"], *each) for each in _quoted(row)] for row in found]
    values = [each for each in itertools.chain(*itertools.zip_longest(*told)) if each][:OPENINGS]
    missed: list[str] = []
    waited = []
    with a_browser() as chromium:
        for width, height in SIZES:
            tab = _signed_in(at, chromium, viewport={"width": width, "height": height})
            for row, field, quote in values:
                begun = time.perf_counter()
                tab.goto(f"{at.stack.page}#/{at.project}/tasks/{task}/results?row={row}&field={field}")
                if not _is_seen(tab, quote):
                    missed.append(f"{width}x{height} {row} {field}")
                waited.append(time.perf_counter() - begun)
    asked = len(values) * len(SIZES)
    return Line(
        len(missed), "marks out of view", more={"openings": asked, "slowest_s": max(waited), "missed": missed[:20]}
    )


def _quoted(row: Any) -> list[tuple[str, str]]:
    fields = (row["extractedData"] or {}).get("fields", {})
    return [
        (name, each["quote"]) for name, each in fields.items() if each.get("state") == "found" and each.get("quote")
    ]


def _is_seen(tab: Page, quote: str) -> bool:
    """Of this quote: the mark of the value before stands until its paper has gone."""
    try:
        tab.wait_for_function(IS_MARKED, arg=quote, timeout=OPENS_MS)
    except Error:
        return False
    tab.wait_for_timeout(SETTLED_MS)
    pairs = ([".marked", ".source-pdf"], ["mark", ".source-text"])
    return any(tab.evaluate(IN_VIEW, pair) for pair in pairs)
