"""What hands do to the page: go back, go from paper to paper, drop what does not belong, enlarge. Before the stand-in."""

import re

from playwright.sync_api import expect

import serving
from sheaf.settings import PageSettings
from tests.browser import axe
from tests.browser.conftest import picture, signed_in
from tests.browser.stand_in import NOW, ORIGIN, SITE, quoted

START = "Confirm and start"
TABLE = f"{ORIGIN}/#/lab/tasks/t1/results"
PHONE = {"width": 390, "height": 844}
TWICE = {"width": 680, "height": 425}
"""What is left of 1360 x 850 at 200 %."""


def opened(stand_in, new_context, address, **more):
    """A tab of another size, at this address."""
    context = new_context(**more)
    stand_in.attach(context)
    tab = signed_in(context.new_page())
    tab.goto(address)
    return tab


def dropped(page, *names):
    """Drop files of these names, whose bytes are the name up to a space; whether the page took care of it."""
    given = page.evaluate_handle(
        "names => { const d = new DataTransfer(); names.forEach(n => d.items.add(new File([n.replace(/ .*/, '')], n)));"
        " return d; }",
        list(names),
    )
    return page.evaluate(
        "dataTransfer => ['dragover', 'drop'].map(name =>"
        " !document.body.dispatchEvent(new DragEvent(name, {dataTransfer, bubbles: true, cancelable: true})))",
        given,
    )


# ---------------------------------------------------------------------- by keyboard, in two languages


def test_the_table_is_one_stop_of_tab_and_its_heads_sort_by_the_arrow_keys(table):
    stops = "[...document.querySelector('.table-box').querySelectorAll('*')].filter(each => each.tabIndex >= 0)"
    assert table.evaluate(f"{stops}.length") == 1
    table.locator('[data-cell="0:1"]').focus()
    table.keyboard.press("ArrowUp")
    expect(table.locator('[data-cell="-1:1"]')).to_be_focused()
    table.keyboard.press("ArrowRight")
    expect(table.locator('[data-cell="-1:2"]')).to_be_focused()
    assert table.evaluate(f"{stops}.length") == 1
    table.keyboard.press("Enter")
    expect(table.locator("th[aria-sort]")).to_have_count(1)
    table.keyboard.press("ArrowDown")
    expect(table.locator('[data-cell="0:2"]')).to_be_focused()
    table.keyboard.press("Control+End")
    expect(table.locator('[data-cell^="59:"]:focus')).to_have_count(1)
    table.keyboard.press("Control+Home")
    expect(table.locator('[data-cell="0:0"]')).to_be_focused()
    assert axe.violations(table) == []


def test_the_heading_is_focused_when_a_link_leads_elsewhere_and_no_field_loses_it(page, shelf):
    page.goto(f"{ORIGIN}/#/lab/tasks")
    expect(page.get_by_role("heading", name="No tasks yet")).to_be_visible()
    page.get_by_role("link", name="Library").click()
    expect(page.get_by_role("heading", name="Library", level=1)).to_be_focused()
    page.get_by_label("Search papers").focus()
    page.evaluate("location.hash = location.hash + '?x=1'")
    expect(page.get_by_label("Search papers")).to_be_focused()


def test_what_was_typed_stays_when_the_language_changes_here_or_in_another_tab(page, shelf):
    page.goto(f"{ORIGIN}/#/lab/library")
    page.get_by_label("Search papers").fill("Trial 1")
    other = page.context.new_page()
    other.goto(f"{ORIGIN}/#/lab/tasks")
    other.get_by_role("button", name="中文").click()
    expect(page.get_by_role("heading", name="文献库", level=1)).to_be_visible()
    expect(page.locator("input[type=search]")).to_have_value("Trial 1")
    assert page.locator("html").get_attribute("lang") == "zh-Hans"


def test_the_heads_speak_the_other_language_when_it_is_chosen_over_an_open_value(table):
    table.locator('[data-cell="0:1"]').click()
    expect(table.get_by_role("complementary")).to_be_visible()
    table.get_by_role("button", name="中文").click()
    expect(table.get_by_role("complementary")).to_be_visible()
    expect(table.locator("thead .section").first).to_have_text("文献信息")
    expect(table.locator("tbody th .state").first).to_contain_text("已找到")


# ---------------------------------------------------------------------- choosing


