"""States that a real stack reaches seldom: refusals, lost networks, expired tokens, a thousand rows. Before the stand-in."""

import json
import re
from urllib.parse import unquote

import pytest
from playwright.sync_api import expect

from tests.browser import axe
from tests.browser.conftest import picture, signed_in
from tests.browser.stand_in import ORIGIN, SITE, USER, quality

TASKS = "/api/v1/asl/extraction/tasks"
START = "Confirm and start"


@pytest.fixture
def shelf(stand_in):
    """A knowledge base with three papers that are ready and one that is not."""
    stand_in.bases = [{"knowledgeBaseId": "kb1", "name": "Pain", "createdAt": "2026-11-18T09:00:00.000Z"}]
    for number in range(3):
        stand_in.document(f"trial-{number}.pdf", title=f"Trial {number}", firstAuthor=f"Author{number}", year=2017)
    stand_in.document("scan.pdf", "needs_ocr", reason="It has no text layer.", advice="Upload a version with text.")
    return stand_in


def choose_all(page):
    page.goto(f"{ORIGIN}/#/lab/new")
    page.get_by_role("button", name="Select all").click()
    expect(page.get_by_text("3 of 4 selected")).to_be_visible()


def cut(stand_in, *, path=""):
    stand_in.fails = lambda _method, asked: 0 if path in asked else None


def mend(stand_in):
    stand_in.fails = lambda _method, _path: None


# ---------------------------------------------------------------------- signing in


def test_the_page_goes_along_when_the_address_changes_before_it_is_listened_to(stand_in, new_context):
    context = new_context()
    stand_in.attach(context)
    context.add_init_script("""
        const listen = window.addEventListener;
        window.addEventListener = function (name, ...more) {
          if (name === "hashchange") history.replaceState(null, "", "#/lab/library");
          return listen.call(this, name, ...more);
        };
    """)
    signed_in(context.new_page())
    expect(context.pages[0].get_by_role("heading", name="No knowledge base yet")).to_be_visible()


def test_a_wrong_password_is_told_and_nothing_else_is_lost_when_one_signs_in(stand_in, new_context):
    context = new_context()
    stand_in.attach(context)
    page = context.new_page()
    page.goto(f"{ORIGIN}/#/lab/tasks/t9")
    page.get_by_label("Email").fill(USER)
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_have_text("The email or the password is not right.")
    expect(page.get_by_label("Email")).to_have_value(USER)
    picture(page, "wrong-password")
    assert axe.violations(page) == []
    page.get_by_label("Password").fill("right")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="There is nothing here")).to_be_visible()
    assert page.url.endswith("#/lab/tasks/t9"), "the link that was sent"


def test_a_token_that_has_expired_is_made_anew_silently_when_the_api_refuses_it(stand_in, new_context):
    """Mutation caught: no second try after a 401."""
    stand_in.token_seconds = -1
    context = new_context()
    stand_in.attach(context)
    page = context.new_page()
    stand_in.task("t1", [stand_in.row("t1", 0)])
    page.goto(f"{ORIGIN}/")
    page.get_by_label("Email").fill(USER)
    page.get_by_label("Password").fill("right")
    page.evaluate("() => 0")
    original = stand_in._sign_in

    def longer(asked):
        if asked.get("AuthFlow") == "REFRESH_TOKEN_AUTH":
            stand_in.token_seconds = 3600
        return original(asked)

    stand_in._sign_in = longer
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("1 paper")).to_be_visible()
    assert stand_in.refreshed == 1


def test_one_signs_in_again_at_the_same_address_when_the_session_is_over(page, stand_in):
    stand_in.task("t1", [stand_in.row("t1", 0)])
    page.goto(f"{ORIGIN}/#/lab/tasks/t1/results")
    expect(page.get_by_role("grid")).to_be_visible()
    stand_in._is_signed_in = lambda _request: False
    stand_in._sign_in = lambda _asked: (
        400,
        {"__type": "NotAuthorizedException", "message": "Refresh Token has expired"},
        {},
    )
    page.reload()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    assert page.url.endswith("#/lab/tasks/t1/results")


