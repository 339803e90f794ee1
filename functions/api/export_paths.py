"""Paths of a task's exports: its table as a file."""

from aws_lambda_powertools.event_handler import Response

import front
from clinical.export_table import orders
from clinical.export_table.orders import ExportListView, ExportView, NewExportBody
from routes import TOO_MUCH, Routes
from sheaf.api import bodies, tasks
from task_paths import ONE

EXPORTS = f"{ONE}/exports"

routes = Routes()


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
