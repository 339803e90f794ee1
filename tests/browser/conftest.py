"""One Chromium for all of these tests, a fresh context for each, and a place for what it looked like."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from local import web
from tests.browser.stand_in import ORIGIN, PASSWORD, USER, StandIn, quality

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
PAPER, QUOTE = "giraf-2022.pdf", "The trial was done in six centers"
SCREENS = Path(__file__).resolve().parents[2] / ".sheaf" / "screens"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WITHIN_MS = 40_000
expect.set_options(timeout=WITHIN_MS)


FOUND = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
NEEDED = "The page's tests need Chromium: install it from your system's packages (as root on Debian: `make chromium`)."


def pytest_collection_modifyitems(items):
    """Without Chromium its tests are skipped; where NEED_CHROMIUM says that they may not be, they fail."""
    if FOUND is None and not os.environ.get("NEED_CHROMIUM"):
        for item in items:
            if "chromium" in getattr(item, "fixturenames", ()):
                item.add_marker(pytest.mark.skip(reason=NEEDED))


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    if FOUND is None:
        pytest.fail(NEEDED, pytrace=False)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=FOUND, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def built():
    """The page's files, as they are deployed."""
    return web.build(lambda _line: None)


@pytest.fixture
def new_context(chromium):
    """Makes a browser of its own, as another person or another day would have it; complains of what went wrong in it."""
    made: list[Any] = []
    wrong: list[str] = []

    def make(**more: Any) -> Any:
        context = chromium.new_context(**{"viewport": {"width": 1360, "height": 850}, "locale": "en-GB", **more})
        context.set_default_timeout(WITHIN_MS)
        context.on("weberror", lambda error: wrong.append(str(error.error)))
        context.on("console", lambda line: wrong.append(line.text) if "Content Security Policy" in line.text else None)
        made.append(context)
        return context

    yield make
    for context in made:
        context.close()
    assert not wrong, wrong


@pytest.fixture
def stand_in(built):
    return StandIn()


@pytest.fixture
def page(stand_in, new_context):
    """A tab before the stand-in, signed in."""
    context = new_context()
    stand_in.attach(context)
    return signed_in(context.new_page())


@pytest.fixture
def shelf(stand_in):
    """A knowledge base with three papers that are ready and one that is not."""
    stand_in.bases = [{"knowledgeBaseId": "kb1", "name": "Pain", "createdAt": "2026-11-18T09:00:00.000Z"}]
    for number in range(3):
        stand_in.document(f"trial-{number}.pdf", title=f"Trial {number}", firstAuthor=f"Author{number}", year=2017)
    stand_in.document("scan.pdf", "needs_ocr", reason="It has no text layer.", advice="Upload a version with text.")
    return stand_in


@pytest.fixture
def running(stand_in, page):
    rows = [
        stand_in.row("t1", number, ["completed", "extracting", "pending", "pending"][number % 4])
        for number in range(12)
    ]
    stand_in.task("t1", rows, "processing")
    page.goto(f"{ORIGIN}/#/lab/tasks/t1")
    expect(page.get_by_role("heading", name="3 of 12 papers")).to_be_visible()
    return page


@pytest.fixture
def table(stand_in, page):
    """A closed task of 60 papers, two of which failed."""
    told = {"errorClass": "unreadable", "errorMessage": "The file is encrypted.", "attempts": 4}
    rows = [
        stand_in.row("t1", number, **({"status": "error", **told} if number in {2, 9} else {})) for number in range(60)
    ]
    stand_in.task("t1", rows)
    page.goto(f"{ORIGIN}/#/lab/tasks/t1/results")
    expect(page.get_by_role("grid")).to_be_visible()
    return page


@pytest.fixture
def judged(stand_in, page):
    """A closed task of the template `qc`: a trial, a cohort, one of unknown kind, one without an answer, one that failed."""
    rows = [stand_in.row("t1", number, extractedData=quality(number)) for number in range(4)]
    stand_in.task("t1", [*rows, stand_in.row("t1", 4, "error", errorMessage="The file is encrypted.")], templateId="qc")
    page.goto(f"{ORIGIN}/#/lab/tasks/t1/results")
    expect(page.get_by_role("grid")).to_be_visible()
    return page


@pytest.fixture
def pdf(stand_in, page):
    """Two values of a paper that is a PDF: one has a quote that stands in it, the other one that does not."""
    row = stand_in.row("t1", 0)
    stand_in.text = f"{'A line above. ' * 300}{QUOTE}{' A line below.' * 300}"
    start = stand_in.text.index(QUOTE)
    there = {"state": "found", "match": "exact", "page": 1, "quote": QUOTE, "start": start, "end": start + len(QUOTE)}
    row["extractedData"]["fields"] |= {
        "year": {**there, "value": 6},
        "title": {**there, "value": 6, "quote": "Other letters."},
    }
    stand_in.task("t1", [row])
    address = f"{ORIGIN}/bucket/{PAPER}"
    stand_in.paper_file = {"url": address, "contentType": "application/pdf", "filename": PAPER}
    body = (SAMPLES / PAPER).read_bytes()
    page.context.route(address, lambda route: route.fulfill(body=body, content_type="application/pdf"))
    return page


def signed_in(page: Page, address: str = f"{ORIGIN}/", user: str = USER, password: str = PASSWORD) -> Page:
    page.goto(address)
    page.get_by_label("Email").fill(user)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Sign out").wait_for()
    return page


def picture(page: Page, name: str) -> None:
    """What it looks like now, where a person can look at it."""
    SCREENS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENS / f"{name}.png")