def test_signing_out_in_one_tab_signs_out_the_other_when_there_are_two(page, stand_in):
    other = page.context.new_page()
    other.goto(f"{ORIGIN}/#/lab/library")
    expect(other.get_by_role("heading", name="Library")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    expect(other.get_by_role("button", name="Sign in")).to_be_visible()


# ---------------------------------------------------------------------- choosing


def test_an_empty_project_says_what_to_do_and_takes_the_samples_when_asked(page, stand_in):
    page.goto(f"{ORIGIN}/#/lab/new")
    expect(page.get_by_role("heading", name="No knowledge base yet")).to_be_visible()
    picture(page, "empty-project")
    assert axe.violations(page) == []
    page.get_by_role("button", name="Add the sample papers").click()
    samples = json.loads((SITE / "samples" / "index.json").read_text())
    expect(page.get_by_role("list", name="Papers").get_by_role("listitem")).to_have_count(len(samples))
    assert sorted(each["filename"] for each in stand_in.documents) == samples
    expect(page.locator(".uploads li.done")).to_have_count(len(samples))
    assert stand_in.count("/bucket/", "POST") == len(samples)


def test_an_empty_knowledge_base_says_what_to_do_when_it_is_chosen(page, shelf):
    shelf.documents.clear()
    page.goto(f"{ORIGIN}/#/lab/library")
    expect(page.get_by_role("heading", name="This knowledge base is empty")).to_be_visible()
    picture(page, "empty-library")
    assert axe.violations(page) == []


def test_a_file_of_another_kind_is_refused_with_its_reason_when_it_is_chosen(page, shelf):
    page.goto(f"{ORIGIN}/#/lab/library")
    files = [
        {"name": "paper.docx", "mimeType": "application/octet-stream", "buffer": b"x"},
        {"name": "new.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7"},
    ]
    page.locator("input[type=file]").set_input_files(files)
    expect(page.get_by_text("Failed: only PDF, XML and plain text")).to_be_visible()
    expect(page.get_by_text("Uploaded")).to_be_visible()
    picture(page, "uploads")
    assert axe.violations(page) == []


def test_files_dropped_anywhere_are_uploaded_when_a_knowledge_base_is_open(page, shelf):
    page.goto(f"{ORIGIN}/#/lab/new")
    expect(page.get_by_text("Trial 0")).to_be_visible()
    given = page.evaluate_handle(
        "() => { const d = new DataTransfer(); d.items.add(new File(['%PDF-1.7'], 'dropped.pdf')); return d; }"
    )
    page.dispatch_event("body", "dragover", {"dataTransfer": given})
    expect(page.get_by_text("Drop to add them to “Pain”")).to_be_visible()
    page.dispatch_event("body", "drop", {"dataTransfer": given})
    expect(page.get_by_text("dropped.pdf").first).to_be_visible()
    expect(page.get_by_label("Select dropped.pdf")).to_be_visible(timeout=15_000)
    assert shelf.documents[-1]["filename"] == "dropped.pdf"


def test_a_paper_that_is_not_ready_says_why_and_cannot_be_chosen_when_it_is_listed(page, shelf):
    choose_all(page)
    expect(page.get_by_label("Select scan.pdf")).to_be_disabled()
    expect(page.get_by_text("It has no text layer. Upload a version with text.")).to_be_visible()
    page.get_by_label("Search papers").fill("author1 2017")
    expect(page.get_by_role("list", name="Papers").get_by_role("listitem")).to_have_count(1)
    picture(page, "choose")


def test_what_was_chosen_is_kept_when_the_page_is_loaded_again(page, shelf):
    choose_all(page)
    page.reload()
    expect(page.get_by_text("3 of 4 selected")).to_be_visible()


def test_one_task_is_started_when_the_button_is_clicked_twice(page, shelf):
    choose_all(page)
    page.get_by_role("button", name=START).dblclick()
    expect(page.get_by_role("heading", name="0 of 3 papers")).to_be_visible()
    assert len(shelf.keys) == 1


def test_the_same_key_is_sent_again_when_the_network_was_lost_and_the_page_loaded_anew(page, shelf):
    """Mutation caught: a new key after a reload, or the key forgotten before the answer."""
    choose_all(page)
    sent: list[str | None] = []
    page.context.on(
        "request",
        lambda asked: (
            sent.append(asked.headers.get("idempotency-key"))
            if asked.method == "POST" and asked.url.endswith("/tasks")
            else None
        ),
    )
    cut(shelf, path="/extraction/tasks")
    page.get_by_role("button", name=START).click()
    expect(page.get_by_text("It is safe: the task is started once.")).to_be_visible()
    page.reload()
    expect(page.get_by_text("It is safe: the task is started once.")).to_be_visible()
    mend(shelf)
    expect(page.get_by_role("heading", name="0 of 3 papers")).to_be_visible()
    assert len(sent) >= 3
    assert len(set(sent)) == 1
    assert len(shelf.keys) == 1


def test_a_viewer_may_look_and_not_start_when_signed_in(page, shelf):
    shelf.role = "viewer"
    page.goto(f"{ORIGIN}/#/lab/new")
    page.reload()
    expect(page.get_by_text("You may look in this project, but not change anything.")).to_be_visible()
    expect(page.get_by_role("button", name=START)).to_be_disabled()
    expect(page.locator("input[type=file]")).to_have_count(0)


def test_the_engine_and_its_budget_are_asked_for_when_there_is_more_than_one(page, shelf):
    shelf.engines = ["rules", "openai"]
    page.reload()
    choose_all(page)
    engine = page.get_by_label("Read by")
    assert page.get_by_label("Budget in USD (optional)").count() == 0
    engine.select_option("openai")
    budget = page.get_by_label("Budget in USD (optional)")
    budget.fill("five")
    expect(page.get_by_text("A number above 0, at most $1,000,000.00; or nothing.")).to_be_visible()
    expect(page.get_by_role("button", name=START)).to_be_disabled()
    assert axe.violations(page) == []
    budget.fill("2.5")
    picture(page, "engine")
    assert axe.violations(page) == []
    page.reload()
    expect(budget).to_have_value("2.5")
    page.get_by_role("button", name=START).click()
    expect(page.get_by_role("heading", name="0 of 3 papers")).to_be_visible()
    asked = shelf.wanted[-1]
    assert (asked["engine"], asked["budgetUsd"]) == ("openai", 2.5)


def test_no_engine_is_asked_for_when_there_is_only_one(page, shelf):
    choose_all(page)
    assert page.get_by_label("Read by").count() == 0
    page.get_by_role("button", name=START).click()
    expect(page.get_by_role("heading", name="0 of 3 papers")).to_be_visible()
    assert not {"engine", "budgetUsd"} & set(shelf.wanted[-1])


# ---------------------------------------------------------------------- watching


@pytest.fixture
def running(stand_in, page):
    rows = [
        stand_in.row("t1", number, ["completed", "extracting", "pending", "pending"][number % 4])
        for number in range(12)
    ]
    stand_in.task("t1", rows, "processing")
    page.goto(f"{ORIGIN}/#/lab/tasks/t1")
    expect(page.get_by_role("heading", name="3 of 12 papers")).to_be_visible()
    return page


def test_the_title_shows_the_percentage_and_nothing_moves_when_rows_fill(running, stand_in):
    expect(running).to_have_title(re.compile("^25 %"))
    picture(running, "watch")
    assert axe.violations(running) == []
    running.evaluate(
        "() => { window.moved = 0; new PerformanceObserver(l => l.getEntries().forEach(e => { if (!e.hadRecentInput)"
        " window.moved += e.value; })).observe({type: 'layout-shift', buffered: false}); }"
    )
    for done in (6, 9):
        stand_in.task(
            "t1",
            [stand_in.row("t1", number, "completed" if number < done else "pending") for number in range(12)],
            "processing",
        )
        expect(running.get_by_role("heading", name=f"{done} of 12 papers")).to_be_visible()
        expect(running.locator(".rows .badge.completed")).to_have_count(done)
    # No box moves; a word that changes within its badge is centred there, which counts for a ten-thousandth.
    assert running.evaluate("() => window.moved") < 0.001


def test_the_page_goes_on_to_the_results_by_itself_when_the_task_closes(running, stand_in):
    stand_in.task("t1", [stand_in.row("t1", number) for number in range(12)])
    expect(running.get_by_role("grid")).to_be_visible()
    assert running.url.endswith("#/lab/tasks/t1/results")
    before = stand_in.count(f"{TASKS}/t1")
    running.wait_for_timeout(4_000)
    assert stand_in.count(f"{TASKS}/t1") == before, "a closed task is asked about"


def test_it_says_so_and_goes_on_by_itself_when_the_network_is_cut_and_comes_back(running, stand_in):
    cut(stand_in)
    expect(running.get_by_text("No connection.")).to_be_visible()
    picture(running, "offline")
    assert axe.violations(running) == []
    stand_in.task("t1", [stand_in.row("t1", number) for number in range(12)])
    mend(stand_in)
    expect(running.get_by_role("grid")).to_be_visible(timeout=20_000)


def test_it_is_asked_less_often_when_the_api_fails_again_and_again(running, stand_in):
    """3, then 6, then 12 seconds: in nine seconds two or three requests, not four."""
    asked: list[str] = []

    def busy(_method, path):
        if not path.endswith("/t1"):
            return None
        asked.append(path)
        return 503

    stand_in.fails = busy
    running.wait_for_timeout(10_500)
    assert 1 <= len(asked) <= 2


def test_nothing_is_asked_when_nobody_looks(running, stand_in):
    """Mutation caught: polling in the background."""
    running.evaluate(
        "() => { Object.defineProperty(document, 'visibilityState', {value: 'hidden', configurable: true});"
        " document.dispatchEvent(new Event('visibilitychange')); }"
    )
    running.wait_for_timeout(500)
    before = stand_in.count(f"{TASKS}/t1")
    running.wait_for_timeout(6_500)
    assert stand_in.count(f"{TASKS}/t1") == before


def test_a_pause_says_so_and_a_cancel_is_asked_about_first_when_pressed(running, stand_in):
    running.get_by_role("button", name="Pause").click()
    expect(running.get_by_text("Paused: nothing more is started until you go on.")).to_be_visible()
    running.get_by_role("button", name="Go on").click()
    expect(running.get_by_role("button", name="Pause")).to_be_visible()
    running.get_by_role("button", name="Cancel task").click()
    expect(running.get_by_role("dialog")).to_be_visible()
    expect(running.get_by_role("button", name="Keep it running")).to_be_focused()
    picture(running, "cancel")
    assert axe.violations(running) == []
    running.get_by_role("button", name="Cancel the task").click()
    expect(running.get_by_text("Cancelling")).to_be_visible()
    assert stand_in.tasks["t1"]["cancelRequested"]


def test_tokens_and_cost_are_told_when_a_model_reads(running, stand_in):
    assert running.locator(".progress-cost").count() == 0, "the rules cost nothing"
    stand_in.tasks["t1"] |= {"engine": "openai", "tokens": 123456, "costUsd": 0.0421, "budgetUsd": 5}
    expect(running.locator(".progress-cost")).to_have_text("Read by openai · 123,456 tokens · $0.042 of $5.00")
    picture(running, "cost")
    assert axe.violations(running) == []
    stand_in.tasks["t1"] |= {"costUsd": None, "budgetUsd": None}
    running.goto(f"{ORIGIN}/#/lab/tasks/t1/results")
    expect(running.get_by_text("123,456 tokens · cost not known: this model has no price here")).to_be_visible()


def test_it_says_whom_it_waits_for_since_when_and_why_when_a_provider_makes_it_wait(running, stand_in):
    since = "2026-11-18T08:40:00.000Z"
    for reason, words in (
        ("throttled", "it allows no more requests just now"),
        ("account", "its account has no access or no credit"),
        ("unavailable", "it does not answer"),
    ):
        stand_in.tasks["t1"] |= {"waitingFor": {"provider": "openai", "since": since, "reason": reason}}
        expect(running.get_by_role("status").filter(has_text=words)).to_contain_text("Waits for openai since")
    picture(running, "waits-for")
    assert axe.violations(running) == []


def test_a_spent_budget_is_told_and_raised_when_a_task_waits_for_it(running, stand_in):
    stand_in.tasks["t1"] |= {"engine": "openai", "tokens": 9, "costUsd": 2, "budgetUsd": 2, "budgetReached": True}
    expect(
        running.get_by_text("Its budget of $2.00 is spent: nothing more is started until it has more.")
    ).to_be_visible()
    go_on = running.get_by_role("button", name="Set and go on")
    running.get_by_label("New budget in USD").fill("2")
    expect(go_on).to_be_disabled()
    running.get_by_label("New budget in USD").fill("3")
    picture(running, "budget-spent")
    assert axe.violations(running) == []
    go_on.click()
    expect(go_on).to_have_count(0)
    assert stand_in.tasks["t1"]["budgetUsd"] == 3


# ---------------------------------------------------------------------- reading


@pytest.fixture
def table(stand_in, page):
    """A closed task of 60 papers, two of which failed."""
    told = {"errorClass": "unreadable", "errorMessage": "The file is encrypted.", "attempts": 4}
    rows = [
        stand_in.row("t1", number, **({"status": "error", **told} if number in {2, 9} else {})) for number in range(60)
    ]
    stand_in.task("t1", rows)
    page.goto(f"{ORIGIN}/#/lab/tasks/t1/results")
    expect(page.get_by_role("grid")).to_be_visible()
    return page


def test_a_failed_paper_says_why_and_a_retry_leads_back_to_the_whole_table_when_asked(table, stand_in):
    expect(table.get_by_text("Failed: The file is encrypted. after 4 attempts").first).to_be_visible()
    table.get_by_role("button", name="Failed 2").click()
    expect(table.locator("tbody tr:not(.space)")).to_have_count(2)
    picture(table, "failed")
    table.get_by_role("button", name="Retry 2 failed").click()
    expect(table.get_by_role("heading", name="0 of 2 papers")).to_be_visible()
    stand_in.task("t2", [stand_in.row("t2", number) for number in range(2)], retryOf="t1")
    expect(table.get_by_role("grid")).to_be_visible()
    assert table.url.endswith("#/lab/tasks/t1/results")


def test_what_is_shown_stands_in_the_address_when_one_filters_sorts_and_opens(table):
    table.get_by_role("button", name="Unverified").click()
    table.get_by_role("button", name="Year").click()
    table.locator("td[data-field=year]").nth(1).click()
    expect(table.get_by_role("complementary", name="Evidence: Year")).to_be_visible()
    shown = table.locator("td.open .value").inner_text()
    address = table.url
    assert {"show=unverified", "sort=year", "field=year"} <= set(unquote(address).split("?")[1].split("&"))
    table.reload()
    expect(table.get_by_role("complementary", name="Evidence: Year")).to_be_visible()
    expect(table.locator("td.open .value")).to_have_text(shown)
    years = [text for text in table.locator("td[data-field=year] .value").all_inner_texts() if text.isdigit()]
    assert years == sorted(years)


def test_the_quote_is_marked_in_the_text_when_a_cell_is_opened(table):
    table.locator("td[data-field=title]").first.click()
    expect(table.locator("mark")).to_have_text("NCT01234567")
    picture(table, "evidence")
    assert axe.violations(table) == []
    table.keyboard.press("Escape")
    expect(table.locator("aside.evidence")).to_have_count(0)


def test_a_mark_is_where_it_should_be_when_the_text_has_letters_beyond_the_first_plane(table, stand_in):
    """Offsets count characters, JavaScript counts halves of some. Mutation caught: `slice` on the text itself."""
    stand_in.text = "𝛼𝛽" + stand_in.text[2:]
    table.locator("td[data-field=title]").first.click()
    expect(table.locator("mark")).to_have_text("NCT01234567")


def test_an_unverified_value_looks_different_and_says_so_when_it_is_opened(table):
    cell = table.locator("td.unverified").first
    assert cell.evaluate("c => getComputedStyle(c).backgroundColor") != table.locator("td.verified").first.evaluate(
        "c => getComputedStyle(c).backgroundColor"
    )
    cell.click()
    expect(table.get_by_text("This quote was not found in the paper. Read it with care.")).to_be_visible()
    picture(table, "unverified")


def test_every_cell_is_reached_when_there_is_only_a_keyboard(table):
    table.locator("[data-cell='0:0']").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "End", "Home", "ArrowRight", "PageDown"):
        table.keyboard.press(key)
    expect(table.locator("[data-cell='11:1']")).to_be_focused()
    table.keyboard.press("Enter")
    expect(table.get_by_role("complementary")).to_be_focused()
    table.keyboard.press("Escape")
    expect(table.locator("[data-cell='11:1']")).to_be_focused()


