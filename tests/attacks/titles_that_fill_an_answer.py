"""Somebody uploads an article whose section titles are long, and nobody can look at its text any more (finding 11).

The wall is the length of a title that the intake keeps.
"""

import json

from clinical.library import library_shapes
from clinical.papers import reader
from clinical.papers.limits import LIMITS

ANSWER_MAX = 6_000_000


def attack(*, walls: bool) -> list[str]:
    """Nine titles of 1.9 MB, and every page asked for."""
    section = f"<sec><title>{'T' * 1_900_000}</title><p>Words.</p></sec>"
    content = f"<article><front/><body>{section * 9}</body></article>".encode()
    paper = reader.read(content, "a.nxml", LIMITS if walls else LIMITS._replace(title_characters=10**9))
    sizes = {
        page: len(json.dumps(library_shapes.text("d1", paper, page)))
        for page in (None, *range(1, len(paper.pages) + 1))
    }
    return [f"an answer of {size:,} bytes for page {page}" for page, size in sizes.items() if size > ANSWER_MAX]
