"""Who reads a paper: the built-in rules, or a model behind a provider, asked by `asking`. Imported when first used.

An engine proposes; it does not decide. What it says is checked against the paper's text by `clinical.evidence` before
anything of it is stored as a fact.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Protocol, cast

from clinical.answered import Answer
from clinical.papers import Paper
from clinical.templates import Template
from sheaf.jobs import Job


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


class Engine(Protocol):
    """What an engine's module offers."""

    def answer(self, paper: Paper, template: Template, job: Job) -> Answers:
        """Raises Permanent, Transient, Throttled."""


def load(name: str) -> Engine:
    """Import what answers for this engine: the rules, or what asks a model of whatever provider."""
    return cast("Engine", import_module(f"clinical.engines.{'rules' if name == 'rules' else 'asking'}"))
