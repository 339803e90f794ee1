"""What a real stack does not do when it is asked to: fail, come late, get lost, judge in every way. Before the stand-in."""

import re
from urllib.parse import quote, unquote

from playwright.sync_api import expect

from tests.browser import axe
from tests.browser.conftest import picture, signed_in
from tests.browser.stand_in import ORIGIN, PASSWORD, USER

TASKS = "/api/v1/asl/extraction/tasks"
START = "Confirm and start"


def choose_all(page):
    page.goto(f"{ORIGIN}/#/lab/new")
    page.get_by_role("button", name="Select all").click()
    expect(page.get_by_text("3 of 4 selected")).to_be_visible()


def no_base(page):
    return page.get_by_role("heading", name="No knowledge base yet")


# ---------------------------------------------------------------------- late, lost, refused


def test_a_table_is_drawn_and_its_cells_wait_when_its_quotes_are_on_their_way(stand_in, page):
    """Mutation caught: a text that was cut, shown as the whole of it; a cell decided on before its quote was seen."""
    rows = [stand_in.row("t1", number) for number in range(60)]
    stand_in.task("t1", rows)
    long = "Smoking and alcohol and the weather of the year before, as each of them was told"
    rows[0]["extractedData"]["fields"]["condition"] |= {"value": long, "state": "found"}
    stand_in.holds_rows = True
    page.goto(f"{ORIGIN}/#/lab/tasks/t1/results?row=t1-0&field=condition")
    expect(page.get_by_role("complementary").get_by_label("Loading…")).to_be_visible()
    expect(page.get_by_text("Loading rows: 50 of 60")).to_be_visible()
    expect(page.locator("[data-field=condition].open")).to_contain_text(f"{long[:32]}…")
    expect(page.get_by_role("button", name="Agree")).to_be_hidden()
    stand_in.let_go()
    expect(page.locator("[data-field=condition].open")).to_contain_text(long)
    expect(page.get_by_role("button", name="Agree")).to_be_visible()


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


def test_a_request_that_got_lost_is_made_again_when_its_time_is_over(stand_in, new_context):
    """A fifth of the times, all written down: 10 s for what is asked again and again, 35 s for what may take long."""
    context = new_context()
    stand_in.attach(context)
    context.add_init_script("""
        const limit = AbortSignal.timeout;
        window.limits = [];
        AbortSignal.timeout = (ms) => { window.limits.push(ms); return limit.call(AbortSignal, ms / 5); };
    """)
    page = signed_in(context.new_page())
    stand_in.holds = lambda _method, path: path.endswith("knowledge-bases")
    page.goto(f"{ORIGIN}/#/lab/library")
    expect(page.get_by_text("No connection.")).to_be_visible()
    lost = len(stand_in.held)
    stand_in.held.clear()
    stand_in.let_go()
    expect(no_base(page)).to_be_visible()
    assert lost >= 1
    assert set(page.evaluate("() => window.limits")) == {10_000}
    stand_in.task("t1", [stand_in.row("t1", 0)])
    page.goto(f"{ORIGIN}/#/lab/tasks/t1/results")
    expect(page.get_by_role("grid")).to_be_visible()
    assert 35_000 in page.evaluate("() => window.limits"), "a page of rows is 4 MB"


def test_the_same_start_is_asked_again_when_it_got_lost(stand_in, new_context, shelf):
    context = new_context()
    stand_in.attach(context)
    context.add_init_script("""
        const limit = AbortSignal.timeout;
        AbortSignal.timeout = (ms) => limit.call(AbortSignal, ms === 35000 ? 3000 : ms);
    """)
    page = signed_in(context.new_page())
    choose_all(page)
    stand_in.holds = lambda method, path: method == "POST" and path == TASKS
    page.get_by_role("button", name=START).click()
    expect(page.get_by_text("It is safe: the task is started once.")).to_be_visible()
    lost = [route.request.headers["idempotency-key"] for route in stand_in.held]
    stand_in.held.clear()
    stand_in.let_go()
    expect(page.get_by_role("heading", name="0 of 3 papers")).to_be_visible()
    assert {*lost, *stand_in.keys} == {lost[0]}


