"""Paths about the API itself: is it there, what can it do, who am I."""

from aws_lambda_powertools.event_handler import Response, content_types

import front
import openapi
from front import app
from openapi import operation
from sheaf import access, requests
from sheaf.library import requests as wishes


@operation(app, "GET", "/api/v1/health", "Is it there?", open_to_all=True, gives="Health")
def health() -> Response[str]:
    return front.answer(200, {"ok": True})


@operation(app, "GET", "/api/v1/openapi.json", "This description.", open_to_all=True, gives="OpenApi")
def describe() -> Response[str]:
    settings = front.world().settings
    return front.answer(200, openapi.document(list(settings.kinds), settings.engines.names))


@operation(app, "GET", "/api/v1/docs", "This description, to be read.", open_to_all=True, gives="Html")
def docs() -> Response[str]:
    headers = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}
    return front.packed(200, content_types.TEXT_HTML, openapi.page(), headers)


@operation(app, "GET", "/api/v1/me", "Who you are, your projects and the limits.", gives="Me", of_project=False)
def me() -> Response[str]:
    claims, settings = front.claims(), front.world().settings
    roles = access.memberships(claims)
    projects = [{"projectId": name, "role": role.name.lower()} for name, role in sorted(roles.items())]
    limits = {
        "documentsPerTask": requests.DOCUMENTS_MAX,
        "openTasksPerProject": settings.open_tasks_per_project,
        "documentsUnderWayPerProject": settings.documents_per_project,
        "knowledgeBasesPerProject": settings.knowledge_bases_per_project,
        "usdPerTask": settings.max_usd_per_task,
        "usdPerProjectAndDay": settings.max_usd_per_project_and_day,
        "bytesOfTextPerModelDocument": settings.model_text_bytes,
        "rereadsPerProjectAndDay": settings.rereads_per_project_and_day,
        "documentsInLibrary": settings.library_documents_per_project,
        "filesPerUpload": wishes.FILES_MAX,
        "bytesPerFile": wishes.FILE_BYTES_MAX,
        "secondsPerUpload": settings.upload_seconds,
        "daysToUndo": settings.undo_days,
        "rowsPerMinute": settings.reads_per_minute,
        "rowsAtOnce": settings.reads_at_once,
        "secondsBetweenProbes": settings.try_provider_every_seconds,
    }
    engines = {"engines": settings.engines.names, "defaultEngine": settings.engines.default}
    return front.answer(200, {"userId": claims.get("sub"), "projects": projects, **engines, "limits": limits})
