"""What a task would cost, from the size of its papers' texts, before anybody pays for it. An estimate, not an offer."""

import math
from collections.abc import Sequence
from typing import Annotated, Any, TypedDict

from clinical.engines import prompts
from clinical.templates import Template
from sheaf.engine_settings import EngineSettings
from sheaf.model_calls import prices
from sheaf.model_calls.model_api import Usage
from sheaf.model_calls.prices import BYTES_PER_TOKEN, TOKENS_PER_FIELD
from sheaf.outside.needs import Aws, HasEngines
from sheaf.protocol.manifest import PinnedItem
from sheaf.schemas import Count, Dollars, Said, show


class PriceView(TypedDict):
    model: str
    inputUsdPerMillion: Dollars
    outputUsdPerMillion: Dollars
    readOn: Annotated[str | None, Said(format="date")]
    source: str


class PaperEstimateView(TypedDict):
    engine: str
    documents: Count
    calls: Annotated[Count, Said(description="Of the model; those that ask it to correct itself are not foreseen.")]
    inputTokens: Count
    outputTokens: Count
    costUsd: Dollars | None
    price: PriceView | None


Texts = Sequence[PinnedItem]


def estimate(world: Aws[HasEngines], engine: str | None, template: Template, documents: Texts) -> PaperEstimateView:
    """Tokens and dollars; no dollars where the model's price is not known. Nothing of a provider's cache is counted on."""
    settings = world.settings.engines.models[engine] if engine else None
    price = prices.of(settings) if settings else None
    read = [each for each in documents if each.refusal is None]
    calls, usage = _counted(settings, template, read) if settings else (0, Usage())
    cost = prices.cost(price, usage) if settings else 0
    known: PriceView | None = None
    if settings and price:
        dollars: Any = {"inputUsdPerMillion": price.input, "outputUsdPerMillion": price.output}
        known = show(PriceView, price, **dollars, model=settings.model, readOn=price.read_on or None)
    counted: Any = {
        "documents": len(documents),
        "calls": calls,
        "inputTokens": usage.input,
        "outputTokens": usage.output,
    }
    in_dollars = None if cost is None else cost / 1_000_000
    return show(PaperEstimateView, usage, **counted, engine=engine or "rules", costUsd=in_dollars, price=known)


def row_cost(world: Aws[HasEngines], engine: str | None, template: Template, documents: Texts) -> int | None:
    if engine is None:
        return None
    settings = world.settings.engines.models[engine]
    cost = prices.cost(prices.of(settings), _counted(settings, template, documents)[1])
    return None if cost is None else cost // len(documents)


def _counted(settings: EngineSettings, template: Template, documents: Texts) -> tuple[int, Usage]:
    """Calls and tokens. Of questions two a field, of whatever size the text is: the second where the first finds nothing."""
    fields, texts = len(template.fields), len(documents)
    if settings.asks == "questions":
        calls = 2 * fields * texts
        read, written = calls * (len(prompts.QUESTION) + prompts.ROUND_CHARS), calls
    else:
        asked = len(prompts.system(template.fields).encode())
        room = (settings.window_tokens - settings.output_tokens) * BYTES_PER_TOKEN - asked
        calls = sum(max(1, math.ceil(each.size / max(room, 1))) for each in documents)
        read, written = texts * asked + sum(each.size for each in documents), fields * texts
    return calls, Usage(input=int(read / BYTES_PER_TOKEN), output=TOKENS_PER_FIELD * written)
