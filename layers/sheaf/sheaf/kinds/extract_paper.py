"""Read one paper by rule: plain text in, one row of values out, each with its sentence and page."""

from collections.abc import Mapping
from typing import Any

from sheaf import rules, templates
from sheaf.errors import Permanent
from sheaf.kinds import Done, Job
from sheaf.papers import Page, Paper

TEXT_MAX = 20_000_000


def work(job: Job) -> Done:
    """The fields of the job's template. Raises Permanent for a file that is not plain text."""
    text = _text(job.read())
    fields = [field.name for field in templates.pinned(job.template).fields]
    paper = Paper("text", tuple(Page(number, page) for number, page in enumerate(text.split("\f"), 1)))
    values = {name: value | _match(value) for name, value in rules.answer(paper, fields).items()}
    reported = sum(value["status"] == "reported" for value in values.values())
    return Done({"fields": values, "engine": "rules"}, {"reported": reported, "of": len(fields)})


def _match(value: Mapping[str, Any]) -> dict[str, str | None]:
    """A rule cuts its quotes from the page."""
    return {"match": "exact" if value["quote"] is not None else None}


def _text(content: bytes) -> str:
    if len(content) > TEXT_MAX:
        raise Permanent(f"The text is longer than {TEXT_MAX // 1_000_000} MB.", "too_large")
    if content.startswith(b"%PDF"):
        raise Permanent("This is a PDF; plain text is all that is read so far.", "unreadable")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Permanent("This is not UTF-8 text.", "unreadable") from error
    if "\x00" in text or not text.strip():
        raise Permanent("There is no text in this file.", "unreadable")
    return text
