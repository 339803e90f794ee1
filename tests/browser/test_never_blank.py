"""What the page shows where its address, its storage, its own parts or the browser are not as they should be. Before the stand-in."""

from playwright.sync_api import expect

from tests.browser.conftest import picture, signed_in
from tests.browser.stand_in import ORIGIN, PASSWORD, SITE, USER

TABLE = f"{ORIGIN}/#/lab/tasks/t1/results"
BROKE = "This part of the page broke"
YEARS_AGO = (
    "delete Map.prototype.getOrInsertComputed; delete Map.prototype.getOrInsert; delete Promise.try;"
    "delete Uint8Array.prototype.toHex; delete Uint8Array.prototype.toBase64; delete Uint8Array.fromBase64;"
    "delete Uint8Array.fromHex; delete Promise.withResolvers; delete URL.parse; delete Math.sumPrecise;"
)
"""What browsers lacked that hospitals still have."""


def test_a_sentence_is_shown_when_an_address_is_damaged(page):
    page.goto(f"{ORIGIN}/#/lab/%E0%A4%A/x")
    expect(page.get_by_role("heading", name="No tasks yet")).to_be_visible()
    page.goto(f"{ORIGIN}/#/%E0%A4%A/tasks")
    expect(page.get_by_role("heading", name="Not your project")).to_be_visible()


def test_one_signs_in_again_when_what_the_browser_kept_is_damaged(page):
    page.evaluate("localStorage.setItem('sheaf.session', '{'); localStorage.setItem('sheaf.start.lab', 'x')")
    page.reload()
    signed_in(page)
    page.goto(f"{ORIGIN}/#/lab/new")
    expect(page.get_by_role("heading", name="New task")).to_be_visible()


def test_one_signs_in_and_works_when_the_browser_keeps_nothing(stand_in, new_context):
    context = new_context()
    context.add_init_script("Object.defineProperty(window, 'localStorage', {get() { throw new Error('blocked'); }})")
    stand_in.attach(context)
    tab = signed_in(context.new_page())
    tab.get_by_role("button", name="中文").click()
    expect(tab.get_by_role("heading", name="还没有任务")).to_be_visible()


def test_a_part_says_that_it_broke_and_the_rest_stays_when_an_answer_cannot_be_shown(page, stand_in):
    stand_in.task("t1", [stand_in.row("t1", 0)], createdAt="no instant")
    page.goto(f"{ORIGIN}/#/lab/tasks")
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text(BROKE)
    picture(page, "broke")
    page.get_by_role("link", name="Library").click()
    expect(page.get_by_role("heading", name="Library")).to_be_visible()
    expect(page.get_by_text(BROKE)).to_have_count(0)


def test_a_reload_is_offered_when_the_viewer_of_pdfs_is_of_a_page_that_was_replaced(pdf):
    pdf.context.route("**/assets/pdf-*.js", lambda route: route.fulfill(status=404))
    pdf.goto(f"{TABLE}?row=t1-0&field=year")
    expect(pdf.get_by_role("alert")).to_contain_text("This part of the page did not come")
    expect(pdf.locator(".quote")).to_be_visible()
    picture(pdf, "viewer-gone")
    pdf.context.unroute("**/assets/pdf-*.js")
    pdf.get_by_role("button", name="Reload").click()
    expect(pdf.locator('.sheet[data-drawn="true"]')).to_be_visible()


def test_a_pdf_is_drawn_when_the_browser_is_some_years_old(pdf):
    worker = next((SITE / "assets").glob("pdf-*/worker.mjs")).read_bytes()

    def older(route):
        route.fulfill(body=YEARS_AGO.encode() + worker, content_type="text/javascript")

    pdf.context.route("**/assets/pdf-*/worker.mjs", older)
    pdf.add_init_script(YEARS_AGO)
    pdf.goto(f"{TABLE}?row=t1-0&field=year")
    pdf.reload()
    expect(pdf.locator('.sheet[data-drawn="true"]')).to_be_visible()


def test_it_says_why_when_a_session_has_ended_and_comes_back_to_the_same_place(page, shelf):
    page.goto(f"{ORIGIN}/#/lab/library")
    expect(page.get_by_text("4 papers")).to_be_visible()
    page.evaluate(
        "localStorage['sheaf.session'] = JSON.stringify({...JSON.parse(localStorage['sheaf.session']), expiresAt: 0})"
    )
    shelf.fails = lambda _method, path: 400 if path.startswith("/cognito") else None
    page.reload()
    expect(page.get_by_text("Your session has ended.")).to_be_visible()
    shelf.fails = lambda _method, _path: None
    page.get_by_label("Email").fill(USER)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("4 papers")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_text("Your session has ended.")).to_have_count(0)


def test_nothing_is_covered_when_the_connection_is_lost(pdf, stand_in):
    pdf.goto(f"{TABLE}?row=t1-0&field=year")
    head = pdf.locator(".evidence-head h2")
    expect(head).to_be_visible()
    pdf.context.set_offline(True)
    line = pdf.get_by_text("No connection.")
    expect(line).to_be_visible()
    picture(pdf, "offline")
    above, below = line.bounding_box(), head.bounding_box()
    assert above
    assert below
    assert above["y"] + above["height"] <= below["y"]
    assert pdf.evaluate("document.documentElement.scrollHeight <= innerHeight")
