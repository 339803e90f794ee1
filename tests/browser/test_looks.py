"""What the page looks like: in the dark, on paper, on the narrowest phone. Before the stand-in."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser import axe
from tests.browser.conftest import picture, signed_in
from tests.browser.stand_in import ORIGIN, contradictory, quoted

TABLE = f"{ORIGIN}/#/lab/tasks/t1/results"
VIEWS = {
    "tasks": "#/lab/tasks",
    "library": "#/lab/library",
    "new": "#/lab/new",
    "progress": "#/lab/tasks/t2",
    "table": "#/lab/tasks/t1/results",
    "value": "#/lab/tasks/t1/results?row=t1-1&field=year",
    "doubt": "#/lab/tasks/t1/results?row=t1-2&field=year",
    "contradiction": "#/lab/tasks/t1/results?row=t1-3&field=year",
    "failed": "#/lab/tasks/t1/results?row=t1-4&field=year",
    "none": "#/lab/tasks/nothing",
}


@pytest.fixture
def full(shelf):
    """A bit of everything."""
    rows = [shelf.row("t1", number) for number in range(4)]
    rows[1]["extractedData"]["fields"]["year"] = quoted(120, "We randomly assigned 120 adults")
    rows[2]["extractedData"]["fields"]["year"] = quoted(2015, "nobody wrote this", "not_found")
    rows[3]["extractedData"]["fields"]["year"] = contradictory(quoted(120, "120 adults"), quoted(94, "94 adults"))
    rows.append(shelf.row("t1", 4, "error", errorMessage="The file is encrypted."))
    shelf.task("t1", rows)
    shelf.task(
        "t2",
        [shelf.row("t2", number, ["completed", "extracting", "pending"][number % 3]) for number in range(6)],
        "processing",
    )
    return shelf


@pytest.mark.parametrize("language", ["en", "zh"])
def test_nothing_is_hard_to_read_in_the_dark_when_the_system_is_dark(full, new_context, language):
    context = new_context(color_scheme="dark")
    full.attach(context)
    page = context.new_page()
    page.goto(f"{ORIGIN}/")
    picture(page, f"dark-sign-in-{language}")
    assert axe.violations(page) == []
    signed_in(page)
    if language == "zh":
        page.get_by_role("button", name="中文").click()
    for name, address in VIEWS.items():
        page.goto(f"{ORIGIN}/{address}")
        page.wait_for_timeout(300)
        expect(page.locator("main h1, main h2").first).to_be_visible()
        picture(page, f"dark-{name}-{language}")
        assert axe.violations(page) == [], name


def test_the_theme_is_the_one_that_was_chosen_and_the_systems_again_when_chosen_so(page):
    theme = "document.documentElement.dataset.theme"
    assert page.evaluate(theme) == "light"
    page.get_by_role("button", name="Dark theme").click()
    page.reload()
    assert page.evaluate(theme) == "dark"
    page.get_by_role("button", name="Light theme").click()
    page.emulate_media(color_scheme="dark")
    expect(page.get_by_role("button", name="Light theme")).to_be_visible()
    assert page.evaluate(theme) == "dark", "it follows the system again"


def test_each_paper_is_printed_with_its_values_and_quotes_when_the_table_is_printed(page, full):
    page.goto(TABLE)
    expect(page.get_by_role("grid")).to_be_visible()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert page.locator(".printed section").count() == 5
    expect(page.locator(".printed section").nth(1)).to_contain_text("“We randomly assigned 120 adults” · Page 1")
    expect(page.locator(".printed section").nth(2)).to_contain_text("2015 (Could not be confirmed)")
    expect(page.locator(".printed section").nth(4)).to_contain_text("The file is encrypted.")
    expect(page.get_by_role("grid")).to_be_hidden()
    picture(page, "printed")
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(page.locator(".printed")).to_have_count(0)


@pytest.mark.parametrize("name", VIEWS)
def test_nothing_is_wider_than_the_narrowest_phone_when_it_is_looked_at_there(full, new_context, name):
    context = new_context(viewport={"width": 320, "height": 640}, has_touch=True)
    full.attach(context)
    page = signed_in(context.new_page())
    page.goto(f"{ORIGIN}/{VIEWS[name]}")
    expect(page.locator("main h1, main h2").first).to_be_visible()
    picture(page, f"narrow-{name}")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_what_is_pressed_looks_pressed_and_no_field_makes_a_phone_zoom_when_colours_are_forced(full, new_context):
    context = new_context(forced_colors="active", viewport={"width": 390, "height": 844}, has_touch=True)
    full.attach(context)
    page = signed_in(context.new_page())
    page.goto(TABLE)
    looks = "each => { const s = getComputedStyle(each); return [s.outlineStyle, s.borderStyle, s.backgroundColor].join(); }"
    pressed, other = (page.locator(f".filters [aria-pressed={each}]").first for each in ("true", "false"))
    expect(pressed).to_be_visible()
    picture(page, "forced-colours")
    assert pressed.evaluate(looks) != other.evaluate(looks)
    sizes = page.locator("input, select, textarea").evaluate_all(
        "all => all.map(each => parseFloat(getComputedStyle(each).fontSize))"
    )
    assert all(each >= 16 for each in sizes)


IN_VIEW = """([mark, pane]) => { const [m, p] = [mark, pane].map(each => document.querySelector(each).getBoundingClientRect());
  return m.top >= p.top && m.bottom <= p.bottom && m.bottom <= innerHeight && m.height > 0; }"""


@pytest.mark.parametrize("size", [(1280, 720), (1440, 900), (1920, 1080)])
def test_the_quote_is_in_view_in_the_pdf_and_in_the_text_when_a_value_is_opened(stand_in, new_context, pdf, size):
    pdf.set_viewport_size({"width": size[0], "height": size[1]})
    pdf.goto(f"{TABLE}?row=t1-0&field=year")
    expect(pdf.locator(".marked").first).to_be_visible()
    pdf.wait_for_timeout(400)
    assert pdf.evaluate(IN_VIEW, [".marked", ".source-pdf"])
    assert pdf.evaluate(
        "document.querySelector('.sheet').clientWidth > 0.9 * document.querySelector('.evidence').clientWidth - 60"
    )
    expect(pdf.get_by_role("link", name="Open the file")).to_have_attribute("href", re.compile("#page=1$"))
    picture(pdf, f"pdf-{size[0]}")
    pdf.locator(".evidence").press("t")
    expect(pdf.locator("mark")).to_be_visible()
    pdf.wait_for_timeout(400)
    assert pdf.evaluate(IN_VIEW, ["mark", ".source-text"])
    pdf.reload()
    expect(pdf.locator("mark")).to_be_visible()


def test_full_lines_run_on_and_the_mark_keeps_its_place_when_a_text_has_the_lines_of_a_pdf(stand_in, page):
    stand_in.text = (
        "Limitations\nThe trial was done in six centers of one country, and all were\nlarge.\n\nFunding\nNone."
    )
    quote = "all were\nlarge."
    start = stand_in.text.index(quote)
    row = stand_in.row("t1", 0)
    place = {"page": 1, "quote": quote, "start": start, "end": start + len(quote), "match": "exact"}
    row["extractedData"]["fields"]["year"] = {"state": "found", "value": 6, **place}
    stand_in.task("t1", [row])
    page.goto(f"{TABLE}?row=t1-0&field=year")
    expect(page.locator("mark")).to_have_text("all were large.")
    lines = "Limitations\nThe trial was done in six centers of one country, and all were large.\n\nFunding\nNone."
    assert page.locator(".page-text").evaluate("p => p.textContent") == lines
    expect(page.get_by_role("link", name="Open the file")).not_to_have_attribute("href", re.compile("#page"))


def test_a_way_to_the_text_is_offered_when_the_quote_is_not_in_the_pdfs_letters(pdf):
    pdf.goto(f"{TABLE}?row=t1-0&field=title")
    expect(pdf.get_by_text("The quote cannot be marked in this PDF's letters.")).to_be_visible()
    picture(pdf, "not-marked")
    pdf.locator(".source").get_by_role("button", name="Text").last.click()
    expect(pdf.locator("mark")).to_be_visible()


def test_nothing_turns_when_a_t_is_typed_into_a_field(pdf):
    pdf.goto(TABLE)
    pdf.get_by_label("Find in the table").press_sequentially("t")
    pdf.goto(f"{TABLE}?row=t1-0&field=year")
    expect(pdf.locator(".source-pdf")).to_be_visible()


def heads(page):
    return page.locator("thead tr:last-child th .sort span").all_inner_texts()


def test_columns_are_chosen_by_presets_and_one_by_one_and_stay_so(table):
    everything = heads(table)
    menu = table.get_by_text("Columns 48/48")
    menu.click()
    picture(table, "columns-menu")
    assert axe.violations(table) == []
    table.locator(".menu").get_by_role("button", name="Results", exact=True).click()
    shown = heads(table)
    assert 5 < len(shown) < 20
    assert "Randomised" in shown
    assert "DOI" not in shown
    table.locator(".menu").get_by_role("button", name="All", exact=True).click()
    assert heads(table) == everything
    table.get_by_label("DOI", exact=True).uncheck()
    table.get_by_role("button", name="Further left: Year").click()
    assert heads(table)[:3] == ["Year", "Title", "Journal"]
    table.reload()
    expect(table.get_by_text("Columns 47/48")).to_be_visible()
    assert heads(table)[:3] == ["Year", "Title", "Journal"]
    table.get_by_text("Columns 47/48").click()
    table.get_by_role("button", name="As they came").click()
    assert heads(table) == everything
    table.keyboard.press("Escape")
    expect(table.locator(".columns-list")).to_be_hidden()


def test_a_column_stays_in_view_and_another_is_made_wider_when_the_menu_says_so(table):
    table.get_by_text("Columns 48/48").click()
    table.get_by_role("button", name="Keep in view: Limitations").click()
    assert heads(table)[0] == "Limitations"
    before = table.locator("th", has_text="Title").bounding_box()
    table.get_by_role("button", name="Wider: Title").click()
    after = table.locator("th", has_text="Title").bounding_box()
    assert before
    assert after
    assert after["width"] == before["width"] + 40
    table.keyboard.press("Escape")
    table.locator(".table-box").evaluate("box => box.scrollTo(4000, 300)")
    pinned = table.locator("td.pinned").first
    expect(pinned).to_be_visible()
    picture(table, "pinned")
    head, cell = table.locator("th.corner").bounding_box(), pinned.bounding_box()
    assert head
    assert cell
    assert abs(cell["x"] - head["x"] - head["width"]) <= 1
    pinned.focus()
    table.keyboard.press("ArrowRight")
    expect(table.locator("td:focus")).to_be_in_viewport()
    expect(table.locator("td.pinned").first).to_be_visible()


def test_a_column_is_as_wide_as_its_edge_is_drawn(table):
    edge = table.locator("th", has_text="Title").locator(".edge")
    box = edge.bounding_box()
    assert box
    table.mouse.move(box["x"] + 4, box["y"] + 10)
    table.mouse.down()
    table.mouse.move(box["x"] + 104, box["y"] + 10)
    table.mouse.up()
    wide = table.locator("th", has_text="Title").bounding_box()
    assert wide
    assert wide["width"] == 300
