"""The whole way on the deployed stack: from signing in to a read and checked table, with real papers."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser import axe
from tests.browser.conftest import picture
from tests.support.deployed import TASKS

pytestmark = [pytest.mark.emulator, pytest.mark.slow]

SAMPLES = Path(__file__).resolve().parents[3] / "samples"
PAPERS = sorted(SAMPLES.glob("*.pdf"))
READ_MS = 120_000


@pytest.fixture
def demo(deployed, new_context):
    """A tab on the page that `make up` prints, with the demo user signed in, as filled in there."""
    page = new_context().new_page()
    page.goto(deployed.stack.page)
    expect(page.get_by_text("This is the local demo: its user is filled in.")).to_be_visible()
    picture(page, "1-sign-in")
    assert axe.violations(page) == []
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    return page


def test_papers_become_a_table_that_can_be_checked_when_one_goes_the_whole_way(  # noqa: PLR0915 - one way, told whole
    demo, deployed, new_context
):
    page = demo
    expect(page.get_by_role("heading", name="No tasks yet")).to_be_visible()
    picture(page, "2-no-tasks")
    assert axe.violations(page) == []
    page.get_by_role("link", name="Library").click()
    page.get_by_label("Name").fill("Trials")
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_role("heading", name="This knowledge base is empty")).to_be_visible()
    page.locator("input[type=file]").first.set_input_files([str(paper) for paper in PAPERS])
    expect(page.get_by_text("Uploaded").first).to_be_visible()
    picture(page, "3-uploads")
    expect(page.locator(".badge.ready")).to_have_count(len(PAPERS), timeout=READ_MS)
    page.reload()
    expect(page.locator(".badge.ready")).to_have_count(len(PAPERS))
    picture(page, "4-library")
    assert axe.violations(page) == []

    page.get_by_role("link", name="Tasks").click()
    page.get_by_role("link", name="Start the first task").click()
    page.get_by_role("button", name="Show its fields").click()
    expect(page.get_by_role("region", name="Show its fields")).to_be_visible()
    page.get_by_role("button", name="Select all").click()
    picture(page, "5-choose")
    assert axe.violations(page) == []
    page.reload()
    start = page.get_by_role("button", name="Confirm and start")
    expect(start).to_be_enabled()
    expect(page.get_by_text("No cost: the built-in rules read it")).to_be_visible()
    with deployed.nobody_reads("ExtractPaperFunction"):
        start.dblclick()
        expect(page).to_have_title("0 % · Running · Sheaf")
        expect(page.locator(".rows .badge.pending")).to_have_count(len(PAPERS))
        picture(page, "6-watch")
        assert axe.violations(page) == []
        page.reload()
        expect(page.get_by_role("heading", name=f"0 of {len(PAPERS)} papers")).to_be_visible()
    expect(page.get_by_role("grid")).to_be_visible(timeout=READ_MS)
    assert page.url.endswith("/results"), "it goes on to the results by itself"
    assert len(deployed.ask("GET", TASKS).body["tasks"]) == 1, "a double click is one task"

    expect(page.locator("tbody tr")).to_have_count(len(PAPERS))
    picture(page, "7-table")
    assert axe.violations(page) == []
    page.locator("tbody td.found").first.click()
    expect(page.locator(".marked").first).to_be_visible(timeout=60_000)
    address = page.url
    page.reload()
    sheet = page.locator(".sheet[data-drawn=true]")
    expect(sheet).to_be_visible(timeout=60_000)
    picture(page, "8-evidence")
    assert axe.violations(page) == []
    page.get_by_role("button", name="Larger").click()
    expect(page.get_by_text("150 %")).to_be_visible()
    drawn = "s => s.clientWidth > s.parentElement.clientWidth && Math.abs(s.querySelector('canvas').width - s.clientWidth) < 2"
    page.wait_for_function(f"() => ({drawn})(document.querySelector('.sheet'))", timeout=60_000)
    assert axe.violations(page) == []
    page.keyboard.press("t")
    expect(page.locator("mark")).to_be_visible()
    quote = page.locator(".quote q").first.inner_text().split()
    assert set(page.locator("mark").inner_text().split()) & set(quote)

    # A colleague has the link, and a phone.
    colleague = new_context(viewport={"width": 390, "height": 844}, has_touch=True).new_page()
    colleague.goto(address)
    colleague.get_by_role("button", name="Sign in").click()
    expect(colleague.locator(".sheet[data-drawn=true]")).to_be_visible(timeout=60_000)
    colleague.wait_for_function("() => document.querySelector('.sheet canvas').height > 300", timeout=60_000)
    picture(colleague, "8-evidence-phone")
    assert axe.violations(colleague) == []

    page.get_by_role("button", name="Close", exact=True).click()
    page.get_by_role("button", name="中文").click()
    page.reload()
    expect(page.get_by_role("heading", name="随机对照试验")).to_be_visible()
    picture(page, "9-chinese")
    assert axe.violations(page) == []
    for step, heading in (("任务", "任务"), ("文献库", "文献库")):
        page.get_by_role("link", name=step, exact=True).click()
        expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
        assert axe.violations(page) == []
    page.get_by_role("link", name="任务", exact=True).click()
    expect(page.get_by_role("link", name=re.compile(f"随机对照试验.*{len(PAPERS)} 篇完成"))).to_be_visible()
    picture(page, "10-tasks-chinese")


def test_it_works_from_the_apis_own_origin_when_cognito_is_another(deployed, new_context):
    """As on AWS: the sign-in goes to another origin, which the page's policy has to name and Cognito has to allow."""
    origin = f"http://{deployed.stack.outputs['ApiId']}.execute-api.localhost:{deployed.emulator.port}/"
    page = new_context().new_page()
    page.goto(origin)
    expect(page.get_by_label("Password")).not_to_have_value("")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Tasks", exact=True)).to_be_visible()
    page.get_by_role("link", name="Library").click()
    expect(page.get_by_role("heading", name="Library")).to_be_visible()
