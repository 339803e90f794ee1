"""A task's name, three papers first, how long, where texts go, and whether papers fit. Before the stand-in."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser import axe
from tests.browser.conftest import picture
from tests.browser.stand_in import ORIGIN

NEW = f"{ORIGIN}/#/lab/new"
OUTSIDE = {"engine": "openai", "host": "api.example.com", "outside": True}


@pytest.fixture
def models(shelf):
    """The rules, a model in the account and one elsewhere; five papers ready; a task of twenty minutes that ten papers took."""
    shelf.engines = ["rules", "bedrock", "openai"]
    shelf.endpoints = [{"engine": "bedrock", "host": None, "outside": False}, OUTSIDE]
    for number in range(4, 6):
        shelf.document(f"trial-{number}.pdf", title=f"Trial {number}")
    rows = [shelf.row("t9", number) for number in range(10)]
    cells = {
        "found": 180,
        "unsupported": 5,
        "contradictory": 0,
        "not_found": 215,
        "not_attempted": 80,
        "not_reported": 0,
    }
    shelf.task("t9", rows, createdAt="2026-11-18T08:40:00.000Z", engine="openai", cells=cells)
    return shelf


def test_a_task_has_its_name_and_the_first_three_papers_when_they_are_tried(page, models):
    page.goto(NEW)
    page.reload()
    page.get_by_role("button", name="Select all").click()
    page.get_by_label("Name (optional)").fill("Delirium, first pass")
    page.get_by_label("Read by").select_option("openai")
    expect(page.get_by_text("sent to api.example.com, outside this account")).to_be_visible()
    expect(page.get_by_text("About 10 minutes, as the latest tasks of this engine took.")).to_be_visible()
    expect(page.get_by_text("found 18 of 48 fields a paper; 8 it does not read.")).to_be_visible()
    assert axe.violations(page) == []
    picture(page, "set-up-en")
    page.get_by_role("button", name="中文").click()
    page.get_by_role("button", name="深色主题").click()
    picture(page, "set-up-zh-dark")
    assert axe.violations(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("button", name="先试三篇").scroll_into_view_if_needed()
    picture(page, "set-up-zh-dark-390")
    page.get_by_role("button", name="English").click()
    page.get_by_role("button", name="Try three first").click()
    expect(page.get_by_role("heading", name="0 of 3 papers")).to_be_visible()
    asked = models.wanted[-1]
    assert (asked["name"], asked["engine"]) == ("Delirium, first pass (the first three)", "openai")
    assert asked["documentIds"] == ["d0", "d1", "d2"]
    page.goto(NEW)
    expect(page.get_by_text("5 of 6 selected")).to_be_visible()


def test_no_engine_outside_reads_when_the_project_lets_no_text_leave(page, models):
    """The switch stands in the library; a set-up that named such an engine cannot be started."""
    page.goto(f"{ORIGIN}/#/lab/library")
    page.get_by_text("Settings of the project lab").click()
    page.get_by_role("button", name="Let no text leave this account").click()
    expect(page.get_by_text("No text leaves this account.", exact=True)).to_be_visible()
    assert axe.violations(page) == []
    picture(page, "settings-en")
    page.goto(f"{NEW}?engine=openai")
    page.get_by_role("button", name="Select all").click()
    expect(page.get_by_text("This project lets no text leave this account. Choose another engine.")).to_be_visible()
    expect(page.get_by_role("button", name="Confirm and start")).to_be_disabled()
    assert axe.violations(page) == []
    picture(page, "outside-en")
    page.get_by_label("Read by").select_option("bedrock")
    expect(page.get_by_text("stay in this account: Bedrock reads them")).to_be_visible()
    expect(page.get_by_role("button", name="Confirm and start")).to_be_enabled()
    assert page.locator("option[value=openai]").get_attribute("disabled") is not None


def test_a_viewer_reads_the_switch_and_does_not_turn_it(page, models):
    models.role = "viewer"
    page.goto(f"{ORIGIN}/#/lab/library")
    page.reload()
    page.get_by_text("Settings of the project lab").click()
    expect(page.get_by_text("Texts may be sent to models outside this account.")).to_be_visible()
    expect(page.get_by_role("button", name="Let no text leave this account")).to_have_count(0)


def test_papers_that_do_not_look_like_trials_are_counted_when_three_are_read(page, stand_in):
    """By what was found in them: neither people randomised, nor arms, nor a sequence."""
    rows = [stand_in.row("t1", number) for number in range(5)]
    for row in rows[:2]:
        for name in ("n_randomised", "arms", "sequence_generation", "allocation_concealment"):
            row["extractedData"]["fields"][name] = {"value": None, "state": "not_found", "quote": None, "match": None}
    stand_in.task("t1", rows)
    page.goto(f"{ORIGIN}/#/lab/tasks/t1/results")
    expect(page.get_by_text("2 of 5 papers do not look like trials")).to_be_visible()
    picture(page, "fit-en")
    assert axe.violations(page) == []
    stand_in.task("t2", [stand_in.row("t2", number) for number in range(5)])
    page.goto(f"{ORIGIN}/#/lab/tasks/t2/results")
    expect(page.get_by_role("grid")).to_be_visible()
    expect(page.get_by_text("do not look like trials")).to_have_count(0)


def test_papers_that_are_up_are_said_to_wait_and_why_others_are_not_read_is_said_in_both_languages(page, shelf):
    """What another tab sent, or this one before a reload."""
    shelf.document("late.pdf", "uploading", size=0)
    page.goto(f"{ORIGIN}/#/lab/library")
    expect(page.get_by_text("Waits to be read")).to_be_visible()
    expect(page.get_by_text("1 still to be read")).to_be_visible()
    page.get_by_role("button", name="中文").click()
    expect(page.locator(".why").filter(has_text="没有文字层")).to_have_attribute("lang", "zh-Hans")
    picture(page, "library-zh")
    assert axe.violations(page) == []


def test_only_the_page_with_papers_that_are_being_read_is_asked_for_again_when_a_list_is_long(page, shelf):
    shelf.document("late.pdf", "reading")
    for number in range(300):
        shelf.document(f"more-{number}.pdf")
    page.goto(f"{ORIGIN}/#/lab/library")
    expect(page.get_by_text("1 still to be read")).to_be_visible()
    asked = "/api/v1/pkb/knowledge-bases/kb1/documents"
    assert shelf.count(asked) == 4
    shelf.documents[4]["status"] = "ready"
    expect(page.get_by_text("1 still to be read")).to_have_count(0, timeout=10_000)
    assert shelf.count(asked) == 5
    page.get_by_role("button", name="Label of Trial 1").click()
    page.get_by_label("Study, as you call it").fill("GIRAF 2022")
    page.get_by_label("Study, as you call it").press("Enter")
    expect(page.locator(".paper").filter(has_text="Trial 1")).to_contain_text("GIRAF 2022")
    assert shelf.count(asked) == 9, "what somebody changed is asked for whole"


def test_quality_is_offered_as_a_form_when_the_rules_leave_its_questions_open(page, shelf):
    page.goto(f"{NEW}?kb=kb1")
    page.get_by_role("button", name="Select all").click()
    expect(page.get_by_text("a form to fill in by hand")).to_have_count(0)
    page.goto(f"{NEW}?kb=kb1&template=qc")
    expect(page.get_by_text("a form to fill in by hand")).to_be_visible()
    picture(page, "quality-by-hand")
    assert axe.violations(page) == []
    row = shelf.row("t1", 0)
    row["extractedData"]["fields"] = {"rob_1_1": {"state": "not_attempted", "value": None}}
    shelf.task("t1", [row], templateId="qc")
    page.goto(f"{ORIGIN}/#/lab/tasks/t1/results?row=t1-0&field=rob_1_1")
    expect(page.locator(".verbs")).to_be_visible()
    page.keyboard.press("e")
    page.locator(".decide-form .choices label").first.click()
    picture(page, "quality-answered")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".standing.saved")).to_be_visible()
    assert shelf.decisions.posted[-1]["decisions"][0]["verb"] == "correct"


def test_a_study_is_called_what_somebody_says_when_it_is_labelled(page, shelf):
    page.goto(f"{ORIGIN}/#/lab/library")
    page.get_by_role("button", name="Label of Trial 1").click()
    expect(page.get_by_label("Study, as you call it")).to_have_value("Author1 2017")
    page.get_by_label("Study, as you call it").fill("GIRAF 2022")
    picture(page, "label-en")
    assert axe.violations(page) == []
    page.get_by_label("Study, as you call it").press("Enter")
    expect(page.locator(".paper").filter(has_text="Trial 1")).to_contain_text("GIRAF 2022 · trial-1.pdf")
    page.get_by_label("Search papers").fill("giraf")
    expect(page.locator(".boxed li")).to_have_count(1)


def test_papers_are_tagged_at_once_and_found_by_a_tag_when_some_are_chosen(page, shelf):
    page.goto(f"{ORIGIN}/#/lab/library")
    for number in (0, 2):
        page.get_by_role("checkbox", name=f"Trial {number}").check()
    page.get_by_role("button", name="Add a tag").click()
    page.get_by_label("Tag", exact=True).fill("pilot")
    page.get_by_label("Tag", exact=True).press("Enter")
    expect(page.locator(".tag")).to_have_count(2)
    page.get_by_role("group", name="Tags").get_by_role("button", name="pilot").click()
    expect(page.locator(".boxed li")).to_have_count(2)
    expect(page).to_have_url(re.compile("tag=pilot"))
    picture(page, "tags-en")
    assert axe.violations(page) == []
    page.get_by_role("button", name="Take the tag pilot from Trial 2").click()
    expect(page.locator(".boxed li")).to_have_count(1)
    page.get_by_role("button", name="Take the tag pilot from Trial 0").click()
    expect(page.locator(".boxed li")).to_have_count(4)


def test_a_study_has_the_same_name_in_library_and_table_when_it_is_labelled_in_either(page, shelf):
    """Mutation caught: a label that is looked up by the row's number."""
    shelf.documents[2]["label"] = "CAPRI-T"
    shelf.task("t1", [shelf.row("t1", number) for number in (2, 0)])
    page.goto(f"{ORIGIN}/#/lab/tasks/t1/results?row=t1-0&field=year")
    panel = page.get_by_role("complementary")
    expect(page.get_by_role("row", name="CAPRI-T")).to_be_visible()
    panel.get_by_role("button", name="Label of Author0 2017 · paper-0.pdf").click()
    expect(panel.get_by_label("Study, as you call it")).to_have_value("Author0 2017")
    panel.get_by_label("Study, as you call it").fill("Naomi")
    panel.get_by_label("Study, as you call it").press("Enter")
    expect(page.get_by_role("row", name="Naomi")).to_be_visible()
    expect(panel.get_by_text("Naomi · paper-0.pdf")).to_be_visible()
    panel.get_by_role("button", name="Label of Naomi").click()
    panel.get_by_label("Study, as you call it").press("Escape")
    expect(panel.get_by_role("button", name="Label of Naomi")).to_be_visible()
    picture(page, "label-table-en")
    page.get_by_role("link", name="Library").click()
    expect(page.locator(".paper").filter(has_text="Trial 0")).to_contain_text("Naomi")


