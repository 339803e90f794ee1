"""What is taken out of the table: a file, a block of cells. Before the stand-in."""

import pytest
from playwright.sync_api import expect

from tests.browser import axe
from tests.browser.conftest import picture, signed_in
from tests.browser.stand_in import ORIGIN, StandIn

TABLE = f"{ORIGIN}/#/lab/tasks/t1/results"
EXPORTS = "/api/v1/asl/extraction/tasks/t1/exports"
SIZES = {"wide": {"width": 1366, "height": 768}, "phone": {"width": 390, "height": 844}}
WORDS = {"en": ("English", "Download", "Excel workbook"), "zh": ("中文", "下载", "Excel 工作簿")}
COPIED = """() => { const given = new DataTransfer();
    document.activeElement.dispatchEvent(new ClipboardEvent('copy', {clipboardData: given, bubbles: true, cancelable: true}));
    return [given.getData('text/plain'), given.getData('text/html')]; }"""


def menu(page):
    return page.locator(".export .menu")


def choose(page, first, last):
    """A block of cells, by keyboard from one and with Shift to the other."""
    page.locator(f"[data-cell='{first}']").focus()
    page.locator(f"[data-cell='{last}']").click(modifiers=["Shift"])


# ---------------------------------------------------------------------- a file


def test_a_file_is_downloaded_when_it_was_ordered_and_is_written(table, stand_in):
    stand_in.holds = lambda method, path: method == "GET" and path.startswith(EXPORTS)
    table.get_by_text("Download", exact=True).click()
    table.get_by_role("button", name="Excel workbook").click()
    expect(table.get_by_text("The file is being written…")).to_be_visible()
    expect(menu(table)).not_to_be_visible()
    assert stand_in.wanted == [{"format": "xlsx", "language": "en"}]
    with table.expect_download() as given:
        stand_in.let_go()
    assert given.value.url == f"{ORIGIN}/bucket/rct-t1.xlsx"
    expect(table.get_by_role("link", name="rct-t1.xlsx is ready")).to_be_visible()
    expect(table).to_have_url(TABLE)


def test_it_is_said_and_can_be_ordered_again_when_a_file_could_not_be_written(table, stand_in):
    stand_in.becomes = {"status": "failed", "url": None}
    table.get_by_text("Download", exact=True).click()
    table.get_by_role("button", name="JSON Lines").click()
    expect(table.get_by_text("The file could not be written. Try again.")).to_be_visible()
    assert axe.violations(table) == []
    table.get_by_text("Download", exact=True).click()
    expect(table.get_by_role("button", name="JSON Lines")).to_be_enabled()


def test_the_menu_is_away_when_escape_is_pressed_or_something_else_is_clicked(table):
    button = table.get_by_text("Download", exact=True)
    button.click()
    table.keyboard.press("Escape")
    expect(menu(table)).not_to_be_visible()
    expect(button).to_be_focused()
    button.click()
    table.get_by_label("Find in the table").click()
    expect(menu(table)).not_to_be_visible()


def test_a_running_tasks_file_is_told_to_be_of_what_is_read_when_it_is_offered(running):
    running.goto(TABLE)
    running.get_by_text("Download", exact=True).click()
    expect(menu(running)).to_contain_text("The task is still running")


# ---------------------------------------------------------------------- a block


def test_a_block_is_copied_as_a_table_when_it_was_chosen_with_shift(table):
    choose(table, "0:0", "1:1")
    expect(table.get_by_role("status").filter(has_text="Cells chosen: 4.")).to_be_visible()
    expect(table.locator("[data-cell='1:1']")).to_be_focused()
    expect(table.locator("tbody .chosen")).to_have_count(4)
    text, html = table.evaluate(COPIED)
    assert text == "Study\tTitle\nAuthor0 2017\tvalue 0 of title\nAuthor1 2017\tvalue 1 of title"
    assert html.count("<tr>") == 3
    assert "<td>value 1 of title</td>" in html


def test_nothing_is_run_when_a_copied_value_looks_like_a_formula(page, stand_in):
    row = stand_in.row("t1", 0)
    row["extractedData"]["fields"]["title"]["value"] = "=1+<b>2\t3"
    stand_in.task("t1", [row])
    page.goto(TABLE)
    choose(page, "0:0", "0:1")
    text, html = page.evaluate(COPIED)
    assert text.splitlines()[1] == "Author0 2017\t'=1+<b>2 3"
    assert "<b>" not in html


def test_the_block_grows_and_goes_when_arrows_are_pressed_with_shift_and_without(table):
    table.locator("[data-cell='0:1']").focus()
    table.keyboard.press("Shift+ArrowDown")
    table.keyboard.press("Shift+ArrowRight")
    expect(table.locator("[aria-selected=true]")).to_have_count(4)
    table.keyboard.press("ArrowRight")
    expect(table.locator(".chosen")).to_have_count(0)
    table.keyboard.press("Shift+ArrowLeft")
    expect(table.locator("[aria-selected=true]")).to_have_count(2)
    table.get_by_role("button", name="Could not be confirmed").click()
    expect(table.locator("[aria-selected=true]")).to_have_count(0)


def test_the_block_is_on_the_clipboard_when_the_button_beside_its_size_is_pressed(stand_in, new_context):
    context = new_context(permissions=["clipboard-read", "clipboard-write"])
    stand_in.attach(context)
    stand_in.task("t1", [stand_in.row("t1", number) for number in range(3)])
    page = signed_in(context.new_page())
    page.goto(TABLE)
    choose(page, "0:0", "1:1")
    page.get_by_role("button", name="Copy as table").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("() => navigator.clipboard.readText()").startswith("Study\tTitle\n")


# ---------------------------------------------------------------------- both, in each language and size


@pytest.fixture(params=SIZES)
def size(request):
    return request.param


@pytest.fixture(params=WORDS)
def shown(request, size, new_context):
    """The table in this language, in a window of this size."""
    language, download, workbook = WORDS[request.param]
    stand_in = StandIn()
    context = new_context(viewport=SIZES[size])
    stand_in.attach(context)
    stand_in.task("t1", [stand_in.row("t1", number) for number in range(30)])
    page = signed_in(context.new_page())
    page.goto(TABLE)
    expect(page.get_by_role("grid")).to_be_visible()
    if request.param == "zh":
        page.get_by_role("button", name=language).click()
    return page, download, workbook, f"{request.param}-{size}"


def test_the_menu_and_a_block_are_in_view_when_the_language_and_the_size_are_any(built, shown, size):
    page, download, workbook, name = shown
    page.get_by_text(download, exact=True).click()
    picture(page, f"menu-{name}")
    expect(page.get_by_role("button", name=workbook)).to_be_in_viewport(ratio=1)
    if size == "wide":  # On a phone it lies over a part of what is below, which axe takes for too small.
        assert axe.violations(page) == []
    page.keyboard.press("Escape")
    before = page.locator(".table-box").bounding_box()
    choose(page, "0:0", "2:1")
    expect(page.locator("tbody .chosen")).to_have_count(6)
    picture(page, f"block-{name}")
    expect(page.locator(".chosen-bar")).to_be_in_viewport(ratio=1)
    assert page.locator(".table-box").bounding_box() == before, "the table moved under the hand"
    assert page.evaluate("() => document.documentElement.scrollWidth") <= SIZES[size]["width"]
    assert axe.violations(page) == []
