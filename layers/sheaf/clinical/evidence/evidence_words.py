"""The words that a module of evidence looks for: its table in `words.toml` of its room. Pure."""

import re
from pathlib import Path

from clinical.evidence.letters import DASHES, GROUPING
from clinical.patterns import Patterns, written

PARTS = {"GROUPING": GROUPING, "HYPHENS": re.escape("-" + DASHES)}
"""Characters that patterns share with what is folded."""


def words_of(module: str) -> Patterns:
    """Those of the module whose file this is."""
    path = Path(module)
    room = written(path.with_name("words.toml"))
    return Patterns(room[path.stem], PARTS | room.get("PARTS", {}))
