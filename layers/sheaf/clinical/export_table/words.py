"""What a file says in words, English and Chinese: `words.json`. The page says the same of states and reasons; a test holds them together. Pure."""

import json
from collections.abc import Sequence
from pathlib import Path

_WORDS: dict[str, dict[str, list[str]]] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
SHEETS, HEADINGS, STATUSES, REASONS = (_WORDS[name] for name in ("sheets", "headings", "statuses", "reasons"))
STATES = _WORDS["states"]
"""Of each state its label and what it means, each in both languages."""


def said(both: Sequence[str], language: str) -> str:
    """In one of two languages, or in both."""
    english, chinese = both
    return {"en": english, "zh": chinese}.get(language) or " / ".join(dict.fromkeys(both))