def test_the_usual_engine_is_named_and_takes_a_budget_when_it_is_a_model(page, shelf):
    shelf.engines = ["bedrock", "rules"]
    page.reload()
    page.goto(f"{ORIGIN}/#/lab/new")
    page.get_by_role("button", name="Select all").click()
    reader = page.get_by_label("Read by")
    expect(reader).to_have_value("bedrock")
    expect(reader.locator("option").first).to_have_text("bedrock: a model, paid by the token (the usual one here)")
    page.get_by_label("Budget in USD (optional)").fill("3")
    page.get_by_role("button", name=START).click()
    expect(page.get_by_role("heading", name="0 of 3 papers")).to_be_visible()
    assert shelf.wanted[-1]["budgetUsd"] == 3
    assert "engine" not in shelf.wanted[-1], "who is usual is for the deployment to say"


def test_thirty_files_are_taken_and_two_are_refused_by_name_when_dropped_at_once(page, shelf):
    page.goto(f"{ORIGIN}/#/lab/library")
    expect(page.get_by_text("4 papers")).to_be_visible()
    assert dropped(page, *(f"paper-{number}.pdf" for number in range(28)), "notes.docx", "figure.png") == [True, True]
    expect(page.get_by_text("Failed: only PDF, XML and plain text")).to_have_count(2)
    expect(page.locator(".uploads .done")).to_have_count(28)
    expect(page.get_by_text("32 papers")).to_be_visible()
    picture(page, "thirty-files")
    assert axe.violations(page) == []
    assert shelf.count("/bucket/", "POST") == 28


def test_one_file_fails_by_itself_when_it_is_larger_than_a_file_may_be(page, shelf):
    shelf.limits = {"bytesPerFile": 20}
    page.reload()
    page.goto(f"{ORIGIN}/#/lab/library")
    expect(page.get_by_text("4 papers")).to_be_visible()
    dropped(page, "one.pdf", "a-name-of-more-than-twenty-letters.pdf", "two.pdf")
    expect(page.get_by_text("Failed: larger than a file may be here")).to_have_count(1)
    expect(page.locator(".uploads .done")).to_have_count(2)
    expect(page.locator(".uploads").get_by_role("button", name="Try again")).to_have_count(0)


def test_the_other_name_is_told_when_the_same_bytes_are_dropped_twice(page, shelf):
    page.goto(f"{ORIGIN}/#/lab/library")
    expect(page.get_by_text("4 papers")).to_be_visible()
    dropped(page, "same.pdf", "same.pdf (copy).pdf")
    expect(page.get_by_text("The same file as “same.pdf”")).to_be_visible()
    expect(page.get_by_text("5 papers")).to_be_visible()


def test_a_knowledge_base_is_made_or_left_by_the_keyboard_alone(page, shelf):
    page.goto(f"{ORIGIN}/#/lab/library")
    page.get_by_role("button", name="New knowledge base").press("Enter")
    name = page.get_by_label("Name", exact=True)
    expect(name).to_be_focused()
    page.keyboard.press("Escape")
    expect(name).to_have_count(0)
    page.get_by_role("button", name="New knowledge base").press("Enter")
    page.keyboard.type("Stroke")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Knowledge base")).to_contain_text("Stroke")
    assert shelf.count("/api/v1/pkb/knowledge-bases", "POST") == 1


def test_it_says_how_many_papers_go_when_a_knowledge_base_is_deleted(page, shelf):
    shelf.bases[0]["documentCount"] = 1_000
    page.goto(f"{ORIGIN}/#/lab/library")
    page.get_by_role("button", name="Delete this knowledge base").click()
    expect(page.get_by_text("“Pain” with 1,000 papers?")).to_be_visible()


def test_the_way_from_the_library_leads_to_a_task_over_the_same_papers(page, shelf):
    shelf.bases.append({"knowledgeBaseId": "kb2", "name": "Stroke", "createdAt": NOW})
    page.goto(f"{ORIGIN}/#/lab/library?kb=kb2")
    page.get_by_role("link", name="Extract from these papers").click()
    expect(page.get_by_label("Knowledge base")).to_have_value("kb2")
    page.goto(f"{ORIGIN}/#/lab/new")
    expect(page.get_by_label("Knowledge base")).to_have_value("kb2")


