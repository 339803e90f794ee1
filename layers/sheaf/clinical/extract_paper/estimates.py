"""What a task would cost, from the size of its papers' texts, before anybody pays for it. An estimate, not an offer."""

from collections.abc import Sequence
from typing import Annotated, TypedDict

from clinical.engines import prompts
from clinical.templates import Template
from sheaf.model_calls import prices
from sheaf.model_calls.model_api import Usage
from sheaf.model_calls.prices import BYTES_PER_TOKEN, TOKENS_PER_FIELD
from sheaf.outside.needs import Aws, HasEngines
from sheaf.protocol.manifest import PinnedItem
from sheaf.schemas import Count, Dollars, Said


class PriceView(TypedDict):
    model: str
    inputUsdPerMillion: Dollars
    outputUsdPerMillion: Dollars
    readOn: Annotated[str | None, Said(format="date")]
    source: str


class PaperEstimateView(TypedDict):
    engine: str
    documents: Count
    inputTokens: Count
    outputTokens: Count
    costUsd: Dollars | None
    price: PriceView | None


def estimate(
    world: Aws[HasEngines], engine: str | None, template: Template, documents: Sequence[PinnedItem]
) -> PaperEstimateView:
    """Tokens and dollars; no dollars where the model's price is not known. Nothing of a provider's cache is counted on."""
    settings = world.settings.engines.models[engine] if engine else None
    price = prices.of(settings) if settings else None
    usage = _usage(template, [each for each in documents if each.refusal is None]) if settings else Usage()
    cost = prices.cost(price, usage) if settings else 0
    known: PriceView | None = None
    if settings and price:
        known = {
            "model": settings.model,
            "inputUsdPerMillion": price.input,
            "outputUsdPerMillion": price.output,
            "readOn": price.read_on or None,
            "source": price.source,
        }
    return {
        "engine": engine or "rules",
        "documents": len(documents),
        "inputTokens": usage.input,
        "outputTokens": usage.output,
        "costUsd": None if cost is None else cost / 1_000_000,
        "price": known,
    }


def row_cost(
    world: Aws[HasEngines], engine: str | None, template: Template, documents: Sequence[PinnedItem]
) -> int | None:
    price = prices.of(world.settings.engines.models[engine]) if engine else None
    cost = prices.cost(price, _usage(template, documents))
    return None if cost is None else cost // len(documents)


def _usage(template: Template, documents: Sequence[PinnedItem]) -> Usage:
    asked = len(prompts.system(template.fields).encode())
    read = sum(asked + each.size for each in documents) / BYTES_PER_TOKEN
    return Usage(input=int(read), output=TOKENS_PER_FIELD * len(template.fields) * len(documents))
