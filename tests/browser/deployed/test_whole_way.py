"""The whole way on the deployed stack: from signing in to a read and checked table, with real papers."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser import axe
from tests.browser.conftest import picture
from tests.support.deployed import Deployed

pytestmark = [pytest.mark.emulator, pytest.mark.slow]

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
PAPERS = sorted([*SAMPLES.glob("*.pdf"), *SAMPLES.glob("*.xml")])[:4]
READ_MS = 120_000


@pytest.fixture(scope="module")
def deployed(built, tmp_path_factory):
    made = Deployed(tmp_path_factory.mktemp("stack"), "sheaf-browser")
    yield made
    made.remove()


@pytest.fixture
def signed_in(deployed, new_context):
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
    signed_in, deployed, new_context
):
    page = signed_in
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
    start.dblclick()
    expect(page).to_have_title("0 % · Running · Sheaf")
    picture(page, "6-watch")
    assert axe.violations(page) == []
    page.reload()
    expect(page.get_by_role("grid")).to_be_visible(timeout=READ_MS)
    assert len(deployed.ask("GET", "/asl/extraction/tasks").body["tasks"]) == 1, "a double click is one task"

    expect(page.locator("tbody tr")).to_have_count(len(PAPERS))
    picture(page, "7-table")
    assert axe.violations(page) == []
    read = page.locator("tbody tr", has=page.locator("th", has_text="/")).locator("td.verified")
    read.first.click()
    expect(page.locator("mark")).to_be_visible()
    address = page.url
    page.reload()
    expect(page.locator("mark")).to_be_visible()
    quote = page.locator(".quote q").first.inner_text().split()
    assert set(page.locator("mark").inner_text().split()) & set(quote)
    expect(page.locator(".sheet[data-drawn=true]")).to_be_visible(timeout=30_000)
    picture(page, "8-evidence")
    assert axe.violations(page) == []

    colleague = new_context().new_page()
    colleague.goto(address)
    colleague.get_by_role("button", name="Sign in").click()
    expect(colleague.locator("mark")).to_be_visible()

    page.get_by_role("button", name="Close", exact=True).click()
    page.get_by_role("button", name="中文").click()
    expect(page.get_by_role("heading", name="随机对照试验")).to_be_visible()
    picture(page, "9-chinese")


def test_a_wrong_password_is_told_when_cognito_refuses_it(deployed, new_context):
    page = new_context().new_page()
    page.goto(deployed.stack.page)
    expect(page.get_by_label("Password")).not_to_have_value("")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_have_text("The email or the password is not right.")


def test_a_token_is_made_anew_silently_when_the_gateway_refuses_it(signed_in):
    """The gateway's own 401, Cognito's own refresh."""
    signed_in.evaluate(
        "() => { const s = JSON.parse(localStorage['sheaf.session']); s.access = s.access.slice(0, -8) + 'AAAAAAAA';"
        " localStorage['sheaf.session'] = JSON.stringify(s); }"
    )
    before = json.loads(signed_in.evaluate("() => localStorage['sheaf.session']"))["access"]
    signed_in.reload()
    expect(signed_in.get_by_role("heading", name="Tasks", exact=True)).to_be_visible()
    expect(signed_in.get_by_text("demo", exact=True)).to_be_visible()
    assert json.loads(signed_in.evaluate("() => localStorage['sheaf.session']"))["access"] != before


def test_two_tabs_follow_the_same_task_and_a_failed_paper_says_why_when_the_network_comes_and_goes(signed_in, deployed):
    page = signed_in
    documents = deployed.probes([{"sleep_ms": 6000}, {"acts": ["permanent"]}, {}])
    task = deployed.open(documents)["taskId"]
    other = page.context.new_page()
    for tab in (page, other):
        tab.goto(f"{deployed.stack.page}#/demo/tasks/{task}")
        expect(tab.get_by_role("heading", name="of 3 papers")).to_be_visible()
    page.context.set_offline(True)
    expect(page.get_by_text("No connection.")).to_be_visible()
    page.context.set_offline(False)
    for tab in (page, other):
        expect(tab.get_by_role("grid")).to_be_visible(timeout=60_000)
    expect(page.get_by_text("Failed:").first).to_be_visible()
    expect(page.get_by_role("button", name="Retry 1 failed")).to_be_visible()


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
