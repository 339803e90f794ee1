"""What is known of a value, in the page's words: states, reasons, entries, contradictions. Before the stand-in."""

import json
import re
from collections import Counter
from typing import get_args

from playwright.sync_api import expect

from clinical.answered import STATES, Reason, cells
from tests.browser import axe
from tests.browser.conftest import picture
from tests.browser.stand_in import DOUBTS, ORIGIN, TEMPLATES, contradictory, doubted, quoted, whole_template
from tests.support.stack_file import ROOT

TABLE = f"{ORIGIN}/#/lab/tasks/t1/results"
WORDS = ROOT / "web" / "src" / "words"


def sentence(language: str, word: str) -> str:
    """What the page says for a word."""
    text = (WORDS / f"{language}.ts").read_text(encoding="utf-8")
    return str(re.findall(rf'\b{word}: "([^"]+)"', text)[0])


def papers(stand_in, values):
    """A task in which each of these is the year of one paper."""
    rows = [stand_in.row("t1", number) for number in range(len(values))]
    for row, value in zip(rows, values, strict=True):
        row["extractedData"]["fields"]["year"] = value
        row["summary"]["cells"] = cells(Counter(each["state"] for each in row["extractedData"]["fields"].values()))
    stand_in.task("t1", rows)


def test_each_reason_has_its_sentence_in_both_languages_when_a_value_could_not_be_confirmed(page, stand_in):
    """And its label; that the quote says otherwise only where something else was seen in it."""
    assert list(DOUBTS) == list(get_args(Reason))
    papers(stand_in, [doubted(reason) for reason in DOUBTS])
    panel = page.get_by_role("complementary")
    for language in ("en", "zh"):
        for number, reason in enumerate(DOUBTS):
            page.goto(f"{TABLE}?row=t1-{number}&field=year")
            why = sentence(language, f"reason_{reason}")
            state = doubted(reason)["state"]
            expect(panel.get_by_text(sentence(language, f"{state}Why"))).to_be_visible()
            expect(panel.get_by_text(why)).to_be_visible()
            expect(page.locator(f"td.open.{state}")).to_have_count(1)
            otherwise = {"en": "says otherwise", "zh": "说法不同"}[language]
            assert (otherwise in why) is (reason in {"denied", "other_study", "other_group"})
        picture(page, f"reason-{language}")
        page.keyboard.press("Escape")
        if language == "en":
            page.get_by_role("button", name="中文").click()


def test_nothing_is_said_of_a_quote_that_was_not_looked_for_when_the_answer_was_of_another_kind(page, stand_in):
    papers(stand_in, [doubted("wrong_type"), doubted("quote_not_found")])
    page.goto(f"{TABLE}?row=t1-0&field=year")
    expect(page.locator(".quote")).to_have_text("in 4 centres")
    page.goto(f"{TABLE}?row=t1-1&field=year")
    expect(page.locator(".quote")).to_have_text("nobody wrote thisNot in the paper")


def test_both_values_stand_by_their_quotes_when_the_paper_says_two_things(page, stand_in):
    papers(stand_in, [contradictory(quoted(120, "120 adults"), quoted(94, "94 adults"))])
    page.goto(f"{TABLE}?row=t1-0&field=year")
    expect(page.locator("td.open.contradictory .value")).to_have_text("120 ↔ 94")
    shown = page.locator(".quote")
    expect(shown.nth(0)).to_contain_text("120120 adults")
    expect(shown.nth(1)).to_contain_text("9494 adults")
    shown.nth(1).click()
    expect(page.locator("mark")).to_have_text("94 adults")
    picture(page, "contradictory")
    assert axe.violations(page) == []


def test_an_entry_says_what_is_known_of_it_when_others_of_its_list_are_found(page, stand_in):
    """By colour in the cell and beside it, in words for those who listen, and why at its quote."""
    sure, unsure = quoted("tea", "duloxetine or placebo"), doubted("denied")
    papers(stand_in, [{**sure, "value": [sure, unsure]}])
    page.goto(f"{TABLE}?row=t1-0&field=year")
    for place in (page.locator("td.open.found"), page.locator(".evidence-value")):
        expect(place.locator(".entry.found")).to_have_text("tea")
        expect(place.locator(".entry.unsupported")).to_have_text("stratified")
        expect(place).to_contain_text("(Could not be confirmed)")
    panel = page.get_by_role("complementary")
    expect(panel.get_by_text("Of its 2 entries 1 could not be confirmed")).to_be_visible()
    expect(page.locator(".quote").nth(1)).to_contain_text("The quote says otherwise: it denies it.")
    expect(page.locator(".quote").nth(0).locator(".doubt")).to_have_count(0)
    picture(page, "entries")
    assert axe.violations(page) == []