def test_only_rows_in_view_are_in_the_page_when_there_are_a_thousand(page, stand_in):
    stand_in.task("t1", [stand_in.row("t1", number) for number in range(1000)])
    page.goto(f"{ORIGIN}/#/lab/tasks/t1/results")
    expect(page.get_by_text("1000 rows")).to_be_visible()
    assert page.locator("tbody tr").count() <= 100
    box = page.locator(".table-box")
    box.evaluate("b => b.scrollTo(0, b.scrollHeight)")
    expect(page.get_by_text("Author999 2017")).to_be_visible()
    assert page.locator("tbody tr").count() <= 100
    head = page.locator("thead th").first.bounding_box()
    frame = box.bounding_box()
    assert head
    assert frame
    assert abs(head["y"] - frame["y"]) < 3, "the head stays"
    picture(page, "thousand-rows")


def test_the_rest_is_loaded_when_a_table_has_more_rows_than_a_page(page, stand_in):
    stand_in.page_rows = 25
    stand_in.task("t1", [stand_in.row("t1", number) for number in range(60)])
    page.goto(f"{ORIGIN}/#/lab/tasks/t1/results")
    expect(page.get_by_text("60 rows")).to_be_visible()


def test_an_incomplete_row_says_why_and_leads_to_the_field_when_its_head_is_opened(table):
    head = table.locator("[data-cell='5:0']")
    expect(head).to_contain_text("Arms: fewer than the paper states +2")
    head.focus()
    table.keyboard.press("Enter")
    expect(table.get_by_role("complementary", name="Evidence: Arms")).to_be_focused()
    expect(table.get_by_text("The paper's text was cut off")).to_be_visible()
    picture(table, "incomplete")
    assert axe.violations(table) == []
    table.get_by_role("button", name="more than").click()
    expect(table).to_have_url(re.compile("field=n_analysed"))
    table.locator("td[data-field=n_analysed]").nth(1).click()
    expect(table.locator(".reasons")).to_have_count(0)


