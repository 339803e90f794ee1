"""What a row cost, what its task cost, what it may cost, and what is not paid for twice."""

from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from clinical.templates import find
from sheaf.model_calls import stored_replies
from sheaf.outside import wiring
from sheaf.outside.store import Refused
from sheaf.protocol import lifecycle, spending
from sheaf.protocol.leases import Bid
from sheaf.protocol.lifecycle import Spent
from tests.support import model_engines
from tests.support.calls import Killed
from tests.support.items import a_task
from tests.support.model_engines import COST
from tests.support.provider import serving

CEILING = 50
TASKS = "/asl/extraction/tasks"
USD = COST / 1e6


@pytest.fixture
def provider():
    with serving() as made:
        yield made


@pytest.fixture
def stack(bench, provider):
    model_engines.configure(bench, provider)
    return bench


def opened(bench, count=1, **more):
    documents = [bench.paper(f"Paper number {number}.", f"{number}.txt") for number in range(count)]
    status, task = bench.post(documents, kind="extract_paper", engine="openai", **more)
    assert status == 202, task
    return str(task["taskId"]), documents


def shown(bench, task):
    return bench.http("GET", f"{TASKS}/{task}")[1]


def test_a_tasks_cost_is_its_rows_cost_when_it_is_closed(stack):
    task, _ = opened(stack, 3)
    stack.settle()
    told = shown(stack, task)
    assert told["costUsd"] == pytest.approx(3 * USD)
    assert told["tokens"] == 3 * 1_200
    assert told["engine"] == "openai"
    stack.pass_time(hours=1)
    assert shown(stack, task)["costUsd"] == told["costUsd"]


def test_no_cost_is_said_when_the_models_price_is_not_known(stack, provider):
    model_engines.configure(stack, provider, price="")
    task, documents = opened(stack)
    stack.settle()
    told = shown(stack, task)
    assert (told["costUsd"], told["tokens"]) == (None, 1_200)
    status, problem = stack.post(documents, kind="extract_paper", engine="openai", budgetUsd=1)
    assert (status, problem["field"]) == (400, "budgetUsd")


def test_the_rules_cost_nothing_and_take_no_budget(stack):
    document = stack.paper("A paper.")
    status, problem = stack.post([document], kind="extract_paper", budgetUsd=1)
    assert (status, problem["field"]) == (400, "budgetUsd")
    assert stack.post([document], kind="extract_paper", engine="gpt")[1]["field"] == "engine"


@pytest.mark.parametrize("budget", [0, -1, "1", True, 1e12])
def test_a_budget_is_refused_when_it_is_no_amount(stack, budget):
    status, problem = stack.post([stack.paper("A.")], kind="extract_paper", engine="openai", budgetUsd=budget)
    assert (status, problem["field"]) == (400, "budgetUsd")


def test_nothing_more_starts_when_the_budget_is_reached_until_it_is_raised(stack, provider):
    task, _ = opened(stack, 6, budgetUsd=2 * USD)
    stack.deliver(limit=2)
    stack.sweep_once()
    told = shown(stack, task)
    assert (told["budgetReached"], told["status"]) == (True, "processing")
    stack.deliver()
    assert len(provider.calls) == 2
    stack.pass_time(hours=300)
    stack.sweep_once()
    assert stack.statuses(task).count("error") == 0, "waiting for money is no deadline"
    assert stack.http("POST", f"{TASKS}/{task}/resume")[1]["type"] == "urn:sheaf:problem:budget-reached"
    status, told = stack.http("POST", f"{TASKS}/{task}/budget", {"budgetUsd": 1})
    assert (status, told["budgetReached"], told["budgetUsd"]) == (202, False, 1)
    stack.settle()
    assert stack.statuses(task) == ["completed"] * 6


