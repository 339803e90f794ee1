"""The built-in engine: no key, no network, the same answer every time; it abstains where it is not sure."""

from clinical import rules
from clinical.answered import Answer
from clinical.engines import Answers
from clinical.papers import Paper
from clinical.templates import Field, Template
from sheaf.jobs import Job


def answer(paper: Paper, template: Template, job: Job) -> Answers:
    """What can be read by rule alone. Raises Permanent for too much work."""
    answers = rules.answer(paper, [field.name for field in template.fields], job.budget)
    fields = {field.name: _fitting(field, answers[field.name]) for field in template.fields if field.name in answers}
    return Answers(fields, f"rules/{rules.VERSION}")


def _fitting(field: Field, answer: Answer) -> Answer:
    """The answer; unclear where the template has no such choice, as a cohort's design has not in a trial's template."""
    chosen = field.type == "enum" and answer["status"] == "reported"
    return rules.unclear() if chosen and answer["value"] not in field.options else answer
