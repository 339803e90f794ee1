"""What models cost, in dollars for a million tokens, with the day and the place each price was read. Pure.

A price is what it was on that day: providers change them, and discounts of an account are not known here. Where a
provider has hours of two prices, the higher one stands here, so that a budget is never overrun by the clock.
Where no price of cached tokens was found, they cost the full one.
A model that is not on the list has no cost until the deployment says its price.
"""

import json
from pathlib import Path
from typing import NamedTuple

from sheaf.engine_settings import EngineSettings
from sheaf.model_calls.model_api import Usage


class Price(NamedTuple):
    """Dollars for a million tokens; a token's price in millionths of a dollar is the same number."""

    input: float
    cached: float
    output: float
    stored: float
    """Of tokens written to the provider's cache."""
    read_on: str
    source: str


_LIST = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
PRICES = {name: Price(**said) for name, said in _LIST.items()}
"""By engine and the beginning of the model's name, which goes on with dates and versions."""


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
    exact = (
        usage.input * price.input
        + usage.cached * price.cached
        + usage.stored * price.stored
        + usage.output * price.output
    )
    return -int(-exact // 1)
