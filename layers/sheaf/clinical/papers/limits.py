"""How much one file may cost to read. One place, so that the in-process and the separate reading agree."""

from typing import NamedTuple

MB = 1_000_000


class Limits(NamedTuple):
    """What one file may take before it is given up; the others are not touched by that."""

    memory_bytes: int = 512 * MB  # address space of the child; a paper needs less than half of it
    cpu_seconds: int = 20
    wall_seconds: float = 30
    pages: int = 1_000
    text_bytes: int = 20 * MB  # of all the text that comes out
    page_bytes: int = 2 * MB  # of one page's text or one section's: it is shown whole, and an answer takes 6 MB at most
    sent_bytes: int = 4 * MB  # the same as an answer holds it, where a quotation mark takes four bytes
    sections: int = 1_000
    title_characters: int = 400  # all sections are in every answer, beside a page: 1.6 MB of them at most
    file_bytes: int = 50 * MB


LIMITS = Limits()


def sent_bytes(text: str) -> int:
    """What a text takes of Lambda's 6 MB: JSON within JSON, so that a quote costs four bytes and a line's end three."""
    return len(text.encode(errors="replace")) + 3 * text.count('"') + 3 * text.count("\\") + 2 * text.count("\n")


def is_too_long(text: str, limits: Limits = LIMITS) -> bool:
    return len(text.encode(errors="replace")) > limits.page_bytes or sent_bytes(text) > limits.sent_bytes
