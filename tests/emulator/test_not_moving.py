"""Why a task does not move: each cause is brought about on a stack of its own, and the API names it."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from tests.support.deployed import TASKS, Deployed, eventually
from tests.support.provider import serving

pytestmark = [pytest.mark.emulator, pytest.mark.chaos]
"""On demand (`make chaos`): it waits for minutes, on a stack of its own."""

TEXT = b"A trial of rest.\nWe randomised 120 participants to two groups. %d"
DOCTOR = "/asl/extraction/doctor"
AT_ONCE = 2


@pytest.fixture(scope="module")
def provider():
    with serving() as made:
        yield made


@pytest.fixture(scope="module")
def still(tmp_path_factory, provider) -> Iterator[Deployed]:
    """A stack with a model at a price, and little of it at work at once."""
    few = dict.fromkeys(("ProbeConcurrency", "ExtractPaperConcurrency"), str(AT_ONCE))
    asked = {"OpenaiModel": "a-model", "OpenaiUrl": provider.url, "OpenaiPrice": "1000/1000/1000"}
    made = Deployed(tmp_path_factory.mktemp("still"), "sheaf-still", **few, **asked)
    try:
        yield made
    finally:
        made.remove()


def named(stack: Deployed, task_id: str, reason: str) -> str:
    """The sentence, once it is of this reason; the doctor has the same."""

    def found():
        shown = stack.see(task_id)["notMoving"]
        return shown if shown and shown["reason"] == reason else None

    shown = eventually(found, f"{reason}: {stack.see(task_id)['notMoving']}", within=420, every=1)
    doctor = stack.ask("GET", DOCTOR, who="viewer").body["notMoving"]
    mine = next(each for each in doctor if each["taskId"] == task_id)
    assert (mine["detail"], mine["advice"]) == (shown["detail"], shown["advice"])
    return str(shown["detail"])


def cancelled(stack: Deployed, task_id: str) -> None:
    stack.ask("POST", f"{TASKS}/{task_id}/cancel")
    stack.closed(task_id)


@contextmanager
def nobody_sweeps(stack: Deployed) -> Iterator[None]:
    """No schedule, and the aggregator that is at it dies."""
    schedules = stack.client("scheduler")
    kept = schedules.get_schedule(Name=stack.physical("SweepEveryMinute"))
    kept = {name: kept[name] for name in ("Name", "ScheduleExpression", "FlexibleTimeWindow", "Target")}
    schedules.update_schedule(**kept, State="DISABLED")
    for pid in stack.workers("AggregatorFunction"):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    try:
        yield
    finally:
        schedules.update_schedule(**kept, State="ENABLED")


def test_a_pause_a_disabled_mapping_and_missing_sweeps_are_named_when_they_keep_a_task(still):
    with still.nobody_reads("ProbeFunction"):
        paused, task = (still.open(still.probes([{}]))["taskId"] for _ in range(2))
        assert still.ask("POST", f"{TASKS}/{paused}/pause").status == 202
        assert named(still, paused, "paused") == f"Paused by {still.task(paused).paused_by}."
        assert "disabled" in named(still, task, "mapping_disabled")
        with nobody_sweeps(still):
            named(still, task, "not_swept")
            assert still.ask("GET", DOCTOR).body["sweep"]["detail"] is not None or still.see(task)["stale"]
    still.ask("POST", f"{TASKS}/{paused}/resume")
    assert still.closed(task)["completedCount"] == still.closed(paused)["completedCount"] == 1


def test_a_queue_that_nobody_reads_is_named_when_its_mapping_is_enabled(still):
    """The worker may not run at all: a reserved concurrency of nought."""
    functions, worker = still.client("lambda"), still.physical("ProbeFunction")
    functions.put_function_concurrency(FunctionName=worker, ReservedConcurrentExecutions=0)
    try:
        task = still.open(still.probes([{}]))["taskId"]
        assert "nobody takes any" in named(still, task, "queue_not_consumed")
    finally:
        functions.delete_function_concurrency(FunctionName=worker)
    assert still.closed(task)["completedCount"] == 1


def test_others_that_take_every_place_are_named_when_a_task_waits_for_one(still):
    first = still.open(still.probes([{"sleep_ms": 20_000}] * 8 * AT_ONCE))["taskId"]
    eventually(lambda: len(still.calls(first)) >= AT_ONCE, "the first task's rows at work")
    task = still.open(still.probes([{}]))["taskId"]
    assert "none of them is this task's" in named(still, task, "concurrency_taken")
    cancelled(still, first)
    assert still.closed(task)["completedCount"] == 1


def test_a_spent_budget_and_then_a_provider_that_refuses_are_named_when_they_keep_a_task(still, provider):
    provider.play("slow:5")  # so that the sweep sees what the first have cost before the last have begun
    papers = still.papers(TEXT % number for number in range(8))
    asked = {"templateId": "rct", "documentIds": papers, "engine": "openai"}
    task = still.ask("POST", TASKS, {**asked, "budgetUsd": 1}).body["taskId"]
    named(still, task, "budget")
    cancelled(still, task)
    provider.play("status:401::{}")
    others = still.papers(TEXT % number for number in range(8, 16))
    task = still.ask("POST", TASKS, {**asked, "documentIds": others}).body["taskId"]
    assert named(still, task, "provider").startswith("Waiting for openai until 20")
    cancelled(still, task)
