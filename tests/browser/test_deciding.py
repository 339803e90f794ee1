"""A person has the last word on each cell: by key, by mouse, by thumb; twice, at once with another, without a network. Before the stand-in."""

import hashlib
import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser import axe
from tests.browser.conftest import QUOTE, picture, signed_in
from tests.browser.stand_in import ORIGIN, StandIn, contradictory, quoted

TABLE = f"{ORIGIN}/#/lab/tasks/t1/results"
SIZES = {"wide": {"width": 1440, "height": 900}, "phone": {"width": 390, "height": 844}}


@pytest.fixture
def three(stand_in, page):
    """Three papers: the first year is found, the second could not be confirmed, of the third the paper says two things."""
    rows = [stand_in.row("t1", number) for number in range(3)]
    rows[0]["extractedData"]["fields"]["year"] = quoted(120, "We randomly assigned 120 adults")
    rows[1]["extractedData"]["fields"]["year"] = quoted(2015, "nobody wrote this", "not_found")
    rows[2]["extractedData"]["fields"]["year"] = contradictory(quoted(120, "120 adults"), quoted(94, "94 adults"))
    stand_in.task("t1", rows)
    return page


def opened(page, row=0, field="year"):
    page.goto(f"{TABLE}?row=t1-{row}&field={field}")
    expect(page.locator(".verbs")).to_be_visible()
    return page


def cell(page, row, field="year"):
    return page.locator(f"tr[aria-rowindex='{row + 3}'] [data-field='{field}']")


def saved(page):
    expect(page.locator(".standing.saved")).to_be_visible()


def sent(stand_in, at=-1):
    return stand_in.decisions.posted[at]["decisions"]


def press(page, key):
    """Not so soon after the last that it counts as pressed twice."""
    page.wait_for_timeout(300)
    page.locator(".evidence").focus()
    page.keyboard.press(key)


# ---------------------------------------------------------------------- every verb


@pytest.mark.parametrize("how", ["key", "mouse"])
def test_the_cell_is_checked_when_one_agrees(three, stand_in, how):
    opened(three)
    if how == "key":
        press(three, "a")
    else:
        three.get_by_role("button", name="Agree").click()
    saved(three)
    (made,) = sent(stand_in)
    assert (made["address"], made["verb"], made["before"]) == ("year", "agree", None)
    expect(cell(three, 0)).to_have_class(re.compile(r"\bdecided\b"))
    expect(cell(three, 0).locator(".unseen")).to_contain_text("Checked by you")
    expect(three.locator(".evidence-value.checked")).to_have_text("120")
    expect(three.locator(".decided-by")).to_contain_text("✓ Checked by you")
    expect(three.locator(".far")).to_contain_text("1 of 58 on this paper · 1 of 174 in all")
    picture(three, "agreed")


def test_nothing_is_agreed_with_and_it_is_said_why_when_nothing_was_found(three, stand_in):
    opened(three, 2)
    expect(three.get_by_role("button", name="Agree")).to_have_attribute("aria-disabled", "true")
    press(three, "a")
    expect(three.locator(".decide > [role=status]").first).to_contain_text("There is nothing to agree with")
    assert stand_in.decisions.posted == []


@pytest.mark.parametrize("how", ["key", "mouse"])
def test_the_persons_value_stands_beside_the_rules_when_one_corrects(three, stand_in, how):
    opened(three)
    if how == "key":
        press(three, "e")
    else:
        three.get_by_role("button", name="Correct").click()
    field = three.get_by_label("Your value")
    expect(field).to_be_focused()
    field.fill("many")
    three.keyboard.press("Enter")
    expect(three.get_by_text("A whole number, such as 120.")).to_be_visible()
    field.fill("1,234")
    three.keyboard.press("Enter")
    saved(three)
    (made,) = sent(stand_in)
    assert (made["verb"], made["value"]) == ("correct", 1234)
    expect(three.locator(".evidence-value")).to_have_text("1234")
    expect(three.locator(".decided-by")).to_contain_text("The rules said: 120")
    expect(cell(three, 0).locator(".value")).to_have_text("✓ 1234")
    expect(three.locator("aside.evidence")).to_be_focused()
    picture(three, "corrected")


