"""Errors as application/problem+json, who the caller is, and the headers that every answer carries."""

import json
import re
from collections.abc import Callable
from typing import Any

from aws_lambda_powertools.event_handler import Response

from sheaf.errors import Conflict, Forbidden, InvalidRequest, NotFound, Unavailable
from sheaf.tasks import Caller

SECURITY_HEADERS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Strict-Transport-Security": "max-age=31536000",
}
PROJECT = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


def caller(event: Any) -> Caller:
    """From the verified token alone. `Sheaf-Project` chooses among the token's projects. Raises Forbidden."""
    authorizer = event.raw_event["requestContext"].get("authorizer") or {}
    claims = (authorizer.get("jwt") or {}).get("claims") or {}
    projects = [name for name in groups(claims.get("cognito:groups")) if PROJECT.fullmatch(name)]
    wanted = event.headers.get("sheaf-project")
    if wanted is not None and wanted not in projects:
        raise Forbidden("You are not in this project. Leave the header Sheaf-Project out, or name one of your own.")
    if wanted is None and len(projects) != 1:
        raise Forbidden("Name the project in the header Sheaf-Project." if projects else "You are in no project yet.")
    return Caller(wanted or projects[0], claims.get("sub"))


def groups(claim: Any) -> list[str]:
    """The groups of a token: a list, or the string that API Gateway makes of one, as in "[a b]"."""
    if isinstance(claim, list):
        return [str(name) for name in claim]
    return str(claim or "").strip("[]").replace(",", " ").split()


def answer(status: int, problem: str, detail: str, **more: Any) -> Response[str]:
    """One problem. Its type is stable; what it means and what to do is in docs/problems.md."""
    body = {
        "type": f"urn:sheaf:problem:{problem}",
        "title": problem.replace("-", " "),
        "status": status,
        "detail": detail,
    }
    return Response(
        status, "application/problem+json", json.dumps({**body, **more}, ensure_ascii=False), SECURITY_HEADERS
    )


def _invalid(error: InvalidRequest) -> Response[str]:
    return answer(400, "invalid-request", str(error), field=error.field, reason=error.reason, **error.details)


def _conflict(error: Conflict) -> Response[str]:
    return answer(409, error.problem, error.reason, **error.details)


def _unavailable(_error: Unavailable) -> Response[str]:
    detail = "AWS is busy. Send the same request, with the same idempotency key, again in a few seconds."
    refused = answer(503, "try-again", detail)
    refused.headers["Retry-After"] = "5"
    return refused


ANSWERS: dict[type[Exception], Callable[[Any], Response[str]]] = {
    InvalidRequest: _invalid,
    Forbidden: lambda error: answer(403, "forbidden", str(error)),
    NotFound: lambda error: answer(404, "not-found", str(error)),
    Conflict: _conflict,
    Unavailable: _unavailable,
}