def test_papers_are_ordered_and_several_chosen_for_a_task_or_for_deletion(page, shelf):
    page.goto(f"{ORIGIN}/#/lab/library")
    page.get_by_label("Order").select_option("Unread first")
    expect(page.locator(".papers strong").first).to_have_text("scan.pdf")
    page.get_by_label("Order").select_option("By title")
    expect(page.locator(".papers strong")).to_have_text(["scan.pdf", "Trial 0", "Trial 1", "Trial 2"])
    page.get_by_label("Select Trial 0").check()
    page.get_by_label("Select Trial 2").check()
    picture(page, "library-chosen")
    assert axe.violations(page) == []
    page.get_by_role("link", name="Extract from 2 chosen").click()
    expect(page.get_by_text("2 of 4 selected")).to_be_visible()
    page.go_back()
    page.get_by_role("button", name="Delete the chosen").click()
    page.get_by_role("button", name="Delete", exact=True).last.click()
    expect(page.locator(".papers strong")).to_have_text(["scan.pdf", "Trial 1"])
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".papers li")).to_have_count(4)


def test_the_papers_names_stand_there_at_once_when_a_task_has_been_started(page, shelf):
    page.goto(f"{ORIGIN}/#/lab/new")
    page.get_by_role("button", name="Select all").click()
    shelf.holds = lambda _method, path: path.endswith("/results")
    page.get_by_role("button", name=START).click()
    expect(page.get_by_role("heading", name="0 of 3 papers")).to_be_visible()
    expect(page.locator(".rows strong")).to_have_text(["Trial 0", "Trial 1", "Trial 2"])
    shelf.let_go()


def test_the_counts_are_never_behind_the_rows_beneath_when_a_count_is_old(page, stand_in):
    rows = [stand_in.row("t1", number, "completed" if number < 9 else "pending") for number in range(12)]
    task = stand_in.task("t1", rows, "processing")
    task |= {"completedCount": 2, "extractingCount": 8, "pendingCount": 2, "percent": 16}
    page.goto(f"{ORIGIN}/#/lab/tasks/t1")
    expect(page.get_by_role("heading", name="9 of 12 papers")).to_be_visible()
    expect(page.locator(".counts .completed dd")).to_have_text("9")
    expect(page.locator(".progress-line strong")).to_have_text("75 %")
    assert sum(int(each) for each in page.locator(".counts dd").all_inner_texts()) == 12


def test_a_paper_that_failed_can_be_tried_again_where_it_is_looked_at(table, stand_in):
    table.get_by_text("Failed: The file is encrypted.").first.click()
    panel = table.get_by_role("complementary")
    expect(panel.get_by_role("button", name="Retry 2 failed")).to_be_visible()
    picture(table, "failed-retry")


def test_the_page_stays_when_a_file_is_dropped_where_nothing_takes_it(page, stand_in):
    """A browser left alone opens the file in the page's place."""
    page.goto(f"{ORIGIN}/#/lab/tasks")
    expect(page.get_by_role("heading", name="No tasks yet")).to_be_visible()
    assert dropped(page, "paper.pdf") == [True, True]
    stand_in.role = "viewer"
    page.reload()
    page.goto(f"{ORIGIN}/#/lab/library")
    expect(no_base(page)).to_be_visible()
    assert dropped(page, "paper.pdf") == [True, True]
    assert page.locator(".uploads").count() == 0


def no_base(page):
    return page.get_by_role("heading", name="No knowledge base yet")


def test_no_sample_papers_are_offered_when_the_deployment_has_none(page, stand_in):
    told = PageSettings(
        sign_in={"endpoint": ORIGIN + "/cognito", "clientId": "c"}, bucket_origins=ORIGIN, samples="false"
    )
    stand_in.site = serving.Site.read(SITE, told)
    page.goto(f"{ORIGIN}/#/lab/library")
    with page.expect_response("**/config.json"):
        page.reload()
    expect(no_base(page)).to_be_visible()
    page.wait_for_timeout(300)
    assert page.get_by_role("button", name="Add the sample papers").count() == 0


def test_nothing_is_uploaded_when_a_sample_paper_is_not_given(page, stand_in):
    """A throttle's answer is no paper."""
    page.context.route("**/samples/*.nxml", lambda route: route.fulfill(status=429, body="Too Many Requests"))
    page.goto(f"{ORIGIN}/#/lab/library")
    with page.expect_response("**/samples/*.nxml"):
        page.get_by_role("button", name="Add the sample papers").click()
    page.wait_for_timeout(500)
    assert (stand_in.bases, stand_in.documents) == ([], [])


