"""Paths about the API itself: is it there, what can it do, who am I."""

from typing import Annotated, TypedDict

from aws_lambda_powertools.event_handler import Response, content_types

import front
import openapi
import reader
from clinical.library import library_shapes
from openapi import OpenApi
from routes import Routes
from sheaf.api import access, bodies
from sheaf.schemas import Said


class HealthView(TypedDict):
    ok: bool


class MembershipView(TypedDict):
    projectId: str
    role: str


class MeView(TypedDict):
    userId: str | None
    projects: list[MembershipView]
    engines: list[str]
    defaultEngine: Annotated[str, Said(description="Whose work a task is that names no engine: one of engines.")]
    limits: dict[str, Annotated[float, Said(minimum=0)]]


routes = Routes()


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
    return front.packed(200, content_types.TEXT_HTML, reader.page(), headers)


@routes.operation("GET", "/api/v1/me", "Who you are, your projects and the limits.", of_project=False)
def me() -> MeView:
    claims, settings = front.claims(), front.world().settings
    roles = access.memberships(claims)
    return {
        "userId": claims.get("sub"),
        "projects": [{"projectId": name, "role": role.name.lower()} for name, role in sorted(roles.items())],
        "engines": settings.engines.names,
        "defaultEngine": settings.engines.default,
        "limits": {
            "documentsPerTask": bodies.DOCUMENTS_MAX,
            "openTasksPerProject": settings.open_tasks_per_project,
            "documentsUnderWayPerProject": settings.documents_per_project,
            "knowledgeBasesPerProject": settings.knowledge_bases_per_project,
            "usdPerTask": settings.max_usd_per_task,
            "usdPerProjectAndDay": settings.max_usd_per_project_and_day,
            "bytesOfTextPerModelDocument": settings.model_text_bytes,
            "rereadsPerProjectAndDay": settings.rereads_per_project_and_day,
            "documentsInLibrary": settings.library_documents_per_project,
            "filesPerUpload": library_shapes.FILES_MAX,
            "bytesPerFile": library_shapes.FILE_BYTES_MAX,
            "secondsPerUpload": settings.upload_seconds,
            "daysToUndo": settings.undo_days,
            "daysToKeepExports": settings.export_days,
            "hoursToTryNotices": settings.notice_hours,
            "rowsPerMinute": settings.reads_per_minute,
            "rowsAtOnce": settings.reads_at_once,
            "secondsBetweenProbes": settings.try_provider_every_seconds,
        },
    }
