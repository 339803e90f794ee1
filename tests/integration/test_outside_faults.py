"""A fault at each call to the outside, and what is answered then: the status, the tries, the stored words."""

from typing import Any

import pytest

from sheaf.items import ProviderGate, provider_gate
from tests.support import model_engines
from tests.support.bench import PROJECT, TASKS
from tests.support.calls import aws_error
from tests.support.clients import client
from tests.support.items import SECOND
from tests.support.model_engines import COST
from tests.support.provider import serving
from tests.support.uploads import uploaded

BUSY = "ThrottlingException"
TRIES = 4


@pytest.fixture
def provider():
    with serving() as made:
        yield made


@pytest.fixture
def stack(bench, provider):
    model_engines.configure(bench, provider)
    return bench


def asked(bench, **more: Any) -> str:
    """A task of one paper for a model; its message is still to be delivered."""
    status, task = bench.post([bench.paper("A paper.")], kind="extract_paper", engine="openai", **more)
    assert status == 202, task
    return str(task["taskId"])


def failing(bench, operation: str, when=lambda _arguments: True, error=None):
    """In AWS's place: an answer for one operation that fails for some of its calls."""

    def answer(client: Any, name: str, arguments: dict[str, Any]) -> Any:
        if when(arguments):
            raise error or aws_error(BUSY)
        return bench.calls.answer(client, name, arguments)

    return {operation: answer}


def of_provider(arguments) -> bool:
    return str(arguments["Key"].get("gate", {}).get("S", "")).startswith("provider/")


def of_reply(arguments) -> bool:
    return str(arguments["Key"]).startswith("replies/")


def of_text(arguments) -> bool:
    return str(arguments["Key"]).startswith(("texts/", "documents/"))


# ---------------------------------------------------------------------------------------------------- a row's work

