"""Read one paper by rule: plain text in, one row of values out, each with its sentence and page."""

from sheaf import rules, templates
from sheaf.errors import Permanent
from sheaf.kinds import Done, Job

TEXT_MAX = 20_000_000


def work(job: Job) -> Done:
    """The fields of the job's template. Raises Permanent for a file that is not plain text."""
    text = _text(job.read())
    template = templates.pinned(job.template)
    if template is None:
        raise Permanent("The template that this task was started with is not here any more.", "template_gone")
    fields = [field.name for field in template.fields]
    values = rules.extract(text, fields)
    reported = sum(value["status"] == "reported" for value in values.values())
    return Done({"fields": values, "engine": "rules"}, {"reported": reported, "of": len(fields)})


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
