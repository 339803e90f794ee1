"""Whether a project lets its papers be sent to models outside this account: its switch, and who is outside."""

from typing import Annotated, TypedDict
from urllib.parse import urlsplit

from pynamodb.attributes import BooleanAttribute, UnicodeAttribute

from sheaf.engine_settings import EngineSettings, is_near
from sheaf.errors import Conflict
from sheaf.items import Int, Item
from sheaf.outside.needs import ApiWorld, BatchTables
from sheaf.outside.store import Key, Refused, get, get_many, update
from sheaf.schemas import Said


class ProjectSettings(Item):
    """What a project has decided for all of its tasks. The last to decide wins."""

    setting = "library_table"

    entry = UnicodeAttribute(hash_key=True)
    inside = BooleanAttribute(default=False)
    changed_at = Int()
    changed_by = UnicodeAttribute(null=True)


class ProjectSettingsBody(TypedDict):
    textStaysInside: Annotated[bool, Said(description="No engine outside this account is given its papers.")]


class EndpointView(TypedDict):
    engine: str
    host: Annotated[str | None, Said(description="Where it sends texts; null for Bedrock in this account.")]
    outside: Annotated[bool, Said(description="Beyond this account and its network.")]


def endpoint(engine: EngineSettings) -> EndpointView:
    """Where an engine sends texts. A public name is outside, whoever may own it."""
    host = urlsplit(engine.url).hostname if engine.url else None
    return {"engine": engine.name, "host": host, "outside": host is not None and not is_near(host)}


def _key(project: str) -> Key:
    return {"entry": f"{project}/settings"}


def of_projects(world: BatchTables, projects: list[str]) -> set[str]:
    found = get_many(world, ProjectSettings, [_key(name) for name in projects]) if projects else []
    return {each.entry.partition("/")[0] for each in found if each.inside}


def decide(world: ApiWorld, project: str, said: ProjectSettingsBody, by: str | None) -> ProjectSettingsBody:
    """Turn the switch: for tasks that are ordered from now on."""
    now = world.now()
    who = ProjectSettings.changed_by.set(by) if by else ProjectSettings.changed_by.remove()
    actions = [ProjectSettings.inside.set(said["textStaysInside"]), ProjectSettings.changed_at.set(now), who]
    latest = ProjectSettings.changed_at.does_not_exist() | (ProjectSettings.changed_at <= now)
    written = update(world, ProjectSettings, _key(project), actions, latest)
    decided = written.item if isinstance(written, Refused) else written
    return {"textStaysInside": decided.inside if decided else said["textStaysInside"]}


def check(world: ApiWorld, project: str, engine: str | None) -> None:
    """Raises Conflict for an engine outside, where the project lets nothing out. Inside, nothing is asked."""
    settings = world.settings.engines.models.get(engine) if engine else None
    if settings is None or not endpoint(settings)["outside"]:
        return
    decided = get(world, ProjectSettings, _key(project))
    if decided is not None and decided.inside:
        host = endpoint(settings)["host"]
        reason = f"This project lets no text leave this account, and {engine} sends it to {host}."
        reason += " Choose another engine, or have an editor change the project's settings."
        raise Conflict("text-stays-inside", reason)
