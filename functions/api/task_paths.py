"""Paths of tasks, their rows and their exports: the table as a file."""

import re
from functools import partial
from typing import Annotated, Literal, cast

from aws_lambda_powertools.event_handler import Response

import front
from clinical.export_table import orders
from clinical.export_table.orders import ExportListView, ExportView, NewExportBody
from clinical.review import check_counts, review_heads
from clinical.review.review_items import EverDecided, ever_key
from routes import CONFLICT, TOO_MUCH, Routes
from sheaf.api import bodies, doctor, retries, task_table, task_views, tasks
from sheaf.api.bodies import BudgetBody, Cursor, LimitBody, NewTaskBody, RetryBody, RowCursor, TaskNameBody
from sheaf.api.doctor import DoctorView
from sheaf.api.idempotency import Opened
from sheaf.api.task_views import EstimateView, ResultListView, ResultView, TaskListView, TaskView
from sheaf.errors import NotFound
from sheaf.items import Task
from sheaf.schemas import Said

TASKS = "/api/v1/asl/extraction/tasks"
ONE = f"{TASKS}/<task_id>"
EXPORTS = f"{ONE}/exports"
StatusAsked = Annotated[task_views.Status, Said(description="Only rows with this status.")]
ViewAsked = Annotated[
    Literal["latest", "values", "glance", "latest,values", "latest,glance"],
    Said(
        description="`latest`: what retries made of a row, in its place. `values`: all but the quotes. `glance`: of at most 50 "
        "rows what a table draws first, long texts cut."
    ),
]

routes = Routes()


def _opened(opened: Opened[Task]) -> Response[TaskView]:
    counted = None if opened.replayed else task_views.NOTHING_YET
    shown = task_table.shown(front.world(), opened.item, counted)
    return front.opened(202, opened.replayed, shown, f"{TASKS}/{shown['taskId']}")


def place(result_id: str) -> tuple[Task, int]:
    """The task and the row's number. Raises NotFound."""
    task_id, _, number = result_id.rpartition("-")
    if not re.fullmatch("[0-9]{1,9}", number):
        raise NotFound("There is no such result.")
    return tasks.find(front.world(), front.caller(), task_id), int(number)


def _shown(task: Task) -> TaskView:
    return task_table.shown(front.world(), task)


@routes.operation("POST", TASKS, "Start a task over these documents.", body=NewTaskBody, status=202, refuses=TOO_MUCH)
def create_task() -> Response[TaskView]:
    return _opened(tasks.create(front.world(), front.caller(), front.body(), front.key()))


@routes.operation("POST", f"{TASKS}/estimate", "What such a task would cost.", body=NewTaskBody, refuses=CONFLICT)
def estimate_task() -> EstimateView:
    return tasks.estimate(front.world(), front.caller(), front.body())


@routes.operation(
    "POST", f"{ONE}/budget", "What it may cost from now on.", body=BudgetBody, status=202, refuses=CONFLICT
)
def set_budget(task_id: str) -> TaskView:
    return _shown(tasks.set_budget(front.world(), front.caller(), task_id, front.body(front.SMALL_BODY)))


@routes.operation(
    "POST", f"{ONE}/limit", "How many of its rows may be at work at once.", body=LimitBody, status=202, refuses=CONFLICT
)
def set_limit(task_id: str) -> TaskView:
    return _shown(tasks.set_limit(front.world(), front.caller(), task_id, front.body(front.SMALL_BODY)))


@routes.operation("GET", TASKS, "The project's tasks, newest first.")
def list_tasks(cursor: Cursor | None = None) -> TaskListView:
    world = front.world()
    found, after = tasks.page(world, front.caller(), cursor)
    checked = check_counts.of_tasks(world, found)
    shown = [{**task_table.shown(world, task), "checked": checked.get(task.task)} for task in found]
    return {"tasks": cast("list[TaskView]", shown), "nextCursor": after}


@routes.operation("GET", ONE, "How far a task is.", tagged=True)
def get_task(task_id: str) -> TaskView:
    world = front.world()
    return task_table.progress(world, tasks.find(world, front.caller(), task_id))


