"""Paths of templates: what is read from a paper, built in or a project's own."""

from aws_lambda_powertools.event_handler import Response

import front
import problems
from front import app
from openapi import operation
from sheaf import copies, requests, tasks, templates
from sheaf.plain_json import JsonObject
from sheaf.templates import Template, editing
from task_paths import TASKS

TEMPLATES = "/api/v1/asl/extraction/templates"
ONE = f"{TEMPLATES}/<template_id>"
CONFLICT = ("409",)


def _shown(template: Template) -> JsonObject:
    return editing.shown(template, built_in=template.id in templates.BUILT_IN)


def _version() -> int | None:
    return requests.number("version", front.query("version"))


@operation(app, "GET", TEMPLATES, "Built-in templates and the project's own.", gives="TemplateList")
def list_templates() -> Response[str]:
    return front.answer(200, {"templates": copies.every(front.world(), front.caller().project)})


@operation(app, "GET", ONE, "One template with its fields.", query=("version",), gives="Template", tagged=True)
def get_template(template_id: str) -> Response[str]:
    world, project = front.world(), front.caller().project
    return front.tagged(_shown(copies.find(world, project, template_id, _version())))


@operation(
    app,
    "GET",
    f"{TASKS}/<task_id>/template",
    "The template that it pinned: its columns, also when the copy was deleted since.",
    gives="Template",
    tagged=True,
)
def get_task_template(task_id: str) -> Response[str]:
    world = front.world()
    return front.tagged(_shown(copies.of_task(world, tasks.find(world, front.caller(), task_id))))


@operation(
    app,
    "POST",
    f"{ONE}/clone",
    "A copy for the project.",
    takes="Clone",
    gives="Template",
    status=201,
    refuses=CONFLICT,
)
def clone_template(template_id: str) -> Response[str]:
    header = app.current_event.headers.get("idempotency-key")
    world, caller, body = front.world(), front.caller(), front.body(front.SMALL_BODY)
    made = copies.clone(world, caller, template_id, body, header)
    if made.replayed:
        return front.answer(200, _shown(made.item), {"Idempotency-Replayed": "true"})
    return front.made(201, _shown(made.item), f"{TEMPLATES}/{made.item.id}")


@operation(
    app,
    "PUT",
    ONE,
    "A new version of the project's own copy.",
    takes="TemplateChange",
    gives="Template",
    refuses=CONFLICT,
)
def change_template(template_id: str) -> Response[str]:
    return front.answer(
        200, _shown(copies.change(front.world(), front.caller(), template_id, front.body(editing.BODY_MAX)))
    )


@operation(
    app, "DELETE", ONE, "Delete the project's own copy; tasks keep what they pinned.", status=204, refuses=CONFLICT
)
def delete_template(template_id: str) -> Response[str]:
    copies.delete(front.world(), front.caller(), template_id)
    return Response(204, None, "", problems.SECURITY_HEADERS)
