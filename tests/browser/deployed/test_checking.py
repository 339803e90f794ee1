"""People have the last word on the deployed stack: ten papers from upload to the checked workbook, and two at one cell."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect
from python_calamine import CalamineWorkbook

from tests.browser import axe
from tests.browser.conftest import picture
from tests.support.deployed import TASKS

pytestmark = [pytest.mark.emulator, pytest.mark.slow]

READ_MS = 120_000
PAPERS = sorted((Path(__file__).resolve().parents[3] / "samples").glob("*.nxml"))
TRIAL = "Methods. We randomly assigned 120 adults to duloxetine or placebo in a 1:1 ratio."
RESULTS = "/asl/extraction/results"
POST = re.compile(r"/results/[^/]+/decisions$")
PROGRESS, SCREENED = "PMC5614421.nxml", "Of an estimated 1,919 eligible women able to be approached"
"""A paper that says how many were asked; its field is `n_screened`."""
LINES = "m => [...m.getClientRects()].map(({left, right, top, bottom}) => [left, right, (top + bottom) / 2])"


def press(page, key):
    """Not so soon after the last that it counts as pressed twice."""
    page.wait_for_timeout(300)
    page.locator(".evidence").focus()
    page.keyboard.press(key)


def saved(page, project):
    """Nothing that was decided in this browser waits for an answer any more."""
    page.wait_for_function("name => !localStorage[name]", arg=f"sheaf.decisions.{project.id}")


def opened(page, project, row, field):
    page.goto(project.address(f"tasks/{row['taskId']}/results?row={row['resultId']}&field={field}"))
    expect(page.locator(".verbs")).to_be_visible()


def cell(page, field):
    return page.locator(f"td.open[data-field='{field}']")


def rows(project, task) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = project.ask("GET", f"{TASKS}/{task}/results?view=values")["results"]
    return found


def history(project, row) -> list[dict[str, Any]]:
    """What was decided on this row's paper, newest first."""
    made: list[dict[str, Any]] = project.ask("GET", f"{RESULTS}/{row['resultId']}/decisions")["decisions"]
    return made


def decided(project, task):
    """What holds, by paper and cell."""
    return {
        (row["documentId"], address): (each["id"], each["verb"], each.get("value"), each.get("stale", False))
        for row in rows(project, task)
        for address, each in (row["review"] or {"cells": {}})["cells"].items()
    }


def far(project, task) -> str:
    counted = project.ask("GET", f"{TASKS}/{task}/review")
    return f"{counted['checked']} of {counted['cells']} checked"


def chosen(page, words):
    """These words are found in the paper, selected with the mouse and taken as the quote."""
    press(page, "/")
    page.get_by_label("Search in the paper").first.fill(words)
    expect(page.locator("mark")).to_have_text(words)
    expect(page.locator("mark")).to_be_in_viewport()
    lines = page.locator("mark").evaluate(LINES)
    page.mouse.move(lines[0][0] + 1, lines[0][2])
    page.mouse.down()
    page.mouse.move(lines[-1][1] - 1, lines[-1][2], steps=5)
    page.mouse.up()
    page.get_by_role("button", name="Use this as the quote").click()
    expect(page.locator(".chosen-quote")).to_contain_text(words)
    expect(page.locator("mark")).to_have_text(words)


@pytest.fixture
def read(page, project):
    """Ten papers, uploaded on the page and read by the rules; the page is at their table. The task's id."""
    page.goto(project.address("library"))
    page.get_by_label("Name").fill("Trials")
    page.get_by_role("button", name="Create").click()
    page.locator("input[type=file]").first.set_input_files([str(paper) for paper in PAPERS])
    expect(page.locator(".badge.ready")).to_have_count(len(PAPERS), timeout=READ_MS)
    page.goto(project.address("new"))
    page.get_by_role("button", name="Select all").click()
    page.get_by_role("button", name="Confirm and start").click()
    expect(page.get_by_role("grid")).to_be_visible(timeout=READ_MS)
    (task,) = project.tasks()
    return task["taskId"]


