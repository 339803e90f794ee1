"""Paths of templates: what is read from a paper, built in or a project's own."""

from typing import Annotated

from aws_lambda_powertools.event_handler import Response

import front
import task_paths
from clinical import templates
from clinical.own_templates import copies, template_json
from clinical.own_templates.template_json import CloneBody, TemplateChangeBody, TemplateListView, TemplateView
from clinical.templates import Template
from routes import CONFLICT, Routes
from sheaf.api import tasks
from sheaf.api.bodies import Whole
from sheaf.schemas import Said

TEMPLATES = "/api/v1/asl/extraction/templates"
ONE = f"{TEMPLATES}/<template_id>"
VersionAsked = Annotated[Whole, Said(description="This version; else the newest.")]

routes = Routes()


def _shown(template: Template) -> TemplateView:
    return template_json.shown(template, built_in=template.id in templates.BUILT_IN)


@routes.operation("GET", TEMPLATES, "Built-in templates and the project's own.")
def list_templates() -> TemplateListView:
    return {"templates": copies.every(front.world(), front.caller().project)}


@routes.operation("GET", ONE, "One template with its fields.", tagged=True)
def get_template(template_id: str, version: VersionAsked | None = None) -> TemplateView:
    world, project = front.world(), front.caller().project
    return _shown(copies.find(world, project, template_id, version))


@routes.operation(
    "GET",
    f"{task_paths.ONE}/template",
    "The template that it pinned: its columns, also when the copy was deleted since.",
    tagged=True,
)
def get_task_template(task_id: str) -> TemplateView:
    world = front.world()
    return _shown(copies.of_task(world, tasks.find(world, front.caller(), task_id)))


@routes.operation("POST", f"{ONE}/clone", "A copy for the project.", body=CloneBody, status=201, refuses=CONFLICT)
def clone_template(template_id: str) -> Response[TemplateView]:
    world, caller, body = front.world(), front.caller(), front.body(front.SMALL_BODY)
    made = copies.clone(world, caller, template_id, body, front.key())
    return front.opened(201, made.replayed, _shown(made.item), f"{TEMPLATES}/{made.item.id}")


@routes.operation("PUT", ONE, "A new version of the project's own copy.", body=TemplateChangeBody, refuses=CONFLICT)
def change_template(template_id: str) -> TemplateView:
    return _shown(copies.change(front.world(), front.caller(), template_id, front.body(template_json.BODY_MAX)))


@routes.operation(
    "DELETE", ONE, "Delete the project's own copy; tasks keep what they pinned.", status=204, refuses=CONFLICT
)
def delete_template(template_id: str) -> None:
    copies.delete(front.world(), front.caller(), template_id)
