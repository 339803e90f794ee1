"""HTTP: one request in, one answer out. The paths are in the modules named *_paths; what is done is a verb of the package."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.exceptions import NotFoundError

import about_paths  # noqa: F401 - makes its routes as it is imported
import library_paths  # noqa: F401 - likewise
import problems
import task_paths  # noqa: F401 - likewise
from front import app


@app.not_found
def no_such_path(_error: NotFoundError) -> Response[str]:
    return problems.answer(404, "not-found", "There is nothing at this address.")


for error, to_answer in problems.ANSWERS.items():
    app.exception_handler(error)(to_answer)


def lambda_handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    """One HTTP request."""
    return app.resolve(event, context)
