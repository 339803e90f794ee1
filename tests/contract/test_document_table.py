"""The table of a document's states that people read, and the one that the code runs by, are the same."""

from clinical.library.document_lifecycle import TRANSITIONS, UNDER_WAY, State
from tests.contract.test_transition_table import documented


def test_the_documents_table_is_the_codes_when_both_are_read():
    coded = {
        name: ({str(state or "none") for state in before}, {str(state) for state in after}, who)
        for name, (before, after, who) in TRANSITIONS.items()
    }
    assert documented("Document transitions") == coded


def test_a_deleted_document_only_comes_back():
    assert [name for name, (before, _, _) in TRANSITIONS.items() if State.DELETED in before] == ["restore"]


def test_every_state_can_be_reached_and_what_is_under_way_can_be_ended_by_the_sweep():
    """Nothing waits for ever: whatever becomes of an upload or of its reader, somebody else ends it."""
    assert set().union(*(after for _, after, _ in TRANSITIONS.values())) == set(State)
    ended = set().union(*(before for _, (before, _, who) in TRANSITIONS.items() if who == "aggregator"))
    assert ended == UNDER_WAY
