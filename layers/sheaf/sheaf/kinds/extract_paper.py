"""Read one paper: plain text in, one row of values out, each with its sentence and page, by whichever engine is asked."""

from sheaf import engines, templates
from sheaf.errors import Permanent
from sheaf.kinds import Done, Job
from sheaf.papers import Page, Paper

TEXT_MAX = 20_000_000


def work(job: Job) -> Done:
    """The fields of the job's template. Raises Permanent for a file that is not plain text."""
    text = _text(job.read())
    template = templates.pinned(job.template)
    if template is None:
        raise Permanent("The template that this task was started with is not here any more.", "template_gone")
    paper = Paper("text", tuple(Page(at, page) for at, page in enumerate(text.split("\f"), 1)))
    told = engines.load(job.engine).answer(paper, template, job)
    reported = sum(value["status"] == "reported" for value in told.fields.values())
    data = {"fields": dict(told.fields), "engine": told.engine, **({"usage": told.usage} if told.usage else {})}
    return Done(data, {"reported": reported, "of": len(template.fields)})


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
