"""A paper longer than the model's window: read in parts by the real worker, paid for in parts, one row in the end."""

import re
from typing import Any

import pytest

from clinical.papers import Page, Paper, Section
from tests.support import model_engines
from tests.support.model_engines import COST, replies
from tests.support.provider import serving

SMALL: dict[str, Any] = {"window_tokens": 8_000, "output_tokens": 4_000}
"""Beside the instructions that leaves 4,000 characters, which is the least that a part has."""
FILLER = "It was done as it is always done, and nothing else came of it.\n" * 45
RANDOMISED = "We randomised 120 participants to two groups."
ANALYSED, OTHERWISE = "In all 118 participants were analysed.", "All 117 participants were analysed."
REGISTERED = "The trial is registered as NCT01234567."
CITED = "They randomised 99999 participants."


def paper(discussion=REGISTERED):
    """Four pages of 3,000 characters and a list of references; headings stand within the pages."""
    texts = [
        f"Abstract\nA trial of rest.\nMethods\n{RANDOMISED}\n{FILLER}",
        f"More of it.\nResults\n{FILLER}",
        f"{ANALYSED}\n{FILLER}",
        f"Discussion\n{discussion}\n{FILLER}",
        f"References\n1. Author A. {CITED}",
    ]
    places = [("Abstract", 1), ("Methods", 1), ("Results", 2), ("Discussion", 4), ("References", 5)]
    return Paper(
        "pdf",
        tuple(Page(number, text) for number, text in enumerate(texts, 1)),
        tuple(Section(name, name.lower(), page, texts[page - 1].index(name)) for name, page in places),
    )


def reading(call):
    """A model that reports what is before it, with the number of the page that it saw it on."""
    told, form = call.turns[0], call.empty_form

    def find(sentence):
        at = told.find(sentence)
        return at >= 0 and int(re.findall(r"\[page (\d+)", told[:at])[-1])

    for name, value, sentence in (
        ("n_randomised", 120, RANDOMISED),
        ("n_randomised", 99999, CITED),
        ("n_analysed", 118, ANALYSED),
        ("n_analysed", 117, OTHERWISE),
    ):
        if page := find(sentence):
            form[name] = {"state": "found", "value": value, "quote": sentence, "page": page}
    if page := find(REGISTERED):
        entry = {"text": "NCT01234567", "quote": REGISTERED, "page": page}
        form["registration_ids"] = {"state": "found", "value": [entry], "quote": REGISTERED, "page": page}
    return form


engines = pytest.mark.parametrize("engine", model_engines.ENGINES)


@pytest.fixture
def provider():
    with serving() as made:
        made.replies = reading
        yield made


@pytest.fixture
def stack(bench, provider):
    model_engines.configure(bench, provider, **SMALL)
    return bench


def start(bench, engine, made):
    document = bench.paper("A paper.", "paper.pdf", read=made.to_json().encode())
    status, task = bench.post([document], kind="extract_paper", engine=engine)
    assert status == 202, task


def result(bench):
    task = bench.tasks()[0].id
    return bench.http("GET", f"/asl/extraction/results/{task}-0")[1]


@engines
def test_each_field_comes_from_the_part_that_says_it_when_a_paper_is_read_in_parts(stack, provider, engine):
    start(stack, engine, paper())
    stack.deliver()
    row, shown = stack.row(), result(stack)
    assert (row.status, row.attempt) == ("completed", 1)
    found: Any = {name: value for name, value in shown["extractedData"]["fields"].items() if value["state"] == "found"}
    found["registration_ids"] = found["registration_ids"]["value"][0]
    assert {name: (value["value"], value["page"], value["match"]) for name, value in found.items()} == {
        "n_randomised": (120, 1, "exact"),
        "n_analysed": (118, 3, "exact"),
        "registration_ids": ("NCT01234567", 4, "exact"),
    }
    assert len(provider.calls) == 4
    assert row.cost == 4 * COST, "every part is on the row"
    assert shown["extractedData"]["doubts"] == []


@engines
def test_the_abstract_comes_before_each_part_and_the_references_nowhere_when_a_paper_is_read_in_parts(
    stack, provider, engine
):
    start(stack, engine, paper())
    stack.deliver()
    asked = [call.turns[0] for call in provider.calls]
    assert all("A trial of rest." in told for told in asked)
    assert not any(CITED in told for told in asked)
    assert all(len(told) < 4_500 for told in asked)
    assert len({call.system for call in provider.calls}) == 1


def test_both_values_are_on_the_row_with_their_quotes_when_two_parts_disagree(stack, provider):
    start(stack, "openai", paper(OTHERWISE))
    stack.deliver()
    told = result(stack)["extractedData"]
    value = told["fields"]["n_analysed"]
    assert (value["state"], [each["value"] for each in value["evidence"]]) == ("contradictory", [118, 117])
    assert all(str(each["value"]) in each["quote"] for each in value["evidence"])
    assert stack.row().summary["cells"]["contradictory"] == 1


@engines
@pytest.mark.parametrize("part", range(1, 4))
def test_only_the_parts_that_are_missing_are_asked_for_when_a_worker_dies_between_two(stack, provider, engine, part):
    """And the dead attempt's calls are on the row."""
    start(stack, engine, paper())
    looks = []

    def before_the_next_part(operation, arguments):
        if operation == "GetObject" and arguments["Key"].endswith("/usable.json"):
            looks.append(arguments["Key"])
        return len(set(looks)) > part

    with stack.calls.watch() as calls:
        calls.die_when = before_the_next_part
        stack.deliver()
    assert len(provider.calls) == len(replies(stack)) == part
    stack.settle()
    row = stack.row()
    assert (row.status, row.attempt, row.cost) == ("completed", 2, 4 * COST)
    assert len(provider.calls) == 4
    assert result(stack)["extractedData"]["fields"]["registration_ids"]["page"] == 4


@engines
def test_a_paper_is_read_in_halves_when_the_provider_finds_it_too_long(stack, provider, engine):
    """The window was said to be larger than it is."""
    model_engines.configure(stack, provider)
    provider.play("fits:7000")
    start(stack, engine, paper())
    stack.deliver()
    shown = result(stack)["extractedData"]["fields"]
    assert stack.row().status == "completed"
    assert [shown[name]["page"] for name in ("n_randomised", "n_analysed", "registration_ids")] == [1, 3, 4]
    assert len(provider.calls) == 3
    assert stack.row().cost == 2 * COST, "what was refused cost nothing"


def test_a_paper_of_one_page_is_read_in_halves_when_the_provider_finds_it_too_long(stack, provider):
    """A text without form feeds is one page, however long it is."""
    model_engines.configure(stack, provider)
    provider.play("fits:7000")
    text = "\n".join(page.text for page in paper().pages[:4])
    start(stack, "openai", Paper("text", (Page(1, text),)))
    stack.deliver()
    shown = result(stack)["extractedData"]["fields"]
    assert stack.row().status == "completed"
    told = [(shown[name]["value"], shown[name]["match"]) for name in ("n_randomised", "n_analysed")]
    assert told == [(120, "exact"), (118, "exact")]