def test_ten_papers_become_a_checked_workbook_when_one_goes_the_whole_way(  # noqa: PLR0915 - one way, told whole
    page, project, read
):
    papers = rows(project, read)
    fields = {row["snapshotFilename"]: row["extractedData"]["fields"] for row in papers}
    assert len(papers) == len(PAPERS)
    found = [row for row in papers if fields[row["snapshotFilename"]]["design"]["state"] == "found"]
    (progress,) = [row for row in papers if row["snapshotFilename"] == PROGRESS]

    # What is worst is asked for first: a note on it, and that the paper does not say it.
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page).to_have_url(re.compile("check=worst"))
    expect(page.locator(".verbs")).to_be_visible()
    worst = page.url
    (doubted,) = [row for row in papers if f"row={row['resultId']}&" in worst]
    press(page, "c")
    page.get_by_label("Comment", exact=False).last.fill("Ask the authors.")
    page.keyboard.press("Enter")
    saved(page, project)
    expect(page.locator(".note")).to_contain_text("Ask the authors.")
    press(page, "n")
    saved(page, project)
    expect(page).not_to_have_url(worst)
    assert [each["verb"] for each in history(project, doubted)] == ["absent", "comment"]

    # A number is corrected, by words that are selected in the paper's text; what the rules said stays beside it.
    opened(page, project, progress, "n_screened")
    chosen(page, SCREENED)
    page.get_by_label("Your value").fill("1,919")
    picture(page, "checking-quote")
    page.keyboard.press("Enter")
    saved(page, project)
    expect(page.locator(".decided-by")).to_contain_text("Code found the chosen quote, and it says this value.")
    expect(cell(page, "n_screened").locator(".value")).to_have_text("✓ 1919")
    picture(page, "checking-corrected")

    # Agreed, and taken back.
    opened(page, project, found[0], "design")
    for key, looks in (("a", "decided"), ("u", "found")):
        press(page, key)
        saved(page, project)
        expect(cell(page, "design")).to_have_class(re.compile(rf"\b{looks}\b"))

    # The API has taken it, its answer is lost, and so is the network: it is sent again, and counts once.
    opened(page, project, found[1], "design")
    arrived: list[int] = []

    def cut(route):
        arrived.append(route.fetch().status)
        page.context.set_offline(True)
        route.abort("connectionfailed")

    page.context.route(POST, cut, times=1)
    press(page, "a")
    expect(page.locator(".standing.lost")).to_contain_text("Not saved yet; trying again.")
    expect(page.locator(".decided-by")).not_to_contain_text("✓")
    picture(page, "checking-offline")
    page.context.set_offline(False)
    saved(page, project)
    expect(page.locator(".decided-by")).to_contain_text("✓ Checked by you")
    assert arrived == [200]
    assert [each["verb"] for each in history(project, found[1]) if each["address"] == "design"] == ["agree"]

    page.get_by_role("button", name="Close", exact=True).click()
    done = far(project, read)
    assert int(done.split()[0]) >= len(decided(project, read)) == 3
    expect(page.locator(".check-far")).to_have_text(done)
    picture(page, "checking-table")
    assert axe.violations(page) == []
    page.get_by_role("link", name="Tasks").first.click()
    expect(page.locator(".task-checked")).to_have_text(done)

    # Read again: another task, and what was decided holds there too.
    again = project.closed(project.start([row["documentId"] for row in papers]))
    assert decided(project, again) == decided(project, read)
    page.goto(project.address(f"tasks/{again}/results"))
    expect(page.locator(".check-far")).to_have_text(done)
    (copy,) = [row for row in rows(project, again) if row["snapshotFilename"] == PROGRESS]
    opened(page, project, copy, "n_screened")
    expect(page.locator(".evidence-value.checked")).to_have_text("1919")
    expect(page.locator(".quote.own")).to_contain_text(SCREENED)
    press(page, "n")
    saved(page, project)
    press(page, "u")
    saved(page, project)
    expect(page.locator(".evidence-value.checked")).to_have_text("1919")

    page.get_by_text("Download", exact=True).click()
    with page.expect_download(timeout=READ_MS) as given:
        page.get_by_role("button", name="Excel workbook").click()
    book = CalamineWorkbook.from_path(given.value.path())
    _, head, *table = book.get_sheet_by_name("Table").to_python()
    by_file = {row["File"]: row for row in (dict(zip(head, each, strict=True)) for each in table)}
    assert len(by_file) == len(PAPERS)
    assert by_file[PROGRESS]["Screened"] == 1919
    names, *made = book.get_sheet_by_name("Decisions").to_python()
    told = [dict(zip(names, each, strict=True)) for each in made]
    assert Counter(each["Decision"] for each in told) == {
        "agree": 2,
        "undo": 2,
        "absent": 2,
        "comment": 1,
        "correct": 1,
    }
    (corrected,) = [each for each in told if each["Decision"] == "correct"]
    assert (corrected["Value"], corrected["Quote"]) == (1919, SCREENED)


def test_the_second_sees_both_and_decides_again_when_two_people_and_two_tabs_are_at_one_cell(
    page, project, deployed, new_tab
):
    task = project.closed(project.start(project.shelf(TRIAL)[1]))
    (row,) = rows(project, task)
    other = page.context.new_page()
    colleague = new_tab(deployed.newcomer(project.id))
    for tab in (page, other, colleague):
        opened(tab, project, row, "n_randomised")
    press(page, "a")
    saved(page, project)

    # One's own other tab.
    press(other, "n")
    trouble = other.locator(".trouble")
    expect(trouble).to_contain_text("you decided this meanwhile")
    expect(trouble.locator("dd")).to_have_text(["Agreed: 120", "Not reported"])
    other.get_by_role("button", name="Keep theirs").click()
    saved(other, project)
    expect(cell(other, "n_randomised").locator(".value")).to_have_text("✓ 120")

    # A colleague, who has the later word once both were seen.
    press(colleague, "e")
    colleague.get_by_label("Your value").fill("119")
    colleague.keyboard.press("Enter")
    trouble = colleague.locator(".trouble")
    expect(trouble).to_contain_text("a colleague decided this meanwhile")
    expect(trouble.locator("dd")).to_have_text(["Agreed: 120", "119"])
    picture(colleague, "checking-conflict")
    assert axe.violations(colleague) == []
    colleague.get_by_role("button", name="Use mine").click()
    saved(colleague, project)
    expect(cell(colleague, "n_randomised").locator(".value")).to_have_text("✓ 119")
    later, earlier = history(project, row)
    assert (later["verb"], later["value"], later["before"]) == ("correct", 119, earlier["id"])
    assert (earlier["verb"], earlier["before"]) == ("agree", None)

    for tab in (page, other):
        tab.reload()
        expect(tab.locator(".evidence-value.checked")).to_have_text("119")
        expect(tab.locator(".decided-by")).to_contain_text("✓ Checked by a colleague")
        expect(tab.locator(".decided-by")).to_contain_text("The rules said: 120")
    page.get_by_text("History").click()
    expect(page.locator(".history li")).to_have_count(2)
    picture(page, "checking-history")
