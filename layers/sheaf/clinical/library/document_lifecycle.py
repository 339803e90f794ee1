"""Owns every state of a document. Each transition is one function here and one conditional write.

As in `sheaf.protocol.lifecycle`: the item as written, or `Refused` with the item found; each knows its lost success.
"""

from enum import StrEnum
from typing import Any, NamedTuple, TypeVar

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from clinical.library import file_names, library_items
from clinical.library.library_items import Document, Kept, KnowledgeBase, Replacing, Usable
from sheaf.items import NOBODY
from sheaf.outside.needs import Tables
from sheaf.outside.store import Already, Key, Refused, assign, delete, put, update
from sheaf.protocol.leases import Bid, Due, Leases


class State(StrEnum):
    """What a person is shown. A deleted document is shown to nobody, and leaves that state only by being brought back."""

    UPLOADING = "uploading"
    READING = "reading"
    READY = "ready"
    NEEDS_OCR = "needs_ocr"
    UNREADABLE = "unreadable"
    DELETED = "deleted"


K = TypeVar("K", Document, KnowledgeBase)
Written = Document | Refused[Document]
WrittenBase = KnowledgeBase | Refused[KnowledgeBase]
UNDER_WAY = frozenset({State.UPLOADING, State.READING})
LOOK_AFTER_MS = 120_000  # an upload whose event has not come by then may have lost it
TEXT_MAX = 400


class Upload(NamedTuple):
    filename: str
    content_type: str
    key: str
    sha256: str
    size: int
    opening: str
    upload_until: int


def _key(item: Kept) -> Key:
    return {"entry": item.entry}


LEASES = Leases(Document, _key, Document.state, State.READING)


def announce(world: Tables, item: K) -> K | Refused[K]:
    """none -> uploading. A knowledge base is opened in the same way: its item is the record of its idempotency key."""
    return put(world, item, Kept.entry.does_not_exist(), already=_opened_by(item.opening))


def renew(world: Tables, seen: Document, upload: Upload, now: int) -> Written:
    """uploading or unreadable -> uploading: the same bytes once more, because they did not come or came wrong."""
    same = Document.state.is_in(State.UPLOADING, State.UNREADABLE) & (Document.sha256 == upload.sha256)
    return update(world, Document, _key(seen), _awaiting(upload, now), same, already=_opened_by(upload.opening))


def replace(world: Tables, seen: Document, upload: Upload, now: int) -> Written:
    """Any state but reading and deleted -> uploading: other bytes. What was usable stays so until these are read."""
    free = Document.state.is_in(State.UPLOADING, State.READY, State.NEEDS_OCR, State.UNREADABLE)
    still = free & (Document.opening == seen.opening)
    return update(world, Document, _key(seen), _awaiting(upload, now), still, already=_opened_by(upload.opening))


def remember(world: Tables, seen: Document, upload: Upload) -> None:
    """Where these bytes are going, before they replace others: a hint, which who follows it holds against the document."""
    key = _bytes_of(seen, upload.sha256)
    other = Replacing.entry.does_not_exist() | (Replacing.document != seen.document)
    put(world, Replacing(entry=key["entry"], document=seen.document), other)


def reread(world: Tables, seen: Document, opening: str, now: int) -> Written:
    """needs_ocr or unreadable -> reading: once more, of bytes that did arrive."""
    actions = [Document.state.set(State.READING), *_anew(opening, now)]
    arrived = Document.state.is_in(State.NEEDS_OCR, State.UNREADABLE) & Document.key_version.exists()
    return update(world, Document, _key(seen), actions, arrived, already=_opened_by(opening))


def relabel(world: Tables, seen: Document, **said: str | set[str] | None) -> Written:
    """What people call it, and their tags. Twice is as once, so that a lost reply needs no care."""
    there = Document.entry.exists() & (Document.state != State.DELETED)
    return update(world, Document, _key(seen), assign(Document, **said), there)


def bury(world: Tables, entry: str, by: str | None, now: int, *, with_base: KnowledgeBase | None = None) -> Written:
    """Any state -> deleted, a tombstone until its objects are erased. A lease stays, should it be brought back."""
    listed_in = library_items.gone_list(with_base.project, with_base.knowledge_base) if with_base else None
    said = assign(Document, was=Document.state, state=State.DELETED, updated_at=now)
    actions = [*said, *_gone(by, now, listed_in), *_at_rest()]
    there = Document.state.exists() & (Document.state != State.DELETED)
    return update(world, Document, {"entry": entry}, actions, there, already=lambda found: found.state == State.DELETED)


