"""Every write of a document, on every state: allowed or refused, unchanged when refused, once more, without its reply."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from clinical.library import document_lifecycle
from clinical.library.document_lifecycle import LEASES, State, Upload, Why
from clinical.library.library_items import Usable
from sheaf.outside.store import Refused
from sheaf.protocol.leases import Bid, Due
from tests.contract.test_transition_table import documented
from tests.support.items import MINUTE, NOW
from tests.support.shelf import a_document, usable

TRANSITIONS = documented("Document transitions")
LATER = NOW + 60 * MINUTE
KEY = "documents/p1/d1/00000000000000000000.txt"
TRIES = 3
WHY = Why("A reason.", "Advice.")
UPLOAD = Upload("new.txt", "text/plain", KEY, "0" * 64, 7, "mine", LATER + 60 * MINUTE)
USABLE = Usable(**usable("a.txt", "texts/p1/d1/0-1.json", "t1", "1" * 64))

BY_STATE: dict[str, dict[str, Any]] = {
    "uploading": {"active": "1", "due_at": NOW, "upload_until": LATER, "tries": 0, "attempt": 0},
    "reading": {"active": "1", "due_at": NOW, "token": "held", "lease_until": NOW, "key_version": "v1"},
    "ready": {"token": "held", "key_version": "v1"},
    "needs_ocr": {"token": "held", "key_version": "v1", "reason": "r", "advice": "a"},
    "unreadable": {"token": "held", "key_version": "v0", "upload_until": LATER, "reason": "r", "advice": "a"},
    "deleted": {"deleted_at": NOW, "deleted_by": "u1", "was": "ready", "token": "held", "key_version": "v1"},
}


@dataclass(frozen=True)
class Write:
    """One transition: how it is made over a document as it was seen, to which state, and from where when it is right."""

    make: Callable[..., Any]
    to: str
    before: str = "reading"
    told: dict[str, Any] = field(default_factory=dict)
    twice: bool = True
    """Whether the same write, made once more, is taken for the same."""


def document(state: str = "uploading", **told: Any) -> Any:
    return a_document("p1", "kb", "d1", **({"state": state, "key": KEY} | BY_STATE[state] | told))


def _claim(world, seen, **told):
    arguments: dict[str, Any] = {
        "token": "held",
        "lease_until": LATER + MINUTE,
        "max_tries": TRIES,
        "now": LATER,
    } | told
    return document_lifecycle.claim(world, document(), "v1", Bid(**arguments))


def _release(world, seen, recognition=None):
    due = Due(LATER + MINUTE, None if recognition else TRIES)
    return document_lifecycle.release(world, seen, due, LATER, recognition)


WRITES = {
    "announce": Write(lambda w, s: document_lifecycle.announce(w, document(opening="mine")), "uploading", "none"),
    "renew": Write(lambda w, s: document_lifecycle.renew(w, s, UPLOAD, LATER), "uploading", "unreadable"),
    "replace": Write(lambda w, s: document_lifecycle.replace(w, s, UPLOAD, LATER), "uploading", "ready"),
    "claim": Write(_claim, "reading", "uploading"),
    "release": Write(_release, "reading"),
    "finish": Write(lambda w, s: document_lifecycle.finish(w, s, USABLE, LATER), "ready"),
    "set_aside": Write(lambda w, s: document_lifecycle.set_aside(w, s, WHY, LATER), "needs_ocr"),
    "refuse": Write(lambda w, s: document_lifecycle.refuse(w, s, WHY, LATER), "unreadable"),
    "reread": Write(lambda w, s: document_lifecycle.reread(w, s, "mine", LATER), "reading", "unreadable"),
    "postpone": Write(lambda w, s: document_lifecycle.postpone(w, s, LATER), "reading", twice=False),
    "give_up": Write(lambda w, s: document_lifecycle.give_up(w, s, WHY, LATER), "unreadable", twice=False),
    "restore": Write(lambda w, s: document_lifecycle.restore(w, s, "mine", since=NOW, now=LATER), "ready", "deleted"),
    "bury": Write(lambda w, s: document_lifecycle.bury(w, s.entry, "u1", LATER), "deleted", "ready"),
}
"""Each of TRANSITIONS. What the sweep writes is not taken for its own: it would only count what it has done."""


def laid(bench, state, **told):
    """A document of this state in the table, and as whoever acts on it saw it."""
    if state == "none":
        return document()
    return bench.put(document(state, **told))


def items(bench):
    return bench._scan("LibraryTable")


def test_every_transition_of_the_table_is_written_here():
    assert WRITES.keys() == TRANSITIONS.keys()


@pytest.mark.parametrize("state", ["none", *State])
@pytest.mark.parametrize("name", WRITES)
def test_a_write_happens_or_is_refused_when_the_table_says_so(bench, name, state):
    """State x transition; a refused write leaves the item byte for byte as it was."""
    item = laid(bench, state, **WRITES[name].told)
    allowed = state in TRANSITIONS[name][0]
    before = items(bench)
    if not allowed:
        item.token, item.opening = "another's", "another's"
    written = WRITES[name].make(bench.sweep_world, item)
    if allowed:
        assert not isinstance(written, Refused)
        assert bench.document("d1").state in TRANSITIONS[name][1]
        if state == WRITES[name].before:
            assert bench.document("d1").state == WRITES[name].to
    else:
        assert items(bench) == before


@pytest.mark.parametrize("name", [name for name, write in WRITES.items() if write.twice])
def test_a_write_is_its_own_when_it_is_made_twice(bench, name):
    """After a lost reply whoever asks again learns that it is done, and nothing is done twice."""
    item = laid(bench, WRITES[name].before, **WRITES[name].told)
    WRITES[name].make(bench.sweep_world, item)
    before = items(bench)
    again = WRITES[name].make(bench.sweep_world, item)
    assert not isinstance(again, Refused)
    after = items(bench)
    numbers = ("attempt", "tries", "sends", "state", "due_at", "token", "lease_until", "usable")
    assert [{k: i.get(k) for k in numbers} for i in after] == [{k: i.get(k) for k in numbers} for i in before]


@pytest.mark.parametrize("name", WRITES)
def test_a_write_ends_as_it_would_when_its_reply_is_lost(bench, name):
    """The SDK makes the call once more: the second one is refused by the first one's success, or repeats it."""
    item = laid(bench, WRITES[name].before, **WRITES[name].told)
    with bench.calls.watch() as calls:
        calls.lose_reply_of = 0
        written = WRITES[name].make(bench.sweep_world, item)
    assert bench.document("d1").state == WRITES[name].to
    assert isinstance(written, Refused) is not WRITES[name].twice
    assert bench.document("d1").tries <= 1


