"""What every path needs: the request's caller, body and query, and an answer with its headers. Says no path itself."""

import base64
import gzip
import hashlib
import json
import posixpath
import re
from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, CORSConfig, Response, content_types

import problems
from sheaf.api import access, bodies
from sheaf.api.access import Caller
from sheaf.errors import InvalidRequest
from sheaf.outside import wiring
from sheaf.outside.wiring import World
from sheaf.settings import ApiSettings

T = TypeVar("T")

SMALL_BODY = 64_000
PACKED_BYTES = 1_400  # a smaller answer is one packet of the network, packed or not
PACKING = 6
VARIES = {"Vary": "Accept-Encoding"}
GZIP = re.compile(r"(?:^|[,\s])gzip(?!\s*;\s*q=0(?:\.0*)?(?:,|$|\s))")


def world() -> World[ApiSettings]:
    return wiring.connect(ApiSettings)


class PageOrigin(CORSConfig):
    """CORS for the one origin that the deployment names, asked when a request comes rather than at import."""

    def allowed_origin(self, extracted_origin: str | None) -> str | None:
        named = world().settings.page_origin if extracted_origin else ""
        return extracted_origin if named and extracted_origin == named else None

    def to_dict(self, origin: str | None) -> dict[str, str]:
        self._allowed_origins = [str(origin)]
        own = {"Access-Control-Allow-Methods": "DELETE,GET,POST,PUT", "Vary": "Accept-Encoding, Origin"}
        return super().to_dict(origin) | own


class Address:
    """A route's pattern, compiled for the first path that begins as it does: a cold start has no time for eighty."""

    def __init__(self, rule: str) -> None:
        self.rule, self.groups = rule, rule.count("<")
        self.start = rule.partition("<")[0] if rule.startswith("/") else ""

    def match(self, path: str) -> re.Match[str] | None:
        return self.pattern.match(path) if path.startswith(self.start) else None

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        return APIGatewayHttpResolver._compile_regex(self.rule)  # type: ignore[no-any-return]  # noqa: SLF001 - as its own subclasses do


class Resolver(APIGatewayHttpResolver):
    # As Powertools' own resolver for REST APIs gives its routes another pattern.
    @staticmethod
    def _compile_regex(rule: str, _base: str = "") -> Address:
        return Address(rule)


app = Resolver(
    cors=PageOrigin(
        allow_headers=["Idempotency-Key", "If-None-Match", "Sheaf-Project"],
        expose_headers=["ETag", "Idempotency-Replayed", "Location", "Retry-After"],
        max_age=3600,
    )
)


def caller() -> Caller:
    return access.caller(claims(), app.current_event.headers.get("sheaf-project"))


def claims() -> dict[str, Any]:
    authorizer = app.current_event.raw_event["requestContext"].get("authorizer") or {}
    found = dict((authorizer.get("jwt") or {}).get("claims") or {})
    access.check_token(found)
    return found


def body(limit: int = bodies.BODY_MAX) -> str | None:
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


def origin() -> str | None:
    """Where the page of this deployment is; None on a laptop, whose addresses nobody else can open."""
    own = app.current_event.request_context.domain_name
    return world().settings.page_origin or (None if "localhost" in own else f"https://{own}")


def key() -> str | None:
    return app.current_event.headers.get("idempotency-key")


def answer(status: int, shown: T, headers: dict[str, str] | None = None) -> Response[T]:
    return packed(status, content_types.APPLICATION_JSON, json.dumps(shown, ensure_ascii=False), headers)


def packed(status: int, kind: str, text: str, headers: dict[str, str] | None = None) -> Response[Any]:
    sent = {**problems.SECURITY_HEADERS, **VARIES, **(headers or {})}
    content = text.encode()
    if len(content) < PACKED_BYTES or not GZIP.search(app.current_event.headers.get("accept-encoding", "")):
        return Response(status, kind, text, sent)
    body = base64.b64encode(gzip.compress(content, PACKING, mtime=0)).decode()
    packed_answer = Response(status, kind, body, {**sent, "Content-Encoding": "gzip"})
    packed_answer.base64_encoded = True
    return packed_answer


def opened(status: int, replayed: bool, shown: T, path: str) -> Response[T]:  # noqa: FBT001 - as `Opened` says it
    """What was made, now or by an earlier request, and its address, told from the request's own: a stage may precede it."""
    if replayed:
        return answer(200, shown, {"Idempotency-Replayed": "true"})
    return answer(status, shown, {"Location": posixpath.relpath(path, posixpath.dirname(app.current_event.path))})


def answered(given: Any, status: int, *, tagged: bool) -> Response[Any]:
    """What a handler gave, as an answer: an answer already, nothing, or something to show, with an ETag where it is `tagged`."""
    if isinstance(given, Response):
        return given
    if given is None:
        return _empty(status)
    if not tagged:
        return answer(status, given)
    # `asOf` alone is no change: so the tag is weak.
    text = json.dumps({name: value for name, value in given.items() if name != "asOf"}, sort_keys=True)
    return told_once(hashlib.sha256(text.encode()).hexdigest()[:20], lambda: given)


def _empty(status: int, headers: dict[str, str] | None = None) -> Response[Any]:
    return Response(status, None, "", {**problems.SECURITY_HEADERS, **(headers or {})})


def told_once(tag: str | None, make: Callable[[], T]) -> Response[T]:
    """What this tag stands for; 304 without a body where the caller has it already. Without a tag it is always made."""
    if tag is None:
        return answer(200, make())
    header = {"ETag": f'W/"{tag}"'}
    if f'"{tag}"' in app.current_event.headers.get("if-none-match", ""):
        return _empty(304, {**VARIES, **header})
    return answer(200, make(), header)
