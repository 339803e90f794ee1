"""Who one is, on the deployed stack: Cognito's own refusals and refreshes, the gateway's own 401."""

import pytest
from playwright.sync_api import expect

from tests.browser import axe
from tests.browser.conftest import picture

pytestmark = [pytest.mark.emulator, pytest.mark.slow]

KEPT = "() => JSON.parse(localStorage['sheaf.session'])"
CHANGE = (
    "more => { const s = JSON.parse(localStorage['sheaf.session']);"
    " localStorage['sheaf.session'] = JSON.stringify({...s, ...more}); }"
)


def test_a_wrong_password_is_told_and_nothing_else_is_lost_when_one_signs_in(deployed, project, new_context):
    email, password = deployed.login(project.who)
    page = new_context().new_page()
    page.goto(project.address("library"))
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_have_text("The email or the password is not right.")
    expect(page.get_by_label("Email")).to_have_value(email)
    picture(page, "wrong-password")
    assert axe.violations(page) == []
    page.get_by_label("Password").fill(password)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="No knowledge base yet")).to_be_visible()
    assert page.url.endswith("/library"), "the link that was sent"


def test_a_token_is_made_anew_silently_when_the_gateway_refuses_it(page):
    before = page.evaluate(KEPT)["access"]
    page.evaluate(CHANGE, {"access": before[:-8] + "AAAAAAAA"})
    page.reload()
    expect(page.get_by_role("heading", name="No tasks yet")).to_be_visible()
    assert page.evaluate(KEPT)["access"] not in {before, before[:-8] + "AAAAAAAA"}


def test_a_token_is_made_anew_before_it_is_used_when_its_time_is_over(page):
    """Mutation caught: `expiresAt` is not looked at, so that each hour begins with a refused request."""
    refused: list[str] = []
    page.on("response", lambda answer: refused.append(answer.url) if answer.status == 401 else None)
    before = page.evaluate(KEPT)["access"]
    page.evaluate(CHANGE, {"expiresAt": 0})
    page.reload()
    expect(page.get_by_role("heading", name="No tasks yet")).to_be_visible()
    assert page.evaluate(KEPT)["access"] != before
    assert refused == []


def test_one_signs_in_again_at_the_same_address_when_the_session_is_over(page, project):
    page.evaluate(CHANGE, {"expiresAt": 0, "refresh": "of-another-time"})
    page.goto(project.address("library"))
    page.reload()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    assert page.url.endswith(f"#/{project.id}/library")


def test_signing_out_in_one_tab_signs_out_the_other_when_there_are_two(page, project):
    other = page.context.new_page()
    other.goto(project.address("library"))
    expect(other.get_by_role("heading", name="Library")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    expect(other.get_by_role("button", name="Sign in")).to_be_visible()


def test_the_project_is_chosen_and_remembered_when_there_are_two(deployed, project, new_tab):
    who = deployed.newcomer(project.id, f"{project.id}-b")
    page = new_tab(who)
    page.get_by_label("Project").select_option(f"{project.id}-b")
    expect(page).to_have_url(f"{deployed.stack.page}#/{project.id}-b/tasks")
    expect(page.get_by_role("heading", name="No tasks yet")).to_be_visible()
    assert axe.violations(page) == []
    page.goto(deployed.stack.page)
    expect(page).to_have_url(f"{deployed.stack.page}#/{project.id}-b/tasks")


def test_nothing_of_another_project_is_shown_when_its_address_is_opened(page, project, deployed):
    page.goto(f"{deployed.stack.page}#/demo/tasks")
    expect(page.get_by_role("heading", name="Not your project")).to_be_visible()
    assert axe.violations(page) == []
    page.goto(project.address("tasks/t404"))
    expect(page.get_by_role("heading", name="There is nothing here")).to_be_visible()
    picture(page, "nothing-here")
    page.get_by_role("link", name="Tasks").last.click()
    expect(page.get_by_role("heading", name="No tasks yet")).to_be_visible()


def test_a_viewer_may_look_and_not_start_when_signed_in(deployed, project, new_tab):
    project.shelf("We randomly assigned 120 adults.")
    page = new_tab(deployed.newcomer(f"{project.id}:viewer"))
    page.goto(project.address("new"))
    expect(page.get_by_text("You may look in this project, but not change anything.")).to_be_visible()
    page.get_by_role("button", name="Select all").click()
    expect(page.get_by_text("1 of 1 selected")).to_be_visible()
    expect(page.get_by_role("button", name="Confirm and start")).to_be_disabled()
    expect(page.locator("input[type=file]")).to_have_count(0)


def test_the_language_stays_when_the_page_is_opened_again(page, deployed):
    page.get_by_role("button", name="中文").click()
    expect(page.get_by_role("heading", name="还没有任务")).to_be_visible()
    page.get_by_role("button", name="退出登录").click()
    page.goto(deployed.stack.page)
    expect(page.get_by_role("button", name="登录")).to_be_visible()
    assert page.locator("html").get_attribute("lang") == "zh-Hans"