def test_uploads_are_a_strip_that_covers_nothing_and_counts_what_failed(page, shelf):
    shelf.fails = lambda method, path: 0 if path.startswith("/bucket") else None
    page.goto(f"{ORIGIN}/#/lab/library")
    expect(page.get_by_text("Trial 0")).to_be_visible()
    files = [
        {"name": f"new-{n}.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7 " + bytes([n])} for n in range(3)
    ]
    page.locator("input[type=file]").set_input_files(
        [*files, {"name": "notes.docx", "mimeType": "x/y", "buffer": b"1"}]
    )
    expect(page.locator(".uploads h2")).to_have_text("Uploads 0 of 4 · 4 failed")
    strip, first = page.locator(".uploads").bounding_box(), page.locator("main h1").bounding_box()
    assert strip["y"] + strip["height"] <= first["y"]
    picture(page, "uploads-strip-en")
    assert axe.violations(page) == []


def test_tasks_are_told_apart_by_their_names_when_they_have_some(page, stand_in):
    stand_in.task("t1", [stand_in.row("t1", 0)], name="Delirium, first pass")
    stand_in.task("t2", [stand_in.row("t2", 0)])
    page.goto(f"{ORIGIN}/#/lab/tasks")
    expect(page.locator(".tasks-what strong")).to_have_text(["Randomised controlled trial", "Delirium, first pass"])
    picture(page, "tasks-named-en")


