"""HTTP: one request in, one answer out. The paths are in the modules named *_paths; what is done is a verb of the package."""

import gc

import unread

gc.disable()  # nothing that is imported is garbage: looking for it is a tenth of a cold start
unread.put_off("asyncio")  # Powertools' resolvers for GraphQL name it

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.exceptions import NotFoundError

import about_paths
import library_paths
import openapi
import problems
import review_paths
import sheet_paths
import task_paths
import template_paths
import webhook_paths
from front import app
from sheaf.errors import ConfigError
from sheaf.logs import invoked, say_defect

gc.freeze()  # and nothing of it ever will be: it is not looked through when the collector comes back
gc.enable()

for paths in (about_paths, library_paths, review_paths, sheet_paths, task_paths, template_paths, webhook_paths):
    app.include_router(paths.routes)
    openapi.OPERATIONS.extend(paths.routes.operations)


@app.not_found
def no_such_route(_error: NotFoundError) -> Response[str]:
    """405 where the address takes other methods, 404 where it takes none."""
    event = app.current_event
    methods = openapi.allowed(event.path)
    if not methods or event.http_method.upper() in methods:
        return problems.answer(404, "not-found", "There is nothing at this address.")
    detail = f"This address takes {', '.join(methods)}."
    return problems.answer(405, "method-not-allowed", detail, headers={"Allow": ", ".join(methods)})


@app.route(r"[\s\S]+", method="OPTIONS")
def tell_methods() -> Response[str]:
    """What an address takes: also a browser's question before it sends a request to another origin, without a token."""
    methods = openapi.allowed(app.current_event.path)
    if not methods:
        return problems.answer(404, "not-found", "There is nothing at this address.")
    return Response(204, None, "", {**problems.SECURITY_HEADERS, "Allow": ", ".join(methods)})


for error, to_answer in problems.ANSWERS.items():
    app.exception_handler(error)(to_answer)


def defect(error: Exception) -> Response[str]:
    """What nobody thought of: the log says where, the caller that it is not his fault. Raises ConfigError on."""
    if isinstance(error, ConfigError):
        raise error
    http = app.current_event.request_context.http
    say_defect("request_failed", error, route=f"{http.method} {http.path}")
    detail = "Something is wrong here, not with your request. It was noted."
    return problems.answer(500, "internal", f"{detail} With its idempotency key it is safe to repeat.")


app.exception_handler(Exception)(defect)


@invoked
def lambda_handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    """One HTTP request; HEAD is GET without a body."""
    reply = app.resolve(event, context)
    head = event["requestContext"]["http"]["method"].upper() == "HEAD"
    return {**reply, "body": "", "isBase64Encoded": False} if head else reply
