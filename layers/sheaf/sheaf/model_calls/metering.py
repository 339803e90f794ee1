"""What one attempt at a row cost: its calls, its tokens, its millionths of a dollar. Pure."""

from dataclasses import dataclass, field, replace

from sheaf.model_calls import prices
from sheaf.model_calls.model_api import Reply, Request, Usage
from sheaf.model_calls.prices import Price
from sheaf.plain_json import JsonObject

BYTES_PER_TOKEN = 3.5
TOKENS_PER_FIELD = 75
"""Of a reply."""


def counted(request: Request, reply: Reply) -> Reply:
    """The reply with its tokens; by its size where the provider does not say them, since a budget has to end a task all the same."""
    if reply.usage.total:
        return reply
    return replace(reply, usage=Usage(input=_asked(request), output=_tokens(reply.text)))


def guessed(request: Request) -> Usage:
    """What a call that timed out is taken to have used: its provider was asked, and may have written the whole form."""
    fields = TOKENS_PER_FIELD * len(request.schema["properties"])
    return Usage(input=_asked(request), output=min(fields, request.output_tokens))


def _asked(request: Request) -> int:
    return _tokens(request.system + "".join(text for _, text in request.turns))


def _tokens(text: str) -> int:
    return int(len(text.encode(errors="replace")) / BYTES_PER_TOKEN)


@dataclass
class Meter:
    """Counts up, from nothing, at the price that it is given."""

    price: Price | None
    calls: int = 0
    reused: int = 0
    usage: Usage = field(default_factory=Usage)
    micro_usd: int | None = 0
    """None where the model's price is not known."""

    def add(self, usage: Usage) -> None:
        was, cost = self.usage, prices.cost(self.price, usage)
        self.usage = Usage(
            was.input + usage.input, was.cached + usage.cached, was.stored + usage.stored, was.output + usage.output
        )
        self.micro_usd = None if cost is None or self.micro_usd is None else self.micro_usd + cost

    def told(self) -> JsonObject:
        """As it stands in a result."""
        return {
            "calls": self.calls,
            "reused": self.reused,
            "inputTokens": self.usage.input,
            "cachedTokens": self.usage.cached,
            "storedTokens": self.usage.stored,
            "outputTokens": self.usage.output,
            "costUsd": None if self.micro_usd is None else self.micro_usd / 1_000_000,
        }
