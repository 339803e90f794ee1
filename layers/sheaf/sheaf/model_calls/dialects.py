"""Ways of asking a model, found out by being refused: known to the process that found them, of one project's template alone."""

from sheaf.errors import Permanent
from sheaf.logs import say
from sheaf.model_calls.model_api import FormatRefused, Model, TemperatureRefused, Way
from sheaf.outside.needs import AsksModels

KEPT_MS = 24 * 3600 * 1000  # then the strictest way is tried again
MOST = 500
Template = tuple[str, str]  # the project, and the version of its template


def known(world: AsksModels, of: Template, model: Model) -> Way:
    """The strictest way, where nothing else was found out in the last day."""
    way, found_at = world.ways.get((*of, model.endpoint), (None, 0))
    return way if way and world.now() - found_at < KEPT_MS else Way(model.dialects[0])


def remember(world: AsksModels, of: Template, model: Model, way: Way) -> None:
    """It was answered: it is the one to begin with. What was merely tried is not remembered."""
    if way == known(world, of, model):
        return
    if len(world.ways) >= MOST:
        world.ways.clear()
    world.ways[*of, model.endpoint] = (way, world.now())
    say("format_downgraded", reason=way.dialect if way.temperature else f"{way.dialect}, no temperature")


def after(model: Model, refused: Way, error: FormatRefused | TemperatureRefused) -> Way:
    """The same without a temperature, or in the next dialect. Raises Permanent where there is none."""
    if isinstance(error, TemperatureRefused) and refused.temperature:
        return refused._replace(temperature=False)
    at = model.dialects.index(refused.dialect) + 1
    if isinstance(error, TemperatureRefused) or at == len(model.dialects):
        raise Permanent(f"The provider refused the request ({error}).", "request_refused") from error
    return refused._replace(dialect=model.dialects[at])