def test_a_failure_says_what_happened_and_offers_another_try_when_the_api_refuses(page, stand_in):
    stand_in.refuses = ("invalid-request", "That is no project's name.")
    stand_in.fails = lambda _method, path: 400 if path.endswith("knowledge-bases") else None
    page.goto(f"{ORIGIN}/#/lab/library")
    expect(page.get_by_role("alert")).to_contain_text("That is no project's name.")
    picture(page, "failure")
    assert axe.violations(page) == []
    stand_in.fails = lambda _method, _path: None
    page.get_by_role("button", name="Try again").click()
    expect(no_base(page)).to_be_visible()


def test_a_failure_that_passes_is_over_by_itself_when_the_api_recovers(page, stand_in):
    """Four tries in fifteen seconds, then one every fifteen. Mutation caught: given up until somebody presses."""
    stand_in.fails = lambda _method, path: 500 if path.endswith("knowledge-bases") else None
    page.goto(f"{ORIGIN}/#/lab/library")
    expect(page.get_by_role("button", name="Try again")).to_be_visible(timeout=60_000)
    expect(page.get_by_text("The service does not answer as it should.")).to_be_visible()
    picture(page, "service-down")
    stand_in.fails = lambda _method, _path: None
    expect(no_base(page)).to_be_visible(timeout=60_000)


def test_nobody_is_signed_out_when_cognito_is_only_busy(page, stand_in):
    """Mutation caught: any answer but a token taken for the end of the session."""
    stand_in.fails = lambda _method, path: 500 if path == "/cognito" else None
    page.evaluate(
        "() => { const s = JSON.parse(localStorage['sheaf.session']);"
        " localStorage['sheaf.session'] = JSON.stringify({...s, expiresAt: 0}); }"
    )
    page.goto(f"{ORIGIN}/#/lab/library")
    expect(page.get_by_text("No connection.")).to_be_visible()
    stand_in.fails = lambda _method, _path: None
    expect(no_base(page)).to_be_visible(timeout=60_000)


def test_nobody_is_signed_out_when_cognitos_answer_was_cut_off(page):
    """As by a reload, or a network that went, in the midst of it."""
    page.context.route("**/cognito", lambda route: route.fulfill(status=200, body='{"AuthenticationRes'))
    page.evaluate(
        "() => { const s = JSON.parse(localStorage['sheaf.session']);"
        " localStorage['sheaf.session'] = JSON.stringify({...s, expiresAt: 0}); }"
    )
    page.goto(f"{ORIGIN}/#/lab/library")
    expect(page.get_by_text("No connection.")).to_be_visible()
    page.context.unroute("**/cognito")
    expect(no_base(page)).to_be_visible(timeout=60_000)


def begin(context, stand_in, factor):
    """The form that comes after the password."""
    stand_in.factor = factor
    stand_in.attach(context)
    page = context.new_page()
    page.goto(f"{ORIGIN}/#/lab/library")
    page.get_by_label("Email").fill(USER)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Code")).to_be_visible()
    return page


def enter(page, code):
    page.get_by_label("Code").fill(code)
    page.get_by_role("button", name="Sign in").click()


def test_the_code_is_asked_for_when_a_second_factor_is_set_up(stand_in, new_context):
    """A wrong one can be followed by a right one; and one arrives where one was going."""
    page = begin(new_context(), stand_in, "SOFTWARE_TOKEN_MFA")
    enter(page, "999999")
    expect(page.get_by_role("alert")).to_have_text("That code is not right, or its time is over. Enter the next one.")
    assert axe.violations(page) == []
    enter(page, " 123456 ")
    expect(no_base(page)).to_be_visible()
    assert page.url.endswith("#/lab/library")


def test_a_second_factor_is_set_up_when_it_is_asked_for(stand_in, new_context):
    page = begin(new_context(), stand_in, "MFA_SETUP")
    key = page.get_by_role("link", name="KEYFORTHEAPP")
    expect(key).to_have_attribute("href", f"otpauth://totp/Sheaf:{quote(USER)}?secret=KEYFORTHEAPP&issuer=Sheaf")
    picture(page, "second-factor")
    assert axe.violations(page) == []
    enter(page, "999999")
    expect(page.get_by_role("alert")).to_have_text("That code is not right, or its time is over. Enter the next one.")
    enter(page, "123456")
    expect(no_base(page)).to_be_visible()


