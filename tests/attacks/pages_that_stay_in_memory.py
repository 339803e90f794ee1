"""A tenant's paper wants to stay in the worker's memory, for the next tenant's row to be killed for it (finding 5).

The wall is the bound in bytes on what is kept of a paper's pages, and that it belongs to the job.
"""

import math

from clinical.evidence import Pages, locate
from clinical.papers import Page, Paper
from sheaf.work_budget import Budget

BOUND = 50_000


def attack(*, walls: bool) -> list[str]:
    """Quotes that are not there, in a paper that is larger than what may be kept of it."""
    paper = Paper("text", tuple(Page(number, f"page {number} " * 500) for number in range(1, 21)))
    pages = Pages(paper, Budget(), BOUND if walls else math.inf)
    locate("a sentence that nobody has written at all", pages)
    return [f"{pages.kept_bytes:,} bytes of a bound of {BOUND:,}"] if pages.kept_bytes > BOUND else []
