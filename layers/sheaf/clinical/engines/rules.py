"""The built-in engine: no key, no network, the same answer every time; it abstains where it is not sure."""

from clinical import rules
from clinical.answered import Answer
from clinical.engines import Answers
from clinical.papers import Paper
from clinical.templates import Field, Template
from sheaf.jobs import Job


def answer(paper: Paper, template: Template, job: Job) -> Answers:
    """What can be read by rule alone; fields without a rule are not attempted. Raises Permanent for too much work."""
    own = {field.name: field.cues for field in template.fields if field.cues}
    answers = rules.answer(paper, [field.name for field in template.fields], job.budget, own)
    fields = {field.name: _fitting(field, answers[field.name]) for field in template.fields if field.name in answers}
    return Answers(fields, f"rules/{rules.VERSION}")


def _fitting(field: Field, answer: Answer) -> Answer:
    chosen = field.type == "enum" and answer["state"] == "found"
    return rules.not_found() if chosen and answer["value"] not in field.options else answer