@pytest.fixture
def judged(stand_in, page):
    """A closed task of the template `qc`: a trial, a cohort, one of unknown kind, one without an answer, one that failed."""
    rows = [stand_in.row("t1", number, extractedData=quality(number)) for number in range(4)]
    stand_in.task("t1", [*rows, stand_in.row("t1", 4, "error", errorMessage="The file is encrypted.")], templateId="qc")
    page.goto(f"{ORIGIN}/#/lab/tasks/t1/results")
    expect(page.get_by_role("grid")).to_be_visible()
    return page


def judgements(page, row):
    """What stands in a row's first columns, in words."""
    return page.locator(f"tbody tr[aria-rowindex='{row + 3}'] .judgement").all_inner_texts()


def test_judgements_come_first_and_in_words_when_a_template_asks_about_bias(judged):
    heads = judged.locator("thead .section").all_inner_texts()
    assert heads[:2] == ["Judgement: RoB 2", "Judgement: Newcastle-Ottawa"]
    judged.set_viewport_size({"width": 2600, "height": 850})
    expect(judged.locator("td[data-field='judged.outcome']")).to_have_count(4)
    trial, cohort, unknown, silent = (judgements(judged, row) for row in range(4))
    assert trial == ["High risk", "Low risk", "Low risk", "High risk", "Not judged", "Some concerns"] + 5 * [
        "Does not apply"
    ]
    assert cohort[6:] == ["Poor", "6 of 9 · 2 left out", "3 of 4 · 1 left out", "2 of 2", "1 of 3 · 1 left out"]
    assert set(cohort[:6]) == {"Does not apply"}
    assert unknown[:6] == trial[:6]
    assert unknown[6:] == cohort[6:], "both, where the kind of study is not known"
    assert set(silent[:6]) == {"Not judged"}
    assert len(judgements(judged, 4)) == 0
    judged.set_viewport_size({"width": 1360, "height": 850})
    picture(judged, "judgements")
    assert axe.violations(judged) == []