@pytest.mark.parametrize("how", ["key", "mouse"])
def test_the_cell_says_not_reported_when_a_person_looked_and_it_does_not(three, stand_in, how):
    opened(three, 1)
    if how == "key":
        press(three, "n")
    else:
        three.get_by_role("button", name="Not reported", exact=True).click()
    saved(three)
    assert sent(stand_in)[0]["verb"] == "absent"
    expect(cell(three, 1).locator(".value")).to_have_text("✓ Not reported")
    expect(three.locator(".decided-by")).to_contain_text("The rules said: 2015")


@pytest.mark.parametrize("how", ["key", "mouse"])
def test_a_note_changes_no_value_when_one_comments(three, stand_in, how):
    opened(three)
    if how == "key":
        press(three, "c")
    else:
        three.get_by_role("button", name="Comment").click()
    three.get_by_label("Comment", exact=False).last.fill("Ask the authors.")
    three.keyboard.press("Enter")
    saved(three)
    assert (sent(stand_in)[0]["verb"], sent(stand_in)[0]["comment"]) == ("comment", "Ask the authors.")
    expect(three.locator(".note")).to_contain_text("Ask the authors.")
    expect(three.locator(".evidence-value")).not_to_have_class(re.compile("checked"))


@pytest.mark.parametrize("how", ["key", "mouse"])
def test_the_engines_answer_is_in_force_again_when_one_undoes(three, stand_in, how):
    opened(three)
    press(three, "a")
    saved(three)
    expect(three.get_by_role("button", name="Undo")).to_have_attribute("aria-disabled", "false")
    if how == "key":
        press(three, "u")
    else:
        three.get_by_role("button", name="Undo").click()
    expect(cell(three, 0)).to_have_class(re.compile(r"\bfound\b"))
    three.wait_for_function("() => !localStorage['sheaf.decisions.lab']")
    agreed, undone = sent(stand_in, 0)[0], sent(stand_in)[0]
    assert (undone["verb"], undone["before"]) == ("undo", agreed["id"])
    three.get_by_text("History").click()
    expect(three.locator(".history li")).to_have_count(2)
    expect(three.locator(".history li").first).to_contain_text("Taken back · you")
    picture(three, "history")
    assert axe.violations(three) == []


def test_nothing_is_decided_when_letters_are_typed_or_one_may_only_look(three, stand_in):
    three.goto(TABLE)
    three.get_by_label("Find in the table").press_sequentially("aencu")
    stand_in.role = "viewer"
    three.reload()
    three.goto(f"{TABLE}?row=t1-0&field=year")
    expect(three.locator(".decide-foot")).to_be_visible()
    press(three, "a")
    expect(three.locator(".verbs")).to_have_count(0)
    assert stand_in.decisions.posted == []


# ---------------------------------------------------------------------- by what a field wants


def test_a_correction_is_not_lost_by_agreeing_when_a_person_has_given_another_value(three, stand_in):
    theirs = {"id": "x", "address": "year", "verb": "correct", "value": 119, "before": None}
    stand_in.decisions.decide("t1-0", {"decisions": [theirs]}, by="v", name="R. Weiss")
    opened(three)
    press(three, "a")
    expect(three.locator(".decide > [role=status]").first).to_contain_text("A person has decided on it already.")
    assert stand_in.decisions.cells["t1-0"]["year"]["value"] == 119
    press(three, "u")
    expect(three.locator(".evidence-value")).to_have_text("120")


