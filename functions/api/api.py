"""HTTP: which path, who asks, which status. What is done is a verb of the package."""

import hashlib
import json
from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response, content_types
from aws_lambda_powertools.event_handler.exceptions import NotFoundError

import openapi
import problems
from openapi import operation
from sheaf import access, reading, requests, tasks, views, wiring
from sheaf.access import Caller
from sheaf.errors import InvalidRequest, NotFound
from sheaf.scatter import Opened
from sheaf.settings import ApiSettings

app = APIGatewayHttpResolver()
TASKS = "/api/v1/asl/extraction/tasks"
SMALL_BODY = 64_000


def _world() -> Any:
    return wiring.connect(ApiSettings)


def _caller() -> Caller:
    return access.caller(_claims(), app.current_event.headers.get("sheaf-project"))


def _claims() -> dict[str, Any]:
    authorizer = app.current_event.raw_event["requestContext"].get("authorizer") or {}
    return dict((authorizer.get("jwt") or {}).get("claims") or {})


def _body(limit: int = requests.BODY_MAX) -> str | None:
    """The body as text. Raises InvalidRequest for another content type, or more than this many bytes."""
    event = app.current_event
    kind = event.headers.get("content-type", "application/json").partition(";")[0].strip().lower()
    if event.body and kind != "application/json":
        raise InvalidRequest("Content-Type", f"is {kind[:60]}; application/json is expected.")
    try:
        text = event.decoded_body
        size = len((text or "").encode())
    except ValueError as error:
        raise InvalidRequest("body", "is not UTF-8 text.") from error
    if size > limit:
        raise InvalidRequest("body", f"is larger than {limit} bytes.")
    return text


def _query(name: str) -> str | None:
    return (app.current_event.query_string_parameters or {}).get(name)


def _answer(status: int, body: Any, headers: dict[str, str] | None = None) -> Response[str]:
    text = json.dumps(body, ensure_ascii=False)
    return Response(status, content_types.APPLICATION_JSON, text, {**problems.SECURITY_HEADERS, **(headers or {})})


def _tagged(body: dict[str, Any]) -> Response[str]:
    """An answer with an ETag, 304 without a body when the caller has it already. `asOf` alone is no change: so weak."""
    told = json.dumps({name: value for name, value in body.items() if name != "asOf"}, sort_keys=True)
    tag = f'"{hashlib.sha256(told.encode()).hexdigest()[:20]}"'
    if tag in app.current_event.headers.get("if-none-match", ""):
        return Response(304, None, "", {**problems.SECURITY_HEADERS, "ETag": f"W/{tag}"})
    return _answer(200, body, {"ETag": f"W/{tag}"})


def _opened(opened: Opened) -> Response[str]:
    body = views.task(opened.task, _world().now())
    if opened.replayed:
        return _answer(200, body, {"Idempotency-Replayed": "true"})
    return _answer(202, body, {"Location": f"{TASKS}/{body['taskId']}"})


@operation(app, "GET", "/api/v1/health", "Is it there?", open_to_all=True, gives="Health")
def health() -> Response[str]:
    return _answer(200, {"status": "ok"})


@operation(app, "GET", "/api/v1/openapi.json", "This description.", open_to_all=True, gives="OpenApi")
def describe() -> Response[str]:
    return _answer(200, openapi.document())


