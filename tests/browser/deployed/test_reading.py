"""Step 3 on the deployed stack: a thousand rows, what failed and its retries, values that nobody wrote, judgements."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect
from python_calamine import CalamineWorkbook

from tests.browser import axe
from tests.browser.conftest import picture
from tests.support.deployed import eventually
from tests.support.enlarging import enlarge
from tests.support.provider import reporting

pytestmark = [pytest.mark.emulator, pytest.mark.slow]

READ_MS = 120_000
SAMPLES = Path(__file__).resolve().parents[2] / "data"
TRIAL = (
    "Title. Duloxetine after surgery.\n\nMethods. We randomly assigned {n} adults to duloxetine or placebo in a 1:1 ratio, "
    "by a computer-generated list kept in sealed envelopes. The trial was registered (NCT01234567)."
)
ROWS = 1_000
STAYS = """() => {
    const box = document.querySelector(".table-box"), first = box.querySelector("tbody th");
    return box.scrollLeft > 0 && first && Math.abs(first.getBoundingClientRect().x - box.getBoundingClientRect().x) < 3;
}"""
"""Whether a paper's name is seen, however far the table was scrolled to the side."""


def test_a_failed_paper_says_why_and_its_retries_stand_in_one_table_with_the_first_when_asked(page, project, provider):
    """Mutation caught: a table kept from before the retry, and a second retry that leads to the first one's."""
    provider.play("stop:content_filter")
    task = project.closed(project.start(project.shelf(TRIAL.format(n=120))[1], engine="openai"))
    page.goto(project.address(f"tasks/{task}/results"))
    failed = page.get_by_text("Failed: The provider's content filter refused this document. 1 attempt was made.")
    expect(failed).to_be_visible()
    picture(page, "failed")
    assert axe.violations(page) == []
    for act, tasks in (("stop:content_filter", 2), ("ok", 3)):
        provider.play(act)
        with page.expect_event("framenavigated", lambda frame: frame.url.endswith("/results"), timeout=READ_MS):
            page.get_by_role("button", name="Retry 1 failed").click()
        assert page.url == project.address(f"tasks/{task}/results")
        assert len(project.tasks()) == tasks
        expect(failed).to_have_count(1 if act != "ok" else 0)
    expect(page.locator(".state.counted")).to_be_visible()
    page.get_by_role("link", name="Tasks").first.click()
    expect(page.get_by_text("retry of an earlier task")).to_have_count(2)
    page.goto(project.address(f"tasks/{project.tasks()[0]['taskId']}/results"))
    page.get_by_role("link", name="See the whole table").click()
    expect(page).to_have_url(project.address(f"tasks/{task}/results"))


@pytest.fixture
def big(project):
    """A closed task of so many rows, of what the rules found in four real papers."""
    names = ("attia-2017", "joo-2015", "wu-2015", "soleimanpour-2012")
    small = project.closed(project.start(project.shelf(*((SAMPLES / f"{name}.txt").read_text() for name in names))[1]))
    return lambda rows: enlarge(project.deployed, small, project.id, rows)


def test_only_what_is_in_view_is_in_the_page_when_a_table_has_a_thousand_rows(page, project, big):
    page.goto(project.address(f"tasks/{big(ROWS)}/results"))
    expect(page.get_by_text(f"{ROWS:,} rows")).to_be_visible(timeout=READ_MS)
    rows = page.locator("tbody tr")
    assert rows.count() <= 100
    box = page.locator(".table-box")
    box.evaluate("b => b.scrollTo(0, b.scrollHeight)")
    expect(page.locator(f"tr[aria-rowindex='{ROWS + 2}']")).to_be_visible()
    assert rows.count() <= 100
    head, frame = page.locator("thead th").first.bounding_box(), box.bounding_box()
    assert head
    assert frame
    assert abs(head["y"] - frame["y"]) < 3, "the head stays"
    picture(page, "thousand-rows")
    assert axe.violations(page) == []
    box.evaluate("b => b.scrollTo(b.scrollWidth, 0)")
    # Asked again and again: rows are drawn anew behind the scrolling, and one that has gone stands nowhere.
    eventually(lambda: page.evaluate(STAYS), "the first column where the table begins", within=40)
    box.evaluate("b => b.scrollTo(0, 0)")
    page.get_by_role("button", name="Year").click()
    page.locator("td[data-field=year].found").first.click()
    expect(page.locator("mark")).to_be_visible()
    address = page.url
    assert {"sort=year", "field=year"} <= set(address.split("?")[1].split("&"))
    page.reload()
    expect(page.locator("mark")).to_be_visible(timeout=READ_MS)
    assert page.url == address


def test_the_workbook_is_downloaded_and_has_every_row_when_it_is_ordered_on_the_page(page, project, big):
    page.goto(project.address(f"tasks/{big(60)}/results"))
    expect(page.get_by_text("60 rows")).to_be_visible(timeout=READ_MS)
    page.get_by_text("Download", exact=True).click()
    with page.expect_download(timeout=READ_MS) as given:
        page.get_by_role("button", name="Excel workbook").click()
    assert given.value.suggested_filename.endswith(".xlsx")
    table = CalamineWorkbook.from_path(given.value.path()).get_sheet_by_name("Table").to_python()
    assert len(table) == 2 + 60
    expect(page.get_by_role("link", name=given.value.suggested_filename)).to_be_visible()


