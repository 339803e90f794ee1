"""Step 1 on the deployed stack: an empty project, uploads, what it would cost, and one task however often one presses."""

import json

import pytest
from playwright.sync_api import expect

from tests.browser import axe
from tests.browser.conftest import picture
from tests.browser.deployed.conftest import MODEL
from tests.browser.stand_in import SITE
from tests.support.deployed import TASKS
from tests.support.pdfs import paper

pytestmark = [pytest.mark.emulator, pytest.mark.slow]

READ_MS = 120_000
START = "Confirm and start"
TRIAL = "Methods. We randomly assigned {n} adults to duloxetine or placebo in a 1:1 ratio. " * 20


@pytest.fixture
def shelf(project):
    """A knowledge base with three papers that are ready."""
    return project.shelf(*(TRIAL.format(n=number) for number in (120, 121, 122)))


def choose_all(page, project):
    page.goto(project.address("new"))
    page.get_by_role("button", name="Select all").click()
    expect(page.get_by_text("3 of 3 selected")).to_be_visible()


def test_an_empty_project_says_what_to_do_and_reads_the_samples_when_asked(page, project):
    page.goto(project.address("new"))
    expect(page.get_by_role("heading", name="No knowledge base yet")).to_be_visible()
    picture(page, "empty-project")
    assert axe.violations(page) == []
    page.get_by_role("button", name="Add the sample papers").click()
    samples = json.loads((SITE / "samples" / "index.json").read_text())
    shown = page.get_by_role("list", name="Papers").get_by_role("listitem")
    expect(shown).to_have_count(len(samples), timeout=READ_MS)
    expect(page.locator(".papers .badge.ready")).to_have_count(len(samples), timeout=READ_MS)
    picture(page, "samples")
    page.get_by_label("Search papers").fill("spironolactone pathway2")
    expect(shown).to_have_count(1)


def test_what_cannot_be_read_says_why_and_cannot_be_chosen_when_it_is_uploaded(page, project):
    page.goto(project.address("library"))
    page.get_by_label("Name").fill("Scans")
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_role("heading", name="This knowledge base is empty")).to_be_visible()
    picture(page, "empty-library")
    assert axe.violations(page) == []
    files = [
        {"name": "paper.docx", "mimeType": "application/octet-stream", "buffer": b"x"},
        {"name": "scan.pdf", "mimeType": "application/pdf", "buffer": paper("", "", "")},
    ]
    page.locator("input[type=file]").first.set_input_files(files)
    expect(page.get_by_text("Failed: only PDF, XML and plain text")).to_be_visible()
    picture(page, "uploads")
    assert axe.violations(page) == []
    expect(page.locator(".badge.needs_ocr")).to_be_visible(timeout=READ_MS)
    expect(page.locator(".papers .why")).not_to_be_empty()
    page.get_by_role("button", name="Close").click()
    picture(page, "library-scan")
    assert axe.violations(page) == []
    page.goto(project.address("new"))
    expect(page.get_by_label("Select scan.pdf")).to_be_disabled()


def test_files_dropped_anywhere_are_read_when_a_knowledge_base_is_open(page, project, shelf):
    page.goto(project.address("new"))
    expect(page.get_by_label("Select paper-1.txt")).to_be_visible()
    given = page.evaluate_handle(
        "text => { const d = new DataTransfer(); d.items.add(new File([text], 'dropped.txt')); return d; }",
        TRIAL.format(n=7),
    )
    page.dispatch_event("body", "dragover", {"dataTransfer": given})
    expect(page.get_by_text("Drop to add them to “Pain”")).to_be_visible()
    page.dispatch_event("body", "drop", {"dataTransfer": given})
    expect(page.get_by_label("Select dropped.txt")).to_be_enabled(timeout=READ_MS)


def test_it_says_what_it_would_cost_and_takes_a_budget_when_a_model_is_to_read(page, project, shelf, provider):
    choose_all(page, project)
    expect(page.get_by_text("No cost: the built-in rules read it, without a model.")).to_be_visible()
    page.get_by_label("Read by").select_option("openai")
    told = page.locator(".estimate")
    expect(told).to_contain_text(f"read by openai ({MODEL}). Prices of 27 Oct 2026.")
    estimate = project.ask(
        "POST", f"{TASKS}/estimate", {"templateId": "rct", "documentIds": shelf[1], "engine": "openai"}
    )
    tokens = estimate["inputTokens"] + estimate["outputTokens"]
    expect(told).to_contain_text(f"for {estimate['calls']:,} calls, {tokens:,} tokens")
    expect(told).to_contain_text("Estimate: about $0.0")
    budget = page.get_by_label("Budget in USD (optional)")
    budget.fill("five")
    expect(page.get_by_text("A number above 0, at most $1,000,000.00; or nothing.")).to_be_visible()
    expect(page.get_by_role("button", name=START)).to_be_disabled()
    budget.fill("0.001")
    expect(told).to_contain_text("That is more than its budget.")
    picture(page, "estimate")
    assert axe.violations(page) == []
    budget.fill("2.5")
    expect(page.get_by_text("That is more than its budget.")).to_have_count(0)
    page.reload()
    expect(budget).to_have_value("2.5")
    page.get_by_role("button", name=START).click()
    expect(page.get_by_role("grid")).to_be_visible(timeout=READ_MS)
    (task,) = project.tasks()
    assert (task["engine"], task["budgetUsd"]) == ("openai", 2.5)
    assert task["costUsd"] > 0
    expect(page.get_by_text("Read by openai")).to_contain_text(f"{task['tokens']:,} tokens")
    expect(page.get_by_text("Read by openai")).to_contain_text("of $2.50")
    picture(page, "cost")


def test_the_same_task_is_found_when_its_answer_was_lost_and_the_page_loaded_anew(page, project, shelf):
    """The API has opened it and nobody was told. Mutation caught: a new key after a reload, or none kept."""
    choose_all(page, project)
    keys: list[str] = []

    def lose(route):
        if route.request.method != "POST":
            route.continue_()
            return
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) == 1:
            route.fetch()
        route.abort("connectionfailed")

    is_opening = lambda url: url.endswith(TASKS)  # noqa: E731 - Playwright unroutes the very object
    page.context.route(is_opening, lose)
    page.get_by_role("button", name=START).click()
    said = page.get_by_text("It is safe: the task is started once.")
    expect(said).to_be_visible()
    picture(page, "asking-again")
    page.reload()
    expect(said).to_be_visible()
    page.context.unroute(is_opening)
    expect(page.get_by_role("grid")).to_be_visible(timeout=READ_MS)
    assert len(keys) >= 2
    assert len(set(keys)) == 1
    assert len(project.tasks()) == 1


def test_what_was_chosen_is_kept_when_the_page_is_loaded_again(page, project, shelf):
    choose_all(page, project)
    page.reload()
    expect(page.get_by_text("3 of 3 selected")).to_be_visible()
    page.get_by_role("button", name="Select none").click()
    expect(page.get_by_text("Select at least one paper.")).to_be_visible()
    assert page.locator(".estimate").count() == 0