@pytest.mark.parametrize("name", ["finish", "set_aside", "refuse", "release"])
def test_a_reader_that_lost_its_claim_writes_nothing(bench, name):
    """Mutation caught: a guard on the state alone, by which a late reader would end its successor's reading."""
    late = laid(bench, "reading")
    _claim(bench.sweep_world, late, token="another's")
    before = items(bench)
    assert isinstance(WRITES[name].make(bench.sweep_world, late), Refused)
    assert items(bench) == before


def test_a_document_is_not_claimed_while_another_holds_it(bench):
    laid(bench, "reading", lease_until=LATER)
    assert isinstance(_claim(bench.sweep_world, None, token="another's"), Refused)


def test_a_document_is_not_claimed_when_its_tries_are_spent(bench):
    laid(bench, "reading", tries=TRIES)
    assert isinstance(_claim(bench.sweep_world, None, token="another's"), Refused)


def test_a_document_is_not_claimed_for_an_object_that_is_not_its_own_any_more(bench):
    """It was replaced meanwhile: the notice of the older bytes comes late."""
    laid(bench, "uploading", key="documents/p1/d1/11111111111111111111.pdf")
    assert isinstance(_claim(bench.sweep_world, None), Refused)


@pytest.mark.parametrize(
    ("told", "claimed"), [({}, True), ({"key_version": "v1"}, False), ({"upload_until": NOW}, False)]
)
def test_an_unreadable_document_is_claimed_when_other_bytes_come_by_an_open_form(bench, told, claimed):
    """And not for the very version that was unreadable, nor when the form is over."""
    laid(bench, "unreadable", **told)
    assert isinstance(_claim(bench.sweep_world, None), Refused) is not claimed


