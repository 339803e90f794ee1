"""What a task would cost, from the size of its papers' texts, before anybody pays for it. An estimate, not an offer."""

from collections.abc import Sequence
from typing import Annotated, Any, TypedDict

from clinical.engines import prompts
from clinical.templates import Template
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
    inputTokens: Count
    outputTokens: Count
    costUsd: Dollars | None
    price: PriceView | None


Texts = Sequence[PinnedItem]


def estimate(world: Aws[HasEngines], engine: str | None, template: Template, documents: Texts) -> PaperEstimateView:
    """Tokens and dollars; no dollars where the model's price is not known. Nothing of a provider's cache is counted on."""
    settings = world.settings.engines.models[engine] if engine else None
    price = prices.of(settings) if settings else None
    usage = _usage(template, [each for each in documents if each.refusal is None]) if settings else Usage()
    cost = prices.cost(price, usage) if settings else 0
    known: PriceView | None = None
    if settings and price:
        dollars: Any = {"inputUsdPerMillion": price.input, "outputUsdPerMillion": price.output}
        known = show(PriceView, price, **dollars, model=settings.model, readOn=price.read_on or None)
    counted: Any = {"documents": len(documents), "inputTokens": usage.input, "outputTokens": usage.output}
    in_dollars = None if cost is None else cost / 1_000_000
    return show(PaperEstimateView, usage, **counted, engine=engine or "rules", costUsd=in_dollars, price=known)


def row_cost(world: Aws[HasEngines], engine: str | None, template: Template, documents: Texts) -> int | None:
    price = prices.of(world.settings.engines.models[engine]) if engine else None
    cost = prices.cost(price, _usage(template, documents))
    return None if cost is None else cost // len(documents)


def _usage(template: Template, documents: Texts) -> Usage:
    asked = len(prompts.system(template.fields).encode())
    read = sum(asked + each.size for each in documents) / BYTES_PER_TOKEN
    return Usage(input=int(read), output=TOKENS_PER_FIELD * len(template.fields) * len(documents))