@routes.operation("PUT", ONE, "Call it something else.", body=TaskNameBody)
def rename_task(task_id: str) -> TaskView:
    return _shown(tasks.rename(front.world(), front.caller(), task_id, front.body(front.SMALL_BODY)))


@routes.operation("GET", f"{ONE}/results", "Its table.", tagged=True, refuses=("429",))
def get_results(
    task_id: str, cursor: RowCursor | None = None, status: StatusAsked | None = None, view: ViewAsked | None = None
) -> Response[ResultListView]:
    world, caller = front.world(), front.caller()
    task, decided = tasks.find_with(world, caller, task_id, EverDecided, ever_key(caller.project))
    known = None if decided else review_heads.NOTHING
    wish = task_table.wish(world, task, cursor=cursor, status=status, view=view, known=known)
    make = partial(task_table.results, world, wish, caller.user)
    return front.answered(make(), 200, tagged=True) if wish.is_asked_by_content else front.told_once(wish.tag, make)


@routes.operation("GET", "/api/v1/asl/extraction/doctor", "What is wrong, and what to do.", refuses=("429",))
def examine() -> DoctorView:
    return doctor.examine(front.world(), front.caller())


@routes.operation("GET", "/api/v1/asl/extraction/results/<result_id>", "One row.")
def get_result(result_id: str) -> ResultView:
    return task_table.result(front.world(), *place(result_id))


@routes.operation("POST", f"{ONE}/cancel", "Stop it; what runs is finished and kept.", status=202, refuses=CONFLICT)
def cancel_task(task_id: str) -> TaskView:
    return _shown(tasks.cancel(front.world(), front.caller(), task_id))


@routes.operation("POST", f"{ONE}/pause", "Start nothing more for now.", status=202, refuses=CONFLICT)
def pause_task(task_id: str) -> TaskView:
    return _shown(tasks.pause(front.world(), front.caller(), task_id))


@routes.operation("POST", f"{ONE}/resume", "Go on after a pause.", status=202, refuses=CONFLICT)
def resume_task(task_id: str) -> TaskView:
    return _shown(tasks.resume(front.world(), front.caller(), task_id))


@routes.operation("POST", f"{ONE}/probe", "Try its provider now.", status=202, refuses=CONFLICT)
def probe_provider(task_id: str) -> TaskView:
    return _shown(tasks.probe(front.world(), front.caller(), task_id))


@routes.operation("POST", f"{ONE}/retry", "Again, what did not succeed.", body=RetryBody, status=202, refuses=TOO_MUCH)
def retry_task(task_id: str) -> Response[TaskView]:
    world, caller, body, key = front.world(), front.caller(), front.body(front.SMALL_BODY), front.key()
    return _opened(retries.retry(world, caller, tasks.find(world, caller, task_id), body, key))


@routes.operation("DELETE", ONE, "Erase a closed task.", status=204, refuses=CONFLICT)
def delete_task(task_id: str) -> None:
    tasks.delete(front.world(), front.caller(), task_id)


@routes.operation(
    "POST", EXPORTS, "Order its table as a file.", body=NewExportBody, status=202, refuses=TOO_MUCH, found_again=True
)
def export_task(task_id: str) -> Response[ExportView]:
    world, caller = front.world(), front.caller()
    task, wish = tasks.find(world, caller, task_id), bodies.fields_of(front.body(front.SMALL_BODY), NewExportBody)
    opened = orders.create(world, caller, task, wish, front.origin())
    shown = orders.shown(world, task, opened.item, linked=True)
    return front.opened(202, opened.replayed, shown, f"{front.app.current_event.path}/{shown['exportId']}")


@routes.operation("GET", EXPORTS, "Its files, newest first.")
def list_exports(task_id: str) -> ExportListView:
    world = front.world()
    task = tasks.find(world, front.caller(), task_id)
    return {"exports": [orders.shown(world, task, each, linked=False) for each in orders.every(world, task)]}


@routes.operation("GET", f"{EXPORTS}/<export_id>", "How far a file is, and its link.")
def get_export(task_id: str, export_id: str) -> ExportView:
    world = front.world()
    task = tasks.find(world, front.caller(), task_id)
    return orders.shown(world, task, orders.find(world, task, export_id), linked=True)