def test_choices_have_names_and_flags_yes_and_no_when_one_corrects_them(three, stand_in):
    opened(three, 0, "design")
    press(three, "e")
    three.get_by_label("Stepped wedge").check()
    picture(three, "correct-choice")
    assert axe.violations(three) == []
    three.get_by_role("button", name="Save").click()
    saved(three)
    assert sent(stand_in)[0]["value"] == "stepped_wedge"
    expect(three.locator(".evidence-value")).to_have_text("Stepped wedge")
    expect(cell(three, 0, "design").locator(".value")).to_have_text("✓ Stepped wedge")


def test_one_of_two_values_is_taken_with_its_quote_when_the_paper_says_two_things(three, stand_in):
    opened(three, 2)
    press(three, "e")
    three.get_by_role("button", name="Take “94”").click()
    expect(three.get_by_label("Your value")).to_have_value("94")
    expect(three.locator(".chosen-quote")).to_contain_text("94 adults")
    three.get_by_role("button", name="Save").click()
    saved(three)
    made = sent(stand_in)[0]
    assert (made["value"], made["quote"], made["page"]) == (94, "94 adults", 1)


SELECT = """quote => { const pane = document.querySelector('.page-text'), text = pane.textContent, at = text.indexOf(quote);
  const nodes = document.createTreeWalker(pane, NodeFilter.SHOW_TEXT); let node, gone = 0; const range = document.createRange();
  while ((node = nodes.nextNode())) { const end = gone + node.data.length;
    if (at >= gone && at < end) range.setStart(node, at - gone);
    if (at + quote.length > gone && at + quote.length <= end) range.setEnd(node, at + quote.length - gone);
    gone = end; }
  getSelection().removeAllRanges(); getSelection().addRange(range); }"""


def test_the_selected_words_are_the_quote_and_what_code_says_of_them_is_shown_when_one_corrects(three, stand_in):
    opened(three)
    expect(three.locator(".page-text")).to_be_visible()
    stand_in.decisions.says = {"state": "unsupported", "reason": "number_not_in_quote"}
    three.evaluate(SELECT, "Sixty received placebo.")
    three.get_by_role("button", name="Use this as the quote").click()
    expect(three.locator(".chosen-quote")).to_contain_text("Sixty received placebo.")
    three.get_by_label("Your value").fill("60")
    picture(three, "correct-quote")
    three.keyboard.press("Enter")
    saved(three)
    made = sent(stand_in)[0]
    assert stand_in.text[made["start"] : made["end"]] == made["quote"] == "Sixty received placebo."
    assert (made["value"], made["page"]) == (60, 1)
    expect(three.locator(".decided-by")).to_contain_text(
        "This value stands. Of the chosen quote code says: The quote is in the paper"
    )
    expect(three.locator("mark")).to_have_text("Sixty received placebo.")


def test_the_place_in_the_text_is_found_when_the_words_are_selected_in_the_pdf(pdf, stand_in):
    opened(pdf)
    expect(pdf.locator(".marked").first).to_be_visible()
    pdf.evaluate(
        "() => { const range = document.createRange(), all = document.querySelectorAll('.marked');"
        " range.setStartBefore(all[0]); range.setEndAfter(all[all.length - 1]);"
        " getSelection().removeAllRanges(); getSelection().addRange(range); }"
    )
    picture(pdf, "selected-in-pdf")
    words = pdf.evaluate("() => getSelection().toString()")
    pdf.get_by_role("button", name="Use this as the quote").click()
    pdf.get_by_label("Your value").fill("6")
    pdf.keyboard.press("Enter")
    saved(pdf)
    made = sent(stand_in)[0]
    assert made["page"] == 1
    if QUOTE in " ".join(words.split()) and " ".join(words.split()) == QUOTE:
        assert stand_in.text[made["start"] : made["end"]] == QUOTE
    assert QUOTE.split()[2] in made["quote"]


