"""The table of a document's states that people read; tests/integration/test_document_transitions.py holds the writes to it."""

from clinical.library.document_lifecycle import UNDER_WAY, State
from tests.contract.test_transition_table import documented

TRANSITIONS = documented("Document transitions")


def test_a_deleted_document_only_comes_back():
    assert [name for name, (before, _, _) in TRANSITIONS.items() if State.DELETED in before] == ["restore"]


def test_every_state_can_be_reached_and_what_is_under_way_can_be_ended_by_the_sweep():
    """Nothing waits for ever: whatever becomes of an upload or of its reader, somebody else ends it."""
    assert set().union(*(after for _, after, _ in TRANSITIONS.values())) == set(State)
    ended = set().union(*(before for _, (before, _, who) in TRANSITIONS.items() if who == "aggregator"))
    assert ended == UNDER_WAY
