"""One call to a provider, whoever plays it."""

from dataclasses import dataclass
from typing import Any


@dataclass
class Call:
    """One call to the provider."""

    row: tuple[str, int]
    process: Any
    started: int
    ended: int | None = None
    outcome: str | None = None
    metered: bool = False
    """Its answer has a price, whatever it is worth."""
    timed_out: bool = False
    """It was given up, and its provider may have worked all the same."""
    question: str | None = None
    """Where its reply is kept, of a model's call."""
    paid: bool = False