@pytest.fixture
def arms(stand_in, page):
    """A list of two entries, one of which could not be confirmed."""
    row = stand_in.row("t1", 0)
    sure = quoted({"name": "duloxetine", "role": "experimental", "n_randomised": 60}, "120 adults to duloxetine")
    unsure = {**quoted({"name": "tea", "role": "placebo"}, "nobody wrote this", "not_found")}
    row["extractedData"]["fields"]["arms"] = {**sure, "value": [sure, unsure]}
    row["extractedData"]["fields"]["countries"] = {**sure, "value": [quoted("Kenya", "4 centres")]}
    stand_in.task("t1", [row])
    return opened(page, 0, "arms")


def test_each_entry_is_decided_for_itself_when_the_field_is_a_list(arms, stand_in):
    cards = arms.locator(".card")
    expect(cards).to_have_count(2)
    expect(cards.nth(0)).to_contain_text("Experimental")
    press(arms, "a")
    expect(cards.nth(1)).to_have_attribute("aria-current", "true")
    expect(cell(arms, 0, "arms").locator(".tick")).to_have_text("✓1/2")
    assert re.fullmatch(r"arms/[0-9a-f]{12}", sent(stand_in)[0]["address"])
    picture(arms, "entries-deciding")
    assert axe.violations(arms) == []
    arms.get_by_role("button", name="Not in the paper", exact=True).click()
    expect(cards.nth(1)).to_have_class(re.compile("is-gone"))
    expect(cell(arms, 0, "arms")).to_have_class(re.compile("decided"))
    expect(cell(arms, 0, "arms")).not_to_contain_text("tea")
    expect(arms.locator(".far")).to_contain_text("5 of 60 on this paper")


def test_members_are_corrected_and_an_entry_is_added_when_a_list_has_others(arms, stand_in):
    press(arms, "e")
    arms.get_by_role("textbox", name="Randomised").fill("61")
    picture(arms, "correct-entry")
    arms.get_by_role("button", name="Save").click()
    saved(arms)
    changed, whole = sent(stand_in)
    assert changed["address"] == f"{whole['address']}/n_randomised"
    assert (changed["verb"], changed["value"], whole["verb"]) == ("correct", 61, "agree")
    expect(arms.locator(".card").nth(0)).to_contain_text("61")
    arms.get_by_role("button", name="Add an entry").click()
    arms.get_by_role("textbox", name="Name").fill("waiting list")
    arms.get_by_label("No treatment").check()
    arms.get_by_role("button", name="Save").click()
    expect(arms.locator(".card")).to_have_count(3)
    expect(arms.locator(".card").nth(2)).to_contain_text("added by a person")
    saved(arms)
    added = sent(stand_in)
    assert {each["address"].rpartition("/")[2]: each["value"] for each in added} == {
        "name": "waiting list",
        "role": "no_treatment",
    }
    assert all(re.fullmatch(r"arms/\+[0-9a-f]{12}/\w+", each["address"]) for each in added)


def contracts(value):
    told = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(told.encode()).hexdigest()[:12]


def test_the_entrys_address_is_the_contracts_when_its_value_has_any_letters_and_numbers(arms, stand_in):
    """The first 12 hex of SHA-256 over the value as canonical JSON: what the server makes too."""
    value = {"name": "β-blocker “é” 𝛼", "description": None, "n_randomised": 60, "dose": 0.00001, "arms": [1.5, "x\n"]}
    stand_in.rows["t1"][0]["extractedData"]["fields"]["arms"]["value"][0]["value"] = value
    arms.reload()
    for field, known in (("arms", value), ("countries", "Kenya")):
        opened(arms, 0, field)
        press(arms, "a")
        saved(arms)
        assert sent(stand_in)[0]["address"] == f"{field}/{contracts(known)}"


# ---------------------------------------------------------------------- another person, a lost network, twice


