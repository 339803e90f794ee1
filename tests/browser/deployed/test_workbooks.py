"""A workbook of the seeds' size on the deployed stack: dropped, read, scrolled, edited by two, taken out as CSV."""

import csv
import io
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser import axe
from tests.browser.conftest import picture
from tests.support.workbooks import LARGE_ROWS, large_registry, registry

pytestmark = [pytest.mark.emulator, pytest.mark.slow]

READ_MS = 60_000
SESSIONS = "/dc/sessions"


def dropped(page, project, name, content):
    page.goto(project.address("sheets"))
    page.locator("input[type=file]").set_input_files(
        [{"name": name, "mimeType": "application/octet-stream", "buffer": content}]
    )


def cell(page, row, column):
    return page.locator(f"[data-at='{row}:{column}']")


def test_half_a_million_cells_are_a_table_when_they_were_dropped(page, project):
    """The seeds waited 47 s for an answer, and 43 at every look."""
    content, _ = large_registry()
    dropped(page, project, "seed.xlsx", content)
    grid = page.get_by_role("grid", name="Table of data 数据")
    expect(grid).to_be_visible(timeout=READ_MS)
    expect(grid).to_have_attribute("aria-rowcount", str(LARGE_ROWS + 1))
    expect(page.get_by_text("What was found and done")).to_be_visible()
    assert axe.violations(page) == []
    picture(page, "sheets-deployed")
    cell(page, 0, 1).click()
    page.keyboard.press("Control+End")
    expect(cell(page, LARGE_ROWS - 1, 150)).to_be_visible()
    expect(cell(page, LARGE_ROWS - 1, 148)).not_to_have_text("")


def test_an_edit_is_the_next_version_and_the_csv_has_it(page, project, new_tab):
    """Of two who edit the same version one is told, keeps what was typed, and goes on with it."""
    dropped(page, project, "registry.xlsx", registry())
    expect(page.get_by_role("grid", name="Table of Registry")).to_be_visible(timeout=READ_MS)
    expect(cell(page, 0, 1)).to_have_text("61")
    (session,) = project.ask("GET", SESSIONS)["sessions"]
    other = [{"row": 1, "column": 1, "value": 99}]
    cell(page, 0, 1).dblclick()
    page.locator(".sheet-cell input").fill("62")
    page.keyboard.press("Enter")
    project.ask("PUT", f"{SESSIONS}/{session['sessionId']}/data", {"version": 1, "sheet": 0, "cells": other})
    page.get_by_role("button", name="Save", exact=True).click()
    go_on = page.get_by_role("button", name="Go on with mine")
    expect(go_on).to_be_visible(timeout=READ_MS)
    go_on.click()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved: version 3.")).to_be_visible(timeout=READ_MS)
    expect(cell(page, 0, 1)).to_have_text("62")
    expect(cell(page, 1, 1)).to_have_text("99")
    page.get_by_text("Download", exact=True).click()
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV of this sheet").click()
    rows = list(csv.reader(io.StringIO(Path(download.value.path()).read_text("utf-8-sig"))))
    assert [row[1] for row in rows[1:3]] == ["62", "99"]
    assert rows[1][4] == "<0.5"
