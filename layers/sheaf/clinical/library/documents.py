"""What a caller can do with documents: announce files, see them, have them read again, replace and delete them."""

from collections.abc import Mapping, Sequence
from typing import Any

from clinical.intake import intake_queue
from clinical.library import deleted_bases, document_lifecycle, file_names, for_tasks, knowledge_bases, library_queries
from clinical.library import library_shapes as shapes
from clinical.library.document_lifecycle import LOOK_AFTER_MS, State, Upload
from clinical.library.library_items import Document, KnowledgeBase, document_key, documents_list
from clinical.library.library_shapes import DocumentLabelBody, NewFileBody, NewFilesBody, UploadView
from sheaf import ids, visible
from sheaf.api import bodies
from sheaf.api.access import Caller, Role
from sheaf.errors import Conflict, InvalidRequest, NotFound, Unavailable
from sheaf.logs import say
from sheaf.outside import objects
from sheaf.outside.needs import ApiWorld, BatchTables, Tables, TimedTables
from sheaf.outside.store import Page, Refused
from sheaf.protocol import spending

Place = tuple[str, Document | None]  # where a file goes: its document's id, and the document if it is there
PAGE_DOCUMENTS = 100
PAGE_LOOKS = 10  # pages of the index that one request with a status looks through


def announce(world: ApiWorld, caller: Caller, base_id: str, body: str | None) -> list[UploadView]:
    """A document for each of these files; for the same bytes the one that is there. Raises InvalidRequest, Conflict."""
    caller.must_be(Role.EDITOR)
    base = knowledge_bases.find(world, caller, base_id)
    files = bodies.fields_of(body, NewFilesBody)["files"]
    knowledge_bases.check_room(world, caller, len(files))
    places = _places(world, caller.project, base.knowledge_base, files)
    return world.parallel(lambda item: _announce(world, base, *item), list(zip(files, places, strict=True)))


def _announce(world: ApiWorld, base: KnowledgeBase, file: NewFileBody, place: Place) -> UploadView:
    name, seen = place
    upload = _upload(world, base.project, name, file)
    if seen is None:
        now = world.now()
        where: Any = {"listed_in": documents_list(base.project, base.knowledge_base), "document": name}
        where |= {"knowledge_base": base.knowledge_base, **document_key(base.project, name)}
        times: Any = {"created_at": now, "updated_at": now, "due_at": now + LOOK_AFTER_MS}
        new = Document(**where, **times, state=State.UPLOADING, active="1", **upload._asdict())
        written = document_lifecycle.announce(world, new)
        if not isinstance(written, Refused):
            return _with_form(world, written)
        seen = written.item
    if seen is None or seen.state == State.DELETED:
        raise Unavailable("the document was deleted this moment")
    if seen.state in {State.UPLOADING, State.UNREADABLE} and seen.sha256 == upload.sha256:
        written = document_lifecycle.renew(world, seen, upload, world.now())
        if not isinstance(written, Refused):
            return _with_form(world, written)
        seen = written.item or seen
    return {"document": shapes.document(seen), "upload": None}


def _places(world: BatchTables, project: str, knowledge_base: str, files: Sequence[NewFileBody]) -> list[Place]:
    # Some took the place of others: they are where they are the newest version.
    first = {file_names.document_id(project, knowledge_base, file["sha256"]): file["sha256"] for file in files}
    replacing = library_queries.replacing(world, project, first)
    there = ((first[name], seen) for name, seen in replacing.items())
    places: dict[str, Place] = {sha256: (seen.document, seen) for sha256, seen in there if _is_of(seen, sha256)}
    todo = {file["sha256"] for file in files} - places.keys()
    for number in range(file_names.SAMES):
        ids = {sha256: file_names.document_id(project, knowledge_base, sha256, number) for sha256 in todo}
        found = library_queries.documents(world, project, ids.values())
        for sha256, name in ids.items():
            seen = found.get(name)
            if seen is None or _is_of(seen, sha256):
                places[sha256] = (name, seen)
        todo -= places.keys()
        if not todo:
            return [places[file["sha256"]] for file in files]
    reason = "was deleted from here too often. Undo one of these deletions, or wait until one of them is erased."
    raise InvalidRequest("files", reason, sha256=sorted(todo))


def _is_of(seen: Document, sha256: str) -> bool:
    return bool(seen.state != State.DELETED and seen.sha256 == sha256)


def _upload(world: ApiWorld, project: str, name: str, file: NewFileBody) -> Upload:
    suffix, sha256 = file_names.ending(file["filename"]), file["sha256"]
    until = world.now() + world.settings.upload_seconds * 1000
    key, shown = file_names.file_key(project, name, sha256, suffix), file_names.shown(file["filename"])
    return Upload(shown, file_names.TYPES[suffix], key, sha256, int(file["size"]), world.token(), until)


def _with_form(world: ApiWorld, item: Document) -> UploadView:
    about: Any = {"content_type": item.content_type, "size": item.size, "sha256": item.sha256}
    form = objects.upload_form(world, item.key, **about, seconds=world.settings.upload_seconds)
    return {"document": shapes.document(item), "upload": form}


def find(world: Tables, caller: Caller, name: str, *, or_deleted: bool = False) -> Document:
    """Raises NotFound, in the same words for another project's as for none."""
    found = library_queries.document(world, caller.project, name) if ids.NAME.fullmatch(name) else None
    if found is None or (found.state == State.DELETED and not or_deleted):
        raise NotFound("There is no such document.")
    return found


