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


def test_what_is_open_is_said_once_a_minute_when_a_sweeper_stays(watched):
    """A pass a second over few rows: sixty lines a minute would be sixty points of one."""
    bench = watched.bench
    bench.probes("ok", count=3)
    bench.sweep(seconds=16 + 185)
    said = of(watched, "work_open")
    assert [(line["kind"], line["RowsPending"]) for line in said] == [("probe", [3.0])] * 4


def test_zeros_end_the_curve_when_the_last_task_has_closed(watched):
    """The worker comes while the sweeper stays. Mutation caught: the last value stands for as long as nothing is open."""
    bench = watched.bench
    bench.probes("ok")
    with bench.calls.watch() as calls:
        calls.on_call = lambda number, *_: bench.deliver("probe") if number == 20 else None
        bench.sweep(seconds=95)
    assert [line["TasksOpen"] for line in of(watched, "work_open")] == [[1.0], [0.0]]
    bench.sweep(seconds=95)
    assert len(of(watched, "work_open")) == 2, "nothing is said while idle"


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
