"""The janitor's round through the library: files and texts that neither a document nor a task needs any more."""

from collections import defaultdict

from clinical.library import document_lifecycle, library_queries
from clinical.library.document_lifecycle import State
from clinical.library.library_items import Document
from sheaf.errors import Unavailable
from sheaf.janitor.task_objects import DAY_MS, Stored, below, delete_all, pins_of, versions
from sheaf.logs import say
from sheaf.model_calls import stored_replies
from sheaf.outside.needs import BatchAws, HasUndoDays
from sheaf.outside.objects import ObjectGone

GRACE_MS = 3600 * 1000  # for what is brought back at the last moment, or pinned by a task being opened
PREFIXES = ("documents/", "texts/", stored_replies.PREFIX)


def is_needed(item: Document | None, stored: Stored, undo_ms: int, now: int) -> bool:
    """Whether the library itself needs this version of this object, or may soon. Pure."""
    if item is not None and item.state == State.DELETED:
        return bool((item.deleted_at or 0) >= now - undo_ms - GRACE_MS)
    if stored.written_at >= now - DAY_MS:
        return True
    if stored.key.startswith(stored_replies.PREFIX):
        # What models said of a document is kept for its time, and goes with the document whoever pins it.
        return item is not None
    return item is not None and _is_of(item, stored)


def _is_of(item: Document, stored: Stored) -> bool:
    usable = item.pinned
    places = [(usable.key, usable.version), (usable.text_key, usable.text_version)] if usable else []
    if item.state != State.READY:
        places.append((item.key, item.key_version))
    return any(stored.key == key and version in {None, stored.version} for key, version in places)


def tidy(world: BatchAws[HasUndoDays], deadline: int) -> int:
    """Look through every project's files and texts, for as long as there is time. Gives how many were erased."""
    projects = sorted({found.split("/")[1] for prefix in PREFIXES for found in below(world, prefix)})
    start = int(world.chance() * len(projects))
    erased = 0
    for project in projects[start:] + projects[:start]:
        if world.now() >= deadline:
            say("janitor_out_of_time", count=erased)
            break
        try:
            erased += _tidy_project(world, project)
        except (ObjectGone, Unavailable) as error:
            # Without all manifests nothing is known to be free.
            say("sweep_postponed", reason=type(error).__name__)
    return erased


def _tidy_project(world: BatchAws[HasUndoDays], project: str) -> int:
    now, undo_ms = world.now(), world.settings.undo_days * DAY_MS
    stored: dict[str, list[Stored]] = defaultdict(list)
    for prefix in PREFIXES:
        for found in versions(world, f"{prefix}{project}/"):
            stored[found.key.split("/")[2]].append(found)
    documents = library_queries.documents(world, project, stored)
    every = ((documents.get(name), found) for name, all_of_it in stored.items() for found in all_of_it)
    spare = [found for document, found in every if not is_needed(document, found, undo_ms, now)]
    if not spare:
        return 0
    pins = pins_of(world, project)
    free = [found for found in spare if not pins.hold(found.key, found.version)]
    erased = delete_all(world, free)
    for name, item in documents.items():
        if item.state == State.DELETED and set(free).issuperset(stored[name]):
            document_lifecycle.erase(world, item)
    return erased