def test_every_cell_is_reached_when_there_is_only_a_keyboard(page, project, big):
    page.goto(project.address(f"tasks/{big(60)}/results"))
    expect(page.get_by_text("60 rows")).to_be_visible(timeout=READ_MS)
    page.locator("[data-cell='0:0']").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "End", "Home", "ArrowRight", "PageDown"):
        page.keyboard.press(key)
    expect(page.locator("[data-cell='11:1']")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("complementary")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("[data-cell='11:1']")).to_be_focused()


def test_a_value_that_nobody_wrote_looks_different_and_says_so_when_a_model_makes_one_up(page, project, provider):
    provider.replies = reporting(
        title=("Duloxetine after surgery", "Duloxetine after surgery", 1),
        journal=("The Lancet", "printed in the Lancet", 1),
    )
    task = project.closed(project.start(project.shelf(TRIAL.format(n=120))[1], engine="openai"))
    page.goto(project.address(f"tasks/{task}/results"))
    doubted, sound = page.locator("td[data-field=journal]"), page.locator("td[data-field=title]")
    expect(doubted).to_have_class(re.compile("unsupported"))
    expect(sound).to_have_class(re.compile(r"\bfound"))
    colours = [cell.evaluate("c => getComputedStyle(c).backgroundColor") for cell in (doubted, sound)]
    assert colours[0] != colours[1]
    page.get_by_role("button", name="Could not be confirmed").click()
    expect(page.locator("tbody tr:not(.space)")).to_have_count(1)
    doubted.click()
    expect(page.get_by_text("The quote is not in the paper.")).to_be_visible()
    picture(page, "unsupported")
    assert axe.violations(page) == []


def test_judgements_come_first_when_the_template_is_of_quality_and_a_model_answers(page, project, provider):
    """The answers are the script's, the judgements the worker's own."""
    how = ("by a computer-generated list", 1)
    provider.replies = reporting(
        study_type_detected=("rct", "randomly assigned", 1),
        rob_1_1=("Y", *how),
        rob_1_2=("Y", "kept in sealed envelopes", 1),
        rob_1_3=("N", *how),
    )
    task = project.closed(project.start(project.shelf(TRIAL.format(n=120))[1], "qc", engine="openai"))
    page.goto(project.address(f"tasks/{task}/results"))
    expect(page.locator("td[data-field='judged.D1'] .judgement")).to_have_text("Low risk")
    expect(page.locator("td[data-field='judged.D2'] .judgement")).to_have_text("Not judged")
    assert page.get_by_text("Nothing could be judged").count() == 0
    expect(page.locator("td[data-field='judged.level'] .judgement")).to_have_text("Does not apply")
    picture(page, "judgements")
    page.locator("td[data-field='judged.D1']").click()
    panel = page.get_by_role("complementary", name="Judgement: D1 Randomisation")
    expect(panel.locator(".ground").nth(0)).to_contain_text("Yes")
    picture(page, "judgement-domain")
    assert axe.violations(page) == []
    panel.get_by_role("button", name=re.compile("^1.2 ")).click()
    expect(page.locator("mark")).to_have_text("kept in sealed envelopes")


def test_nothing_is_judged_that_nobody_answered_when_the_rules_read_for_quality(page, project):
    texts = [(SAMPLES / f"{name}.txt").read_text() for name in ("attia-2017", "joo-2015")]
    task = project.closed(project.start(project.shelf(*texts)[1], "qc"))
    page.goto(project.address(f"tasks/{task}/results"))
    expect(page.locator("td[data-field='judged.overall']")).to_have_text(["Not judged", "Not judged"])
    expect(page.get_by_text("Nothing could be judged")).to_be_visible()
    picture(page, "judgements-rules")
    assert axe.violations(page) == []
    page.get_by_role("button", name="中文").click()
    expect(page.get_by_role("grid").get_by_text("判断：RoB 2")).to_be_visible()
    page.locator("td[data-field='judged.overall']").first.click()
    picture(page, "judgements-chinese")
    assert axe.violations(page) == []


def test_a_closed_task_is_gone_when_its_deletion_was_asked_about_and_confirmed(page, project):
    task = project.closed(project.start(project.shelf(TRIAL.format(n=120))[1]))
    page.goto(project.address(f"tasks/{task}/results"))
    page.get_by_role("button", name="Delete task").click()
    page.get_by_role("button", name="Delete it").click()
    expect(page.get_by_role("heading", name="No tasks yet")).to_be_visible()
    assert project.tasks() == []


def test_nothing_is_wider_than_a_phone_when_one_goes_from_step_to_step_with_a_phone(project, new_tab):
    texts = [(SAMPLES / f"{name}.txt").read_text() for name in ("attia-2017", "joo-2015")]
    task = project.closed(project.start(project.shelf(*texts)[1]))
    page = new_tab(project.who, viewport={"width": 390, "height": 844}, has_touch=True)
    for step in ("tasks", "library", "new", f"tasks/{task}/results", f"tasks/{task}/results?row={task}-0&field=title"):
        page.goto(project.address(step))
        page.locator("h1, h2").last.wait_for()
        expect(page.locator(".waiting")).to_have_count(0)
        picture(page, f"phone-real-{step.partition('?')[2][:3] or step.rpartition('/')[2]}")
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 390, step
        assert axe.violations(page) == [], step