def test_nothing_is_called_empty_when_the_sample_papers_are_on_their_way(page, stand_in):
    held = []
    page.context.route("**/samples/index.json", lambda route: held.append(route))  # noqa: PLW0108 - Playwright marks it
    page.goto(f"{ORIGIN}/#/lab/library")
    with page.expect_request("**/samples/index.json"):
        page.get_by_role("button", name="Add the sample papers").click()
    page.wait_for_timeout(500)
    assert stand_in.bases == [], "a shelf with nothing to put on it"
    expect(no_base(page)).to_be_visible()
    page.context.unroute("**/samples/index.json")
    held[0].fallback()
    expect(page.locator(".papers .badge").first).to_be_visible()


def test_a_papers_reason_can_be_read_when_one_looks_with_a_phone(shelf, new_context):
    page = opened(shelf, new_context, f"{ORIGIN}/#/lab/library", viewport=PHONE, has_touch=True)
    why = page.get_by_text("It has no text layer.")
    expect(why).to_be_visible()
    picture(page, "phone-library")
    box = why.bounding_box()
    assert box
    assert box["width"] > 200, "not a letter a line"
    assert axe.violations(page) == []


def test_nothing_is_wider_than_a_phone_when_there_are_two_projects_with_long_names(stand_in, new_context):
    stand_in.projects = ["cardiology-systematic-review-2026-northern-centres", "lab"]
    page = opened(stand_in, new_context, f"{ORIGIN}/#/lab/tasks", viewport=PHONE, has_touch=True)
    expect(page.get_by_label("Project")).to_have_value("lab")
    picture(page, "phone-projects")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]
    assert axe.violations(page) == []
    page.get_by_label("Project").select_option(stand_in.projects[0])
    expect(page).to_have_url(re.compile(f"#/{stand_in.projects[0]}/tasks"))


def test_papers_are_found_and_counted_when_the_library_is_searched(page, shelf):
    page.goto(f"{ORIGIN}/#/lab/library")
    expect(page.get_by_text("1 cannot be read")).to_be_visible()
    page.get_by_label("Search papers").fill("author1 2017")
    expect(page.locator(".papers li")).to_have_count(1)
    page.get_by_label("Search papers").fill("nobody")
    expect(page.get_by_text("No paper matches “nobody”.")).to_be_visible()


def test_it_is_said_in_chinese_what_the_api_says_in_english_when_it_is_known(page, shelf):
    page.get_by_role("button", name="中文").click()
    page.goto(f"{ORIGIN}/#/lab/new?template=qc")
    expect(page.get_by_text("结局发生所需的随访时间，注明单位。")).to_be_visible()
    failed = shelf.row("t1", 0, "error", errorClass="content_filtered", errorMessage="The model refused.")
    shelf.task("t1", [failed, shelf.row("t1", 1)])
    page.goto(TABLE)
    expect(page.locator("td.told")).to_contain_text("失败：模型或其内容过滤拒绝了此文献。")


# ---------------------------------------------------------------------- reading


def test_back_closes_the_evidence_and_only_then_leaves_when_one_has_come_from_the_list(page, stand_in):
    """Mutation caught: a step in the browser's history for each value, or none for the panel that lies over all of a phone."""
    stand_in.task("t1", [stand_in.row("t1", number) for number in range(20)])
    # The list that came with the sign-in may be older than the task: it is asked for again by whoever comes to it.
    page.goto(f"{ORIGIN}/#/lab/library")
    page.goto(f"{ORIGIN}/#/lab/tasks")
    page.get_by_role("link", name="Randomised controlled trial").click()
    page.locator("td[data-field=doi]").first.click()
    expect(page.get_by_role("complementary", name="Evidence: DOI")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("complementary")).to_have_count(0)
    expect(page).to_have_url(TABLE)
    page.locator("td[data-field=doi]").first.click()
    page.get_by_role("button", name="Next field").click()
    expect(page.get_by_role("complementary", name="Evidence: Year")).to_be_visible()
    page.get_by_role("button", name="Does not add up").click()
    for _ in range(2):
        page.keyboard.press("Escape")
    expect(page.get_by_role("complementary")).to_have_count(0)
    expect(page).to_have_url(f"{TABLE}?show=doubts")
    page.go_back()
    expect(page.get_by_role("heading", name="Tasks", exact=True)).to_be_visible()


