"""Paths about the API itself: is it there, what can it do, who am I."""

import json
from pathlib import Path
from typing import Annotated, TypedDict

from aws_lambda_powertools.event_handler import Response, content_types

import front
import openapi
from clinical.library import library_shapes
from clinical.review import review_shapes
from openapi import OpenApi
from routes import Routes
from sheaf.api import access, bodies
from sheaf.api.access import Role
from sheaf.model_calls import kept_inside
from sheaf.model_calls.kept_inside import EndpointView, ProjectSettingsBody
from sheaf.schemas import Said

OF_SETTINGS: dict[str, str] = json.loads(Path(__file__).with_name("limits.json").read_text("utf-8"))
FIXED = {
    "documentsPerTask": bodies.DOCUMENTS_MAX,
    "filesPerUpload": library_shapes.FILES_MAX,
    "bytesPerFile": library_shapes.FILE_BYTES_MAX,
    "decisionsAtOnce": review_shapes.DECISIONS_AT_ONCE,
    "lettersPerComment": review_shapes.COMMENT_MAX,
    "lettersPerQuote": review_shapes.QUOTE_MAX,
}

routes = Routes()


class HealthView(TypedDict):
    ok: bool


class MembershipView(TypedDict):
    projectId: str
    role: str
    textStaysInside: bool


class MeView(TypedDict):
    userId: str | None
    projects: list[MembershipView]
    engines: list[str]
    defaultEngine: Annotated[str, Said(description="Whose work a task is that names no engine: one of engines.")]
    endpoints: Annotated[list[EndpointView], Said(description="Where the model engines send texts.")]
    limits: dict[str, Annotated[float, Said(minimum=0)]]


@routes.operation("GET", "/api/v1/health", "Is it there?", open_to_all=True, of_project=False)
def health() -> HealthView:
    return {"ok": True}


@routes.operation("GET", "/api/v1/openapi.json", "This description.", open_to_all=True, of_project=False)
def describe() -> Response[OpenApi]:
    settings = front.world().settings
    desks = {name: kind.desk for name, kind in settings.kinds.ordered.items()}
    return front.answer(200, openapi.document(desks, settings.engines.names))


@routes.operation("GET", "/api/v1/docs", "This description, to be read.", open_to_all=True, of_project=False)
def docs() -> Response[str]:
    headers = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}
    return front.packed(200, content_types.TEXT_HTML, openapi.page(), headers)


@routes.operation("GET", "/api/v1/me", "Who you are, your projects and the limits.", of_project=False, refuses=("503",))
def me() -> MeView:
    claims, settings = front.claims(), front.world().settings
    roles = access.memberships(claims)
    inside = kept_inside.of_projects(front.world(), sorted(roles))
    return {
        "userId": claims.get("sub"),
        "projects": [
            {"projectId": name, "role": role.name.lower(), "textStaysInside": name in inside}
            for name, role in sorted(roles.items())
        ],
        "engines": settings.engines.names,
        "defaultEngine": settings.engines.default,
        "endpoints": [kept_inside.endpoint(each) for each in settings.engines.models.values()],
        "limits": FIXED | {name: getattr(settings, setting) for name, setting in OF_SETTINGS.items()},
    }


@routes.operation("PUT", "/api/v1/asl/settings", "What it has decided for all of its tasks.", body=ProjectSettingsBody)
def decide() -> ProjectSettingsBody:
    caller = front.caller()
    caller.must_be(Role.EDITOR)
    said = bodies.fields_of(front.body(front.SMALL_BODY), ProjectSettingsBody)
    return kept_inside.decide(front.world(), caller.project, said, caller.user)
