"""Both model engines through the real worker, against a provider that does what it is told: each error has its class."""

import json
from contextlib import contextmanager

import pytest

from clinical.engines import prompts
from clinical.templates import find
from sheaf.items import provider_gate
from tests.support import model_engines
from tests.support.bench import PROJECT
from tests.support.calls import aws_error
from tests.support.model_engines import COST, gate, replies
from tests.support.provider import Raw, reporting, serving

TEXT = "A trial of rest.\nWe randomised 120 participants to two groups.\fThe registration was NCT01234567."
REPORTING = reporting(n_randomised=(120, "We randomised 120 participants to two groups.", 1))
FIELDS = len(find("rct").fields)

engines = pytest.mark.parametrize("engine", model_engines.ENGINES)


@pytest.fixture
def provider():
    with serving() as made:
        yield made


@pytest.fixture
def stack(bench, provider):
    model_engines.configure(bench, provider)
    return bench


def start(bench, engine, text=TEXT, **more):
    """A task of one paper, delivered once."""
    document = bench.paper(text)
    status, task = bench.post([document], kind="extract_paper", engine=engine, **more)
    assert status == 202, task
    bench.deliver()
    return bench.row()


def again(bench):
    """Wait until the only message is seen again, and deliver it."""
    (held,) = bench.held.values()
    bench.clock.now = max(bench.clock.now, held.visible_at)
    assert bench.deliver() == 1
    return bench.row()


def hidden(bench):
    (held,) = bench.held.values()
    return (held.visible_at - bench.clock.now) / 1000


def result(bench):
    """The only row, as the API shows it."""
    task = bench.tasks()[0].id
    return bench.http("GET", f"/asl/extraction/results/{task}-0")[1]


# ---------------------------------------------------------------------------------------------------- it works


@engines
def test_a_row_is_completed_with_tokens_and_cost_when_a_model_answers(stack, provider, engine):
    provider.replies = REPORTING
    row = start(stack, engine)
    assert (row.status, row.attempt) == ("completed", 1)
    assert (row.cost, row.tokens) == (COST, 1_200)
    shown = result(stack)
    assert shown["engine"] == engine
    assert shown["costUsd"] == pytest.approx(COST / 1e6)
    found = shown["extractedData"]["fields"]["n_randomised"]
    assert (found["value"], found["page"]) == (120, 1)
    assert len(provider.calls) == 1


@engines
def test_instructions_and_form_come_before_the_paper_when_it_is_asked(stack, provider, engine):
    """So that a provider's prefix cache serves the next paper: the system text is the same, byte for byte."""
    start(stack, engine)
    stack.held.clear()
    second = stack.paper("Another paper.", "b.txt")
    assert stack.post([second], kind="extract_paper", engine=engine)[0] == 202
    stack.deliver()
    first, other = provider.calls
    assert first.system == other.system
    assert first.system.startswith(prompts.RULES)
    assert "randomised" not in first.system.partition("- ")[0]
    assert "We randomised 120" in first.turns[0]
    assert "[page 2]" in first.turns[0]


def test_the_schema_is_asked_for_in_openais_own_way_when_it_is_known(stack, provider):
    start(stack, "openai")
    body = provider.calls[0].body
    schema = body["response_format"]["json_schema"]["schema"]
    assert body["response_format"]["json_schema"]["strict"] is True
    assert len(schema["required"]) == FIELDS
    assert schema["additionalProperties"] is False
    assert (body["stream"], body["temperature"], body["max_tokens"]) == (False, 0.0, 4_000)


def test_the_schema_and_the_marks_of_the_cache_go_to_converse_when_bedrock_is_asked(stack, provider):
    start(stack, "bedrock")
    call = provider.calls[0]
    assert call.path == "/model/scripted.converse-v1/converse"
    assert call.body["outputConfig"]["textFormat"]["type"] == "json_schema"
    assert call.body["system"][1] == {"cachePoint": {"type": "default"}}
    assert call.body["inferenceConfig"] == {"maxTokens": 4_000, "temperature": 0.0}


