"""Try the provider now: by editors, as often as they like, with one call of the provider in so long."""

import pytest

from sheaf.items import provider_gate
from tests.http.front import BUSY, TASKS
from tests.support import model_engines
from tests.support.bench import PROJECT
from tests.support.calls import aws_error
from tests.support.provider import serving

GATE = provider_gate("openai", PROJECT)
HOUR = 3600


@pytest.fixture
def provider():
    with serving() as made:
        yield made


@pytest.fixture
def waiting(bench, front, provider):
    """A task of five papers behind an account that has been refused for three hours."""
    model_engines.configure(bench, provider)
    provider.play("status:402::{}")
    papers = [bench.paper(f"Paper {number}.", f"{number}.txt") for number in range(5)]
    task = front.started(papers, kind="extract_paper", engine="openai")
    for _ in range(3 * HOUR // 300):
        bench.deliver()
        bench.sweep_once()
        bench.pass_time(seconds=300)
    assert bench.gate(GATE).reason == "account"
    assert bench.gate(GATE).shut_until > bench.clock.now + 60_000
    return task


def nudged(bench):
    """What the aggregator does at once when it is told, and a worker when it gets what was sent."""
    for nudge in bench.nudges[-1:]:
        bench.sweep(nudge["task"], seconds=15.4)
    bench.deliver()


def test_rows_go_on_within_seconds_when_the_account_was_mended_and_somebody_asks(bench, front, provider, waiting):
    """The only way out was to delete an item by hand; and then, minutes."""
    provider.play("ok")
    asked_at = bench.clock.now
    answer = front.verb("probe", waiting)
    assert answer.status == 202
    assert answer.body["waiting"]["rows"] == 5
    nudged(bench)
    assert bench.statuses(waiting).count("completed") == 1, "one of them tries"
    bench.pass_time(seconds=1)
    bench.sweep_once()
    bench.deliver()
    assert bench.statuses(waiting) == ["completed"] * 5
    assert bench.clock.now - asked_at < 10_000
    bench.sweep_once()
    assert front.task(waiting)["waiting"] is None


def test_one_call_is_made_when_many_ask_at_once(bench, front, provider, waiting):
    """And nothing of the wait is lost when it is in vain: the next try comes no later than it would have."""
    calls, asked_at = len(provider.calls), bench.clock.now
    wait = bench.gate(GATE).shut_until - asked_at
    for _ in range(5):
        assert front.verb("probe", waiting).status == 202
        nudged(bench)
    assert bench.clock.now < asked_at + 14_900
    assert len(provider.calls) == calls + 1
    assert bench.gate(GATE).shut_until - bench.clock.now <= max(wait, 30 * 60_000)
    bench.clock.now = asked_at + 14_900
    front.verb("probe", waiting)
    nudged(bench)
    assert len(provider.calls) == calls + 1
    bench.clock.now = asked_at + 15_000
    front.verb("probe", waiting)
    nudged(bench)
    assert len(provider.calls) == calls + 2


def test_a_single_row_is_tried_when_it_had_shut_the_gate_itself(bench, front, provider):
    """It has no instant of its own before which nobody may claim it: the gate holds it."""
    model_engines.configure(bench, provider)
    provider.play("status:402::{}")
    task = front.started([bench.paper("A paper.")], kind="extract_paper", engine="openai")
    bench.deliver()
    bench.pass_time(seconds=60)
    bench.deliver()
    assert bench.gate(GATE).state == "shut"
    provider.play("ok")
    bench.pass_time(seconds=12)
    front.verb("probe", task)
    nudged(bench)
    assert bench.statuses(task) == ["completed"]


def test_nothing_is_written_when_a_viewer_asks(bench, front, waiting):
    before = bench.gate(GATE).serialize()
    answer = front.verb("probe", waiting, groups=f"[{PROJECT}:viewer]")
    assert (answer.status, answer.problem) == (403, "forbidden")
    assert bench.gate(GATE).serialize() == before


def test_another_project_s_gate_is_not_touched_when_it_asks(bench, front, waiting):
    before = bench.gate(GATE).serialize()
    assert front.verb("probe", waiting, groups="[other]").problem == "not-found"
    assert bench.gate(GATE).serialize() == before


def test_nothing_is_made_when_the_gate_is_open(bench, front, provider):
    model_engines.configure(bench, provider)
    task = front.started([bench.paper("A paper.")], kind="extract_paper", engine="openai")
    assert front.verb("probe", task).status == 202
    assert bench.gate(GATE) is None


def test_it_is_refused_when_there_is_no_provider_or_nothing_left_to_do(bench, front, provider):
    model_engines.configure(bench, provider)
    rules = front.started([bench.paper("A paper.")], kind="extract_paper")
    assert front.verb("probe", rules).problem == "no-provider"
    task = front.started([bench.paper("A paper.", "b.txt")], kind="extract_paper", engine="openai")
    bench.settle()
    assert front.verb("probe", task).problem == "task-closed"
    assert front.verb("probe", "a" * 20).problem == "not-found"


def test_the_limit_is_told_when_somebody_asks_who_he_is(bench, front):
    assert front.get("/me").body["limits"]["secondsBetweenProbes"] == 15


def test_the_caller_is_told_to_try_again_when_the_gates_do_not_answer(bench, front, waiting):
    with bench.calls.watch() as calls:
        calls.fail("UpdateItem", aws_error(BUSY))
        assert front.post(f"{TASKS}/{waiting}/probe").status == 503