def test_rows_are_found_by_any_state_and_its_cells_are_counted_when_one_filters(page, stand_in):
    papers(stand_in, [doubted("denied"), doubted("claimed"), quoted(2017, "120 adults")])
    counts = Counter(value["state"] for row in stand_in.rows["t1"] for value in row["extractedData"]["fields"].values())
    page.goto(TABLE)
    for state in STATES:
        name = f"{sentence('en', state)} {counts[state]}"
        page.get_by_role("button", name=name, exact=True).click()
        having = sum(row["summary"]["cells"][state] > 0 for row in stand_in.rows["t1"])
        expect(page.locator("tbody tr:not(.space)")).to_have_count(having)


def test_a_rows_counts_are_whole_when_it_has_fields_in_every_state(page, stand_in):
    papers(stand_in, [doubted("denied")])
    row = stand_in.rows["t1"][0]
    row["summary"]["cells"] = {
        "found": 14,
        "unsupported": 2,
        "contradictory": 1,
        "not_found": 22,
        "not_attempted": 8,
        "not_reported": 1,
    }
    page.goto(TABLE)
    for language, first in (("en", "14 found"), ("zh", "14 已找到")):
        counted = page.locator("[data-cell='0:0'] .counted")
        expect(counted).to_contain_text(first)
        picture(page, f"counts-{language}")
        assert counted.evaluate("c => c.scrollHeight <= c.clientHeight && c.scrollWidth <= c.clientWidth"), language
        page.get_by_role("button", name="中文" if language == "en" else "English").click()


def test_each_problem_has_a_chinese_sentence():
    kinds = set(re.findall(r"^## urn:sheaf:problem:([\w-]+)$", (ROOT / "docs/problems.md").read_text("utf-8"), re.M))
    chinese = (WORDS / "problems.ts").read_text("utf-8").partition("const CHINESE")[2].partition("};")[0]
    assert set(re.findall(r'^  "?([\w-]+)"?: "', chinese, re.M)) == kinds


def test_only_people_have_checked_when_the_page_speaks_chinese():
    """Of what code has found the page never says that it was checked."""
    told = re.findall(r'(\w+): "([^"]*)"', (WORDS / "zh.ts").read_text("utf-8"))
    assert [name for name, text in told if "已核实" in text] == ["checked"]


def test_each_choice_of_a_built_in_template_has_a_name_in_both_languages():
    named = dict(re.findall(r'(\w+): \["[^"]+", "([^"]+)"\]', (WORDS / "choices.ts").read_text("utf-8")))
    fields = [part for each in TEMPLATES.values() for field in each.fields for part in (field, *field.fields)]
    measures = {"HR", "RR", "OR", "IRR", "MD", "beta"}
    asked = {code for field in fields for code in field.options if not field.name.startswith("nos_")}
    assert asked - measures - named.keys() == set()
    assert all(re.search("[\u4e00-\u9fff]", text) for text in named.values())


def test_a_choice_of_ones_own_has_its_chinese_name_when_the_page_speaks_chinese(page, stand_in):
    template = _own(stand_in)
    (field,) = (each for each in template["fields"] if each["name"] == "report_type")
    field |= {"options": ["by_hand", "parallel"], "optionsZh": {"by_hand": "手工分配"}}
    row = stand_in.row("t1", 0)
    row["extractedData"]["fields"]["report_type"] = quoted("by_hand", "in 4 centres")
    stand_in.task("t1", [row], templateId="rct-copy")
    page.goto(TABLE)
    expect(page.locator("td[data-field=report_type]")).to_contain_text("by_hand")
    page.get_by_role("button", name="中文").click()
    expect(page.locator("td[data-field=report_type]")).to_contain_text("手工分配")


def _own(stand_in):
    whole = json.loads(json.dumps(whole_template(TEMPLATES["rct"]))) | {"templateId": "rct-copy", "builtIn": False}
    stand_in.own["rct-copy"] = [whole]
    return whole


def test_a_refusal_is_told_for_people_with_its_details_beside_when_the_service_speaks_to_programs(page, stand_in):
    stand_in.fails = lambda _method, path: 500 if path.endswith("/tasks") else None
    stand_in.refuses = ("internal", "KeyError in lifecycle.")
    page.goto(f"{ORIGIN}/#/lab/library")
    page.goto(f"{ORIGIN}/#/lab/tasks")
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("Something went wrong in the service")
    page.get_by_text("Technical details").click()
    expect(page.get_by_text("500 internal: KeyError in lifecycle.")).to_be_visible()
    page.get_by_role("button", name="中文").click()
    expect(page.get_by_role("alert")).to_contain_text("服务出错，原因已记录。")
