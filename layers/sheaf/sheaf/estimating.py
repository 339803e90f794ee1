"""What a task would cost, from the size of its papers' texts, before anybody pays for it. An estimate, not an offer."""

from collections.abc import Sequence
from typing import Any

from sheaf.engine_settings import EngineSettings
from sheaf.engines import prices, prompts
from sheaf.engines.provider import Usage
from sheaf.manifest import PinnedItem
from sheaf.metering import BYTES_PER_TOKEN, TOKENS_PER_FIELD
from sheaf.needs import Aws, HasEngines
from sheaf.templates import Template


def estimate(
    world: Aws[HasEngines], engine: str | None, template: Template, documents: Sequence[PinnedItem]
) -> dict[str, Any]:
    """Tokens and dollars; no dollars where the model's price is not known. Nothing of a provider's cache is counted on."""
    told = {
        "engine": engine or "rules",
        "documents": len(documents),
        "inputTokens": 0,
        "outputTokens": 0,
        "costUsd": 0.0,
    }
    if engine is None:
        return {**told, "price": None}
    settings = world.settings.engines.models[engine]
    ready = [each for each in documents if each.refusal is None]
    usage = _usage(template, ready)
    price = prices.of(settings)
    cost = prices.cost(price, usage)
    return {
        **told,
        "inputTokens": usage.input,
        "outputTokens": usage.output,
        "costUsd": None if cost is None else cost / 1_000_000,
        "price": _shown(settings, price),
    }


def row_cost(
    world: Aws[HasEngines], engine: str | None, template: Template, documents: Sequence[PinnedItem]
) -> int | None:
    """What one of these would cost, in millionths of a dollar; None where that is not known."""
    price = prices.of(world.settings.engines.models[engine]) if engine else None
    cost = prices.cost(price, _usage(template, documents))
    return None if cost is None else cost // len(documents)


def _usage(template: Template, documents: Sequence[PinnedItem]) -> Usage:
    asked = len(prompts.system(template.fields).encode())
    read = sum(asked + each.size for each in documents) / BYTES_PER_TOKEN
    return Usage(input=int(read), output=TOKENS_PER_FIELD * len(template.fields) * len(documents))


def _shown(settings: EngineSettings, price: prices.Price | None) -> dict[str, Any] | None:
    if price is None:
        return None
    shown = {"model": settings.model, "inputUsdPerMillion": price.input, "outputUsdPerMillion": price.output}
    return {**shown, "readOn": price.read_on or None, "source": price.source}