def test_both_are_shown_and_one_decides_again_when_another_person_decided_meanwhile(three, stand_in):
    opened(three)
    theirs = {"id": "x", "address": "year", "verb": "correct", "value": 119, "before": None}
    stand_in.decisions.decide("t1-0", {"decisions": [theirs]}, by="v", name="R. Weiss")
    stand_in.decisions.posted.clear()
    press(three, "a")
    trouble = three.locator(".trouble")
    expect(trouble).to_contain_text("Year: R. Weiss decided this meanwhile")
    expect(trouble.locator("dd").nth(0)).to_have_text("119")
    expect(trouble.locator("dd").nth(1)).to_have_text("Agreed: 120")
    picture(three, "meanwhile")
    assert axe.violations(three) == []
    three.reload()
    three.get_by_role("button", name="Use mine").click()
    expect(cell(three, 0).locator(".value")).to_have_text("✓ 120")
    expect(trouble).to_have_count(0)
    assert sent(stand_in)[0]["before"] == "x"


def test_the_others_decision_stands_when_one_keeps_it(three, stand_in):
    opened(three)
    theirs = {"id": "x", "address": "year", "verb": "correct", "value": 119, "before": None}
    stand_in.decisions.decide("t1-0", {"decisions": [theirs]}, by="v", name="R. Weiss")
    press(three, "n")
    three.get_by_role("button", name="Keep theirs").click()
    expect(cell(three, 0).locator(".value")).to_have_text("✓ 119")
    expect(three.locator(".decided-by")).to_contain_text("Checked by R. Weiss")


def test_it_counts_once_when_the_answer_was_lost_and_the_page_reloaded(three, stand_in):
    opened(three)
    stand_in.holds = lambda method, path: method == "POST" and path.endswith("/decisions")
    press(three, "a")
    expect(three.locator(".standing")).to_have_text("Saving…")
    three.wait_for_function("() => localStorage['sheaf.decisions.lab']")
    (lost,) = stand_in.held
    stand_in.held.clear()
    stand_in.holds = lambda _method, _path: False
    stand_in.decisions.decide("t1-0", lost.request.post_data_json)
    three.reload()
    expect(cell(three, 0)).to_have_class(re.compile("decided"))
    three.wait_for_function("() => !localStorage['sheaf.decisions.lab']")
    first, again = sent(stand_in, 0), sent(stand_in, 1)
    assert first == again
    assert len(stand_in.decisions.history["t1-0"]) == 1
    assert three.evaluate("() => localStorage['sheaf.decisions.lab']") is None


def test_one_decision_is_sent_when_the_key_is_pressed_twice(three, stand_in):
    """On one cell; and where the next one has come in between, it is not for that one."""
    opened(three)
    stand_in.holds = lambda method, path: method == "POST" and path.endswith("/decisions")
    press(three, "a")
    press(three, "a")
    expect(three.locator(".standing")).to_have_text("Saving…")
    stand_in.let_go()
    saved(three)
    assert len(stand_in.decisions.history["t1-0"]) == 1
    three.goto(f"{TABLE}?row=t1-2&field=year&check=worst")
    press(three, "n")
    three.keyboard.press("n")
    saved(three)
    assert stand_in.decisions.posted[1:] == [stand_in.decisions.posted[-1]]


def test_it_is_said_and_tried_again_when_the_network_is_cut(three, stand_in):
    opened(three)
    stand_in.fails = lambda method, path: 0 if method == "POST" and path.endswith("/decisions") else None
    press(three, "a")
    expect(three.locator(".standing.lost")).to_contain_text("Not saved yet; trying again.")
    expect(cell(three, 0)).to_have_class(re.compile("sending"))
    expect(three.locator(".decided-by")).not_to_contain_text("Checked by")
    press(three, "c")
    three.get_by_label("Comment", exact=False).last.fill("While it was cut.")
    three.keyboard.press("Enter")
    picture(three, "not-saved")
    stand_in.fails = lambda _method, _path: None
    three.get_by_role("button", name="Retry now").click()
    saved(three)
    expect(cell(three, 0)).not_to_have_class(re.compile("sending"))
    agreed, noted = sent(stand_in, 0)[0], sent(stand_in, 1)[0]
    assert (noted["verb"], noted["before"]) == ("comment", agreed["id"])


