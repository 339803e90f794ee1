"""The page in Chromium: its weight, its first moment, a long table, what axe finds, how often it asks.

`ready` is taken from the deployed stack with a cold cache; the others from the page's own files, served by its own function,
before the stand-in of tests/browser, because they are the page's and nobody else's.
"""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Page, sync_playwright

from bench.place import place
from bench.report import RUNS, Line, median
from local import web
from tests.browser import axe
from tests.browser.conftest import FLAGS, signed_in
from tests.browser.stand_in import ORIGIN, StandIn

ROWS = 1_000
SCROLL_SECONDS = 10
WATCH_MS = 60_000
RESULTS = f"{ORIGIN}/#/lab/tasks/t1/results"
LONG = (
    "() => { window.long = []; new PerformanceObserver(l => l.getEntries().forEach(e => { if (e.duration > 100)"
    " window.long.push(e.duration); })).observe({type: 'longtask'}); }"
)
READY = "() => performance.now() / 1000"


@contextmanager
def a_browser() -> Iterator[Any]:
    found = shutil.which("chromium") or shutil.which("google-chrome")
    assert found, "Chromium is not installed: run `make chromium`."
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def stood_in() -> Iterator[tuple[StandIn, Page]]:
    web.build(lambda _line: None)
    stand_in = StandIn()
    with a_browser() as browser:
        context = browser.new_context(viewport={"width": 1360, "height": 850}, locale="en-GB")
        stand_in.attach(context)
        yield stand_in, signed_in(context.new_page())


def weight() -> Line:
    """Everything that the first load brings, as it is sent to a browser that takes gzip only; the PDF viewer comes later."""
    site = web.build(lambda _line: None)
    files = json.loads((site / "files.json").read_text())
    html = (site / "index.html").read_text()
    first = [name for name in files if name in html or name == "index.html" or name.startswith("assets/chunk-")]
    sizes = {
        name: (site / f"{name}.gz").stat().st_size if (site / f"{name}.gz").exists() else (site / name).stat().st_size
        for name in first
    }
    return Line(sum(sizes.values()) / 1000, "kB gzip", more={"files": sizes})


def ready() -> Line:
    """From an empty cache to a sign-in form that can be used, off the deployed stack."""
    address = place().stack.page
    times = []
    with a_browser() as browser:
        for _ in range(RUNS):
            context = browser.new_context()
            tab = context.new_page()
            tab.goto(address)
            tab.wait_for_function("() => document.querySelector('input[name=password]')?.value")
            times.append(float(tab.evaluate(READY)))
            context.close()
    return median(times, "s")


def rows1000() -> Line:
    """Rows in the page while a table of a thousand is scrolled from end to end; tasks of more than 100 ms meanwhile."""
    with stood_in() as (stand_in, tab):
        stand_in.task("t1", [stand_in.row("t1", number) for number in range(ROWS)])
        tab.goto(RESULTS)
        tab.get_by_text(f"{ROWS:,} rows").wait_for()
        tab.wait_for_timeout(1_000)
        tab.evaluate(LONG)
        most = 0
        for step in range(SCROLL_SECONDS * 10):
            tab.evaluate(
                "share => { const b = document.querySelector('.table-box'); b.scrollTop = share * b.scrollHeight; }",
                step / (SCROLL_SECONDS * 10),
            )
            tab.wait_for_timeout(100)
            most = max(most, tab.locator("tbody tr").count())
        long = tab.evaluate("() => window.long")
    return Line(most, "rows", more={"long_tasks": len(long), "longest_ms": max(long, default=0)})


def violations() -> Line:
    """What axe finds, over every step and both languages."""
    found: list[str] = []
    with stood_in() as (stand_in, tab):
        stand_in.bases = [{"knowledgeBaseId": "kb1", "name": "Pain", "createdAt": "2026-11-18T09:00:00.000Z"}]
        stand_in.document("trial.pdf", title="Trial", firstAuthor="Author", year=2017)
        stand_in.document("scan.pdf", "needs_ocr", reason="It has no text layer.")
        stand_in.task("t2", [stand_in.row("t2", number, "pending") for number in range(3)], "processing")
        rows = [stand_in.row("t1", number, "error" if number == 1 else "completed") for number in range(30)]
        stand_in.task("t1", rows)
        for language in ("en", "zh"):
            for step in (
                "tasks",
                "library",
                "new",
                "tasks/t2",
                "tasks/t1/results",
                "tasks/t1/results?row=t1-0&field=title",
            ):
                tab.goto(f"{ORIGIN}/#/lab/{step}")
                tab.wait_for_timeout(700)
                found += [f"{language} {step}: {each}" for each in axe.violations(tab)]
            if language == "en":
                tab.get_by_role("button", name="中文").click()
        tab.goto(f"{ORIGIN}/#/lab/tasks")
        tab.get_by_role("button", name="退出登录").click()
        tab.wait_for_timeout(300)
        found += axe.violations(tab)
    return Line(len(found), "violations", more={"found": found})


def polls() -> Line:
    """All requests of one tab in a minute of a running task that a model reads, and in the minute after it has closed."""
    with stood_in() as (stand_in, tab):
        stand_in.task(
            "t1", [stand_in.row("t1", number, "extracting") for number in range(3)], "processing", engine="bedrock"
        )
        tab.goto(f"{ORIGIN}/#/lab/tasks/t1")
        tab.get_by_role("heading", name="0 of 3 papers").wait_for()
        before = len(stand_in.asked)
        tab.wait_for_timeout(WATCH_MS)
        running = len(stand_in.asked) - before
        stand_in.task("t1", [stand_in.row("t1", number) for number in range(3)])
        tab.get_by_role("grid").wait_for()
        before = len(stand_in.asked)
        tab.wait_for_timeout(WATCH_MS)
        closed = len(stand_in.asked) - before
    return Line(running, "requests", more={"after_close": closed})


def is_smooth(line: Line) -> bool:
    return line.value <= 100 and line.more["long_tasks"] <= 2  # noqa: PLR2004 - the bounds of the issue


def is_polite(line: Line) -> bool:
    return line.value <= 20 and line.more["after_close"] == 0  # noqa: PLR2004 - likewise
