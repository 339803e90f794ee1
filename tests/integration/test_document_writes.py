"""Every attribute of every write of the library, set and removed: the item after, compared with the item before."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from clinical.library import document_lifecycle
from clinical.library.document_lifecycle import LOOK_AFTER_MS, Upload, Why
from clinical.library.library_items import Document, KnowledgeBase, Usable, documents_list, gone_list
from sheaf.items import NOBODY
from sheaf.protocol.leases import Bid, Due
from tests.contract.test_transition_table import documented
from tests.support.items import MINUTE, NOW
from tests.support.shelf import a_document, usable

LATER = NOW + 60 * MINUTE
OLD, NEW = "documents/p1/d1/00000000000000000000.txt", "documents/p1/d1/11111111111111111111.pdf"
UPLOAD = Upload("new.pdf", "application/pdf", NEW, "1" * 64, 7, "mine", LATER + MINUTE)
AGAIN = Upload("new.pdf", "application/pdf", NEW, "0" * 64, 7, "mine", LATER + MINUTE)
USABLE = Usable(**usable("a.txt", "texts/p1/d1/0-1.json", "t1", "1" * 64))
OTHER = Usable(**usable("b.txt", "texts/p1/d1/1-2.json", "t2", "2" * 64))
WHY = Why("A reason.", "Advice.")
ASKED = {"task": "t"}
BASE = KnowledgeBase(
    entry="p1/kb/kb", listed_in="p1/kbs", created_at=NOW, knowledge_base="kb", name="Papers", first_name="Tea",
    opening="first", active="1", due_at=NOW, deleted_at=NOW, deleted_by="u1",
)  # fmt: skip
LADEN: dict[str, Any] = {
    "reason": "r", "advice": "a", "label": "Wu 2015", "tags": {"pilot"}, "key": OLD, "key_version": "v0", "upload_until": LATER + 1, "usable": USABLE._asdict(),
    "attempt": 2, "tries": 2, "sends": 2, "token": "held", "lease_until": NOW - 1, "recognition": {"task": "old"},
    "active": "1", "due_at": NOW, "size": 3, "opening": "theirs", "created_at": NOW - 9, "updated_at": NOW - 8,
}  # fmt: skip
"""A document that has every attribute of one that is not deleted, so that one that goes is seen to go."""
GONE = {"deleted_at": NOW, "deleted_by": "u2", "was": "ready", "listed_in": None, "active": None, "due_at": None}

UNDER_WAY = {"active": "1", "due_at": LATER + LOOK_AFTER_MS, "updated_at": LATER}
AT_REST = {"active": None, "due_at": None, "lease_until": None, "updated_at": LATER}
UNSAID = {"reason": None, "advice": None, "recognition": None}
SAID = {"reason": WHY.reason, "advice": WHY.advice}
AWAITING = {
    **UNDER_WAY, **UNSAID, "state": "uploading", "filename": "new.pdf", "content_type": "application/pdf", "key": NEW,
    "key_version": None, "size": 7, "opening": "mine", "upload_until": LATER + MINUTE, "tries": 0, "sends": 0,
}  # fmt: skip
CLAIMED = {
    "state": "reading", "attempt": 3, "tries": 3, "token": "new", "lease_until": LATER + MINUTE, "key_version": "v1",
    "sends": 0, "active": "1", "due_at": LATER + MINUTE + 1_000, "updated_at": LATER,
}  # fmt: skip
FREE = {"lease_until": LATER + MINUTE, "token": None, "due_at": LATER + MINUTE + LOOK_AFTER_MS, "updated_at": LATER}
BURIED = {"state": "deleted", "deleted_at": LATER, "active": None, "due_at": None, "updated_at": LATER}
BACK = {
    "deleted_at": None, "deleted_by": None, "was": None, "opening": "mine", "updated_at": LATER,
    "listed_in": documents_list("p1", "kb"),
}  # fmt: skip


@dataclass(frozen=True)
class Write:
    """One write over an item as it was seen: in which state, what else it had, and all that it changes."""

    make: Callable[..., Any]
    state: str
    changes: dict[str, Any]
    needs: dict[str, Any] = field(default_factory=dict)


def _claim(world, seen, version="v1"):
    return document_lifecycle.claim(world, seen, version, Bid("new", LATER + MINUTE, 3, LATER))


def _release(world, seen, recognition=None, tries=3):
    due = Due(LATER + MINUTE, None if recognition else tries)
    return document_lifecycle.release(world, seen, due, LATER, recognition)


def _restore(world, seen):
    return document_lifecycle.restore(world, seen, "mine", since=NOW, now=LATER)


def _bury(world, seen, by="u1", with_base=None):
    return document_lifecycle.bury(world, seen.entry, by, LATER, with_base=with_base)


WRITES = {
    "renew": Write(lambda w, s: document_lifecycle.renew(w, s, AGAIN, LATER), "unreadable", AWAITING),
    "renew what never came": Write(lambda w, s: document_lifecycle.renew(w, s, AGAIN, LATER), "uploading", AWAITING),
    "replace": Write(lambda w, s: document_lifecycle.replace(w, s, UPLOAD, LATER), "ready", {**AWAITING, "sha256": "1" * 64}),
    "relabel": Write(lambda w, s: document_lifecycle.relabel(w, s, label="Lee 2021"), "ready", {"label": "Lee 2021"}),
    "relabel, nothing": Write(lambda w, s: document_lifecycle.relabel(w, s, label=None), "reading", {"label": None}),
    "tag": Write(lambda w, s: document_lifecycle.relabel(w, s, tags={"a", "b"}), "ready", {"tags": {"a", "b"}}),
    "reread": Write(
        lambda w, s: document_lifecycle.reread(w, s, "mine", LATER),
        "unreadable",
        {**UNDER_WAY, **UNSAID, "state": "reading", "opening": "mine", "tries": 0, "sends": 0},
    ),
    "bury": Write(_bury, "ready", {**BURIED, "was": "ready", "deleted_by": "u1", "listed_in": None}),
    "bury by nobody": Write(
        lambda w, s: _bury(w, s, None), "reading", {**BURIED, "was": "reading", "deleted_by": NOBODY, "listed_in": None}
    ),
    "bury with its base": Write(
        lambda w, s: _bury(w, s, with_base=BASE),
        "unreadable",
        {**BURIED, "was": "unreadable", "deleted_by": "u1", "listed_in": gone_list("p1", "kb")},
    ),
    "restore": Write(_restore, "deleted", {**BACK, "state": "ready"}, GONE),
    "restore what was under way": Write(
        _restore, "deleted",
        {**BACK, "state": "reading", "active": "1", "due_at": LATER + MINUTE + LOOK_AFTER_MS},
        GONE | {"was": "reading", "lease_until": LATER + MINUTE},
    ),
    "restore what was awaited": Write(
        _restore, "deleted",
        {**BACK, "state": "uploading", "active": "1", "due_at": LATER + LOOK_AFTER_MS}, GONE | {"was": "uploading"},
    ),
    "claim": Write(_claim, "uploading", CLAIMED),
    "claim an abandoned one": Write(_claim, "reading", CLAIMED),
    "claim an object without versions": Write(
        lambda w, s: _claim(w, s, None), "uploading", CLAIMED | {"key_version": "v0"}
    ),
    "release": Write(_release, "reading", FREE),
    "release to wait": Write(
        lambda w, s: _release(w, s, ASKED), "reading", {**FREE, "recognition": ASKED, "tries": 1}
    ),
    "release without a try": Write(lambda w, s: _release(w, s, tries=2), "reading", {}),
    "note": Write(
        lambda w, s: document_lifecycle.note(w, s, ASKED, LATER), "reading", {"recognition": ASKED, "updated_at": LATER}
    ),
    "finish": Write(
        lambda w, s: document_lifecycle.finish(w, s, OTHER, LATER),
        "reading",
        {**AT_REST, **UNSAID, "state": "ready", "usable": OTHER._asdict()},
    ),
    "set aside": Write(
        lambda w, s: document_lifecycle.set_aside(w, s, WHY, LATER), "reading", {**AT_REST, **SAID, "state": "needs_ocr"}
    ),
    "refuse": Write(
        lambda w, s: document_lifecycle.refuse(w, s, WHY, LATER), "reading", {**AT_REST, **SAID, "state": "unreadable"}
    ),
    "postpone": Write(lambda w, s: document_lifecycle.postpone(w, s, LATER), "reading", {"due_at": LATER, "sends": 3}),
    "give up": Write(
        lambda w, s: document_lifecycle.give_up(w, s, WHY, LATER), "uploading", {**AT_REST, **SAID, "state": "unreadable"}
    ),
}  # fmt: skip
BARE = ("renew", "replace", "reread", "claim", "finish", "refuse", "bury", "restore")
"""These also over a document that has nothing that it may be without: what is set is seen to be set."""
ALWAYS = {"key_version": "v0", "token": "held", "due_at": NOW, "lease_until": NOW - 1, "upload_until": LATER}


def values(item: Any) -> dict[str, Any]:
    return {name: value for name, value in item.attribute_values.items() if value is not None}


def changed(before: Any, changes: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in (values(before) | changes).items() if value is not None}


@pytest.mark.parametrize("name", WRITES)
def test_a_document_changes_as_told_and_in_nothing_else_when_a_write_happens(bench, name):
    """◆ Two editors who replace at once: `opening` and `key` change, so one of them is refused and no old bytes are taken."""
    write = WRITES[name]
    seen = bench.put(a_document("p1", "kb", "d1", state=write.state, **(LADEN | write.needs)))
    write.make(bench.sweep_world, seen)
    assert values(bench.document("d1")) == changed(seen, write.changes)


@pytest.mark.parametrize("name", BARE)
def test_a_document_has_what_a_write_sets_when_it_had_nothing_before(bench, name):
    write = WRITES[name]
    more = {"attempt": 2, "tries": 2, "sends": 0, "opening": "theirs", "key": OLD, **ALWAYS, **write.needs}
    seen = bench.put(a_document("p1", "kb", "d1", state=write.state, **more))
    write.make(bench.sweep_world, seen)
    assert values(bench.document("d1")) == changed(seen, write.changes)


def test_a_document_that_has_every_attribute_is_what_the_writes_are_tried_on():
    """Mutation caught: an attribute added to documents that no write here would be seen to leave behind."""
    kept = {*values(a_document("p1", "kb", "d1", **LADEN)), *GONE}
    assert kept == set(Document.get_attributes())


def test_every_transition_is_among_the_writes():
    """All but the announcement, which is the whole item."""
    named = {name.partition(" ")[0] for name in WRITES} | {"set_aside", "give_up", "announce"}
    assert named >= documented("Document transitions").keys()


# ---------------------------------------------------------------------------------------------------- knowledge bases


def _bury_base(world, seen, by="u2"):
    return document_lifecycle.bury_base(world, "p1", "kb", by, LATER)


LIVE = {"deleted_at": None, "deleted_by": None}
LOOKED = {"active": "1", "due_at": LATER + LOOK_AFTER_MS}
BASES = {
    "rename": Write(lambda w, s: document_lifecycle.rename_base(w, "p1", "kb", "Teas"), "", {"name": "Teas"}, LIVE),
    "bury": Write(_bury_base, "", {**LOOKED, "deleted_at": LATER, "deleted_by": "u2", "listed_in": None}, LIVE),
    "bury by nobody": Write(
        lambda w, s: _bury_base(w, s, None), "",
        {**LOOKED, "deleted_at": LATER, "deleted_by": NOBODY, "listed_in": None}, LIVE,
    ),
    "restore": Write(
        lambda w, s: document_lifecycle.restore_base(w, s, "mine", since=NOW, now=LATER), "",
        {**LOOKED, **LIVE, "opening": "mine", "listed_in": "p1/kbs"}, {"listed_in": None},
    ),
    "settled": Write(document_lifecycle.settled, "", {"active": None, "due_at": None}),
}  # fmt: skip


@pytest.mark.parametrize("name", BASES)
def test_a_knowledge_base_changes_as_told_and_in_nothing_else_when_a_write_happens(bench, name):
    write = BASES[name]
    seen = bench.put(KnowledgeBase(**(values(BASE) | write.needs)))
    write.make(bench.sweep_world, seen)
    (after,) = bench._scan("LibraryTable")
    expected = KnowledgeBase(**changed(seen, write.changes)).serialize()
    assert {key: value for key, value in after.items() if value != {"NULL": True}} == expected