def restore(world: Tables, seen: Document, opening: str, *, since: int, now: int) -> Written:
    """deleted -> as it was, if it was deleted after `since` and nothing happened to it meanwhile."""
    was = State(seen.was or seen.state)
    actions = assign(Document, state=was, was=None, updated_at=now)
    actions += _back(opening, library_items.documents_list(seen.project, seen.knowledge_base))
    if was in UNDER_WAY:
        actions += _look_at(max(now, seen.lease_until or 0) + LOOK_AFTER_MS)
    as_seen = (Document.state == State.DELETED) & (Document.deleted_at == seen.deleted_at)
    guard = as_seen & (Document.deleted_at >= since)
    return update(world, Document, _key(seen), actions, guard, already=_opened_by(opening))


def claim(world: Tables, seen: Document, version: str | None, bid: Bid) -> Written:
    """uploading or reading (or, by an open upload, unreadable) -> reading. Tries count from the announcement."""
    other: Condition = (Document.state == State.UNREADABLE) & (Document.upload_until >= bid.now)
    actions = [Document.sends.set(0), *_look_at(bid.lease_until + 1_000)]
    if version is not None:
        other &= Document.key_version != version
        actions.append(Document.key_version.set(version))
    free = (Document.state == State.UPLOADING) | LEASES.abandoned(bid.now) | other
    return LEASES.claim(world, _key(seen), bid, (Document.key == seen.key) & free, *actions)


def release(world: Tables, item: Document, due: Due, now: int, recognition: Any = None) -> Written:
    """reading -> reading, free from `due.at` on; waits for `recognition`. Refused where that was its last try."""
    actions = assign(Document, lease_until=due.at, token=None, updated_at=now) + _look_at(due.at + LOOK_AFTER_MS)
    if recognition is not None:
        actions.append(Document.recognition.set(recognition))
    # Its reply was lost where it is given back already, and claimed by nobody since.
    freed: tuple[str, str | None, int] = (State.READING, None, item.attempt)
    return LEASES.release(world, item, due, actions, lambda found: (found.state, found.token, found.attempt) == freed)


def note(world: Tables, item: Document, recognition: Any, now: int) -> Written:
    """Which text recognition was asked for, before anything else is done: a retry must not ask a second time."""
    actions = [Document.recognition.set(recognition), Document.updated_at.set(now)]
    return update(world, Document, _key(item), actions, LEASES.by_owner(item))


def finish(world: Tables, item: Document, usable: Usable, now: int) -> Written:
    """reading -> ready, by the claim that owns it. The text is stored already; tasks take it from here on."""
    actions = [Document.usable.set(usable._asdict()), *_unsaid(), *_at_rest()]
    return LEASES.end(world, item, State.READY, now, *actions)


class Why(NamedTuple):
    reason: str
    advice: str


SPENT = Why(
    "Reading it failed again and again, each time without an answer.",
    "Have it read again; if that does not help, save it anew with another program, or upload another version.",
)
NEVER_CAME = Why("The file never arrived.", "Upload it again.")


def set_aside(world: Tables, item: Document, why: Why, now: int) -> Written:
    """reading -> needs_ocr: pictures of pages, and nobody here who can read those."""
    return LEASES.end(world, item, State.NEEDS_OCR, now, *_said(why))


def refuse(world: Tables, item: Document, why: Why, now: int) -> Written:
    """reading -> unreadable, by the claim that owns it."""
    return LEASES.end(world, item, State.UNREADABLE, now, *_said(why))


def postpone(world: Tables, seen: Document, due_at: int) -> Written:
    """Looked at; to be looked at again at `due_at`. The state stays what it is."""
    actions = [Document.due_at.set(due_at), Document.sends.set(Document.sends + 1)]
    return update(world, Document, _key(seen), actions, _as_seen(seen))


def give_up(world: Tables, seen: Document, why: Why, now: int) -> Written:
    """uploading or reading -> unreadable: nothing came, or every try was used."""
    actions = LEASES.ending(State.UNREADABLE, now, *_said(why))
    return update(world, Document, _key(seen), actions, _as_seen(seen))


