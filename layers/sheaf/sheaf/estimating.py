"""What a task would cost, from the size of its papers' texts, before anybody pays for it. An estimate, not an offer."""

from collections.abc import Sequence
from typing import Any

from sheaf import objects
from sheaf.engines import prices, prompts
from sheaf.engines.provider import Usage
from sheaf.manifest import Frozen
from sheaf.metering import BYTES_PER_TOKEN, TOKENS_PER_FIELD
from sheaf.settings import EngineSettings
from sheaf.templates import Template
from sheaf.wiring import World

LOOKED_AT = 60
"""Texts whose size is asked for; of more, evenly many, and the rest are taken to be like them."""


def estimate(world: World[Any], engine: str | None, template: Template, documents: Sequence[Frozen]) -> dict[str, Any]:
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
    usage = _usage(world, template, ready)
    price = prices.of(settings)
    cost = prices.cost(price, usage)
    return {
        **told,
        "inputTokens": usage.input,
        "outputTokens": usage.output,
        "costUsd": None if cost is None else cost / 1_000_000,
        "price": _shown(settings, price),
    }


def _usage(world: World[Any], template: Template, documents: Sequence[Frozen]) -> Usage:
    step = max(1, len(documents) // LOOKED_AT)
    sizes = world.parallel(lambda each: objects.size(world, each.key, each.version), documents[::step])
    mean = sum(sizes) / len(sizes) if sizes else 0
    asked = len(prompts.system(template.fields).encode())
    each = (mean + asked) / BYTES_PER_TOKEN
    return Usage(input=int(each * len(documents)), output=TOKENS_PER_FIELD * len(template.fields) * len(documents))


def _shown(settings: EngineSettings, price: prices.Price | None) -> dict[str, Any] | None:
    if price is None:
        return None
    shown = {"model": settings.model, "inputUsdPerMillion": price.input, "outputUsdPerMillion": price.output}
    return {**shown, "readOn": price.read_on or None, "source": price.source}
