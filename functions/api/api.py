"""HTTP: one request in, one answer out. The paths are in the modules named *_paths; what is done is a verb of the package."""

import gc

gc.disable()  # nothing that is imported is garbage: looking for it is a tenth of a cold start

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.exceptions import NotFoundError

import about_paths  # noqa: F401 - makes its routes as it is imported
import library_paths  # noqa: F401 - likewise
import problems
import task_paths  # noqa: F401 - likewise
import template_paths  # noqa: F401 - likewise
from front import app
from sheaf.errors import ConfigError
from sheaf.telemetry import say_defect

gc.freeze()  # and nothing of it ever will be: it is not looked through when the collector comes back
gc.enable()


@app.not_found
def no_such_path(_error: NotFoundError) -> Response[str]:
    return problems.answer(404, "not-found", "There is nothing at this address.")


for error, to_answer in problems.ANSWERS.items():
    app.exception_handler(error)(to_answer)


def defect(error: Exception) -> Response[str]:
    """What nobody thought of: the log says where, the caller that it is not his fault. Raises ConfigError on."""
    if isinstance(error, ConfigError):
        raise error
    http = app.current_event.request_context.http
    say_defect("request_failed", error, route=f"{http.method} {http.path}")
    detail = (
        "Something is wrong here, not with your request. It was noted. With its idempotency key it is safe to repeat."
    )
    return problems.answer(500, "internal", detail)


app.exception_handler(Exception)(defect)


def lambda_handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    """One HTTP request."""
    return app.resolve(event, context)
