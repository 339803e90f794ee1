"""A template that is stored: where each edition of it is, and reading one back. Making and changing them is `clinical.own_templates.copies`."""

import json
import re
from collections.abc import Callable

from clinical import templates
from clinical.templates import Template
from clinical.templates.fields import restored
from sheaf.errors import Permanent
from sheaf.jobs import Job
from sheaf.outside import objects

Get = Callable[[str], bytes]  # reads an object. Raises ObjectGone
EDITION = re.compile(r"[1-9]\d{0,5}(?:~[0-9a-f]{10})?", re.ASCII)


def object_key(project: str, template_id: str, edition: int | str) -> str:
    return f"templates/{project}/{template_id}/{edition}.json"


def pinned(get: Get, project: str, pin: str) -> Template | None:
    """Read the template that a task or a row pinned, deleted since or not; None where it is gone. Raises Unavailable."""
    built_in = templates.pinned(pin)
    if built_in:
        return built_in
    template_id, _, edition = pin.partition("@")
    is_stored = EDITION.fullmatch(edition) and (template_id not in templates.BUILT_IN or "~" in edition)
    return read(get, project, template_id, edition) if is_stored else None


def of_job(job: Job, pin: str) -> Template:
    """The same for work. Raises Permanent where it is gone."""
    template = pinned(job.stored, job.project, pin)
    if template is None:
        raise Permanent("The template that this task was started with is not here any more.", "template_gone")
    return template


def read(get: Get, project: str, template_id: str, edition: int | str) -> Template | None:
    """One edition; None where there is none. Raises Unavailable."""
    try:
        return restored(json.loads(get(object_key(project, template_id, edition))))
    except objects.ObjectGone:
        return None
