"""Step 2 on the deployed stack: two tabs, a network that comes and goes, a pause, a cancel, and what is asked meanwhile."""

import re
import threading
import time

import pytest
from playwright.sync_api import expect

from tests.browser import axe
from tests.browser.conftest import picture
from tests.support.deployed import TASKS
from tests.support.provider import nothing

pytestmark = [pytest.mark.emulator, pytest.mark.slow]

READ_MS = 120_000
TRIAL = "We randomly assigned {n} adults to duloxetine or placebo."


@pytest.fixture
def held(project, provider):
    """A running task of three papers, of which none ends before the test lets them."""
    let = threading.Event()

    def slowly(call):
        let.wait(90)
        return nothing(call)

    provider.replies = slowly
    _, papers = project.shelf(*(TRIAL.format(n=number) for number in (120, 121, 122)))
    task = project.start(papers, engine="openai")
    yield task, let
    let.set()
    project.closed(task)


def test_two_tabs_follow_one_task_to_its_table_when_the_network_comes_and_goes(page, project, held):
    task, let = held
    other = page.context.new_page()
    for tab in (page, other):
        tab.goto(project.address(f"tasks/{task}"))
        expect(tab.get_by_role("heading", name="0 of 3 papers")).to_be_visible()
    expect(page).to_have_title("0 % · Running · Sheaf")
    page.context.set_offline(True)
    for tab in (page, other):
        expect(tab.get_by_text("No connection.")).to_be_visible()
    picture(page, "offline")
    assert axe.violations(page) == []
    let.set()
    project.closed(task)
    page.context.set_offline(False)
    for tab in (page, other):
        expect(tab.get_by_role("grid")).to_be_visible(timeout=READ_MS)
        assert tab.url.endswith(f"#/{project.id}/tasks/{task}/results")


def test_it_goes_on_by_itself_when_only_the_api_could_not_be_reached(page, project, held):
    """No event tells the browser of that: it has to ask."""
    task, let = held
    page.goto(project.address(f"tasks/{task}"))
    expect(page.get_by_role("heading", name="0 of 3 papers")).to_be_visible()
    is_api = lambda url: "/api/v1/" in url  # noqa: E731 - Playwright unroutes the very object
    page.context.route(is_api, lambda route: route.abort("connectionfailed"))
    expect(page.get_by_text("No connection.")).to_be_visible()
    let.set()
    project.closed(task)
    page.context.unroute(is_api)
    expect(page.get_by_role("grid")).to_be_visible(timeout=READ_MS)


def test_it_is_asked_one_at_a_time_and_only_for_what_is_new_when_a_task_runs(page, project, held):
    task, let = held
    statuses: list[int] = []
    under: list[int] = [0]
    most: list[int] = [0]

    def is_status(url: str) -> bool:
        return url.endswith(f"{TASKS}/{task}")

    def asked(request):
        if is_status(request.url):
            under[0] += 1
            most[0] = max(most[0], under[0])

    def answered(response):
        if is_status(response.url):
            under[0] -= 1
            statuses.append(response.status)

    page.on("request", asked)
    page.on("response", answered)
    page.goto(project.address(f"tasks/{task}"))
    expect(page.locator(".rows .badge.extracting").first).to_be_visible()
    before, began = len(statuses), time.monotonic()
    page.wait_for_timeout(10_000)
    assert 1 <= len(statuses) - before <= 1 + (time.monotonic() - began) / 3, "every three seconds"
    assert most == [1]
    let.set()
    expect(page.get_by_role("grid")).to_be_visible(timeout=READ_MS)
    told = len(statuses)
    page.wait_for_timeout(5_000)
    assert len(statuses) == told, "a closed task is asked about"


def test_a_pause_says_so_and_a_cancel_is_asked_about_first_when_pressed(page, project, held):
    task, let = held
    page.goto(project.address(f"tasks/{task}"))
    expect(page.locator(".rows .badge.extracting")).to_have_count(2, timeout=READ_MS)
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_text("Paused: nothing more is started until you go on.")).to_be_visible()
    expect(page).to_have_title(re.compile("Paused"))
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.get_by_role("button", name="Cancel task").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(page.get_by_role("button", name="Keep it running")).to_be_focused()
    picture(page, "cancel")
    assert axe.violations(page) == []
    page.get_by_role("button", name="Cancel the task").click()
    expect(page.get_by_text("Cancelling")).to_be_visible()
    picture(page, "cancelling")
    let.set()
    expect(page.get_by_role("grid")).to_be_visible(timeout=READ_MS)
    expect(page.get_by_role("button", name="Read the remaining 1")).to_be_visible()
    page.get_by_role("link", name="Tasks").first.click()
    expect(page.locator(".tasks .badge.cancelled")).to_be_visible()
    picture(page, "tasks")
    assert axe.violations(page) == []