def test_one_value_is_checked_in_paper_after_paper_when_one_goes_down(table):
    table.get_by_role("button", name="Could not be confirmed").click()
    table.locator("td[data-field=year].unsupported").first.click()
    panel = table.get_by_role("complementary", name="Evidence: Year")
    expect(panel.get_by_text("Author3 2017 · paper-3.pdf")).to_be_visible()
    expect(panel.get_by_role("button", name="Previous paper")).to_be_disabled()
    panel.get_by_role("button", name="Next paper").click()
    expect(panel.get_by_text("Author10 2017 · paper-10.pdf")).to_be_visible()
    expect(table).to_have_url(re.compile("row=t1-10"))
    table.keyboard.press("Escape")
    expect(table.locator("[data-cell='1:3']")).to_be_focused()


def test_focus_is_where_one_left_off_when_escape_comes_before_the_next_frame(table):
    """Mutation caught: the cell is remembered in an effect, which waits for a frame."""
    table.get_by_role("button", name="Could not be confirmed").click()
    table.locator("td[data-field=year].unsupported").first.click()
    expect(table.get_by_role("complementary", name="Evidence: Year")).to_be_focused()
    table.evaluate(
        "async () => { const panel = document.querySelector('.evidence');"
        " const drawn = new Promise(done => new MutationObserver(() => panel.textContent.includes('Author10') && done())"
        ".observe(panel, {subtree: true, childList: true, characterData: true}));"
        " panel.querySelector('[aria-label=\"Next paper\"]').click(); await drawn;"
        " dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape'})); }"
    )
    expect(table.locator("[data-cell='1:3']")).to_be_focused()


def test_rows_are_found_by_what_stands_in_them_when_one_looks_for_a_word(table):
    find = table.get_by_label("Find in the table")
    find.fill("author17 nct01234567")
    expect(table.locator("tbody tr:not(.space)")).to_have_count(1)
    expect(table.get_by_text("1 of 60 rows")).to_be_visible()
    table.reload()
    expect(find).to_have_value("author17 nct01234567")
    find.fill("nobody wrote of this")
    table.get_by_role("button", name="Show all rows").click()
    expect(table.get_by_text("60 rows")).to_be_visible()
    expect(find).to_have_value("")


def test_a_study_is_called_by_its_title_when_its_author_is_not_known(page, stand_in):
    rows = [stand_in.row("t1", number) for number in range(3)]
    for row in rows:
        row["extractedData"]["studyId"] = row["summary"]["study"] = None
    titled, doubted, nameless = (row["extractedData"]["fields"] for row in rows)
    titled["title"] = quoted("Duloxetine after surgery", "120 adults")
    doubted["title"] = quoted("A claim of no paper", "nobody wrote this", "not_found")
    nameless["title"] = {"value": None, "state": "not_found", "quote": None, "match": None}
    stand_in.task("t1", rows)
    page.goto(TABLE)
    expect(page.locator("tbody .study")).to_have_text(["Duloxetine after surgery", "paper-1.pdf", "paper-2.pdf"])


def test_the_whole_reason_can_be_read_when_a_failed_row_is_opened_on_a_phone(stand_in, new_context):
    reason = "The provider refused the request. " + "It said why at some length. " * 12
    row = stand_in.row("t1", 0, "error", errorClass="request_refused", errorMessage=reason.strip(), attempts=3)
    stand_in.task("t1", [row])
    page = opened(stand_in, new_context, TABLE, viewport=PHONE, has_touch=True)
    page.locator("td.told").click()
    panel = page.get_by_role("complementary", name="Failed")
    expect(panel.get_by_text(reason.strip())).to_be_visible()
    expect(panel.get_by_text("3 attempts were made.")).to_be_visible()
    expect(panel.get_by_text("We randomly assigned 120 adults")).to_be_visible()
    picture(page, "phone-failed")
    assert axe.violations(page) == []


def test_what_was_never_begun_is_not_called_failed_when_a_task_was_cancelled(page, stand_in):
    stand_in.task("t1", [stand_in.row("t1", 0), stand_in.row("t1", 1, "cancelled")], "cancelled")
    page.goto(TABLE)
    expect(page.get_by_text("Not read: the task was cancelled before its turn came.")).to_be_visible()
    expect(page.get_by_role("button", name="Not read 1")).to_be_visible()
    expect(page.get_by_role("button", name="Read the remaining 1")).to_be_visible()
    assert page.get_by_text("Failed").count() == 0