def test_a_new_password_is_set_by_a_code_when_the_old_one_was_forgotten(stand_in, new_context):
    """The one that is typed is seen when one asks for it."""
    context = new_context()
    stand_in.attach(context)
    page = context.new_page()
    page.goto(ORIGIN)
    page.get_by_label("Email").fill(USER)
    page.get_by_role("button", name="Forgot your password?").click()
    page.get_by_label("Code from the mail").fill("654321")
    page.get_by_label("New password", exact=True).fill(PASSWORD)
    page.get_by_label("Show what I type").check()
    expect(page.get_by_label("New password", exact=True)).to_have_attribute("type", "text")
    picture(page, "forgotten-en")
    assert axe.violations(page) == []
    page.get_by_role("button", name="Save and sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("code")
    page.get_by_label("Code from the mail").fill("123456")
    page.get_by_label("New password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Save and sign in").click()
    expect(no_base(page).or_(page.get_by_role("heading", name="No tasks yet"))).to_be_visible()


def test_one_begins_again_when_the_code_came_too_late(stand_in, new_context):
    """Mutation caught: the form for the code stays, and no code is ever right again."""
    page = begin(new_context(), stand_in, "SOFTWARE_TOKEN_MFA")
    enter(page, "000000")
    expect(page.get_by_role("alert")).to_have_text("That took too long. Sign in again.")
    stand_in.factor = None
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(no_base(page)).to_be_visible()


def test_one_stays_signed_out_when_a_token_was_being_renewed_meanwhile(page, stand_in):
    """Mutation caught: what Cognito sends after the signing out is kept."""
    stand_in.holds = lambda _method, path: path == "/cognito"
    page.evaluate(
        "() => { const s = JSON.parse(localStorage['sheaf.session']);"
        " localStorage['sheaf.session'] = JSON.stringify({...s, expiresAt: 0}); }"
    )
    page.goto(f"{ORIGIN}/#/lab/library")
    for _ in range(400):
        page.wait_for_timeout(50)
        if stand_in.held:
            break
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    stand_in.let_go()
    page.wait_for_timeout(500)
    assert page.evaluate("() => localStorage['sheaf.session'] ?? null") is None


def test_nobody_is_brought_back_when_an_answer_comes_after_they_have_gone(page, stand_in):
    page.goto(f"{ORIGIN}/#/lab/library")
    page.get_by_label("Name").fill("Pain")
    stand_in.holds = lambda method, _path: method == "POST"
    page.get_by_role("button", name="Create").click()
    page.get_by_role("link", name="Tasks").click()
    expect(page.get_by_role("heading", name="No tasks yet")).to_be_visible()
    stand_in.let_go()
    page.wait_for_timeout(1_000)
    assert page.url == f"{ORIGIN}/#/lab/tasks"
    assert stand_in.bases, "it was made all the same"


def test_both_stand_in_the_address_when_two_things_change_before_it_is_drawn_again(table):
    table.evaluate(
        "() => { const b = [...document.querySelectorAll('button')];"
        " b.find(e => e.textContent.startsWith('Could not be confirmed')).click(); b.find(e => e.title === 'Year').click(); }"
    )
    expect(table).to_have_url(re.compile("show=unsupported"))
    assert "sort=year" in table.url


def test_too_much_at_once_is_told_and_not_asked_again_when_a_task_is_started(page, shelf):
    choose_all(page)
    shelf.refuses = ("too-much", "20 tasks are open in this project.")
    shelf.fails = lambda method, path: 429 if method == "POST" and path == TASKS else None
    page.get_by_role("button", name=START).click()
    expect(page.get_by_role("alert")).to_have_text("20 tasks are open in this project.")
    shelf.fails = lambda _method, _path: None
    page.get_by_role("button", name=START).click()
    expect(page.get_by_role("heading", name="0 of 3 papers")).to_be_visible()


# ---------------------------------------------------------------------- choosing


def test_no_engine_is_asked_for_when_there_is_only_one(page, shelf):
    choose_all(page)
    assert page.get_by_label("Read by").count() == 0
    page.get_by_role("button", name=START).click()
    expect(page.get_by_role("heading", name="0 of 3 papers")).to_be_visible()
    assert not {"engine", "budgetUsd"} & set(shelf.wanted[-1])


def test_only_so_many_papers_are_read_at_once_when_that_is_asked_for(page, shelf):
    choose_all(page)
    page.get_by_text("Advanced").click()
    page.get_by_label("Papers read at once, at most").fill("none")
    expect(page.get_by_role("button", name=START)).to_be_disabled()
    page.get_by_label("Papers read at once, at most").fill("2")
    page.get_by_role("button", name=START).click()
    expect(page.get_by_role("heading", name="0 of 3 papers")).to_be_visible()
    assert shelf.wanted[-1]["mostAtWork"] == 2


def test_a_template_is_told_of_the_review_when_it_asks(page, shelf):
    choose_all(page)
    confounder = page.get_by_label("Most important confounder")
    expect(confounder).to_have_count(0)
    page.get_by_role("radio", name="Quality: risk of bias").check()
    confounder.fill("age")
    picture(page, "inputs")
    assert axe.violations(page) == []
    page.reload()
    expect(confounder).to_have_value("age")
    page.get_by_role("button", name=START).click()
    expect(page.get_by_role("heading", name="0 of 3 papers")).to_be_visible()
    assert shelf.wanted[-1]["templateInputs"] == {"mainConfounder": "age"}


# ---------------------------------------------------------------------- watching


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


def test_it_is_asked_less_often_when_the_api_fails_again_and_again(running, stand_in):
    """3 or 5, then twice that: in ten seconds one or two requests, not four."""
    asked: list[str] = []

    def busy(_method, path):
        if not path.endswith("/t1"):
            return None
        asked.append(path)
        return 503

    stand_in.fails = busy
    running.wait_for_timeout(10_500)
    assert 1 <= len(asked) <= 2


def test_the_bar_never_turns_back_when_an_answer_is_of_an_older_count(running, stand_in):
    rows = [stand_in.row("t1", number, "completed" if number < 6 else "pending") for number in range(12)]
    stand_in.task("t1", rows, "processing", asOf="2026-11-18T09:00:06.000Z")
    expect(running.get_by_role("heading", name="6 of 12 papers")).to_be_visible()
    # By its count, and not by its rows alone.
    expect(running).to_have_title(re.compile("^50 %"))
    rows = [stand_in.row("t1", number, "completed" if number < 4 else "pending") for number in range(12)]
    stand_in.task("t1", rows, "processing", asOf="2026-11-18T09:00:04.000Z", paused=True)
    expect(running.get_by_role("button", name="Go on")).to_be_visible()
    expect(running.get_by_role("heading", name="6 of 12 papers")).to_be_visible()
    expect(running).to_have_title(re.compile("^50 %"))


def test_the_rows_are_those_of_the_last_count_when_there_are_many(page, stand_in):
    """Rows of a big task are asked for seldom. Mutation caught: the last change falls into the pause and is never seen."""
    stand_in.task("t1", [stand_in.row("t1", number, "pending") for number in range(300)], "processing")
    page.goto(f"{ORIGIN}/#/lab/tasks/t1")
    expect(page.locator(".rows .badge.pending")).to_have_count(150)
    expect(page.get_by_text("The first 150 of 300; the table has them all.")).to_be_visible()
    for done in (3, 7):
        rows = [stand_in.row("t1", number, "completed" if number < done else "pending") for number in range(300)]
        stand_in.task("t1", rows, "processing")
        expect(page.get_by_role("heading", name=f"{done} of 300 papers")).to_be_visible()
    expect(page.locator(".rows .badge.completed")).to_have_count(7)


def test_nothing_is_wider_than_a_phone_when_one_watches_with_a_phone(stand_in, new_context):
    context = new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    stand_in.attach(context)
    statuses = ["completed", "extracting", "error", "pending"]
    rows = [
        stand_in.row("t1", number, statuses[number % 4], errorMessage="The file is encrypted.") for number in range(12)
    ]
    stand_in.task("t1", rows, "processing")
    page = signed_in(context.new_page())
    page.goto(f"{ORIGIN}/#/lab/tasks/t1")
    expect(page.locator(".rows .badge.error")).to_have_count(3)
    picture(page, "phone-watch")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    assert axe.violations(page) == []


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


def test_tokens_and_cost_are_told_when_a_model_reads(running, stand_in):
    assert running.locator(".progress-cost").count() == 0, "the rules cost nothing"
    stand_in.tasks["t1"] |= {"engine": "openai", "tokens": 123456, "costUsd": 0.0421, "budgetUsd": 5}
    expect(running.locator(".progress-cost")).to_have_text("123,456 tokens · $0.042 of $5.00")
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
        held = {"for": "provider", "provider": "openai", "since": since, "until": "2099-11-18T09:10:00.000Z", "rows": 3}
        stand_in.tasks["t1"] |= {"waiting": {**held, "reason": reason}}
        said = running.get_by_role("status").filter(has_text=words)
        expect(said).to_contain_text("Waits for openai since")
        expect(said).to_contain_text("Papers that wait: 3. Tried again at ")
    picture(running, "waits-for")
    assert axe.violations(running) == []


def test_the_provider_is_tried_now_when_somebody_who_may_does_not_want_to_wait(running, stand_in):
    held = {"for": "provider", "provider": "openai", "since": "2026-11-18T08:40:00.000Z", "rows": 3}
    stand_in.tasks["t1"] |= {"waiting": {**held, "until": "2026-11-18T08:41:00.000Z", "reason": "account"}}
    expect(running.get_by_role("status").filter(has_text="It is being tried.")).to_be_visible()
    now = running.get_by_role("button", name="Try the provider now")
    now.click()
    expect(now).to_have_count(0)
    assert stand_in.count(f"{TASKS}/t1/probe", "POST") == 1


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


def test_how_many_are_read_at_once_is_changed_when_a_task_runs(running, stand_in):
    running.get_by_text("Any number at once").click()
    field = running.get_by_label("Papers read at once, at most")
    field.fill("0")
    expect(running.get_by_text("A whole number from 1 to 10,000; or nothing.")).to_be_visible()
    expect(running.get_by_role("button", name="Set", exact=True)).to_be_disabled()
    field.fill("5")
    picture(running, "limit")
    assert axe.violations(running) == []
    running.get_by_role("button", name="Set", exact=True).click()
    expect(running.get_by_text("At most 5 at once")).to_be_visible()
    assert stand_in.tasks["t1"]["mostAtWork"] == 5


# ---------------------------------------------------------------------- reading


def test_a_retry_asks_what_it_may_cost_when_nothing_is_left_of_its_tasks_budget(table, stand_in):
    stand_in.tasks["t1"] |= {"engine": "openai", "budgetUsd": 2, "budgetReached": True}
    again = table.get_by_role("button", name="Retry 2 failed")
    again.click()
    expect(table.get_by_role("alert")).to_contain_text("Nothing is left of its budget of $2.00")
    expect(again).to_be_disabled()
    table.get_by_label("New budget in USD").fill("3")
    picture(table, "retry-budget")
    assert axe.violations(table) == []
    again.click()
    expect(table.get_by_role("heading", name="0 of 2 papers")).to_be_visible()
    assert stand_in.tasks["t2"]["budgetUsd"] == 3


def test_what_is_shown_stands_in_the_address_when_one_filters_sorts_and_opens(table):
    table.get_by_role("button", name="Could not be confirmed").click()
    table.get_by_role("button", name="Year").click()
    table.locator("td[data-field=year]").nth(1).click()
    expect(table.get_by_role("complementary", name="Evidence: Year")).to_be_visible()
    shown = table.locator("td.open .value").inner_text()
    address = table.url
    assert {"show=unsupported", "sort=year", "field=year"} <= set(unquote(address).split("?")[1].split("&"))
    table.reload()
    expect(table.get_by_role("complementary", name="Evidence: Year")).to_be_visible()
    expect(table.locator("td.open .value")).to_have_text(shown)
    years = [text for text in table.locator("td[data-field=year] .value").all_inner_texts() if text.isdigit()]
    assert years == sorted(years)


def test_tab_leads_into_the_table_when_a_filter_has_taken_its_cell_away(table):
    table.locator("[data-cell='0:0']").focus()
    for _ in range(3):
        table.keyboard.press("PageDown")
    expect(table.locator("[data-cell='30:0']")).to_be_focused()
    table.get_by_role("button", name="Failed 2").click()
    expect(table.locator("tbody tr:not(.space)")).to_have_count(2)
    expect(table.locator("[data-cell][tabindex='0']")).to_have_count(1)


def test_a_mark_is_where_it_should_be_when_the_text_has_letters_beyond_the_first_plane(table, stand_in):
    """Offsets count characters, JavaScript counts halves of some. Mutation caught: `slice` on the text itself."""
    stand_in.text = "𝛼𝛽" + stand_in.text[2:]
    table.locator("td[data-field=title]").first.click()
    expect(table.locator("mark")).to_have_text("NCT01234567")


def test_an_incomplete_row_says_why_and_leads_to_the_field_when_its_head_is_opened(table):
    head = table.locator("[data-cell='5:0']")
    expect(head).to_contain_text("Arms: fewer than the paper states +3")
    head.focus()
    table.keyboard.press("Enter")
    expect(table.get_by_role("complementary", name="Evidence: Arms")).to_be_focused()
    expect(table.get_by_text("The file does not hold the paper's whole text")).to_be_visible()
    expect(table.get_by_text("This is a retraction notice, or a paper that was retracted")).to_be_visible()
    picture(table, "incomplete")
    assert axe.violations(table) == []
    table.get_by_role("button", name="more than").click()
    expect(table).to_have_url(re.compile("field=n_analysed"))
    table.locator("td[data-field=n_analysed]").nth(1).click()
    expect(table.locator(".reasons")).to_have_count(0)


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
    judged.locator(".table-box").evaluate("box => box.scrollLeft = 0")
    judged.get_by_role("button", name="中文").click()
    expect(judged.get_by_role("grid").get_by_text("判断：RoB 2")).to_be_visible()
    expect(judged.locator("td[data-field='judged.D1'] .judgement.good").first).to_have_text("低风险")
    picture(judged, "judgements-chinese")
    assert axe.violations(judged) == []


def test_there_is_no_column_of_judgements_when_a_template_asks_no_such_question(table):
    expect(table.locator("thead .section").first).to_be_visible()
    assert table.locator(".judgement").count() == 0


# ---------------------------------------------------------------------- another kind of work


def test_a_table_is_plain_when_the_page_does_not_know_the_kind(page, stand_in):
    """Its columns are what the rows bring; a value is text, whatever it looks like; no template is asked for."""
    found = [
        {"words": 3, "first": "<b>one</b>", "parts": {"a": [1]}},
        {"words": 0, "last": True},
        None,
    ]
    rows = [
        stand_in.row("t9", number, "completed" if data else "error", extractedData=data, summary=data and {"size": 7})
        for number, data in enumerate(found)
    ]
    rows[2] |= {"errorClass": "unreadable", "errorMessage": "The text is not UTF-8."}
    stand_in.task("t9", rows, kind="count_words", templateId=None, engine=None)
    page.goto(f"{ORIGIN}/#/lab/tasks/t9/results")
    table = page.get_by_role("region", name="Read").locator("table")
    expect(table.locator("thead th")).to_have_text(["Item", "size", "words", "first", "parts", "last"])
    expect(table.locator("tbody tr").nth(0).locator("td")).to_have_text(["7", "3", "<b>one</b>", '{"a":[1]}', "–"])
    expect(table.locator("tbody tr").nth(1).locator("td")).to_have_text(["7", "0", "–", "–", "Yes"])
    expect(table.locator("tbody tr").nth(2)).to_contain_text("not UTF-8")
    assert table.locator("td b").count() == 0
    expect(page.get_by_role("heading", name="count_words")).to_be_visible()
    assert stand_in.count(f"{TASKS}/t9/template") == 0
    assert axe.violations(page) == []
    picture(page, "plain-table")
    page.get_by_role("link", name="Tasks").first.click()
    expect(page.locator(".tasks li")).to_contain_text("count_words")
    expect(page.locator(".tasks li")).to_contain_text("3 rows")


# ---------------------------------------------------------------------- everywhere


# ---------------------------------------------------------------------- undone


def test_a_deleted_paper_is_back_when_it_is_undone(page, stand_in, shelf):
    """And where the way back fails the first time, it stays there to be tried again."""
    page.goto(f"{ORIGIN}/#/lab/library")
    papers = page.locator(".papers li")
    before = papers.count() or expect(papers).not_to_have_count(0) or papers.count()
    name = papers.first.locator("strong").inner_text()
    papers.first.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(papers).to_have_count(before - 1)
    bar = page.locator(".undo")
    expect(bar).to_contain_text(f"“{name}” was deleted.")
    assert axe.violations(page) == []
    picture(page, "undo")
    stand_in.fails = lambda _method, path: 503 if path.endswith("/restore") else None
    bar.get_by_role("button", name="Undo").click()
    expect(bar.get_by_role("alert")).to_be_visible()
    stand_in.fails = lambda _method, _path: None
    bar.get_by_role("button", name="Undo").click()
    expect(papers).to_have_count(before)
    expect(bar).to_have_count(0)
