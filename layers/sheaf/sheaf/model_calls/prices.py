"""What models cost, in dollars for a million tokens, and what one attempt at a row has cost of that. Pure.

Of two prices by the hour the higher: no budget is overrun by the clock. Cached tokens without a price cost the full one.
"""

import json
import math
from dataclasses import dataclass, replace
from operator import add
from pathlib import Path
from typing import NamedTuple

from sheaf.engine_settings import EngineSettings
from sheaf.model_calls.model_api import Reply, Request, Usage
from sheaf.plain_json import JsonObject

BYTES_PER_TOKEN = 3.5
TOKENS_PER_FIELD = 75  # of a reply
NONE = Usage()


class Price(NamedTuple):
    """Dollars for a million tokens; a token's price in millionths of a dollar is the same number."""

    input: float
    cached: float
    output: float
    stored: float  # of tokens written to the provider's cache
    read_on: str
    source: str


_LIST = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
PRICES = {name: Price(**said) for name, said in _LIST.items()}  # by engine and the name's beginning


def of(settings: EngineSettings) -> Price | None:
    """The deployment's own price, or the list's; None where neither is known."""
    if settings.price:
        read, cached, written = (float(part) for part in settings.price.split("/"))
        return Price(read, cached, written, read, "", "the deployment's parameter")
    named = settings.model.rpartition("/")[2]
    plain = named.partition(".")[2] if named.partition(".")[0] in {"us", "eu", "apac", "jp", "au", "global"} else named
    return next((price for name, price in PRICES.items() if f"{settings.name}/{plain}".startswith(name)), None)


def cost(price: Price | None, usage: Usage) -> int | None:
    """Millionths of a dollar, rounded up."""
    if price is None:
        return None
    each = (price.input, price.cached, price.stored, price.output)
    return math.ceil(sum(tokens * dollars for tokens, dollars in zip(usage, each, strict=True)))


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
    price: Price | None
    calls: int = 0
    reused: int = 0
    usage: Usage = NONE
    micro_usd: int | None = 0  # None where the model's price is not known

    def add(self, usage: Usage) -> None:
        paid = cost(self.price, usage)
        self.usage = Usage(*map(add, self.usage, usage))
        self.micro_usd = None if paid is None or self.micro_usd is None else self.micro_usd + paid

    def told(self) -> JsonObject:
        return {
            "calls": self.calls,
            "reused": self.reused,
            "inputTokens": self.usage.input,
            "cachedTokens": self.usage.cached,
            "storedTokens": self.usage.stored,
            "outputTokens": self.usage.output,
            "costUsd": None if self.micro_usd is None else self.micro_usd / 1_000_000,
        }
