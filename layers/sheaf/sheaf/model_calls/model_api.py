"""What a model's module offers to `asking`, and what can be wrong with one call of it. Pure."""

import hashlib
import json
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypedDict

from sheaf.errors import SheafError


class ModelFault(SheafError):
    """The reply cannot be used: asked again with this reason, then anew, then the document fails."""


class Truncated(SheafError):
    """The reply stopped at the limit of its length. Never accepted: fewer fields are asked for at once."""


class TooLong(SheafError):
    """The paper does not fit the model's window: it is read in parts."""


class FormatRefused(SheafError):
    """The endpoint does not take this way of asking for JSON: the next one is taken."""


class TemperatureRefused(SheafError):
    """The model takes no temperature: it is asked without."""


class Way(NamedTuple):
    dialect: str
    temperature: bool = True


class Usage(NamedTuple):
    """Tokens as the provider counted them: read anew, read from its cache, written to its cache, written out."""

    input: int = 0
    cached: int = 0
    stored: int = 0
    output: int = 0

    @property
    def total(self) -> int:
        return sum(self)


@dataclass(frozen=True)
class Reply:
    """One reply. `stop` is why it ended: "end", or one of the words that `asking` knows."""

    text: str
    stop: str
    usage: Usage

    def __post_init__(self) -> None:
        """As it came, but for halves of characters, which could not be stored."""
        object.__setattr__(self, "text", self.text.encode(errors="replace").decode())


class Schema(TypedDict, total=False):
    """As much of JSON Schema as an answer's form needs."""

    type: str
    enum: list[str]
    properties: dict[str, "Schema"]
    items: "Schema"
    required: list[str]
    additionalProperties: bool


class Request(NamedTuple):
    """One question to a model: what never changes first, so that its provider can keep it."""

    system: str
    turns: tuple[tuple[str, str], ...]
    schema: Schema
    output_tokens: int
    temperature: float | None = 0.0  # None for a model that takes none

    def sha256(self, *to: Any) -> str:
        """The same for the same question to the same model, asked in the same way."""
        text = json.dumps([*to, self._asdict()], sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode(errors="replace")).hexdigest()


class Model(Protocol):
    name: str  # as it stands in a result: provider/model
    endpoint: str  # what a way of asking is remembered for
    dialects: tuple[str, ...]  # its ways of asking for JSON, the strictest first

    def send(self, request: Request, dialect: str, seconds: float) -> Reply:
        """Raises Permanent, Throttled, AccountRefused, ProviderDown, TooLong, FormatRefused, TemperatureRefused."""
