"""A model asked one question at a time, through the real worker: what is asked, paid, kept, estimated and shown."""

import json

import pytest

from clinical.engines import prompts
from clinical.templates import find
from tests.support import model_engines
from tests.support.model_engines import replies
from tests.support.provider import Raw, serving
from tests.support.recorded import template_of

SAID = "We randomised 120 participants to two groups."
TEXT = f"A trial of rest in adults.\n{SAID}\nIt was done in Spain, and it was open."
FIELDS = ("n_randomised", "n_sites", "masking")
TASKS = "/asl/extraction/tasks"


def answering(call):
    """Knows the number, and finds no sentence for anything else."""
    if call.turns[0].rstrip().endswith("A number.") and "Randomised." in call.turns[0]:
        return Raw(json.dumps({"quote": SAID, "value": 120}))
    value = {"integer": 0, "string": ""}[
        call.body["response_format"]["json_schema"]["schema"]["properties"]["value"]["type"]
    ]
    return Raw(json.dumps({"quote": "", "value": value or "open" if value == "" else 0}))


@pytest.fixture
def provider():
    with serving() as made:
        made.replies = answering
        yield made


@pytest.fixture
def stack(bench, provider):
    model_engines.configure(bench, provider, asks="questions")
    return bench


def wanted(bench):
    return {
        "templateId": template_of(lambda *asked: bench.http(*asked)[1], FIELDS),
        "kind": "extract_paper",
        "engine": "openai",
    }


def row_of(bench, task):
    return bench.http("GET", f"{TASKS}/{task}/results")[1]["results"][0]


def test_each_field_is_a_question_and_the_row_says_how_it_was_asked_and_what_it_cost(stack, provider):
    body = wanted(stack)
    task = stack.post([stack.paper(TEXT)], **body)[1]["taskId"]
    stack.settle()
    data = row_of(stack, task)["extractedData"]
    assert {name: value["state"] for name, value in data["fields"].items()} == {
        "n_randomised": "found",
        "n_sites": "not_found",
        "masking": "not_found",
    }
    assert (
        (data["usage"]["calls"], data["usage"]["asks"])
        == (len(provider.calls), "questions")
        == (len(FIELDS), "questions")
    )
    assert all(call.system == prompts.QUESTION for call in provider.calls)


def test_what_was_answered_is_not_asked_again_when_the_worker_dies_between_two_questions(stack, provider):
    """The replies are kept one by one; the second attempt goes on behind the last."""
    document, body = stack.paper(TEXT), wanted(stack)
    provider.play("ok", "ok", "status 500")
    task = stack.post([document], **body)[1]["taskId"]
    stack.deliver()
    assert len(replies(stack)) == 2
    provider.play("ok")
    asked = len(provider.calls)
    stack.settle()
    assert len(provider.calls) == asked + 1
    data = row_of(stack, task)["extractedData"]
    assert (data["fields"]["n_randomised"]["state"], data["usage"]["reused"]) == ("found", 2)


def test_a_field_whose_reply_never_ends_is_left_and_the_others_are_read(stack, provider):
    def choose(call):
        return "truncated" if "Sites." in call.turns[0] else "ok"

    body = wanted(stack)
    provider.choose = choose
    task = stack.post([stack.paper(TEXT)], **body)[1]["taskId"]
    stack.settle()
    fields = row_of(stack, task)["extractedData"]["fields"]
    assert (fields["n_randomised"]["state"], fields["n_sites"]["state"]) == ("found", "not_attempted")


def test_a_row_fails_when_no_reply_at_all_was_of_use(stack, provider):
    provider.play("truncated")
    task = stack.post([stack.paper(TEXT)], **wanted(stack))[1]["taskId"]
    stack.settle()
    row = row_of(stack, task)
    assert (row["status"], row["errorClass"]) == ("error", "model_fault")


def test_calls_and_tokens_are_told_before_and_are_no_fewer_than_a_long_paper_takes(stack, provider):
    document = stack.paper(f"{TEXT}\n" + "The weather was fair on most of the days. " * 3_000)
    body = wanted(stack)
    told = stack.http("POST", f"{TASKS}/estimate", {**body, "documentIds": [document]})[1]
    assert told["calls"] == 2 * len(FIELDS)
    stack.post([document], **body)
    stack.settle()
    sent = sum(len(call.system) + sum(map(len, call.turns)) for call in provider.calls)
    whole = len(prompts.system(find("rct").fields)) + 126_000
    assert sent / 3.5 <= told["inputTokens"] * len(provider.calls) / told["calls"] * 1.2
    assert sent < whole


def test_a_form_says_how_many_calls_it_will_be(bench, provider):
    model_engines.configure(bench, provider, window_tokens=20_000)
    short, long = bench.paper(TEXT), bench.paper("It was so. " * 20_000, "long.txt")
    body = {"templateId": "rct", "kind": "extract_paper", "engine": "openai"}
    one, more = (
        bench.http("POST", f"{TASKS}/estimate", {**body, "documentIds": [each]})[1]["calls"] for each in (short, long)
    )
    assert one == 1
    assert more > 3
