"""The built-in kind with hardly any work to spend: what becomes of a row whose paper turns out to be too much."""

from dataclasses import replace

from clinical.extract_paper import work as extract_paper
from sheaf.jobs import Done, Job
from sheaf.work_budget import Budget


def work(job: Job) -> Done:
    """As `extract_paper` does it; the rules and the evidence stop at once."""
    return extract_paper.work(replace(job, budget=Budget(100)))