def test_thinking_is_off_when_the_endpoint_is_deepseeks(bench):
    from sheaf.engine_settings import EngineSettings  # noqa: PLC0415
    from sheaf.model_calls.openai import Engine  # noqa: PLC0415

    asked = prompts.first(find("rct").fields, [], 100)
    told = Engine(
        bench.api_world, EngineSettings("openai", "deepseek-flash", url="https://api.deepseek.com/v1"), 1
    ).body(asked, "json_object")
    assert told["thinking"] == {"type": "disabled"}
    assert told["response_format"] == {"type": "json_object"}
    own = EngineSettings("openai", "m", url="http://x", extra={"temperature": None, "seed": 7})
    told = Engine(bench.api_world, own, 1).body(asked, "json_object")
    assert "thinking" not in told
    assert "temperature" not in told
    assert told["seed"] == 7


# ---------------------------------------------------------------------------------------------------- model faults


@engines
@pytest.mark.parametrize("act", ["blank", "missing:doi", "more", "cut:700", "says:[]", "says:I cannot."])
def test_a_fault_is_repaired_when_the_model_is_told_what_was_wrong(stack, provider, engine, act):
    provider.replies = REPORTING
    provider.play(act, "ok")
    row = start(stack, engine)
    assert (row.status, row.cost) == ("completed", 2 * COST)
    assert len(provider.calls) == 2
    assert "That was not accepted" in provider.calls[1].turns[-1]
    assert set(result(stack)["extractedData"]["fields"]) == {field.name for field in find("rct").fields}


@engines
def test_a_reply_of_ten_megabytes_is_cut_off_and_asked_for_again(stack, provider, engine):
    provider.play("huge:10", "ok")
    row = start(stack, engine)
    assert row.status == "completed"
    assert len(provider.calls) == 2
    assert len(provider.calls[1].turns[0]) < 10_000


@engines
def test_it_is_asked_anew_when_the_repair_failed_too(stack, provider, engine):
    provider.play("missing:doi", "blank", "ok")
    assert start(stack, engine).status == "completed"
    first, _, third = provider.calls
    assert third.turns == first.turns


@engines
def test_the_row_ends_with_its_raw_replies_kept_when_three_could_not_be_used(stack, provider, engine):
    provider.play("missing:doi", "blank", "cut:500")
    row = start(stack, engine)
    assert (row.status, row.error_class, row.attempt) == ("error", "model_fault", 1)
    assert row.cost == 3 * COST
    kept = replies(stack)
    assert len(kept) == 3
    assert all(key.startswith(f"replies/p1/{row.document}/") for key in kept)
    assert [each["text"] for key, each in sorted(kept.items())][2] == "{" + kept[max(kept)]["text"][1:]
    assert "We randomised" not in row.error_message