def test_the_reason_stands_there_when_the_api_refuses_a_decision(three, stand_in):
    opened(three)
    stand_in.refuses = ("invalid-request", "decisions[0].value: too long.")
    stand_in.fails = lambda method, path: 400 if method == "POST" and path.endswith("/decisions") else None
    press(three, "a")
    expect(three.locator(".trouble.refused")).to_contain_text("Not saved: decisions[0].value: too long.")
    expect(cell(three, 0)).to_have_class(re.compile(r"\bfound\b"))
    three.get_by_role("button", name="Put aside").click()
    expect(three.locator(".trouble")).to_have_count(0)


# ---------------------------------------------------------------------- what to check next, how far it is


def test_the_worst_come_first_and_the_next_is_there_when_one_checks(three, stand_in):
    three.goto(TABLE)
    three.get_by_role("button", name="Check", exact=True).click()
    expect(three).to_have_url(re.compile(r"row=t1-2&field=year&check=worst"))
    press(three, "n")
    expect(three).to_have_url(re.compile(r"row=t1-1&field=year&check=worst"))
    press(three, "n")
    expect(three.locator(".far")).to_contain_text("2 of 174 in all")
    field = re.search(r"field=(\w+)", three.url)
    assert field
    assert stand_in.rows["t1"][0]["extractedData"]["fields"][field[1]]["state"] == "not_found"
    press(three, "k")
    expect(three).not_to_have_url(re.compile("field=year"))
    three.get_by_label("Order").select_option("field")
    expect(three).to_have_url(re.compile("check=field"))
    three.keyboard.press("Escape")
    expect(three).to_have_url(TABLE)
    expect(three.locator(".check-far")).to_have_text("2 of 174 checked")
    expect(three.get_by_role("button", name="Go on checking")).to_be_visible()


def test_found_cells_are_agreed_with_at_once_and_counted_as_a_block_when_they_are_chosen(three, stand_in):
    three.goto(TABLE)
    three.locator("[data-cell='0:1']").focus()
    three.locator("[data-cell='1:2']").click(modifiers=["Shift"])
    picture(three, "block-agree")
    three.get_by_role("button", name=re.compile("Agree with these 4 found cells")).click()
    expect(three.locator("td.decided")).to_have_count(4)
    three.wait_for_function("() => !localStorage['sheaf.decisions.lab']")
    assert [(each["how"], len(each["decisions"])) for each in stand_in.decisions.posted] == [("block", 2)] * 2
    expect(three.locator("[data-cell='0:1']")).to_have_attribute("title", re.compile("as one of a block by you"))
    three.get_by_role("button", name="Checked 4").click()
    expect(three.locator("tbody tr:not(.space)")).to_have_count(2)
    three.get_by_role("button", name="Not checked 170").click()
    expect(three.locator("tbody tr:not(.space)")).to_have_count(3)


def test_what_others_read_meanwhile_is_left_to_them_when_a_block_is_agreed_with(three, stand_in):
    three.goto(TABLE)
    expect(three.get_by_role("grid")).to_be_visible()
    name = three.locator("[data-cell='0:1']").get_attribute("data-field")
    theirs = {"id": "x", "address": name, "verb": "absent", "before": None}
    stand_in.decisions.decide("t1-0", {"decisions": [theirs]}, by="v", name="R. Weiss")
    three.locator("[data-cell='0:1']").focus()
    three.locator("[data-cell='0:2']").click(modifiers=["Shift"])
    three.get_by_role("button", name=re.compile("Agree with these 2")).click()
    expect(three.locator("[data-cell='0:1'] .value")).to_have_text("✓ Not reported")
    expect(three.locator("[data-cell='0:2']")).to_have_class(re.compile("decided"))
    assert [each["verb"] for each in stand_in.decisions.cells["t1-0"].values()] == ["absent", "agree"]


