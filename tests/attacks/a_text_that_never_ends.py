"""Somebody uploads a text that is made to be slow, to hold a worker until its time is over, four times (finding 6).

The wall is the budget of work: here a hundredth of it, and texts of a hundredth of what a page may hold.
"""

import math

from clinical import rules
from clinical.papers import Page, Paper
from sheaf.errors import Permanent
from sheaf.work_budget import WORK_MAX, Budget

TEXTS = ("mask", "randomised 20 patients to group blind (n = 30) 2010 hospital ", "1 1 2 patients. ")


def attack(*, walls: bool) -> list[str]:
    """Each text over and over, read by every rule."""
    taken = []
    for piece in TEXTS:
        paper = Paper("text", (Page(1, piece * (100_000 // len(piece))),))
        try:
            rules.answer(paper, list(rules.RULES), Budget(WORK_MAX / 100 if walls else math.inf))
        except Permanent:
            continue
        taken.append(f"a worker for all of {piece.split()[0]}...")
    return taken