def test_a_task_has_another_name_everywhere_when_it_is_renamed(page, stand_in):
    stand_in.task("t1", [stand_in.row("t1", 0)])
    page.goto(f"{ORIGIN}/#/lab/tasks/t1/results")
    page.get_by_role("button", name="Rename this task").click()
    page.get_by_label("What you call it").fill("Delirium, first screening")
    page.get_by_label("What you call it").press("Enter")
    expect(page.get_by_role("heading", name="Delirium, first screening")).to_be_visible()
    picture(page, "renamed-en")
    assert axe.violations(page) == []
    page.get_by_role("link", name="Tasks").click()
    expect(page.get_by_role("link", name="Delirium, first screening")).to_be_visible()


def test_half_of_a_sample_review_is_checked_as_a_block_and_says_that_nobody_read_it_when_one_looks_at_it(
    page, stand_in
):
    """Mutation caught: a sample's check that counts as a person's reading."""
    page.goto(f"{ORIGIN}/#/lab/library")
    page.get_by_role("button", name="Look at a sample review").click()
    expect(page.locator(".papers .badge").first).to_be_visible()
    page.wait_for_timeout(500)
    count = len(stand_in.documents)
    for document in stand_in.documents:
        document["status"] = "ready"
    expect(page.get_by_role("heading", name=f"0 of {count} papers")).to_be_visible()
    assert stand_in.wanted[-1]["name"] == "Sample review, half of it marked as checked"
    stand_in.task("t1", [stand_in.row("t1", number) for number in range(count)])
    expect(page.get_by_text("A sample. Half of these papers are marked as checked")).to_be_visible()
    expect(page.locator("tbody tr").first.locator(".tick").first).to_be_visible()
    posted = stand_in.decisions.posted
    assert {each["how"] for each in posted} == {"block"}
    said = {(one["verb"], one["comment"]) for each in posted for one in each["decisions"]}
    assert said == {("agree", "A sample: nobody has read this cell.")}
    assert len(stand_in.decisions.cells) == (count + 1) // 2
    picture(page, "sample-review-en")
    assert axe.violations(page) == []