def test_a_budget_is_reached_when_the_provider_says_no_tokens(stack, provider):
    provider.shape = lambda told: {name: part for name, part in told.items() if name != "usage"}
    task, _ = opened(stack, 3, budgetUsd=0.000001)
    stack.deliver(limit=1)
    stack.sweep_once()
    told = shown(stack, task)
    assert told["budgetReached"] is True
    assert told["costUsd"] > 0


def test_a_budget_that_is_not_above_the_cost_opens_nothing_when_it_is_set(stack):
    task, _ = opened(stack, 4, budgetUsd=USD)
    stack.deliver(limit=2)
    stack.sweep_once()
    assert stack.http("POST", f"{TASKS}/{task}/budget", {"budgetUsd": 2 * USD})[1]["budgetReached"] is True
    assert stack.http("POST", f"{TASKS}/{task}/budget", {"budgetUsd": None})[1]["budgetReached"] is False
    assert shown(stack, task)["budgetUsd"] == CEILING


# ---------------------------------------------------------------------------------------------------- ceilings


def limit(bench, **told):
    """Other limits, for every function that has them."""
    for name, world in bench.worlds.items():
        known = {key: value for key, value in told.items() if hasattr(world.settings, key)}
        bench.worlds[name] = replace(world, settings=replace(world.settings, **known))
        if type(world.settings) in wiring.worlds:
            wiring.worlds[type(world.settings)] = bench.worlds[name]


def played(bench, task, *, workers, row_ms):
    """Rows begun whenever the gate is open and a worker is free, a look each second, until nothing moves. What it cost."""
    running: list[tuple[int, Any]] = []
    for _ in range(250):
        for until, row in list(running):
            if bench.clock.now >= until:
                lifecycle.complete(
                    bench.worker_world(),
                    row,
                    data_key="k",
                    summary={},
                    now=bench.clock.now,
                    spent=Spent(int(COST), 1_200),
                )
                running.remove((until, row))
        gate = bench.task(task).gate
        waiting = [row for row in bench.rows(task) if row.status == "pending"]
        if len(running) < workers and waiting and gate == "open":
            key = {"shard": waiting[0].shard, "row": waiting[0].row}
            lease = bench.clock.now + 300_000
            row = lifecycle.claim(bench.worker_world(), key, Bid("t", lease, 4, bench.clock.now))
            running.append((bench.clock.now + row_ms, row))
        bench.sweep_once()
        item = bench.task(task)
        if not running and item.gate == "budget" and (item.cost or 0) >= item.budget:
            break
    return sum(row.cost or 0 for row in bench.rows(task)) / COST


