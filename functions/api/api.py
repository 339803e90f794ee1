"""HTTP: who asks, which path, which status. Everything else is a verb of `sheaf.tasks`."""

import json
from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response, content_types
from aws_lambda_powertools.event_handler.exceptions import NotFoundError

import problems
from sheaf import tasks, views, wiring
from sheaf.settings import ApiSettings
from sheaf.tasks import Caller

app = APIGatewayHttpResolver()
TASKS = "/api/v1/asl/extraction/tasks"


def _world() -> Any:
    return wiring.connect(ApiSettings)


def _caller() -> Caller:
    return problems.caller(app.current_event)


def _answer(status: int, body: Any, **headers: str) -> Response[str]:
    shown = {name.replace("_", "-"): value for name, value in headers.items()}
    text = json.dumps(body, ensure_ascii=False)
    return Response(status, content_types.APPLICATION_JSON, text, {**problems.SECURITY_HEADERS, **shown})


@app.get("/api/v1/health")
def health() -> Response[str]:
    return _answer(200, {"status": "ok"})


@app.post(TASKS)
def create_task() -> Response[str]:
    event = app.current_event
    opened = tasks.create(_world(), _caller(), event.decoded_body, event.headers.get("idempotency-key"))
    body = views.task(opened.task, _world().now())
    if opened.replayed:
        return _answer(200, body, Idempotency_Replayed="true")
    return _answer(202, body, Location=f"{TASKS}/{body['taskId']}")


@app.get(f"{TASKS}/<task_id>")
def get_task(task_id: str) -> Response[str]:
    world = _world()
    return _answer(200, tasks.progress(world, tasks.find(world, _caller(), task_id)))


@app.get(f"{TASKS}/<task_id>/results")
def get_results(task_id: str) -> Response[str]:
    world, query = _world(), app.current_event.query_string_parameters or {}
    task = tasks.find(world, _caller(), task_id)
    return _answer(200, tasks.results(world, task, cursor=query.get("cursor"), status=query.get("status")))


@app.post(f"{TASKS}/<task_id>/cancel")
def cancel_task(task_id: str) -> Response[str]:
    world = _world()
    return _answer(202, views.task(tasks.cancel(world, _caller(), task_id), world.now()))


@app.not_found
def no_such_path(_error: NotFoundError) -> Response[str]:
    return problems.answer(404, "not-found", "There is nothing at this address.")


for error, to_answer in problems.ANSWERS.items():
    app.exception_handler(error)(to_answer)


def lambda_handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    """One HTTP request."""
    return app.resolve(event, context)