@operation(app, "GET", "/api/v1/docs", "This description, to be read.", open_to_all=True, gives="Html")
def docs() -> Response[str]:
    headers = {**problems.SECURITY_HEADERS, "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}
    return Response(200, content_types.TEXT_HTML, openapi.page(), headers)


@operation(app, "GET", "/api/v1/me", "Who you are, your projects and the limits.", gives="Me")
def me() -> Response[str]:
    claims, settings = _claims(), _world().settings
    roles = access.memberships(claims)
    projects = [{"projectId": name, "role": role.name.lower()} for name, role in sorted(roles.items())]
    limits = {
        "documentsPerTask": requests.DOCUMENTS_MAX,
        "openTasksPerProject": settings.open_tasks_per_project,
        "documentsUnderWayPerProject": settings.documents_per_project,
    }
    return _answer(200, {"userId": claims.get("sub"), "projects": projects, "engines": ["rules"], "limits": limits})


@operation(app, "POST", TASKS, "Start a task over these documents.", takes="NewTask", gives="Task", status=202)
def create_task() -> Response[str]:
    header = app.current_event.headers.get("idempotency-key")
    return _opened(tasks.create(_world(), _caller(), _body(), header))


@operation(app, "GET", TASKS, "The project's tasks, newest first.", query=("cursor",), gives="TaskList")
def list_tasks() -> Response[str]:
    world = _world()
    page = tasks.page(world, _caller(), _query("cursor"))
    shown = [views.task(task, world.now()) for task in page.items]
    return _answer(200, {"tasks": shown, "nextCursor": tasks.encoded(page.after)})


@operation(app, "GET", f"{TASKS}/<task_id>", "How far a task is.", gives="Task", tagged=True)
def get_task(task_id: str) -> Response[str]:
    world = _world()
    return _tagged(reading.progress(world, tasks.find(world, _caller(), task_id)))


@operation(
    app, "GET", f"{TASKS}/<task_id>/results", "Its table.", query=("cursor", "status", "view"), gives="ResultList"
)
def get_results(task_id: str) -> Response[str]:
    world = _world()
    task = tasks.find(world, _caller(), task_id)
    page = reading.results(world, task, cursor=_query("cursor"), status=_query("status"), view=_query("view"))
    return _answer(200, page)


@operation(app, "GET", "/api/v1/asl/extraction/results/<result_id>", "One row.", gives="Result")
def get_result(result_id: str) -> Response[str]:
    world, place = _world(), requests.result_id(result_id)
    if place is None:
        raise NotFound("There is no such result.")
    return _answer(200, reading.result(world, tasks.find(world, _caller(), place[0]), place[1]))


@operation(
    app, "POST", f"{TASKS}/<task_id>/cancel", "Stop it; what runs is finished and kept.", gives="Task", status=202
)
def cancel_task(task_id: str) -> Response[str]:
    world = _world()
    return _answer(202, views.task(tasks.cancel(world, _caller(), task_id), world.now()))


@operation(app, "POST", f"{TASKS}/<task_id>/pause", "Start nothing more for now.", gives="Task", status=202)
def pause_task(task_id: str) -> Response[str]:
    world = _world()
    return _answer(202, views.task(tasks.pause(world, _caller(), task_id), world.now()))


@operation(app, "POST", f"{TASKS}/<task_id>/resume", "Go on after a pause.", gives="Task", status=202)
def resume_task(task_id: str) -> Response[str]:
    world = _world()
    return _answer(202, views.task(tasks.resume(world, _caller(), task_id), world.now()))


@operation(
    app, "POST", f"{TASKS}/<task_id>/retry", "Again, what did not succeed.", takes="Retry", gives="Task", status=202
)
def retry_task(task_id: str) -> Response[str]:
    header = app.current_event.headers.get("idempotency-key")
    return _opened(tasks.retry(_world(), _caller(), task_id, _body(SMALL_BODY), header))


@operation(app, "DELETE", f"{TASKS}/<task_id>", "Erase a closed task.", status=204)
def delete_task(task_id: str) -> Response[str]:
    tasks.delete(_world(), _caller(), task_id)
    return Response(204, None, "", problems.SECURITY_HEADERS)


@app.not_found
def no_such_path(_error: NotFoundError) -> Response[str]:
    return problems.answer(404, "not-found", "There is nothing at this address.")


for error, to_answer in problems.ANSWERS.items():
    app.exception_handler(error)(to_answer)


def lambda_handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    """One HTTP request."""
    return app.resolve(event, context)
