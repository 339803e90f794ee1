"""Who reads a paper: the built-in rules, or a model behind a provider, asked by `asking`. Imported when first used.

An engine proposes; it does not decide. What it says is checked against the paper's text by `clinical.evidence` before
anything of it is stored as a fact.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from clinical.answered import Answer


@dataclass(frozen=True)
class Answers:
    """What an engine says of a paper: for each field's name `{"value", "state", "quote", "page"}`.

    A field that it does not read is left out. The entries of a list of objects have their quotes in them, as "evidence".
    """

    fields: Mapping[str, Answer]
    engine: str
    """Name and version, as `rules/3` or `bedrock/model-id`."""
    usage: Mapping[str, Any] = field(default_factory=dict)
    """Tokens, cost and calls, of an engine that has them."""
