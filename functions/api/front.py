"""What every path needs: the request's caller, body and query, and an answer with its headers. Says no path itself."""

import hashlib
import json
import posixpath
from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response, content_types

import problems
from sheaf import access, requests, wiring
from sheaf.access import Caller
from sheaf.errors import InvalidRequest
from sheaf.settings import ApiSettings

app = APIGatewayHttpResolver()
SMALL_BODY = 64_000


def world() -> Any:
    return wiring.connect(ApiSettings)


def caller() -> Caller:
    return access.caller(claims(), app.current_event.headers.get("sheaf-project"))


def claims() -> dict[str, Any]:
    authorizer = app.current_event.raw_event["requestContext"].get("authorizer") or {}
    return dict((authorizer.get("jwt") or {}).get("claims") or {})


def body(limit: int = requests.BODY_MAX) -> str | None:
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


def query(name: str) -> str | None:
    return (app.current_event.query_string_parameters or {}).get(name)


def answer(status: int, shown: Any, headers: dict[str, str] | None = None) -> Response[str]:
    text = json.dumps(shown, ensure_ascii=False)
    return Response(status, content_types.APPLICATION_JSON, text, {**problems.SECURITY_HEADERS, **(headers or {})})


def made(status: int, shown: Any, path: str) -> Response[str]:
    """An answer with the address of what was made: from the request's own, because a stage may stand before every path."""
    return answer(status, shown, {"Location": posixpath.relpath(path, posixpath.dirname(app.current_event.path))})


def tagged(shown: dict[str, Any]) -> Response[str]:
    """An answer with an ETag, 304 without a body when the caller has it already. `asOf` alone is no change: so weak."""
    told = json.dumps({name: value for name, value in shown.items() if name != "asOf"}, sort_keys=True)
    tag = f'"{hashlib.sha256(told.encode()).hexdigest()[:20]}"'
    if tag in app.current_event.headers.get("if-none-match", ""):
        return Response(304, None, "", {**problems.SECURITY_HEADERS, "ETag": f"W/{tag}"})
    return answer(200, shown, {"ETag": f"W/{tag}"})
