"""Read one paper by rule: its text in, one row of values out, each with its sentence and page."""

from sheaf import rules, templates
from sheaf.errors import Permanent
from sheaf.kinds import Done, Job
from sheaf.papers import Paper


def work(job: Job) -> Done:
    """The fields of the job's template. Raises Permanent for what is no paper's text."""
    try:
        paper = Paper.from_json(job.read())
    except (ValueError, KeyError, TypeError) as error:
        raise Permanent("The document's text is not in a form that can be read.", "unreadable") from error
    template = templates.pinned(job.template)
    if template is None:
        raise Permanent("The template that this task was started with is not here any more.", "template_gone")
    fields = [field.name for field in template.fields]
    values = rules.extract("\f".join(page.text for page in paper.pages), fields)
    reported = sum(value["status"] == "reported" for value in values.values())
    return Done({"fields": values, "engine": "rules"}, {"reported": reported, "of": len(fields)})
