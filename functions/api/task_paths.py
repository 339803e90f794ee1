"""Paths of tasks and their rows."""

from aws_lambda_powertools.event_handler import Response

import front
import problems
from front import app
from openapi import operation
from sheaf import reading, requests, tasks, views
from sheaf.errors import NotFound
from sheaf.models import Task
from sheaf.opening import Opened

TASKS = "/api/v1/asl/extraction/tasks"
CONFLICT = ("409",)
TOO_MUCH = ("409", "429")


def _opened(opened: Opened[Task]) -> Response[str]:
    world = front.world()
    if opened.replayed:
        return front.answer(200, reading.shown(world, opened.item), {"Idempotency-Replayed": "true"})
    body = reading.shown(world, opened.item, views.NOTHING_YET)
    return front.made(202, body, f"{TASKS}/{body['taskId']}")


@operation(
    app,
    "POST",
    TASKS,
    "Start a task over these documents.",
    takes="NewTask",
    gives="Task",
    status=202,
    refuses=TOO_MUCH,
)
def create_task() -> Response[str]:
    header = app.current_event.headers.get("idempotency-key")
    return _opened(tasks.create(front.world(), front.caller(), front.body(), header))


@operation(
    app,
    "POST",
    f"{TASKS}/estimate",
    "What such a task would cost.",
    takes="NewTask",
    gives="Estimate",
    refuses=CONFLICT,
)
def estimate_task() -> Response[str]:
    return front.answer(200, tasks.estimate(front.world(), front.caller(), front.body()))


@operation(
    app,
    "POST",
    f"{TASKS}/<task_id>/budget",
    "What it may cost from now on.",
    takes="Budget",
    gives="Task",
    status=202,
    refuses=CONFLICT,
)
def set_budget(task_id: str) -> Response[str]:
    world = front.world()
    task = tasks.set_budget(world, front.caller(), task_id, front.body(front.SMALL_BODY))
    return front.answer(202, reading.shown(world, task))


@operation(app, "GET", TASKS, "The project's tasks, newest first.", query=("cursor",), gives="TaskList")
def list_tasks() -> Response[str]:
    world = front.world()
    found, cursor = tasks.page(world, front.caller(), front.query("cursor"))
    shown = [reading.shown(world, task) for task in found]
    return front.answer(200, {"tasks": shown, "nextCursor": cursor})


@operation(app, "GET", f"{TASKS}/<task_id>", "How far a task is.", gives="Task", tagged=True)
def get_task(task_id: str) -> Response[str]:
    world = front.world()
    return front.tagged(reading.progress(world, tasks.find(world, front.caller(), task_id)))


@operation(
    app,
    "GET",
    f"{TASKS}/<task_id>/results",
    "Its table.",
    query=("rowCursor", "rowStatus", "view"),
    gives="ResultList",
    tagged=True,
    refuses=("429",),
)
def get_results(task_id: str) -> Response[str]:
    world, caller = front.world(), front.caller()
    task = tasks.find(world, caller, task_id)
    cursor, status, view = map(front.query, ("cursor", "status", "view"))
    wish = reading.wish(world, task, cursor=cursor, status=status, view=view)
    return front.told_once(wish.tag, lambda: reading.results(world, wish, caller.user))


@operation(app, "GET", "/api/v1/asl/extraction/results/<result_id>", "One row.", gives="Result")
def get_result(result_id: str) -> Response[str]:
    world, place = front.world(), requests.result_id(result_id)
    if place is None:
        raise NotFound("There is no such result.")
    return front.answer(200, reading.result(world, tasks.find(world, front.caller(), place[0]), place[1]))


@operation(
    app,
    "POST",
    f"{TASKS}/<task_id>/cancel",
    "Stop it; what runs is finished and kept.",
    gives="Task",
    status=202,
    refuses=CONFLICT,
)
def cancel_task(task_id: str) -> Response[str]:
    world = front.world()
    return front.answer(202, reading.shown(world, tasks.cancel(world, front.caller(), task_id)))


@operation(
    app, "POST", f"{TASKS}/<task_id>/pause", "Start nothing more for now.", gives="Task", status=202, refuses=CONFLICT
)
def pause_task(task_id: str) -> Response[str]:
    world = front.world()
    return front.answer(202, reading.shown(world, tasks.pause(world, front.caller(), task_id)))


@operation(app, "POST", f"{TASKS}/<task_id>/resume", "Go on after a pause.", gives="Task", status=202, refuses=CONFLICT)
def resume_task(task_id: str) -> Response[str]:
    world = front.world()
    return front.answer(202, reading.shown(world, tasks.resume(world, front.caller(), task_id)))


@operation(app, "POST", f"{TASKS}/<task_id>/probe", "Try its provider now.", gives="Task", status=202, refuses=CONFLICT)
def probe_provider(task_id: str) -> Response[str]:
    world = front.world()
    return front.answer(202, reading.shown(world, tasks.probe(world, front.caller(), task_id)))


@operation(
    app,
    "POST",
    f"{TASKS}/<task_id>/retry",
    "Again, what did not succeed.",
    takes="Retry",
    gives="Task",
    status=202,
    refuses=TOO_MUCH,
)
def retry_task(task_id: str) -> Response[str]:
    header = app.current_event.headers.get("idempotency-key")
    return _opened(tasks.retry(front.world(), front.caller(), task_id, front.body(front.SMALL_BODY), header))


@operation(app, "DELETE", f"{TASKS}/<task_id>", "Erase a closed task.", status=204, refuses=CONFLICT)
def delete_task(task_id: str) -> Response[str]:
    tasks.delete(front.world(), front.caller(), task_id)
    return Response(204, None, "", problems.SECURITY_HEADERS)