def test_a_cell_wants_a_new_decision_when_the_engine_answers_otherwise_now(three, stand_in):
    stand_in.decisions.cells["t1-0"] = {
        "year": {"id": "x", "verb": "agree", "by": "u", "at": "2026-11-18T09:00:00.000Z", "how": "one", "stale": True}
    }
    opened(three)
    expect(three.locator(".stale")).to_contain_text("It has to be decided again.")
    expect(cell(three, 0)).to_have_class(re.compile(r"\bfound\b"))
    press(three, "a")
    saved(three)
    assert sent(stand_in)[0]["before"] == "x"
    expect(three.locator(".stale")).to_have_count(0)


RIGHT = {
    "cells": 144, "checked": 40, "byBlock": 12,
    "fields": {
        "year": {"cells": 3, "checked": 14, "byBlock": 0, "agreed": 11, "corrected": 2, "wrong": 1, "missed": 1, "right": {"share": 0.786, "low": 0.524, "high": 0.924}},
        "doi": {"cells": 3, "checked": 13, "byBlock": 12, "agreed": 1, "corrected": 0, "wrong": 0, "missed": 0, "right": {"share": 1.0, "low": 0.207, "high": 1.0}},
    },
}  # fmt: skip


def test_how_right_the_engine_was_is_told_with_its_interval_when_one_asks(three, stand_in):
    stand_in.decisions.right = RIGHT
    three.goto(TABLE)
    three.get_by_role("button", name="How right was it?").click()
    dialog = three.get_by_role("dialog")
    expect(dialog).to_contain_text("Of 15 answers that were read, 12 were right: 80 % (95 % interval 55 % to 93 %).")
    expect(dialog).to_contain_text("the 28 cells that people read one by one")
    expect(dialog.get_by_role("row", name=re.compile("^Year"))).to_contain_text("79 % 52 %–92 %")
    expect(dialog.get_by_role("row", name=re.compile("^DOI"))).to_contain_text("too few")
    picture(three, "right")
    assert axe.violations(three) == []
    three.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_tasks_say_how_much_of_them_is_checked_when_they_are_listed(stand_in, page):
    stand_in.task("t1", [stand_in.row("t1", 0)], checked={"cells": 480, "checked": 124})
    page.goto(f"{ORIGIN}/#/lab/tasks")
    page.reload()
    expect(page.locator(".task-checked")).to_have_text("124 of 480 checked")
    picture(page, "tasks-checked")


def test_a_judgement_says_how_many_of_its_answers_are_checked_when_some_are(judged, stand_in):
    judged.goto(f"{TABLE}?row=t1-0&field=judged.D1")
    expect(judged.locator(".grounds-head")).to_contain_text("0 of 3 answers checked")
    opened(judged, 0, "rob_1_1")
    press(judged, "a")
    saved(judged)
    judged.goto(f"{TABLE}?row=t1-0&field=judged.D1")
    expect(judged.locator(".grounds-head")).to_contain_text("1 of 3 answers checked")
    expect(judged.locator(".ground").first).to_contain_text("✓")
    picture(judged, "judged-checked")
    judged.goto(f"{TABLE}?row=t1-0&field=judged.overall")
    expect(judged.locator(".grounds-head")).to_contain_text("1 of 22 answers checked")


def test_the_paper_is_searched_and_the_keys_are_listed_when_slash_and_question_mark_are_pressed(three):
    opened(three)
    press(three, "/")
    field = three.get_by_label("Search in the paper").first
    expect(field).to_be_focused()
    field.fill("placebo")
    expect(three.locator(".search-paper [role=status]")).to_have_text("1 of 2")
    expect(three.locator("mark")).to_have_text("placebo")
    three.keyboard.press("Enter")
    expect(three.locator(".search-paper [role=status]")).to_have_text("2 of 2")
    picture(three, "search")
    three.keyboard.press("Escape")
    expect(three.locator(".search-paper")).to_have_count(0)
    expect(three.locator("aside.evidence")).to_be_focused()
    three.keyboard.press("?")
    expect(three.get_by_role("dialog")).to_contain_text("Next to check")
    picture(three, "keys")
    assert axe.violations(three) == []
    three.keyboard.press("Escape")
    expect(three.get_by_role("dialog")).to_have_count(0)
    expect(three.locator("aside.evidence")).to_be_visible()