def page(
    world: BatchTables, caller: Caller, base_id: str, *, cursor: str | None, status: str | None
) -> tuple[list[Document], str | None]:
    """A page of a knowledge base's documents, newest first, and where the next one starts. Raises InvalidRequest."""
    base = knowledge_bases.find(world, caller, base_id)
    listed = documents_list(caller.project, base.knowledge_base)
    after = bodies.start(cursor, lambda name: document_key(caller.project, name), list=listed)
    found: list[Document] = []
    for _ in range(PAGE_LOOKS):
        part: Page[Document] = library_queries.page(world, caller.project, base.knowledge_base, after, PAGE_DOCUMENTS)
        # A document that has a usable version is ready, whatever has become of a newer one.
        found += [item for item in part.items if status in {None, str(State.READY if item.usable else item.state)}]
        after = part.after
        if after is None or found:
            break
    return found, bodies.cursor(after, "entry")


def relabel(world: Tables, caller: Caller, name: str, body: str | None) -> Document:
    """Call its study something else, or again what was found; tag it. Raises Forbidden, InvalidRequest, NotFound."""
    caller.must_be(Role.EDITOR)
    fields, seen = bodies.fields_of(body, DocumentLabelBody), find(world, caller, name)
    said: dict[str, Any] = {"label": visible.cleaned(fields["label"] or "") or None} if "label" in fields else {}
    if "tags" in fields:
        said["tags"] = {tag for each in fields["tags"] if (tag := visible.cleaned(each))} or None
    written = document_lifecycle.relabel(world, seen, **said) if said else seen
    if isinstance(written, Refused):
        raise NotFound("There is no such document.")
    return written


def remove(world: TimedTables, caller: Caller, name: str) -> None:
    """It leaves the library; what tasks have pinned of it stays until they go. Raises NotFound."""
    caller.must_be(Role.EDITOR)
    document_lifecycle.bury(world, find(world, caller, name).entry, caller.user, world.now())


def restore(world: ApiWorld, caller: Caller, name: str) -> Document:
    """It comes back as it was. Raises NotFound, Conflict where that is too late or makes no sense."""
    caller.must_be(Role.EDITOR)
    seen = find(world, caller, name, or_deleted=True)
    if seen.state != State.DELETED:
        return seen
    if not for_tasks.has_knowledge_base(world, caller.project, seen.knowledge_base):
        reason = "Its knowledge base was deleted too. Bring that back, and its papers come along."
        raise Conflict("base-deleted", reason)
    project, base_id = caller.project, seen.knowledge_base
    same = [file_names.document_id(project, base_id, seen.sha256, at) for at in range(file_names.SAMES)]
    for item in library_queries.documents(world, project, same).values():
        if _is_of(item, seen.sha256):
            raise Conflict("document-there", "The same file was uploaded again.", documentId=item.document)
    knowledge_bases.check_room(world, caller, 1)
    since = deleted_bases.undo_since(world)
    back = document_lifecycle.restore(world, seen, world.token(), since=since, now=world.now())
    return deleted_bases.undone(world, back, since)


def reread(world: ApiWorld, caller: Caller, name: str) -> Document:
    """Read it again. Raises Conflict where there is nothing to be read, or no need."""
    caller.must_be(Role.EDITOR)
    seen = find(world, caller, name)
    if seen.state in {State.NEEDS_OCR, State.UNREADABLE} and seen.key_version:
        spending.take_reread(world, caller.project, world.now())
    written = document_lifecycle.reread(world, seen, world.token(), world.now())
    if isinstance(written, Refused):
        now = written.item or seen
        if now.state == State.UNREADABLE:
            raise Conflict("document-not-there", "Its file never arrived. Upload it again.", documentStatus=now.state)
        reason = f"The document is {now.state}; there is nothing to do again."
        raise Conflict("document-under-way", reason, documentStatus=now.state)
    try:
        intake_queue.send(world, [written])
    except Unavailable as error:
        # The document says that it waits: the sweep sends the message.
        say("message_left", document=written.entry, reason=str(error))
    return written


def replace(world: ApiWorld, caller: Caller, name: str, body: str | None) -> UploadView:
    """Upload other bytes in a document's place. Raises Conflict while it is being read, InvalidRequest."""
    caller.must_be(Role.EDITOR)
    file = bodies.fields_of(body, NewFileBody)
    seen = find(world, caller, name)
    usable = seen.pinned
    if seen.state == State.READY and usable is not None and usable.sha256 == file["sha256"]:
        return {"document": shapes.document(seen), "upload": None}
    upload = _upload(world, caller.project, name, file)
    document_lifecycle.remember(world, seen, upload)
    written = document_lifecycle.replace(world, seen, upload, world.now())
    if isinstance(written, Refused):
        state = (written.item or seen).state
        raise Conflict("document-under-way", f"The document is {state}. Wait until that is done.", documentStatus=state)
    return _with_form(world, written)


def shown_details(details: Mapping[str, Any]) -> dict[str, Any]:
    authors, year, title = details.get("authors"), details.get("year"), details.get("title")
    first = authors[0] if isinstance(authors, list) and authors else None
    year_digits = str(year or "")[:4]
    return {
        "title": file_names.shown_name(title) if isinstance(title, str) and title else None,
        "first_author": file_names.shown_name(first) if isinstance(first, str) else None,
        "year": int(year_digits) if year_digits.isascii() and year_digits.isdigit() else None,
    }
