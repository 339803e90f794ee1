"""Errors as application/problem+json, and the headers that every answer carries."""

import json
from collections.abc import Callable
from typing import Any, NotRequired, TypedDict

from aws_lambda_powertools.event_handler import Response

from sheaf.errors import Conflict, Forbidden, InvalidRequest, NotFound, TooFast, TooMuch, Unavailable
from sheaf.schemas import Count

SECURITY_HEADERS = {
    "Cache-Control": "private, no-cache",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Strict-Transport-Security": "max-age=31536000",
}
RETRY_AFTER = {"try-again": 5, "too-much": 60}


class ProblemView(TypedDict):
    type: str
    title: str
    status: Count
    detail: str
    field: NotRequired[str]
    reason: NotRequired[str]


def answer(
    status: int, name: str, detail: str, *, wait: int | None = None, headers: dict[str, str] | None = None, **more: Any
) -> Response[str]:
    """One problem. Its type is stable; what it means and what to do is in docs/problems.md."""
    body = {"type": f"urn:sheaf:problem:{name}", "title": name.replace("-", " "), "status": status}
    text = json.dumps({**body, "detail": detail, **more}, ensure_ascii=False)
    seconds = wait or RETRY_AFTER.get(name)
    later = {"Retry-After": str(seconds)} if seconds else {}
    return Response(status, "application/problem+json", text, {**SECURITY_HEADERS, **later, **(headers or {})})


BUSY = "AWS is busy. Send the same request, with the same idempotency key, again in a few seconds."
ANSWERS: dict[type[Exception], Callable[[Any], Response[str]]] = {
    InvalidRequest: lambda error: answer(
        400, "invalid-request", str(error), field=error.field, reason=error.reason, **error.details
    ),
    Forbidden: lambda error: answer(403, "forbidden", str(error)),
    NotFound: lambda error: answer(404, "not-found", str(error)),
    Conflict: lambda error: answer(409, error.problem, error.reason, **error.details),
    TooMuch: lambda error: answer(429, "too-much", str(error)),
    TooFast: lambda error: answer(429, "too-fast", str(error), wait=error.seconds),
    Unavailable: lambda _error: answer(503, "try-again", BUSY),
}