@pytest.mark.parametrize("width", [1280, 1360, 1440])
def test_the_bar_is_one_line_of_verbs_and_one_of_ways_when_one_checks_on_a_laptop(three, width):
    three.set_viewport_size({"width": width, "height": 850})
    three.goto(f"{TABLE}?row=t1-0&field=year&check=worst")
    expect(three.locator(".decide-foot select")).to_be_visible()
    picture(three, f"bar-{width}")
    for line in (".verbs", ".decide-foot"):
        assert three.locator(line).evaluate("each => each.clientHeight") <= 44, line


# ---------------------------------------------------------------------- everywhere


def several(stand_in):
    """Half of the first two papers is checked, by two people."""
    for number in range(2):
        fields = stand_in.rows["t1"][number]["extractedData"]["fields"]
        for place, name in enumerate(fields):
            if place % 2 == number and fields[name]["state"] == "found" and not isinstance(fields[name]["value"], list):
                made = {"id": f"{number}{place}", "address": name, "verb": "agree", "before": None}
                if place % 6 == 0:
                    made |= {"verb": "correct", "value": "another value", "quote": "in 4 centres", "page": 1}
                stand_in.decisions.decide(f"t1-{number}", {"decisions": [made]}, by="v", name="R. Weiss")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_is_out_of_view_or_hard_to_read_when_the_size_the_language_and_the_theme_are_any(
    built, new_context, size, language, theme
):
    stand_in = StandIn()
    context = new_context(viewport=SIZES[size], color_scheme=theme, has_touch=size == "phone")
    stand_in.attach(context)
    rows = [stand_in.row("t1", number) for number in range(12)]
    sure = quoted({"name": "duloxetine", "role": "experimental", "n_randomised": 60}, "120 adults to duloxetine")
    rows[0]["extractedData"]["fields"]["arms"] = {
        **sure,
        "value": [sure, quoted({"name": "tea", "role": "placebo"}, "nobody wrote this", "not_found")],
    }
    rows[1]["extractedData"]["fields"]["year"] = contradictory(quoted(120, "120 adults"), quoted(94, "94 adults"))
    stand_in.task("t1", rows, checked={"cells": 576, "checked": 38})
    several(stand_in)
    stand_in.decisions.right = RIGHT
    page = signed_in(context.new_page())
    if language == "zh":
        page.get_by_role("button", name="中文").click()
    name = f"check-{size}-{language}-{theme}"

    def looked_at(what):
        page.wait_for_timeout(300)
        picture(page, f"{name}-{what}")
        assert page.evaluate("() => document.documentElement.scrollWidth") <= SIZES[size]["width"], what
        assert axe.violations(page) == [], what

    page.goto(TABLE)
    expect(page.get_by_role("grid")).to_be_visible()
    looked_at("table")
    for field in ("year", "title", "arms"):
        opened(page, 0, field)
        looked_at(field)
        expect(page.locator(".verbs button").first).to_be_in_viewport(ratio=1)
        page.keyboard.press("e")
        expect(page.locator(".decide-form")).to_be_visible()
        looked_at(f"{field}-correct")
        expect(page.locator(".decide-form button[type=submit]")).to_be_in_viewport(ratio=0.9)
        page.keyboard.press("Escape")
    opened(page, 1)
    looked_at("contradictory")
    if size == "phone":
        for button in page.locator(".verbs button:not(.plain)").all():
            assert (button.bounding_box() or {"height": 0})["height"] >= 44
        page.locator(".verbs button").nth(2).tap()
        saved(page)
    page.goto(f"{ORIGIN}/#/lab/tasks")
    expect(page.locator(".task-checked")).to_be_visible()
    looked_at("tasks")