def test_a_judgement_opens_its_answers_and_each_its_evidence_when_one_asks_why(judged):
    judged.locator("td[data-field='judged.overall']").first.click()
    panel = judged.get_by_role("complementary", name="Judgement: Overall risk of bias")
    expect(panel).to_be_visible()
    picture(judged, "judgement-overall")
    panel.get_by_role("button", name="D5 Reported result").click()
    panel = judged.get_by_role("complementary", name="Judgement: D5 Reported result")
    expect(panel.locator(".ground").nth(0)).to_contain_text("Yes")
    expect(panel.get_by_text("it counts as “no information”")).to_have_count(1)
    picture(judged, "judgement-domain")
    assert axe.violations(judged) == []
    panel.get_by_role("button", name="5.1 As planned").click()
    expect(judged.get_by_role("complementary", name="Evidence: 5.1 As planned")).to_be_focused()
    expect(judged.locator("mark")).to_be_visible()


def test_rows_without_a_judgement_come_last_and_it_is_said_in_chinese_when_one_sorts_by_stars(judged):
    judged.get_by_role("button", name="Stars").click()
    judged.get_by_role("button", name="Stars").click()
    stars = judged.locator("td[data-field='judged.total'] .judgement").all_inner_texts()
    assert stars == ["6 of 9 · 2 left out"] * 2 + ["Does not apply"] * 2
    judged.get_by_role("button", name="中文").click()
    expect(judged.get_by_text("判断：RoB 2")).to_be_visible()
    expect(judged.locator("td[data-field='judged.D1'] .judgement.good").first).to_have_text("低风险")
    picture(judged, "judgements-chinese")
    assert axe.violations(judged) == []