@engines
def test_a_truncated_reply_is_never_used_and_fewer_fields_are_asked_for_at_once(stack, provider, engine):
    provider.replies = REPORTING
    provider.play(f"long:{FIELDS // 2 + 1}")
    row = start(stack, engine)
    assert row.status == "completed"
    assert [len(call.empty_form) for call in provider.calls] == [FIELDS, FIELDS // 2, FIELDS - FIELDS // 2]
    assert len(result(stack)["extractedData"]["fields"]) == FIELDS


@engines
def test_the_row_ends_when_every_reply_is_truncated(stack, provider, engine):
    provider.play("truncated")
    row = start(stack, engine)
    assert (row.status, row.error_class) == ("error", "truncated")
    assert len(provider.calls) == 4


@engines
def test_another_tool_changes_nothing_when_a_model_uses_one(stack, provider, engine):
    if engine == "openai":
        provider.play("stop:tool_calls", "ok")
    else:
        provider.play("tool:send_mail", "ok")
    assert start(stack, engine).status == "completed"
    assert len(provider.calls) == 2


def broken(form):
    """What is JSON to nobody, or to some and not to others: names twice, no number, half a character, no end of depth."""
    told = json.dumps(form)
    quote = '"quote": ""'
    return {
        "a name twice": told[:-1] + ', "doi": ' + json.dumps(form["doi"]) + "}",
        "a name twice within": told.replace(quote, f"{quote}, {quote}", 1),
        "not a number": told.replace('"value": 0', '"value": NaN', 1),
        "infinity": told.replace('"value": 0', '"value": -Infinity', 1),
        "more digits than a number": told.replace('"value": 0', '"value": ' + "9" * 5_000, 1),
        "half a character": told.replace(quote, '"quote": "\\ud83d"', 1),
        "depth": told.replace('"value": 0', '"value": ' + "[" * 100_000 + "]" * 100_000, 1),
        "another type": told.replace('"value": 0', '"value": 1.5', 1),
        "two objects": told + told,
    }


@engines
@pytest.mark.parametrize("kind", broken({"doi": prompts.example(find("rct").fields[0])}))
def test_a_fault_is_repaired_when_the_json_can_be_read_in_two_ways_or_in_none(stack, provider, engine, kind):
    def first_broken(call):
        text = broken(call.empty_form)[kind] if len(provider.calls) == 1 else json.dumps(call.empty_form)
        return Raw(text)

    provider.replies = first_broken
    row = start(stack, engine)
    assert (row.status, row.cost) == ("completed", 2 * COST)
    assert "That was not accepted" in provider.calls[1].turns[-1]


@engines
def test_no_number_is_stored_when_it_is_too_large_to_be_one(stack, provider, engine):
    def huge(call):
        form = call.empty_form
        for name, value in (("n_randomised", "9" * 400), ("female_percent", "1e999")):
            form[name] = {"state": "found", "value": Raw(value), "quote": "We randomised", "page": Raw("9" * 400)}
        return form

    provider.replies = huge
    assert start(stack, engine).status == "completed"
    fields = result(stack)["extractedData"]["fields"]
    assert {fields[name]["state"] for name in ("n_randomised", "female_percent")} == {"not_found"}


def reshaped(provider, **message):
    """The reply's message with these parts, the form's text for "{}"."""

    def shape(told):
        text = told["choices"][0]["message"]["content"]
        told["choices"][0]["message"] |= json.loads(json.dumps(message).replace('"{}"', json.dumps(text)))
        return told

    provider.shape = shape


@pytest.mark.parametrize(
    "message",
    [
        {"reasoning_content": "I will report 99999 participants."},
        {"content": [{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "{}"}]},
        {"tool_calls": []},
        {"refusal": None},
    ],
)
def test_only_the_answer_is_read_when_a_reply_holds_more(stack, provider, message):
    provider.replies = REPORTING
    reshaped(provider, **message)
    assert start(stack, "openai").status == "completed"
    assert len(provider.calls) == 1
    assert result(stack)["extractedData"]["fields"]["n_randomised"]["value"] == 120


def test_thinking_before_the_answer_is_left_out_when_an_endpoint_sends_it_in_one(stack, provider):
    provider.replies = lambda call: Raw(f"<think>Is it {{}}?</think>\n{json.dumps(call.empty_form)}")
    assert start(stack, "openai").status == "completed"
    assert len(provider.calls) == 1


@pytest.mark.parametrize("reason", [None, "eos", ""])
def test_a_whole_form_is_used_when_the_reply_does_not_say_why_it_ended(stack, provider, reason):
    def shape(told):
        told["choices"][0]["finish_reason"] = reason
        return told

    provider.shape = shape
    assert start(stack, "openai").status == "completed"
    assert len(provider.calls) == 1


@pytest.mark.parametrize(
    "usage",
    [
        None,
        [],
        "many",
        {"prompt_tokens": "1000", "completion_tokens": -5, "prompt_tokens_details": "none"},
        {"prompt_tokens": 10**40, "completion_tokens": 1.5, "prompt_tokens_details": {"cached_tokens": True}},
    ],
)
def test_tokens_go_by_size_when_a_reply_says_no_number_of_them(stack, provider, usage):
    """A budget would never be reached otherwise."""
    provider.shape = lambda told: told | {"usage": usage}
    row = start(stack, "openai")
    asked = sum(len(message["content"].encode()) for message in provider.calls[0].body["messages"])
    (kept,) = replies(stack).values()
    read, written = int(asked / 3.5), int(len(kept["text"].encode()) / 3.5)
    assert (row.status, row.tokens, row.cost) == ("completed", read + written, read * 1 + written * 4)
    assert kept["usage"]["input"] == read


def test_a_refusal_is_paid_for_and_kept_when_the_model_will_not_read_the_document(stack, provider):
    reshaped(provider, content=None, refusal="I cannot help with this.")
    row = start(stack, "openai")
    assert (row.status, row.error_class, row.cost) == ("error", "content_filtered", COST)
    assert len(replies(stack)) == 1


@engines
def test_half_a_character_is_replaced_when_a_reply_has_one_and_its_text_can_be_kept(stack, provider, engine):
    provider.replies = lambda _: Raw("\ud83d is no JSON")
    row = start(stack, engine)
    assert (row.status, row.error_class) == ("error", "model_fault")
    assert {told["text"] for told in replies(stack).values()} == {"? is no JSON"}


@engines
def test_a_form_in_a_code_fence_is_read(stack, provider, engine):
    provider.play("fenced")
    assert start(stack, engine).status == "completed"
    assert len(provider.calls) == 1


def written_otherwise(form):
    """The same answers, as models write them that are held to no schema."""
    told = json.dumps(form)
    nothing = {name: {**answer, "value": None, "quote": None, "page": None} for name, answer in form.items()}
    return {
        "words before": f"Here is the form:\n{told}",
        "words around a fence": f"Sure!\n```json\n{told}\n```\nShall I go on?",
        "a fence on the same line": f"```{told}```",
        "a mark of the byte order": f"\ufeff{told}",
        "null for nothing": json.dumps(nothing),
    }


@pytest.mark.parametrize("kind", written_otherwise({}))
def test_a_form_is_read_and_paid_for_once_when_a_model_writes_it_otherwise(stack, provider, kind):
    provider.replies = lambda call: Raw(written_otherwise(call.empty_form)[kind])
    row = start(stack, "openai")
    assert (row.status, row.cost) == ("completed", COST)
    assert {value["state"] for value in result(stack)["extractedData"]["fields"].values()} == {"not_found"}


@pytest.mark.parametrize("part", ["state", "value"])
def test_a_null_is_a_fault_when_it_stands_where_something_is_said(stack, provider, part):
    def reply(call):
        form = REPORTING(call)
        if len(provider.calls) == 1:
            form["n_randomised"] = {**form["n_randomised"], part: None}
        return form

    provider.replies = reply
    row = start(stack, "openai")
    assert (row.status, row.cost) == ("completed", 2 * COST)
    assert f"answer.n_randomised.{part}" in provider.calls[1].turns[-1]


def test_an_entry_of_a_list_is_kept_when_its_quote_is_null(stack, provider):
    def reply(call):
        entry = {"text": "NCT01234567", "quote": None, "page": None}
        told = {"state": "found", "value": [entry], "quote": "", "page": 0}
        return call.empty_form | {"registration_ids": told}

    provider.replies = reply
    start(stack, "openai")
    told = result(stack)["extractedData"]["fields"]["registration_ids"]
    assert len(provider.calls) == 1
    assert (told["value"][0]["value"], told["quote"]) == ("NCT01234567", None)


# ---------------------------------------------------------------------------------------------------- for this document


REFUSED = [
    ("openai", "status:400::{}", "request_refused"),
    ("openai", "status:422::{}", "request_refused"),
    ("openai", "status:413::{}", "too_long"),
    ("openai", 'status:400::{"error": {"code": "context_length_exceeded"}}', "too_long"),
    ("openai", 'status:400::{"error": {"message": "Content Exists Risk"}}', "content_filtered"),
    ("openai", "stop:content_filter", "content_filtered"),
    ("openai", 'status:403::{"error": {"message": "Your input was flagged."}}', "content_filtered"),
    ("openai", 'status:429::{"error": {"message": "Request too large: Limit 30000, Requested 30601."}}', "too_long"),
    ("bedrock", "error:ValidationException:400:The request is wrong", "request_refused"),
    ("bedrock", "error:ValidationException:400:Input is too long for requested model", "too_long"),
    ("bedrock", "stop:content_filtered", "content_filtered"),
    ("bedrock", "stop:guardrail_intervened", "content_filtered"),
    ("bedrock", "stop:model_context_window_exceeded", "too_long"),
]


@pytest.mark.parametrize(("engine", "act", "error_class"), REFUSED)
def test_the_row_ends_at_its_first_attempt_when_the_document_is_refused(stack, provider, engine, act, error_class):
    provider.play(act)
    row = start(stack, engine, "One page only.")
    assert (row.status, row.error_class, row.attempt) == ("error", error_class, 1)
    assert len(provider.calls) == 1
    assert stack.gate(provider_gate(engine, PROJECT)) is None


# ---------------------------------------------------------------------------------------------------- for the account


ACCOUNT = [
    ("openai", "status:401::{}"),
    ("openai", "status:402::{}"),
    ("openai", "status:403::{}"),
    ("openai", "status:404::{}"),
    ("openai", "status:307::{}"),
    ("openai", 'status:429::{"error": {"code": "insufficient_quota"}}'),
    ("openai", 'status:400::{"error": {"message": "Model Not Exist"}}'),
    ("openai", 'status:200::{"error": {"code": 402, "message": "Insufficient credits"}}'),
    ("openai", 'status:200::{"error": {"message": "Insufficient Balance"}}'),
    ("bedrock", "error:ValidationException:400:The provided model identifier is invalid."),
    ("bedrock", "error:AccessDeniedException:403:no"),
    ("bedrock", "error:ResourceNotFoundException:404:no"),
    ("bedrock", "error:UnrecognizedClientException:403:no"),
]


@pytest.mark.parametrize(("engine", "act"), ACCOUNT)
def test_the_gate_is_shut_and_no_try_is_used_when_the_account_is_refused(stack, provider, engine, act):
    """Once may be the paper's fault; the second call in a row that is refused so says that it is the account's."""
    provider.play(act)
    row = start(stack, engine)
    assert (row.status, row.tries) == ("pending", 0)
    assert gate(stack, engine).state is None
    assert gate(stack, engine).failures == 1
    row = again(stack)
    assert (row.status, row.tries) == ("pending", 0)
    shut = gate(stack, engine)
    assert (shut.state, shut.reason) == ("shut", "account")
    other = stack.paper("Another paper.", "b.txt")
    stack.post([other], kind="extract_paper", engine=engine)
    stack.deliver()
    assert len(provider.calls) == 2
    assert stack.all_rows()[1].attempt == 0 or stack.all_rows()[0].attempt == 0


@engines
def test_the_row_is_completed_when_the_account_was_mended(stack, provider, engine):
    provider.play("status:402::{}" if engine == "openai" else "error:AccessDeniedException:403:no")
    start(stack, engine)
    again(stack)
    assert gate(stack, engine).state == "shut"
    provider.play("ok")
    row = again(stack)
    assert (row.status, row.tries) == ("pending", 0), "it lets another try first, for half a minute"
    row = again(stack)
    assert (row.status, row.tries) == ("completed", 1)
    opened = gate(stack, engine)
    assert opened.state == "open"
    assert not opened.since
    assert not opened.prober


# ---------------------------------------------------------------------------------------------------- throttled


THROTTLED = [
    ("openai", "status:429::{}"),
    ("openai", 'status:200::{"error": {"code": "429", "message": "Rate limited upstream"}}'),
    ("bedrock", "error:ThrottlingException:429:slow down"),
    ("bedrock", "error:ServiceQuotaExceededException:400:too many tokens"),
    ("bedrock", "error:ModelNotReadyException:429:not yet"),
]


@pytest.mark.parametrize(("engine", "act"), THROTTLED)
def test_no_try_is_used_when_the_provider_throttles(stack, provider, engine, act):
    provider.play(act)
    row = start(stack, engine)
    assert (row.status, row.tries, row.cost) == ("pending", 0, None)
    assert gate(stack, engine).reason == "throttled"
    for _ in range(8):
        row = again(stack)
    assert (row.status, row.tries) == ("pending", 0)
    provider.play("ok")
    assert again(stack).status == "completed"


def test_retry_after_is_obeyed_when_it_is_longer_than_ours(stack, provider):
    provider.play("status:429:600:{}")
    start(stack, "openai")
    assert 600 <= hidden(stack) <= 1_000
    assert gate(stack, "openai").shut_until - stack.clock.now == pytest.approx(600_000, abs=10)


def test_nobody_waits_a_year_when_retry_after_says_so(stack, provider):
    provider.play("status:429:31536000:{}")
    start(stack, "openai")
    assert hidden(stack) <= 3_600 * 1.5 + 10


@pytest.mark.parametrize("after", ["Wed, 21 Oct 2026 07:28:00 GMT", "nan", "-5", ""])
def test_the_own_wait_holds_when_retry_after_is_no_number(stack, provider, after):
    provider.play(f"status:429:{after.replace(':', ' ')}:{{}}")
    start(stack, "openai")
    assert 15 <= hidden(stack) <= 30


@contextmanager
def deaf_gate(bench):
    """No change of a provider's gate is taken."""

    def answer(client, operation, arguments):
        if arguments["Key"].get("gate", {}).get("S", "").startswith("provider/"):
            raise aws_error("ThrottlingException")
        return bench.calls.answer(client, operation, arguments)

    with bench.calls.watch() as calls:
        calls.instead["UpdateItem"] = answer
        yield


@pytest.mark.parametrize("act", ["status:429::{}", "status:402::{}"])
def test_no_try_is_used_when_the_gate_cannot_be_told_that_the_provider_refused(stack, provider, act):
    """Found by the simulation: the gate's table did not answer, and the row paid for it."""
    provider.play(act)
    with deaf_gate(stack):
        row = start(stack, "openai")
    assert (row.status, row.tries, row.error_class) == ("pending", 0, None)
    assert stack.gate(provider_gate("openai", PROJECT)) is None
    provider.play("ok")
    assert again(stack).status == "completed"


def test_a_row_is_completed_when_the_gate_cannot_be_told_that_it_was_answered(stack, provider):
    provider.play("status:429::{}")
    start(stack, "openai")
    provider.play("ok")
    (held,) = stack.held.values()
    stack.clock.now = max(held.visible_at, gate(stack, "openai").shut_until)
    opened = stack.calls.answer

    def answer(client, operation, arguments):
        if "reopened_at" in arguments["ExpressionAttributeNames"].values():
            raise aws_error("ThrottlingException")
        return opened(client, operation, arguments)

    with stack.calls.watch() as calls:
        calls.instead["UpdateItem"] = answer
        assert stack.deliver() == 1
    assert stack.row().status == "completed"
    assert len(replies(stack)) == 1
    assert gate(stack, "openai").state == "shut"
    assert gate(stack, "openai").prober is None


def test_no_try_is_used_when_the_gate_gives_no_turn(stack, provider):
    """Found likewise: no turn was to be had, and that was called a defect."""
    model_engines.configure(stack, provider, calls_per_minute=60)
    with deaf_gate(stack):
        row = start(stack, "openai")
    assert (row.status, row.tries) == ("pending", 0)
    assert provider.calls == []
    assert again(stack).status == "completed"


# ---------------------------------------------------------------------------------------------------- transient


TRANSIENT = [
    ("openai", "status:500::{}"),
    ("openai", "status:503::{}"),
    ("openai", "status:408::{}"),
    ("openai", "reset"),
    ("openai", "half"),
    ("openai", "stop:insufficient_system_resource"),
    ("openai", "stop:error"),
    ("openai", "lines:3:0:nothing"),
    ("openai", "status:200::<html>Welcome</html>"),
    ("openai", "status:200::{}"),
    ("openai", "status:200::[]"),
    ("openai", 'status:200::{"choices": []}'),
    ("openai", 'status:200::{"choices": [{"message": null}]}'),
    ("openai", 'status:200::{"error": "upstream failed"}'),
    ("openai", "status:202::"),
    ("bedrock", "half"),
    ("bedrock", "status:200::<html>Welcome</html>"),
    ("bedrock", "status:200::{}"),
    ("bedrock", "error:ModelStreamErrorException:424:no"),
    ("bedrock", "error:ServiceUnavailableException:503:no"),
    ("bedrock", "error:InternalServerException:500:no"),
    ("bedrock", "error:ModelTimeoutException:408:no"),
    ("bedrock", "error:ModelErrorException:424:no"),
    ("bedrock", "reset"),
]


@pytest.mark.parametrize(("engine", "act"), TRANSIENT)
def test_a_try_is_used_and_one_request_made_when_the_provider_fails(stack, provider, engine, act):
    """One request: the SDK's own retries are off, the queue decides."""
    provider.play(act)
    row = start(stack, engine)
    assert (row.status, row.tries) == ("pending", 1)
    assert len(provider.calls) == 1
    provider.play("ok")
    assert again(stack).status == "completed"


def test_the_row_waits_as_long_as_it_was_asked_to_when_a_provider_that_is_down_says_when(stack, provider):
    provider.play("status:503:200:{}")
    row = start(stack, "openai")
    assert (row.status, row.tries) == ("pending", 1)
    assert 200 <= hidden(stack) <= 210


def test_what_was_paid_is_on_the_row_when_the_provider_ran_out_of_room_in_its_answer(stack, provider):
    provider.play("stop:insufficient_system_resource", "ok")
    assert start(stack, "openai").cost == COST
    assert again(stack).cost == 2 * COST


@engines
def test_the_call_is_given_up_before_the_work_must_stop_when_the_provider_hangs(stack, provider, engine):
    model_engines.configure(stack, provider, call_seconds=1)
    provider.play("hang:4")
    row = start(stack, engine)
    assert (row.status, row.tries) == ("pending", 1)


def test_a_second_model_error_ends_the_row_when_it_is_this_document(stack, provider):
    provider.play("error:ModelErrorException:424:no")
    start(stack, "bedrock")
    row = again(stack)
    assert (row.status, row.error_class) == ("error", "model_error")


def test_a_reply_is_read_when_empty_lines_keep_the_connection(stack, provider):
    provider.play("lines:40:0.01")
    assert start(stack, "openai").status == "completed"
    assert len(provider.calls) == 1


def test_empty_lines_end_in_a_time_out_when_no_reply_follows(stack, provider):
    model_engines.configure(stack, provider, call_seconds=1)
    provider.play("lines:40:0.1")
    row = start(stack, "openai")
    assert (row.status, row.tries) == ("pending", 1)


@engines
def test_the_gate_is_shut_when_three_calls_in_a_row_failed(stack, provider, engine):
    provider.play("status:503::{}" if engine == "openai" else "error:ServiceUnavailableException:503:no")
    start(stack, engine)
    again(stack)
    row = again(stack)
    shut = gate(stack, engine)
    assert (shut.state, shut.reason) == ("shut", "unavailable")
    assert row.tries == 2, "the third is the provider's fault, not the row's"
    for _ in range(5):
        row = again(stack)
    assert (row.status, row.tries) == ("pending", 2)
    provider.play("ok")
    assert again(stack).status == "completed"


@engines
def test_the_row_of_failures_is_broken_when_a_call_is_answered(stack, provider, engine):
    bad = "status:503::{}" if engine == "openai" else "error:ServiceUnavailableException:503:no"
    provider.play(bad, bad, "ok")
    start(stack, engine)
    again(stack)
    assert again(stack).status == "completed"
    assert gate(stack, engine).failures is None


# ---------------------------------------------------------------------------------------------------- ways of asking


def another(bench, text="Another paper.", name="b.txt", **more):
    """Another task of one paper, delivered once."""
    document = bench.paper(text, name)
    assert bench.post([document], kind="extract_paper", engine="openai", **more)[0] == 202
    bench.deliver()


def formats(provider):
    return [call.body["response_format"]["type"] for call in provider.calls]


def test_the_plainer_way_is_taken_once_and_remembered_when_json_schema_is_refused(stack, provider):
    """DeepSeek's 400, or llama.cpp's 500: one call is lost over it in a day and process."""
    provider.play("no_schema:400")
    assert start(stack, "openai").status == "completed"
    assert formats(provider) == ["json_schema", "json_object"]
    another(stack)
    assert formats(provider)[2:] == ["json_object"]
    assert "json" in provider.calls[2].system.lower()


def test_the_stricter_way_is_tried_again_when_a_day_has_passed(stack, provider):
    """Mutation caught: a memory that never lapses."""
    provider.play("no_schema:400")
    start(stack, "openai")
    provider.play("ok")
    stack.pass_time(hours=23.9)
    another(stack)
    stack.pass_time(hours=0.2)
    another(stack, "A third one.", "c.txt")
    assert formats(provider)[2:] == ["json_object", "json_schema"]


def test_a_plainer_way_is_not_remembered_when_it_was_not_answered_either(stack, provider):
    """One strange answer would cost every later document the schema."""
    provider.play('status:400::{"error": {"message": "schema"}}', "status:400::{}", "ok")
    assert start(stack, "openai").error_class == "request_refused"
    another(stack)
    assert formats(provider)[2:] == ["json_schema"]


@engines
def test_a_model_is_asked_without_a_temperature_when_it_refuses_one(stack, provider, engine):
    """Newer models refuse the name itself; and it is remembered as the dialect is."""
    provider.choose = _no_temperature
    assert start(stack, engine).status == "completed"
    assert [_has_temperature(call) for call in provider.calls] == [True, False]
    stack.post([stack.paper("Another paper.", "b.txt")], kind="extract_paper", engine=engine)
    stack.deliver()
    assert [_has_temperature(call) for call in provider.calls[2:]] == [False]


def _has_temperature(call):
    return "temperature" in (call.body["inferenceConfig"] if call.is_converse else call.body)


def _no_temperature(call):
    if not _has_temperature(call):
        return "ok"
    words = "`temperature` is deprecated for this model."
    told = json.dumps({"error": {"message": words}})
    return f"error:ValidationException:400:{words}" if call.is_converse else f"status:400::{told}"


def test_the_row_ends_when_the_operator_insists_on_the_temperature_that_is_refused(stack, provider):
    model_engines.configure(stack, provider, extra={"temperature": 0.2})
    provider.choose = _no_temperature
    row = start(stack, "openai")
    assert (row.status, row.error_class) == ("error", "request_refused")
    assert "temperature" in row.error_message
    assert len(provider.calls) == 2


def test_a_tool_is_given_when_converse_knows_no_schema(stack, provider):
    provider.play("error:ValidationException:400:outputConfig is not supported by this model", "ok")
    assert start(stack, "bedrock").status == "completed"
    tool = provider.calls[1].body["toolConfig"]
    assert tool["tools"][0]["toolSpec"]["strict"] is True
    assert tool["toolChoice"] == {"tool": {"name": "fill_in"}}


def test_every_way_is_tried_and_the_row_completed_when_converse_knows_no_tool_either(stack, provider):
    provider.play("no_schema:400")
    assert start(stack, "bedrock").status == "completed"
    assert len(provider.calls) == 4
    assert "cachePoint" not in str(provider.calls[3].body)
