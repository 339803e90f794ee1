"""From a request to a model's call by the lines alone: the task is the id; and what is open is said once a minute."""

import pytest

from tests.support import alarms, model_engines, stack_file
from tests.support.provider import serving


@pytest.fixture
def watched(bench):
    with alarms.watching(bench) as made:
        yield made


def of(watched, message):
    return [line for line in watched.lines if line["message"] == message]


def test_a_model_s_call_leads_back_to_its_request_when_only_lines_are_left(watched):
    """Mutation caught: a line of a call without its task, its row or its attempt."""
    bench = watched.bench
    with serving() as provider:
        model_engines.configure(bench, provider)
        provider.play("status:429::{}", "blank")
        bench.post([bench.paper("A trial.")], kind="extract_paper", engine="openai")
        bench.settle()
    (opened,) = of(watched, "task_opened")
    assert opened["function_request_id"]
    calls = of(watched, "model_refused") + of(watched, "model_replied")
    assert {(line["task"], line["row"], line["provider"]) for line in calls} == {(opened["task"], 0, "openai")}
    (ended,) = of(watched, "row_ended")
    assert [line["attempt"] for line in calls][-1] == ended["attempt"]
    assert {line["task"] for line in of(watched, "task_progress") + of(watched, "task_closed")} == {opened["task"]}
    (closed,) = of(watched, "task_closed")
    assert closed["TasksClosed"] == [1]
    paid = len(of(watched, "model_replied")) * model_engines.COST / 1e6
    assert sum(ended["CostUsd"]) == pytest.approx(paid)


def test_the_access_log_names_the_function_s_request_when_one_is_answered():
    told = stack_file.load()["Resources"]["HttpStage"]["Properties"]["AccessLogSettings"]["Format"]
    assert '"function":"$context.integration.requestId"' in told


def test_what_is_open_is_said_at_each_tick_when_tasks_are_open(watched):
    """Of every kind, once a minute, by whoever the tick is: noughts end a kind's curve while others go on."""
    bench = watched.bench
    bench.probes("ok", count=3)
    for _ in range(2):
        bench.sweep(seconds=76)
    said = of(watched, "work_open")
    assert [line["RowsPending"] for line in said if line["kind"] == "probe"] == [[3.0]] * 2
    assert [line["TasksOpen"] for line in said if line["kind"] == "extract_paper"] == [[0.0]] * 2


def test_nothing_is_said_of_what_is_open_when_nothing_is(watched):
    """A metric is paid by the hour in which it has a value."""
    bench = watched.bench
    bench.probes("ok")
    bench.deliver("probe")
    for _ in range(3):
        bench.sweep(seconds=95)
    assert len([line for line in of(watched, "work_open") if line["kind"] == "probe"]) == 1


def test_it_is_said_how_late_the_sweeps_are_when_a_count_is_overdue(watched):
    """What tells that the tasks want more sweepers. Mutation caught: a task that nobody has counted is late since 1970."""
    bench = watched.bench
    task = bench.probes("ok")
    bench.sweep_once()
    item = bench.task(task)
    item.counted_at, item.count_every = bench.clock.now, 5_000
    bench.put(item)
    bench.probes("ok")
    bench.pass_time(seconds=12)
    bench.sweep_once()
    said = [line["SweepLateMilliseconds"] for line in of(watched, "work_open") if line["kind"] == "probe"]
    assert said == [[0], [7_000]]


def test_repairs_are_counted_when_a_sweep_makes_them(watched):
    bench = watched.bench
    bench.probes("ok", count=2)
    bench.lose_messages()
    for _ in range(6):
        bench.sweep_once()
        bench.pass_time(minutes=5)
    assert sum(sum(line.get("MessagesResent", [])) for line in of(watched, "task_progress")) >= 2
    (quiet, *_) = [line for line in of(watched, "task_progress") if not line["resent"]]
    assert "_aws" not in quiet
