"""The built-in engine: no key, no network, the same answer every time; it abstains where it is not sure."""

from sheaf import rules
from sheaf.engines import Answers
from sheaf.kinds import Job
from sheaf.papers import Paper
from sheaf.templates import Template


def answer(paper: Paper, template: Template, _job: Job) -> Answers:
    """What can be read by rule alone."""
    told = rules.answer(paper, [field.name for field in template.fields])
    return Answers(told, f"rules/{rules.VERSION}")
