"""What a caller can do with a knowledge base: make one, see all, take one away with everything in it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sheaf import ids, quotas, requests
from sheaf.access import Caller, Role
from sheaf.errors import Conflict, InvalidRequest, NotFound, TooMuch
from sheaf.library import clearing, lifecycle, names, queries
from sheaf.library import requests as wishes
from sheaf.library.models import KnowledgeBase, base_key, bases_list
from sheaf.store import Refused, get
from sheaf.wiring import World

API_MS = 15_000
"""How long the API takes documents away before it leaves the rest to the sweep."""


@dataclass(frozen=True)
class Opened:
    """A knowledge base; `replayed` when an earlier request had made it."""

    base: KnowledgeBase
    replayed: bool


def create(world: World[Any], caller: Caller, body: str | None, header_key: str | None) -> Opened:
    """Make one. Raises Forbidden, InvalidRequest, Conflict, TooMuch."""
    caller.must_be(Role.EDITOR)
    name, body_key = wishes.new_base(body)
    key = requests.idempotency_key(header_key, body_key)
    token = world.token()
    identifier = names.base_id(caller.project, f"key {key}" if key is not None else token)
    before = get(world, KnowledgeBase, base_key(caller.project, identifier)) if key is not None else None
    if before is not None:
        return _replay(before, name)
    quota = quotas.Quota("bases", world.settings.knowledge_bases_per_project, queries.bases_alive)
    if quotas.take(world, caller.project, quota, identifier):
        raise TooMuch(f"A project has at most {world.settings.knowledge_bases_per_project} knowledge bases.")
    opened = lifecycle.open_base(
        world,
        KnowledgeBase(
            entry=base_key(caller.project, identifier)["entry"],
            list=bases_list(caller.project),
            created_at=world.now(),
            knowledge_base=identifier,
            name=name,
            opening=token,
        ),
    )
    return _replay(opened.item, name) if isinstance(opened, Refused) else Opened(opened, replayed=False)


def _replay(base: KnowledgeBase | None, name: str) -> Opened:
    if base is None or base.name != name:
        raise Conflict(
            "idempotency-key-reused", "This idempotency key was used for a different request. Use a new key."
        )
    if base.deleted_at is not None:
        raise Conflict("base-deleted", "The knowledge base of this idempotency key was deleted. Use a new key.")
    return Opened(base, replayed=True)


def page(world: World[Any], caller: Caller) -> list[tuple[KnowledgeBase, int]]:
    """All of the project's, with how many documents each has."""
    found = queries.bases(world, caller.project)
    counts = world.parallel(lambda base: queries.count(world, caller.project, base.knowledge_base), found)
    return list(zip(found, counts, strict=True))


def find(world: World[Any], caller: Caller, identifier: str) -> KnowledgeBase:
    """Raises NotFound, in the same words for another project's as for none."""
    found = queries.base(world, caller.project, identifier) if ids.NAME.fullmatch(identifier) else None
    if found is None:
        raise NotFound("There is no such knowledge base.")
    return found


def remove(world: World[Any], caller: Caller, identifier: str) -> None:
    """It and its documents leave the library; what running tasks have pinned of them stays. Raises NotFound."""
    caller.must_be(Role.EDITOR)
    found = find(world, caller, identifier)
    if isinstance(lifecycle.bury_base(world, caller.project, found.knowledge_base, world.now()), Refused):
        raise NotFound("There is no such knowledge base.")
    clearing.clear(world, found, world.now() + API_MS)


def check_room(world: World[Any], caller: Caller, more: int) -> None:
    """Raises TooMuch. Counted from an index, which lags: a limit for people, not a turnstile."""
    most = world.settings.library_documents_per_project
    there = sum(count for _, count in page(world, caller))
    if there + more > most:
        raise TooMuch(
            f"There are {there} documents in this project's library; with {more} more it would be over {most}. "
            "Delete some that are not needed any more."
        )


def cursor(told: Mapping[str, Any] | None) -> str | None:
    """A cursor for a caller: where the next page of documents starts."""
    if told is None:
        return None
    return f"{told['created_at']['N']}-{told['entry']['S'].rpartition('/')[2]}"


def start(text: str | None, project: str, knowledge_base: str) -> dict[str, Any] | None:
    """Where a page starts, in this knowledge base, whatever the cursor says. Raises InvalidRequest."""
    if not text:
        return None
    created_at, dash, document = text.partition("-")
    if not (dash and created_at.isascii() and created_at.isdigit() and len(created_at) <= 14):  # noqa: PLR2004 - digits of an instant
        raise InvalidRequest("cursor", "is not one that this API gave.")
    if not ids.NAME.fullmatch(document):
        raise InvalidRequest("cursor", "is not one that this API gave.")
    return {
        "entry": {"S": f"{project}/document/{document}"},
        "list": {"S": f"{project}/kb/{knowledge_base}"},
        "created_at": {"N": created_at},
    }
