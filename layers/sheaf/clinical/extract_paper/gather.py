"""What a task of papers works on where it was named by reference: listed and pinned by the aggregator, as it is by then."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from clinical.library.for_tasks import GONE, get_documents_for_extraction, listed_in
from sheaf import ids
from sheaf.errors import Permanent
from sheaf.outside import objects
from sheaf.outside.needs import BatchAws, HasBucket
from sheaf.protocol.manifest import PinnedItem

SLICE, MEGABYTE = 1_000, 1_000_000


def gather(world: BatchAws[HasBucket], project: str, options: Mapping[str, Any]) -> Iterator[Sequence[PinnedItem]]:
    """Slice by slice, what cannot be worked on with the reason. Raises Permanent for a manifest that cannot be read."""
    said, base = options.get("gather", {}), str(options.get("knowledgeBase"))
    there = _manifest(world, said) if "manifest" in said else listed_in(world, project, base)
    names, status = iter(there), said.get("status")
    while together := list(islice(names, SLICE)):
        found = get_documents_for_extraction(world, project, together)
        chosen = (name for name in together if status is None or (name in found and found[name].state == status))
        yield [found[name].pinned if name in found else PinnedItem(name, "", None, None, name, GONE) for name in chosen]


def row_cost(options: Mapping[str, Any], mean_size: int) -> int | None:
    empty, megabyte = options.get("gather", {}).get("costs", (None, None))
    return None if empty is None else empty + (megabyte - empty) * mean_size // MEGABYTE


def _manifest(world: BatchAws[HasBucket], said: Mapping[str, Any]) -> Iterable[str]:
    try:
        named = _entries(objects.get(world, said["manifest"], said["version"]).decode("utf-8-sig"))
    except objects.ObjectGone as error:
        raise Permanent("The manifest is not there any more.") from error
    except (ValueError, RecursionError) as error:
        raise Permanent("The manifest holds neither document ids, one a line, nor a JSON array of them.") from error
    for number, name in enumerate(named, start=1):
        if not isinstance(name, str) or not ids.NAME.fullmatch(name):
            raise Permanent(f"Entry {number} of the manifest is no document's id.")
    return dict.fromkeys(named)


def _entries(text: str) -> list[Any]:
    if text.lstrip().startswith("["):
        array: list[Any] = json.loads(text)
        return array
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return [json.loads(line) if line.startswith('"') else line for line in lines]