def test_waiting_for_text_recognition_uses_up_no_try(bench):
    item = laid(bench, "reading", tries=TRIES)
    written = _release(bench.sweep_world, item, recognition={"task": "t"})
    assert (written.state, written.tries, written.recognition) == ("reading", TRIES - 1, {"task": "t"})


def test_a_release_is_refused_when_no_try_is_left(bench):
    """And it is its reader's still, who ends it."""
    item = laid(bench, "reading", tries=TRIES)
    written = _release(bench.sweep_world, item)
    assert isinstance(written, Refused)
    assert LEASES.holds(item, written.item)


def test_a_released_document_is_nobodys_when_another_would_end_it(bench):
    """Mutation caught: ending what another has claimed, because the release was refused."""
    item = laid(bench, "reading", token="mine")
    assert not LEASES.holds(item, laid(bench, "reading", token="another's"))
    assert not LEASES.holds(item, laid(bench, "ready", token="mine"))
    assert not LEASES.holds(item, None)


def test_what_was_usable_stays_so_while_a_newer_version_is_on_its_way(bench):
    item = laid(bench, "ready", usable=USABLE._asdict())
    written: Any = document_lifecycle.replace(bench.sweep_world, item, UPLOAD, LATER)
    assert (written.state, written.pinned) == ("uploading", USABLE)


@pytest.mark.parametrize("state", ["uploading", "reading"])
def test_only_what_is_under_way_is_in_the_sweeps_index(bench, state):
    """Sparse: an index that holds everything would be read in full, every minute."""
    for name, write in WRITES.items():
        item = laid(bench, state)
        write.make(bench.sweep_world, item)
        now = bench.document("d1")
        assert (now.active == "1") is (now.state in {"uploading", "reading"}), name
        assert (now.due_at is None) is (now.active is None), name


# ---------------------------------------------------------------------------------------------------- deleted and brought back


@pytest.mark.parametrize("state", [state for state in State if state != State.DELETED])
def test_a_document_is_what_it_was_when_its_deletion_is_undone(bench, state):
    """Its lease too: whoever reads it owns it still, and nobody else may begin meanwhile."""
    before = laid(
        bench, state, usable=USABLE._asdict(), **({"lease_until": LATER + MINUTE} if state == "reading" else {})
    )
    document_lifecycle.bury(bench.sweep_world, before.entry, "u1", NOW + 1)
    tombstone = bench.document("d1")
    assert (tombstone.state, tombstone.deleted_by, tombstone.listed_in) == ("deleted", "u1", None)
    document_lifecycle.restore(bench.sweep_world, tombstone, "mine", since=NOW, now=LATER)
    after = bench.document("d1")
    changed = {"opening", "updated_at", "due_at"}
    assert {k: v for k, v in after.serialize().items() if k not in changed} == {
        k: v for k, v in before.serialize().items() if k not in changed
    }
    if state in document_lifecycle.UNDER_WAY:
        assert after.due_at > max(LATER, after.lease_until or 0), "the sweep goes on with it"
    if state == "reading":
        assert isinstance(_claim(bench.sweep_world, None, token="another's"), Refused)
        assert not isinstance(WRITES["finish"].make(bench.sweep_world, before), Refused)


def test_a_deletion_is_not_undone_when_it_is_too_old(bench):
    tombstone = laid(bench, "deleted")
    before = items(bench)
    assert isinstance(document_lifecycle.restore(bench.sweep_world, tombstone, "m", since=NOW + 1, now=LATER), Refused)
    assert items(bench) == before


def test_a_deletion_is_not_undone_when_it_is_another_than_the_one_seen(bench):
    """Mutation caught: a guard on the state alone, by which a late request undoes what somebody has done since."""
    tombstone = laid(bench, "deleted")
    document_lifecycle.restore(bench.sweep_world, tombstone, "theirs", since=NOW, now=LATER)
    document_lifecycle.bury(bench.sweep_world, tombstone.entry, "u2", LATER)
    before = items(bench)
    assert isinstance(document_lifecycle.restore(bench.sweep_world, tombstone, "mine", since=NOW, now=LATER), Refused)
    assert items(bench) == before