def test_a_task_whose_retry_read_the_rest_is_done_and_both_go_when_it_is_deleted(page, stand_in):
    """Also one in between, whose rows a later one has read again."""
    for name, parent in (("t2", "t1"), ("t3", "t2")):
        stand_in.task(name, [], retryOf=parent)
    stand_in.task("t1", [stand_in.row("t1", 0), stand_in.row("t3", 1)], "cancelled")
    page.goto(TABLE)
    expect(page.locator(".heading .badge")).to_have_text("Done")
    page.get_by_role("button", name="Delete task").click()
    expect(page.get_by_text("Its retries go with it.")).to_be_visible()
    page.get_by_role("dialog").get_by_role("button", name=re.compile("^Delete")).click()
    expect(page.get_by_role("heading", name="No tasks yet")).to_be_visible()
    assert stand_in.tasks == {}


def test_a_long_value_and_the_way_out_are_in_view_when_all_is_twice_as_large(stand_in, new_context):
    row = stand_in.row("t1", 0)
    row["extractedData"]["fields"]["title"] = quoted("A very long value. " * 60, "NCT01234567")
    stand_in.text = "Line.\n" * 60 + stand_in.text
    row["extractedData"]["fields"]["title"] |= {"start": 360 + stand_in.text[360:].find("NCT"), "end": None}
    row["extractedData"]["fields"]["title"]["end"] = row["extractedData"]["fields"]["title"]["start"] + 11
    stand_in.task("t1", [row])
    page = opened(stand_in, new_context, f"{TABLE}?row=t1-0&field=title", viewport=TWICE)
    expect(page.locator("mark")).to_have_text("NCT01234567")
    picture(page, "twice-as-large")
    expect(page.get_by_role("button", name="Close", exact=True)).to_be_in_viewport()
    expect(page.locator(".evidence-value")).to_be_in_viewport()
    expect(page.get_by_role("grid")).not_to_be_visible()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= TWICE["width"]
    # At its end, where the bar lies over nothing: a button half behind it is small for axe.
    page.locator(".evidence").evaluate("each => each.scrollTo(0, each.scrollHeight)")
    page.wait_for_timeout(200)
    picture(page, "twice-as-large-end")
    assert axe.violations(page) == []


def test_what_the_review_said_stands_by_the_judgement_when_it_hangs_on_it(judged, stand_in):
    """Mutation caught: `judgements.inputs` is not looked at."""
    stand_in.rows["t1"][1]["extractedData"]["judgements"]["inputs"] |= {"mainConfounder": "age at entry"}
    judged.goto(f"{TABLE}?row=t1-1&field=judged.comparability")
    judged.reload()
    panel = judged.get_by_role("complementary", name="Judgement: Comparability")
    expect(panel.locator(".known")).to_have_text("Most important confounderage at entry")
    expect(panel.get_by_text("The most important confounder was controlled for: a yes, b no.")).to_be_visible()
    expect(panel.get_by_role("button", name="Study type")).to_be_visible()
    picture(judged, "judgement-inputs")
    assert axe.violations(judged) == []
    judged.goto(f"{TABLE}?row=t1-1&field=judged.outcome")
    panel = judged.get_by_role("complementary", name="Judgement: Outcome")
    expect(panel.get_by_text("Not said when the task was started: left to the engine.")).to_have_count(2)
    judged.goto(f"{TABLE}?row=t1-1&field=judged.D3")
    panel = judged.get_by_role("complementary", name="Judgement: D3 Missing data")
    expect(panel.get_by_text("by its kind of study it is judged with Newcastle-Ottawa")).to_be_visible()
    expect(panel.locator(".ground")).to_have_count(1)


def test_it_says_what_is_read_from_where_when_a_task_runs(running, stand_in):
    stand_in.bases = [{"knowledgeBaseId": "kb1", "name": "Pain", "createdAt": NOW}]
    running.reload()
    expect(
        running.get_by_text(re.compile("Randomised controlled trial · 12 papers · Pain · 18 Nov 2026"))
    ).to_be_visible()
    running.get_by_role("link", name="Tasks").first.click()
    expect(running.get_by_text(re.compile("12 papers · Pain · 18 Nov 2026"))).to_be_visible()