GONE = aws_error("NoSuchKey", 404)
FAULTS = {
    "the gate cannot be told of a failure": ("status:503::{}", "UpdateItem", of_provider, None, ("pending", 1, None)),
    "the gate cannot be told of throttling": ("status:429::{}", "UpdateItem", of_provider, None, ("pending", 0, None)),
    "the gate cannot be told of an answer": ("ok", "UpdateItem", of_provider, None, ("completed", 1, None)),
    "a reply cannot be looked for": ("ok", "GetObject", of_reply, None, ("pending", 1, None)),
    "a reply cannot be kept": ("ok", "PutObject", of_reply, None, ("completed", 1, None)),
    "the paper cannot be read now": ("ok", "GetObject", of_text, None, ("pending", 1, None)),
    "the paper is gone": ("ok", "GetObject", of_text, GONE, ("error", 1, "document_gone")),
    "the message cannot be hidden": ("status:503::{}", "ChangeMessageVisibility", None, None, ("pending", 1, None)),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_row_is_left_as_told_when(stack, provider, name):
    """One failure while the gates' table is busy is the row's, not the end of the provider for all."""
    act, operation, when, error, expected = FAULTS[name]
    provider.play(act)
    asked(stack)
    with stack.calls.watch() as calls:
        calls.instead.update(failing(stack, operation, when or (lambda _arguments: True), error))
        stack.deliver()
    row = stack.row()
    assert (row.status, row.tries, row.error_class) == expected
    found = stack.gate(provider_gate("openai", PROJECT))
    assert found is None or found.state != "shut"
    assert bool(stack.held) is (row.status == "pending")


def test_a_row_keeps_what_it_cost_when_a_defect_ends_its_last_try(stack, provider):
    """What was asked is paid for, whatever became of it: mutation caught: a defect's cost is left out at the end."""
    stack.tolerated = (KeyError,)
    asked(stack)
    for _ in range(TRIES):
        with stack.calls.watch() as calls:
            calls.instead.update(failing(stack, "PutObject", of_reply, KeyError("x")))
            stack.deliver()
        stack.pass_time(hours=1)
    row = stack.row()
    assert (row.status, row.error_class, row.cost, row.tokens) == (
        "error",
        "attempts_spent",
        TRIES * COST,
        TRIES * 1_200,
    )


@pytest.mark.parametrize(("over", "status"), [(-1e-6, 202), (0, 409), (1e-6, 409)])
def test_a_retry_is_opened_only_when_something_of_its_budget_is_left(stack, provider, over, status):
    """Exactly nothing is nothing."""
    provider.play("truncated")
    task = asked(stack)
    stack.settle()
    found = stack.task(task)
    assert found.cost
    found.budget = found.cost - round(over * 1e6)
    stack.put(found)
    assert stack.http("POST", f"{TASKS}/{task}/retry", {})[0] == status


# ---------------------------------------------------------------------------------------------------- the sweep


@pytest.mark.parametrize(("tasks_gate", "providers"), [(9, 5), (5, 9), (9, None), (None, 9)])
def test_a_row_is_sent_again_once_when_a_gate_opened_by_a_clock_ahead_of_ours(stack, tasks_gate, providers):
    """Whichever of the two opened last: stamped before that opening, it would be sent again in every pass."""
    task = asked(stack)
    stack.held.clear()
    now = stack.clock.now
    if tasks_gate is not None:
        found = stack.task(task)
        found.pauses = [now, now + tasks_gate * SECOND]
        stack.put(found)
    if providers is not None:
        gate = provider_gate("openai", PROJECT)
        stack.put(ProviderGate(gate=gate, state="open", opened_at=now + providers * SECOND))
    opened_at = stack.clock.now + 9 * SECOND
    for _ in range(3):
        stack.sweep_once()
    assert len(stack.held) == 1
    assert stack.row().sent_at >= opened_at


# ---------------------------------------------------------------------------------------------------- the API


def test_a_text_is_not_found_when_it_was_erased(bench, base):
    """404 with words, not 500 and an alarm: of a document and of a row."""
    document = uploaded(bench, base)
    bench.take_in()
    task = bench.open([document])
    bench.settle()
    with bench.calls.unwatched():
        for found in client("s3").list_object_versions(Bucket="databucket", Prefix="texts/")["Versions"]:
            client("s3").delete_object(Bucket="databucket", Key=found["Key"], VersionId=found["VersionId"])
    for path in (f"/pkb/documents/{document}/text", f"/asl/extraction/results/{task}-0/text"):
        status, problem = bench.http("GET", path)
        assert (status, problem["detail"]) == (404, "The text was erased.")


VERBS = [("POST", "pause", 202), ("POST", "cancel", 202), ("DELETE", "", 204)]


@pytest.mark.parametrize(("method", "verb", "status"), VERBS)
def test_what_was_asked_of_a_task_holds_when_nobody_could_be_told(bench, method, verb, status):
    """The task itself is the truth; the sweep and the janitor's round find it."""
    task = bench.probes("ok")
    if method == "DELETE":
        bench.settle("probe")
    with bench.calls.watch() as calls:
        calls.instead.update(failing(bench, "Invoke", lambda _arguments: True))
        assert bench.http(method, f"{TASKS}/{task}/{verb}".rstrip("/"))[0] == status
    found = bench.task(task)
    assert [found.gate == "paused", found.gate == "cancelled"].count(True) == 1


def test_a_document_is_read_again_when_its_message_could_not_be_sent(bench, base):
    document = uploaded(bench, base, b"\x00\x01")
    bench.take_in()
    with bench.calls.watch() as calls:
        calls.fail("SendMessageBatch", aws_error(BUSY), times=9)
        status, shown = bench.http("POST", f"/pkb/documents/{document}/reread")
    assert (status, shown["status"]) == (202, "reading")
    bench.pass_time(minutes=3)
    bench.sweep_once()
    assert bench.queued("intake")


CLOSED = [
    ({"status": "completed", "completed_at": 1}, "is completed"),
    ({"status": "cancelled", "completed_at": 1, "gate": "cancelled"}, "is cancelled"),
    ({"gate": "cancelled"}, "is being cancelled"),
]


@pytest.mark.parametrize(
    ("told", "words", "verb"),
    [(told, words, verb) for told, words in CLOSED for verb in ("pause", "resume", "cancel")][:-1],
)
def test_a_refusal_names_the_state_that_the_task_is_in(bench, told, words, verb):
    """One that was cancelled long ago is not being cancelled."""
    task = bench.probes("ok")
    found = bench.task(task)
    for name, value in told.items():
        setattr(found, name, value)
    bench.put(found)
    status, problem = bench.http("POST", f"{TASKS}/{task}/{verb}")
    assert (status, problem["detail"]) == (409, f"The task {words}; that cannot be changed any more.")
