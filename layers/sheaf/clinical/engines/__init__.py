"""Who reads a paper: the rules, or a model. An engine proposes; what it says is checked by `clinical.evidence`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from clinical.answered import Answer


@dataclass(frozen=True)
class Answers:
    """For each field's name its value, state, quote and page; a field that it does not read is left out."""

    fields: Mapping[str, Answer]
    engine: str  # name and version, as `rules/3` or `bedrock/model-id`
    usage: Mapping[str, Any] = field(default_factory=dict)  # tokens, cost and calls, of an engine that has them
