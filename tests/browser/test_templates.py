"""A project's own templates: copied, edited, tried, compared, and filled from a form. Before the stand-in."""

import json

import pytest
from playwright.sync_api import expect

from tests.browser import axe
from tests.browser.conftest import picture
from tests.browser.stand_in import ORIGIN

NEW = f"{ORIGIN}/#/lab/new"
TEMPLATES = "/api/v1/asl/extraction/templates"


@pytest.fixture
def editor(page, shelf):
    """A copy of the trials' template, open."""
    page.goto(NEW)
    page.get_by_role("button", name="Make it ours").click()
    expect(page.get_by_role("heading", name="Randomised controlled trial (copy)")).to_be_visible()
    return page


def save(page, version):
    page.get_by_role("button", name=f"Save as version {version}").click()
    expect(page.get_by_text(f"Saved: version {version}.")).to_be_visible()


def add(page, label, section="Design"):
    page.locator(".editor-list section").filter(has=page.get_by_role("heading", name=section, exact=True)).get_by_role(
        "button", name="Add a field"
    ).click()
    page.get_by_label("Label", exact=True).fill(label)


def order(page):
    return page.locator(".editor-field > span:first-child").all_inner_texts()


def test_a_copy_is_edited_and_saved_when_a_template_is_made_ours(editor, shelf):
    """A choice with its words; the built-in one stays as it is."""
    page = editor
    picture(page, "editor-en")
    assert axe.violations(page) == []
    add(page, "Dose schedule")
    expect(page.get_by_label("Key")).to_have_value("dose_schedule")
    page.get_by_label("Label in Chinese").fill("给药方案")
    page.get_by_label("Question").fill("How the drug was given.")
    page.get_by_label("Kind of answer").select_option("enum")
    expect(page.get_by_text("It needs two choices at least.")).to_be_visible()
    expect(page.get_by_role("button", name="Save as version 2")).to_be_disabled()
    for n, choice in enumerate(["fixed", "titrated"], 1):
        page.get_by_role("button", name="Add a choice").click()
        page.get_by_label(f"Choice {n}", exact=True).fill(choice)
    page.get_by_label("Choice 2 in Chinese").fill("滴定给药")
    page.get_by_label("Choice 2: Words").fill("titrat*, 滴定")
    picture(page, "editor-field-en")
    assert page.evaluate("document.documentElement.scrollWidth") <= 1360
    assert axe.violations(page) == []
    save(page, 2)
    (field,) = (each for each in shelf.own["rct-copy"][1]["fields"] if each["name"] == "dose_schedule")
    assert (field["labelZh"], field["section"], field["type"]) == ("给药方案", "design", "enum")
    assert (field["options"], field["cues"]) == (["fixed", "titrated"], {"titrated": ["titrat*", "滴定"]})
    assert field["optionsZh"] == {"titrated": "滴定给药"}
    page.get_by_role("button", name="中文").click()
    page.get_by_role("button", name="深色主题").click()
    picture(page, "editor-field-zh-dark")
    assert axe.violations(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    picture(page, "editor-390")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_what_was_changed_is_there_when_the_page_is_loaded_anew(editor, shelf):
    add(editor, "Dose schedule")
    expect(editor.get_by_text("Changes are not saved yet. This browser keeps them.")).to_be_visible()
    editor.reload()
    expect(editor.get_by_text("These are changes that were kept and never saved.")).to_be_visible()
    assert "Dose schedule" in order(editor)
    editor.get_by_role("button", name="Discard changes").click()
    editor.get_by_role("button", name="Discard", exact=True).click()
    expect(editor.get_by_text("These are changes that were kept")).to_have_count(0)
    assert "Dose schedule" not in order(editor)
    assert len(shelf.own["rct-copy"]) == 1


def test_fields_and_sections_move_by_hand_and_by_keyboard(editor):
    """Buttons, Alt with the arrows, dragging; over a section's edge into the next one. A removed one is put back."""
    page, before = editor, order(editor)
    page.get_by_role("button", name=before[0], exact=True).click()
    page.get_by_role("button", name="Move down").click()
    assert order(page)[:2] == [before[1], before[0]]
    page.get_by_role("button", name=before[0], exact=True).press("Alt+ArrowUp")
    assert order(page) == before
    page.locator(".editor-field").nth(3).drag_to(page.locator(".editor-field").nth(0))
    assert order(page)[:2] == [before[3], before[0]]
    page.get_by_role("button", name="Section Citation down").click()
    assert order(page)[0] == before[6]
    first = order(page)[0]
    page.get_by_role("button", name=first, exact=True).click()
    page.get_by_role("button", name="Remove the field").click()
    assert first not in order(page)
    page.get_by_role("button", name="Put it back").click()
    assert order(page)[0] == first


def test_a_problem_stands_at_its_field_when_the_service_or_the_page_finds_one(editor, shelf):
    page = editor
    add(page, "Title")
    expect(page.get_by_role("alert").filter(has_text="Another field has this label.")).to_be_visible()
    page.get_by_label("Label", exact=True).fill("Dose")
    page.get_by_label("Key").fill("Dose 1")
    expect(page.get_by_text("A small letter first")).to_be_visible()
    page.get_by_label("Key").fill("value")
    expect(page.get_by_text("This word has a meaning of its own")).to_be_visible()
    page.get_by_label("Key").fill("dose")
    shelf.template_refuses = {"field": "fields[3].description", "detail": "fields[3].description: is strange."}
    page.get_by_role("button", name="Save as version 2").click()
    expect(page.get_by_text("is strange.").first).to_be_visible()
    expect(page.get_by_label("Label", exact=True)).to_have_value(order(page)[3])


def test_nobodys_version_is_lost_when_two_edit(editor, shelf):
    """The second is told, and sees what is different."""
    add(editor, "Dose schedule")
    theirs = json.loads(json.dumps(shelf.own["rct-copy"][0])) | {"version": 2}
    theirs["fields"] = theirs["fields"][1:]
    shelf.own["rct-copy"].append(theirs)
    editor.get_by_role("button", name="Save as version 2").click()
    expect(editor.get_by_text("Somebody saved version 2 meanwhile.")).to_be_visible()
    editor.get_by_text("Versions", exact=True).click()
    expect(editor.locator(".differences li")).to_have_count(2)
    save(editor, 3)
    assert [len(each["fields"]) for each in shelf.own["rct-copy"]] == [48, 47, 49]


def test_one_paper_answers_beside_the_form_when_it_is_tried(editor, shelf):
    page = editor
    add(page, "Dose schedule", "Citation")
    page.get_by_role("button", name="Save and try").click()
    expect(page.get_by_text("Reading “Trial 0”…")).to_be_visible()
    assert shelf.wanted[-1]["templateId"] == "rct-copy"
    assert shelf.wanted[-1]["documentIds"] == ["d0"]
    assert len(shelf.own["rct-copy"]) == 2, "saved before"
    shelf.task("t1", [shelf.row("t1", 0)], templateId="rct-copy")
    expect(page.get_by_text("“Trial 0”, read with version 2 by rules.")).to_be_visible()
    page.locator(".editor-field", has_text="Year").first.click()
    expect(page.locator(".editor-answer")).to_contain_text("Found")
    expect(page.locator(".editor-tried")).to_have_count(49)
    picture(page, "editor-tried-en")
    assert axe.violations(page) == []


FORM = """Name;Section;Question;Type;Choices
"Dose; total";Interventions of ours;"What ""dose""
was given?";text;
Route;;How it was given;choice;oral|i.v.|other
Blinded;;;yes/no;
Title;;;text;
Sex;;;hexagon;
Arm;;;choice;one
"""


def test_a_form_is_read_with_its_errors_by_line_when_it_is_imported(editor, shelf):
    page = editor
    page.get_by_text("Import a form (CSV)").click()
    page.locator("input[type=file]").set_input_files(
        {"name": "form.csv", "mimeType": "text/csv", "buffer": FORM.encode()}
    )
    expect(page.get_by_text("3 fields can be added.")).to_be_visible()
    expect(page.get_by_text("Line 6: Another field has this label. Title")).to_be_visible()
    expect(page.get_by_text("Line 7: This kind of answer is not known: hexagon")).to_be_visible()
    expect(page.get_by_text("Line 8: It needs two choices at least. Arm")).to_be_visible()
    picture(page, "editor-csv-en")
    assert axe.violations(page) == []
    page.get_by_role("button", name="Add 3 fields").click()
    save(page, 2)
    added = shelf.own["rct-copy"][1]["fields"][-3:]
    assert [each["label"] for each in added] == ["Dose; total", "Route", "Blinded"]
    assert added[0]["description"] == 'What "dose"\nwas given?'
    assert {each["section"] for each in added} == {"Interventions of ours"}
    assert (added[1]["options"], added[2]["type"]) == (["oral", "i.v.", "other"], "boolean")


def test_an_earlier_version_is_taken_up_again_and_a_template_deleted(editor, shelf):
    page = editor
    add(page, "Dose schedule")
    save(page, 2)
    page.get_by_text("Versions", exact=True).click()
    page.get_by_label("What has changed since").select_option("1")
    expect(page.locator(".differences li")).to_have_text(["Dose schedule added"])
    page.get_by_role("button", name="Take this version as it was").click()
    save(page, 3)
    assert [len(each["fields"]) for each in shelf.own["rct-copy"]] == [48, 49, 48]
    page.get_by_role("button", name="Delete this template").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("heading", name="New task")).to_be_visible()
    assert ("DELETE", f"{TEMPLATES}/rct-copy") in shelf.asked
    expect(page.get_by_role("button", name="Make it ours")).to_be_visible()


def test_a_built_in_template_or_a_viewer_is_told_why_nothing_can_be_changed(page, shelf):
    page.goto(f"{ORIGIN}/#/lab/template?id=rct")
    expect(page.get_by_text("A built-in template stays as it is")).to_be_visible()
    shelf.role = "viewer"
    page.reload()
    expect(page.get_by_text("You may look at it, but not change anything.")).to_be_visible()
    expect(page.get_by_role("button", name="Make it ours")).to_have_count(0)