def erase(world: Tables, seen: Document) -> None:
    """The tombstone of a document goes when none of its objects is left, and before it what led to it by its bytes."""
    delete(world, Replacing, _bytes_of(seen, seen.sha256), Replacing.document == seen.document)
    delete(world, Document, _key(seen), Document.state == State.DELETED)


def rename_base(world: Tables, project: str, knowledge_base: str, name: str) -> WrittenBase:
    """Another name for one that was not deleted. Twice is as once, so that a lost reply needs no care."""
    key = library_items.base_key(project, knowledge_base)
    return update(world, KnowledgeBase, key, [KnowledgeBase.name.set(name)], _is_live())


def bury_base(world: Tables, project: str, knowledge_base: str, by: str | None, now: int) -> WrittenBase:
    """Out of the list at once; the sweep sees to it that no document of it stays."""
    actions = [*_gone(by, now), *_look_at(now + LOOK_AFTER_MS)]
    key = library_items.base_key(project, knowledge_base)
    return update(world, KnowledgeBase, key, actions, _is_live(), already=lambda found: bool(found.deleted_at == now))


def restore_base(world: Tables, seen: KnowledgeBase, opening: str, *, since: int, now: int) -> WrittenBase:
    """In the list again; the sweep sees to it that every document that went with it comes back."""
    actions = [*_back(opening, library_items.bases_list(seen.project)), *_look_at(now + LOOK_AFTER_MS)]
    as_seen = (KnowledgeBase.deleted_at == seen.deleted_at) & (KnowledgeBase.deleted_at >= since)
    return update(world, KnowledgeBase, {"entry": seen.entry}, actions, as_seen, already=_opened_by(opening))


def settled(world: Tables, seen: KnowledgeBase) -> None:
    """All of it has gone, or come back. Refused where it was deleted or brought back since."""
    update(world, KnowledgeBase, {"entry": seen.entry}, _at_rest(), KnowledgeBase.due_at == seen.due_at)


def _is_live() -> Condition:
    live: Condition = KnowledgeBase.entry.exists() & KnowledgeBase.deleted_at.does_not_exist()
    return live


def _bytes_of(item: Document, sha256: str) -> Key:
    return library_items.bytes_key(item.project, file_names.document_id(item.project, item.knowledge_base, sha256))


def _as_seen(seen: Document) -> Condition:
    """Under way, and not claimed, renewed or looked at since: every such write moves `due_at`, attempt or state."""
    state: Condition = Document.state.is_in(*UNDER_WAY) & (Document.state == seen.state)
    same: Condition = state & (Document.attempt == seen.attempt) & (Document.due_at == seen.due_at)
    return same


def _look_at(due_at: int) -> list[Action]:
    return [Kept.active.set("1"), Kept.due_at.set(due_at)]


def _gone(by: str | None, now: int, listed_in: str | None = None) -> list[Action]:
    return assign(Kept, deleted_at=now, deleted_by=by or NOBODY, listed_in=listed_in)


def _back(opening: str, listed_in: str) -> list[Action]:
    return assign(Kept, opening=opening, listed_in=listed_in, deleted_at=None, deleted_by=None)


def _at_rest() -> list[Action]:
    return [Kept.active.remove(), Kept.due_at.remove()]


def _awaiting(upload: Upload, now: int) -> list[Action]:
    file = {name: value for name, value in upload._asdict().items() if name != "opening"}
    return [*assign(Document, state=State.UPLOADING, **file, key_version=None), *_anew(upload.opening, now)]


def _anew(opening: str, now: int) -> list[Action]:
    said = assign(Document, opening=opening, tries=0, sends=0, updated_at=now)
    return [*said, *_unsaid(), *_look_at(now + LOOK_AFTER_MS)]


def _said(why: Why) -> list[Action]:
    return [Document.reason.set(why.reason[:TEXT_MAX]), Document.advice.set(why.advice[:TEXT_MAX]), *_at_rest()]


def _unsaid() -> list[Action]:
    return [Document.reason.remove(), Document.advice.remove(), Document.recognition.remove()]


def _opened_by(opening: str) -> Already[Document | KnowledgeBase]:
    return lambda found: bool(found.opening == opening)