@pytest.mark.parametrize(
    ("estimate", "workers", "rows", "most"),
    [(int(COST), 10, 14.5, 15), (None, 3, 4.5, 5), (int(COST) // 4, 3, 4.5, 6)],
    ids=["as estimated", "far too high", "too low"],
)
def test_a_budget_is_passed_by_what_starts_between_two_looks_when_several_work_at_once(
    stack, estimate, workers, rows, most
):
    """One start a look: of fourteen and a half rows' worth fifteen are paid. An estimate that is too low is learnt from the first ends.

    Mutation caught: counting what has ended only, by which it was up to ten more.
    """
    task, _ = opened(stack, int(rows) + workers + 1, budgetUsd=rows * USD)
    if estimate is not None:
        item = stack.task(task)
        item.row_cost = estimate
        stack.put(item)
    assert rows <= played(stack, task, workers=workers, row_ms=1_200 * workers) <= most
    assert shown(stack, task)["budgetReached"] is True


def test_a_task_that_names_no_budget_may_cost_the_most_that_a_task_may(stack):
    task, documents = opened(stack)
    assert shown(stack, task)["budgetUsd"] == CEILING
    status, problem = stack.post(documents, kind="extract_paper", engine="openai", budgetUsd=CEILING + 1)
    assert (status, problem["field"]) == (400, "budgetUsd")
    assert "50" in problem["reason"]
    status, problem = stack.http("POST", f"{TASKS}/{task}/budget", {"budgetUsd": CEILING + 1})
    assert (status, problem["field"]) == (400, "budgetUsd")


def test_a_project_stops_at_its_days_ceiling_and_goes_on_the_next_day(stack, provider):
    """Over all its tasks; no new one is opened; a higher budget of one of them opens nothing."""
    limit(stack, max_usd_per_project_and_day=3 * USD)
    first, documents = opened(stack, 3)
    second, _ = opened(stack, 3, fresh=True)
    stack.deliver(limit=4)
    stack.sweep_once()
    told = shown(stack, second)
    assert (told["notMoving"]["reason"], told["budgetReached"]) == ("project_budget", False)
    stack.deliver()
    assert len(provider.calls) == 4
    status, problem = stack.post(documents, kind="extract_paper", engine="openai", key="new")
    assert (status, problem["type"].rpartition(":")[2]) == (429, "too-much")
    assert stack.http("POST", f"{TASKS}/{second}/budget", {"budgetUsd": CEILING})[0] == 202
    assert stack.task(second).gate == "budget"
    assert stack.http("POST", f"{TASKS}/{second}/resume")[0] == 409
    stack.pass_time(hours=24)
    stack.settle()
    assert stack.statuses(second) == ["completed"] * 3
    assert len(provider.calls) == 6
    assert shown(stack, first)["status"] == "completed"


def test_another_project_is_not_stopped_when_one_has_spent_its_day(stack):
    limit(stack, max_usd_per_project_and_day=USD)
    opened(stack, 2)
    stack.deliver(limit=1)
    stack.sweep_once()
    purses = {item["gate"]["S"]: item["spent"]["N"] for item in stack.raw()["GatesTable"] if "spent" in item}
    assert purses == {"purse/p1": str(int(COST))}


def test_what_was_paid_is_in_the_purse_once_when_every_call_of_the_sweep_is_cut_lost_or_repeated(stack):
    """◆ Task and purse in one transaction. Mutation caught: one write after the other."""
    task, _ = opened(stack, 2)
    stack.deliver(limit=1)
    n, done = 0, False
    while not done:
        with stack.calls.watch() as calls:
            calls.cut_before, calls.lose_reply_of = n, n + 1
            with suppress(Killed):
                stack.sweep_once()
            done = len(calls.made) <= n
        n += 1
        stack.calls.dead = False
        stack.pass_time(minutes=1)
        spent = [int(item["spent"]["N"]) for item in stack.raw()["GatesTable"] if "spent" in item]
        assert sum(spent) == (stack.task(task).cost or 0)
    assert sum(spent) == COST


def purse(bench):
    """What is in the project's purse."""
    return sum(int(item["spent"]["N"]) for item in bench.raw()["GatesTable"] if "spent" in item)


def test_a_cost_is_written_once_when_two_sweepers_found_it(stack):
    """The second is refused, and so is one that stood still while its day ended or its task closed."""
    world, now = stack.sweep_world, stack.clock.now
    day = spending.purse(world, "p1", now).day
    seen = a_task(cost=5)
    stack.put(seen)
    assert lifecycle.record_cost(world, seen, 12, day)
    assert not lifecycle.record_cost(world, seen, 12, day)
    assert (purse(stack), stack.task("t1").cost) == (7, 12)
    assert not lifecycle.record_cost(world, a_task(cost=12), 20, "9999-01-01")
    stack.put(a_task(cost=12, status="completed"))
    assert not lifecycle.record_cost(world, a_task(cost=12), 20, day)
    assert purse(stack) == 7


@pytest.mark.parametrize("other", [{"budget": 6}, {"gate": "open"}, {"gate": "cancelled"}, {"status": "completed"}])
def test_a_task_that_was_held_back_does_not_go_on_when_it_is_another_by_now(stack, other):
    world, seen = stack.sweep_world, a_task(gate="budget", budget=5, held_by="project")
    stack.put(a_task(**({"gate": "budget", "budget": 5} | other)))
    assert isinstance(lifecycle.go_on(world, seen, stack.clock.now), Refused)
    stack.put(seen)
    lifecycle.go_on(world, seen, stack.clock.now)
    went = stack.task("t1")
    assert (went.gate, went.held_by, went.pauses) == ("open", None, [stack.clock.now])


def test_a_text_is_refused_when_it_is_too_large_for_a_model_and_taken_by_the_rules(stack):
    limit(stack, model_text_bytes=20_000)
    small, large = stack.paper("A paper.", "a.txt"), stack.paper("word " * 7_000, "b.txt")
    status, problem = stack.post([small, large], kind="extract_paper", engine="openai")
    assert (status, problem["field"], problem["documentIds"]) == (400, "documentIds", [large])
    assert stack.post([small, large], kind="extract_paper")[0] == 202


def test_a_row_ends_when_its_text_is_too_large_for_a_model_after_all(stack, provider):
    """The limit was lowered, or the size was not known: nothing is asked, nothing is paid."""
    task, _ = opened(stack)
    limit(stack, model_text_bytes=10)
    stack.settle()
    assert [row.error_class for row in stack.rows(task)] == ["text_too_large"]
    assert provider.calls == []


def test_a_closed_tasks_budget_cannot_be_changed(stack):
    task, _ = opened(stack)
    stack.settle()
    assert stack.http("POST", f"{TASKS}/{task}/budget", {"budgetUsd": 1})[0] == 409


def closed_after(stack, provider, *, acts, **more):
    """A task whose rows were answered like this, one after the other; the last act for all the rest."""
    provider.play(*acts)
    task, _ = opened(stack, **more)
    stack.settle()
    provider.play("ok")
    return task


def retry(bench, task, **body):
    return bench.http("POST", f"{TASKS}/{task}/retry", body)


def test_a_retry_may_cost_what_is_left_when_it_does_not_say_more(stack, provider):
    """A budget is for the papers that were chosen, however often they are tried: no chain of retries costs more."""
    task = closed_after(stack, provider, acts=["ok", "truncated"], count=3, budgetUsd=20 * USD)
    spent = shown(stack, task)["costUsd"]
    status, child = retry(stack, task)
    assert status == 202
    assert child["budgetUsd"] == pytest.approx(20 * USD - spent)
    assert spent > 3 * USD


def test_a_retry_is_refused_until_it_says_what_it_may_cost_when_nothing_is_left(stack, provider):
    task = closed_after(stack, provider, acts=["truncated"], count=1, budgetUsd=USD)
    assert shown(stack, task)["costUsd"] > USD
    status, problem = retry(stack, task)
    assert (status, problem["type"]) == (409, "urn:sheaf:problem:budget-reached")
    assert len(stack.tasks()) == 1
    status, child = retry(stack, task, budgetUsd=3 * USD)
    assert (status, child["budgetUsd"]) == (202, pytest.approx(3 * USD))
    again, same = retry(stack, task, budgetUsd=3 * USD)
    assert (again, same["taskId"]) == (200, child["taskId"]), "the same wish is the same retry"


def test_a_retry_may_cost_the_most_when_it_says_so_and_no_more_when_the_task_named_no_budget(stack, provider):
    task = closed_after(stack, provider, acts=["truncated"], count=1, budgetUsd=USD)
    assert retry(stack, task, budgetUsd=None)[1]["budgetUsd"] == CEILING
    other = closed_after(stack, provider, acts=["truncated"], count=2)
    assert 0 < retry(stack, other)[1]["budgetUsd"] < CEILING


def test_a_retry_takes_no_budget_when_what_is_spent_could_not_be_known(stack, provider):
    model_engines.configure(stack, provider, price="")
    task = closed_after(stack, provider, acts=["truncated"], count=1)
    status, problem = retry(stack, task, budgetUsd=1)
    assert (status, problem["field"]) == (400, "budgetUsd")
    assert retry(stack, task, budgetUsd=0)[1]["field"] == "budgetUsd"


def test_the_cost_is_told_before_when_it_is_asked(stack):
    documents = [stack.paper("word " * 7_000, "a.txt"), stack.paper("wort " * 7_000, "b.txt")]
    body = {"templateId": "rct", "documentIds": documents, "engine": "openai"}
    status, told = stack.http("POST", f"{TASKS}/estimate", body)
    assert status == 200
    assert told["documents"] == 2
    assert 20_000 <= told["inputTokens"] <= 40_000
    assert told["costUsd"] == pytest.approx((told["inputTokens"] + told["outputTokens"] * 4) / 1e6, abs=1e-6)
    assert stack.tasks() == []
    assert stack.http("POST", f"{TASKS}/estimate", body | {"engine": "rules"})[1]["costUsd"] == 0


# ---------------------------------------------------------------------------------------------------- not twice


def test_the_provider_is_asked_once_when_a_worker_dies_between_reply_and_row(stack, provider):
    """And what the dead attempt paid is on the row."""
    opened(stack)
    with stack.calls.watch() as calls:
        calls.die_when = lambda operation, _arguments: operation == "PutItem"
        stack.deliver()
    assert len(provider.calls) == 1
    stack.settle()
    row = stack.row()
    assert (row.status, row.attempt, row.cost) == ("completed", 2, COST)
    assert len(provider.calls) == 1


def test_an_attempt_that_said_what_it_cost_is_not_counted_again_when_its_reply_is_used(stack, provider):
    provider.play("missing:doi", "status:429::{}", "ok")
    opened(stack)
    stack.settle()
    assert stack.row().cost == 2 * COST
    assert len(provider.calls) == 3


def test_a_valid_reply_is_used_by_another_task_when_it_asks_the_same(stack, provider):
    _, documents = opened(stack)
    stack.settle()
    stack.post(documents, kind="extract_paper", engine="openai", key="again")
    stack.settle()
    assert len(provider.calls) == 1
    assert sorted(row.cost or 0 for row in stack.all_rows()) == [0, COST]


def test_it_is_asked_again_when_the_task_is_to_be_fresh(stack, provider):
    _, documents = opened(stack)
    stack.settle()
    stack.post(documents, kind="extract_paper", engine="openai", fresh=True, key="again")
    stack.settle()
    assert len(provider.calls) == 2


@pytest.mark.parametrize("changed", [{"extra": {"seed": 7}}, {"output_tokens": 3_000}])
def test_it_is_asked_again_when_the_deployment_asks_in_another_way(stack, provider, changed):
    _, documents = opened(stack)
    stack.settle()
    model_engines.configure(stack, provider, **changed)
    stack.post(documents, kind="extract_paper", engine="openai", key="again")
    stack.settle()
    assert len(provider.calls) == 2


def test_replies_of_no_use_are_not_taken_by_another_task(stack, provider):
    provider.play("blank")
    _, documents = opened(stack)
    stack.settle()
    provider.play("ok")
    stack.post(documents, kind="extract_paper", engine="openai", key="again")
    stack.settle()
    assert sorted(row.status for row in stack.all_rows()) == ["completed", "error"]


def test_all_replies_of_a_document_lie_below_one_prefix_when_it_is_to_be_forgotten(stack):
    _, (document,) = opened(stack)
    stack.settle()
    assert [
        key for key in model_engines.replies(stack) if not key.startswith(stored_replies.prefix("p1", document))
    ] == []


def test_replies_are_erased_with_their_document_and_kept_while_it_is_there(stack):
    _, (document, other) = opened(stack, 2)
    stack.settle()
    stack.tidy()
    assert len(model_engines.replies(stack)) == 2
    assert stack.http("DELETE", f"/pkb/documents/{document}")[0] == 204
    # moto writes with the machine's clock: far enough from both for every grace to be over.
    stack.pass_time(hours=200)
    stack.tidy()
    assert {key.split("/")[2] for key in model_engines.replies(stack)} == {other}


def test_a_probe_that_dies_leaves_the_gate_to_the_next_one(stack, provider):
    provider.play("status:402::{}")
    opened(stack)
    for _ in range(2):
        stack.deliver()
        stack.pass_time(minutes=10)
    with stack.calls.watch() as calls:
        calls.die_when = lambda operation, arguments: operation == "GetObject"
        stack.deliver()
    assert model_engines.gate(stack, "openai").prober
    provider.play("ok")
    stack.settle(step_seconds=120)
    assert stack.row().status == "completed"
    assert model_engines.gate(stack, "openai").state == "open"


# ---------------------------------------------------------------------------------------------------- timed out


@pytest.mark.parametrize("engine", model_engines.ENGINES)
def test_a_call_that_timed_out_is_counted_when_nobody_knows_whether_it_was_paid(stack, provider, engine):
    """At the size of its question and a whole form. Mutation caught: a request that always times out costs nothing."""
    model_engines.configure(stack, provider, call_seconds=1)
    provider.play("hang:3")
    text = "word " * 2_000
    stack.post([stack.paper(text)], kind="extract_paper", engine=engine)
    stack.deliver()
    row = stack.row()
    assert (row.status, row.tries, len(provider.calls)) == ("pending", 1, 1)
    form = 75 * len(find("rct").fields)
    assert row.tokens > len(text) / 3.5 + form
    assert row.cost >= (row.tokens - form) * 1 + form * 4


@pytest.mark.parametrize("act", ["status:504::{}", "status:408::{}"])
def test_a_call_is_counted_when_a_gateway_was_tired_of_waiting_for_the_model(stack, provider, act):
    provider.play(act)
    opened(stack)
    stack.deliver()
    assert stack.row().cost > 0


@pytest.mark.parametrize("act", ["status:503::{}", "status:500::{}", "reset", "status:429::{}"])
def test_nothing_is_counted_when_a_call_was_refused_or_cut_at_once(stack, provider, act):
    provider.play(act)
    opened(stack)
    stack.deliver()
    assert stack.row().cost is None


def test_nothing_is_counted_when_nobody_is_there(stack, provider):
    """A connection that is refused was no question."""
    provider.url = "http://127.0.0.1:9"
    model_engines.configure(stack, provider)
    opened(stack)
    stack.deliver()
    assert (stack.row().status, stack.row().cost) == ("pending", None)


def test_a_budget_is_reached_when_every_call_times_out(stack, provider):
    provider.play("status:504::{}")
    task, _ = opened(stack, 3, budgetUsd=0.000001)
    stack.deliver(limit=1)
    stack.sweep_once()
    assert shown(stack, task)["budgetReached"] is True


# ---------------------------------------------------------------------------------------------------- of two tasks


def test_no_reply_of_no_use_is_paid_for_twice_when_two_tasks_ask_the_same_in_turn(stack, provider):
    """Each found the other's in the place of its own, and asked again. Mutation caught: one place for all of them."""
    provider.play("blank")
    _, documents = opened(stack)
    stack.post(documents, kind="extract_paper", engine="openai", key="again")
    for held in list(stack.held.values()):
        with stack.calls.watch() as calls:
            # Its first reply is kept; it dies at the look for the second.
            calls.die_when = lambda operation, arguments: (
                operation == "GetObject" and arguments["Key"].endswith("-0-1.json")
            )
            stack.invoke_worker(held)
    assert len(provider.calls) == 2
    stack.settle()
    rows = stack.all_rows()
    assert [row.error_class for row in rows] == ["model_fault"] * 2
    assert len(provider.calls) == 2 * 3, "three a row, and none of them twice"
    assert len(model_engines.replies(stack)) == 2 * 3
    assert [row.cost for row in rows] == [3 * COST] * 2
