"""What a running task says of each paper, what that costs, and who is told when it is done. Before the stand-in."""

from datetime import UTC, datetime, timedelta
from typing import Any

from playwright.sync_api import expect

from tests.browser import axe
from tests.browser.conftest import picture
from tests.browser.stand_in import ORIGIN

ADDRESS = f"{ORIGIN}/#/lab/tasks/t1"
RECORDER = """
    window.asked = 0; window.told = [];
    window.Notification = class {
      static permission = "default";
      static requestPermission() { window.asked += 1; Notification.permission = "granted"; return Promise.resolve("granted"); }
      constructor(title, more) { window.told.push(`${title}: ${more.body}`); }
    };
"""


def ago(seconds: float) -> str:
    return (datetime.now(UTC) - timedelta(seconds=seconds)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def lay(stand_in, **more):
    """A row in each standing, as a model's task has them."""
    told: list[tuple[str, dict[str, Any]]] = [
        ("completed", {"startedAt": ago(64.2), "updatedAt": ago(60), "attempts": 2}),
        ("extracting", {"updatedAt": ago(3), "startedAt": ago(3)}),
        ("extracting", {"updatedAt": ago(9), "startedAt": ago(9), "askingSince": ago(8)}),
        ("pending", {"attempts": 2, "startedAt": ago(90), "dueAt": ago(-600)}),
        ("pending", {"attempts": 0}),
        ("error", {"errorMessage": "The file is encrypted.", "errorClass": "unreadable", "attempts": 4}),
    ]
    rows = [stand_in.row("t1", number, status, **row) for number, (status, row) in enumerate(told)]
    return stand_in.task("t1", rows, "processing", **{"engine": "bedrock", "name": "Delirium, first pass", **more})


def lines(page):
    return page.locator(".rows li .doing").all_inner_texts()


def test_each_paper_says_what_it_is_doing_when_a_model_reads(page, stand_in):
    """And nothing of a step that no row tells; seconds go on between two looks."""
    lay(stand_in)
    page.goto(ADDRESS)
    expect(page.locator(".rows .doing")).to_have_count(6)
    done, begun, asking, again, waiting, failed = lines(page)
    assert done.startswith("Done in 4.2s · ")
    assert done.endswith(" found · attempt 2")
    assert begun.startswith("Begun ")
    assert asking.startswith("Asking bedrock for ")
    assert again.startswith("Tried 2 times. Again at ")
    assert waiting == "Waits for its turn"
    assert failed == "The file is encrypted. · attempt 4"
    expect(page.get_by_text("Delirium, first pass").first).to_be_visible()
    assert axe.violations(page) == []
    picture(page, "live-en")
    expect(page.locator(".doing").nth(2)).not_to_have_text(asking, timeout=5_000)
    page.get_by_role("button", name="中文").click()
    page.get_by_role("button", name="深色").click()
    picture(page, "live-zh-dark")
    assert axe.violations(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    picture(page, "live-zh-dark-390")
    page.get_by_role("link", name="已有 1 篇可核对").click()
    expect(page.get_by_role("grid")).to_be_visible()


def test_a_paper_says_which_provider_it_waits_for_when_its_task_waits(page, stand_in):
    waiting = {"for": "provider", "provider": "bedrock", "reason": "throttled", "since": ago(60), "until": ago(-60)}
    lay(stand_in, waiting={**waiting, "rows": 2})
    page.goto(ADDRESS)
    expect(page.locator(".doing").nth(4)).to_contain_text("Waits for bedrock, which is tried again at ")


def test_no_model_is_named_when_the_rules_read(page, stand_in):
    lay(stand_in, engine="rules")
    page.goto(ADDRESS)
    expect(page.locator(".rows .doing")).to_have_count(6)
    assert not [line for line in lines(page) if "Asking" in line]


def test_a_tab_asks_twenty_times_a_minute_at_most_when_a_model_reads(page, stand_in):
    """Looks at the task and at its rows together. Mutation caught: rows at each look."""
    lay(stand_in)
    page.clock.install()
    page.goto(ADDRESS)
    expect(page.locator(".rows .doing")).to_have_count(6)
    before = len(stand_in.asked)
    for second in range(60):
        stand_in.tasks["t1"]["tokens"] = second
        page.clock.run_for(1_000)
        page.wait_for_timeout(60)
    asked = stand_in.asked[before:]
    assert len(asked) <= 20, asked
    assert len({path for _, path in asked}) == 2, "the task, and its rows"


def test_a_notice_comes_when_the_task_is_done_and_somebody_asked_for_it(page, stand_in):
    """Leave is asked for by the button alone."""
    page.add_init_script(RECORDER)
    lay(stand_in)
    page.goto(ADDRESS)
    page.reload()
    expect(page.get_by_role("button", name="Tell me when it is done")).to_be_visible()
    assert page.evaluate("window.asked") == 0
    page.get_by_role("button", name="Tell me when it is done").click()
    expect(page.get_by_role("button", name="You will be told")).to_be_visible()
    assert page.evaluate("window.asked") == 1
    stand_in.task("t1", [stand_in.row("t1", number) for number in range(6)], name="Delirium, first pass")
    expect(page.get_by_role("grid")).to_be_visible()
    assert page.evaluate("window.told") == ["Delirium, first pass: 6 done"]


def test_nobody_is_told_when_nobody_asked(page, stand_in):
    page.add_init_script(RECORDER)
    lay(stand_in)
    page.goto(ADDRESS)
    page.reload()
    expect(page.locator(".rows .doing")).to_have_count(6)
    stand_in.task("t1", [stand_in.row("t1", number) for number in range(6)])
    expect(page.get_by_role("grid")).to_be_visible()
    assert page.evaluate("window.told") == []