def test_there_is_no_column_of_judgements_when_a_template_asks_no_such_question(table):
    expect(table.locator("thead .section").first).to_be_visible()
    assert table.locator(".judgement").count() == 0


# ---------------------------------------------------------------------- everywhere


def test_everything_is_in_chinese_and_stays_so_when_it_was_chosen(table):
    table.get_by_role("button", name="中文").click()
    expect(table.get_by_role("heading", name="随机对照试验")).to_be_visible()
    table.reload()
    expect(table.get_by_role("button", name="未核实")).to_be_visible()
    assert table.locator("html").get_attribute("lang") == "zh"
    picture(table, "chinese")
    assert axe.violations(table) == []


@pytest.mark.parametrize("address", ["tasks", "new", "library", "tasks/t1", "tasks/t1/results"])
def test_nothing_is_wider_than_a_phone_when_one_looks_with_a_phone(address, stand_in, new_context):
    stand_in.bases = [{"knowledgeBaseId": "kb1", "name": "Pain", "createdAt": "2026-11-18T09:00:00.000Z"}]
    stand_in.document("a-long-name-of-a-file-that-somebody-downloaded-from-somewhere-2017-final-version.pdf")
    status = "processing" if address == "tasks/t1" else "completed"
    stand_in.task("t1", [stand_in.row("t1", number) for number in range(30)], status)
    context = new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    stand_in.attach(context)
    page = signed_in(context.new_page())
    page.goto(f"{ORIGIN}/#/lab/{address}")
    page.locator("h1").first.wait_for()
    page.wait_for_timeout(600)
    picture(page, f"phone-{address.replace('/', '-')}")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    assert axe.violations(page) == []


def test_it_says_that_there_is_nothing_when_the_address_is_of_nothing(page):
    page.goto(f"{ORIGIN}/#/lab/tasks/t404")
    expect(page.get_by_role("heading", name="There is nothing here")).to_be_visible()
    picture(page, "nothing-here")
    page.goto(f"{ORIGIN}/#/other/tasks")
    expect(page.get_by_role("heading", name="Not your project")).to_be_visible()
    assert axe.violations(page) == []


def test_a_failure_says_what_happened_and_offers_another_try_when_the_api_refuses(page, stand_in):
    stand_in.fails = lambda _method, path: 500 if path.endswith("knowledge-bases") else None
    page.goto(f"{ORIGIN}/#/lab/library")
    expect(page.get_by_role("button", name="Try again")).to_be_visible(timeout=25_000)
    picture(page, "failure")
    stand_in.fails = lambda _method, _path: None
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", name="No knowledge base yet")).to_be_visible()
