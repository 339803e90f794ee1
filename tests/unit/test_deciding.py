"""What the sweep decides for one row: every branch, every boundary."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheaf.aggregator.decide_row import (
    PROBE_WAIT_MS,
    Do,
    Looks,
    decide,
    front_of,
    paused,
    probing,
    started_before,
    unheard,
)
from sheaf.items import ProviderGate
from sheaf.protocol.lifecycle import GateState, RowStatus
from tests.support.items import DAY, HOUR, MAX_TRIES, MINUTE, NOW, SECOND, a_row, a_task, facts

WEEK = 7 * DAY
LONG_AGO = NOW - 30 * DAY


def waiting(**told):
    """A pending row that has been silent for so long that every reason to act on it applies, unless told otherwise."""
    return a_row("pending", created_at=LONG_AGO, updated_at=LONG_AGO, **told)


@pytest.mark.parametrize("status", ["completed", "error", "cancelled"])
@pytest.mark.parametrize("gate", GateState)
def test_it_is_left_alone_when_it_has_ended(status, gate):
    """Ends absorb, whatever the gate, the deadline or the tries say."""
    row = a_row(status, updated_at=LONG_AGO, first_claimed_at=LONG_AGO, tries=MAX_TRIES, lease_until=LONG_AGO)
    assert decide(row, facts(gate=gate, opened_at=NOW, looks=Looks(NOW - DAY, NOW, 0)))[0] is Do.LEAVE


@pytest.mark.parametrize(
    ("lease_until", "done"),
    [(NOW - 1, Do.EXPIRE), (NOW, Do.LEAVE), (NOW + 1, Do.LEAVE), (LONG_AGO, Do.EXPIRE)],
)
def test_it_expires_when_its_lease_is_over_and_not_before(lease_until, done):
    """A lease that ends this very millisecond is still one."""
    assert decide(a_row("extracting", lease_until=lease_until), facts())[0] is done


def test_it_expires_when_it_has_no_lease():
    """A row in `extracting` without a lease is an accident; it must not stay so for ever."""
    assert decide(a_row("extracting", lease_until=None), facts())[0] is Do.EXPIRE


@pytest.mark.parametrize("gate", GateState)
def test_running_work_is_left_alone_when_the_user_pauses_or_cancels(gate):
    """Work that is running finishes and is kept."""
    row = a_row("extracting", first_claimed_at=LONG_AGO, tries=MAX_TRIES)
    assert decide(row, facts(gate=gate))[0] is Do.LEAVE


def test_it_is_cancelled_when_the_user_asked_even_if_its_tries_are_spent():
    """Cancelling comes first: a user who cancelled is not told of errors."""
    assert decide(waiting(tries=MAX_TRIES), facts(gate=GateState.CANCELLED))[0] is Do.CANCEL


@pytest.mark.parametrize("gate", [GateState.OPEN, GateState.PAUSED])
@pytest.mark.parametrize(("tries", "gives_up"), [(MAX_TRIES - 1, False), (MAX_TRIES, True), (MAX_TRIES + 1, True)])
def test_it_is_given_up_when_its_tries_are_spent(tries, gives_up, gate):
    """The last try has been made; a pause does not bring one back."""
    done = decide(a_row(tries=tries, waiting_since=NOW), facts(gate=gate))[0]
    assert (done is Do.GIVE_UP) is gives_up


def test_it_is_stamped_when_it_is_first_found_behind_a_shut_gate():
    """So that its deadline runs from now, should it never be claimed."""
    assert decide(waiting(), facts(gate=GateState.PAUSED))[0] is Do.STAMP


def test_it_is_left_alone_when_it_was_stamped_behind_this_gate_before():
    """One stamp is enough: sweeping a paused task writes nothing."""
    assert decide(waiting(waiting_since=LONG_AGO), facts(gate=GateState.PAUSED))[0] is Do.LEAVE


@pytest.mark.parametrize(
    ("gate", "done"), [("open", Do.LEAVE), ("paused", Do.LEAVE), ("budget", Do.LEAVE), ("cancelled", Do.CANCEL)]
)
def test_it_is_left_alone_behind_the_front_when_it_is_not_cancelled(gate, done):
    """Not sent, and no clock begins: it waits because somebody wished that few be at work."""
    silent = facts(gate=GateState(gate), front=7, opened_at=NOW, looks=Looks(NOW - DAY, NOW, 0))
    assert decide(waiting(row=7), silent)[0] is done


@pytest.mark.parametrize(("sent_at", "done"), [(None, Do.RESEND), (NOW - SECOND, Do.LEAVE)])
def test_it_is_sent_when_the_front_has_passed_it_and_once(sent_at, done):
    row = a_row(row=6, sent_at=sent_at)
    assert decide(row, facts(front=7))[0] is done
    assert decide(row, facts(front=None))[0] is Do.LEAVE, "the scatter has sent it"


@pytest.mark.parametrize(
    ("limit", "at_work", "front"),
    [(3, 0, 40), (3, 1, 30), (3, 3, 10), (1, 3, 0), (4, 0, 50), (5, 1, 50), (6, 1, 99), (None, 2, 99), (None, 0, 99)],
)
def test_the_front_stands_where_as_many_may_start_as_are_missing_at_work(limit, at_work, front):
    """Rows 10, 20, 30, 40, 50 wait, in no order; those at work are counted wherever they stand.

    While more are at work than may be, the front stays at the first row: mutation caught: one of them is released and starts.
    """
    waiting_rows = [a_row(row=number) for number in (30, 10, 50, 20, 40)]
    rows = waiting_rows + [a_row("extracting", row=number) for number in (0, 60, 61)[:at_work]]
    assert front_of(a_task(total=99, most_at_work=limit), rows) == front


@pytest.mark.parametrize("field", ["first_claimed_at", "waiting_since"])
@pytest.mark.parametrize(("age", "done"), [(WEEK, Do.LEAVE), (WEEK + 1, Do.GIVE_UP)])
def test_it_is_given_up_when_its_deadline_is_over(field, age, done):
    """The clock starts at the first claim or at the first sign of waiting; the last millisecond still counts."""
    row = a_row(updated_at=NOW, **{field: NOW - age})
    assert decide(row, facts())[0] is done


def test_the_earlier_start_counts_when_it_waited_and_was_claimed():
    """Mutation caught: `max` for `min`, with which every new stamp would begin the week anew."""
    row = a_row(first_claimed_at=NOW, waiting_since=NOW - WEEK - 1)
    assert decide(row, facts())[0] is Do.GIVE_UP


def test_it_never_reaches_a_deadline_when_it_only_waits_in_a_queue():
    """Waiting in a queue is no fault of the row: without a claim or a stamp there is no clock."""
    row = waiting()
    assert started_before(row, facts()) is None
    assert decide(row, facts(scattered_at=None))[0] is Do.LEAVE


def test_it_is_not_given_up_when_its_task_is_paused_at_its_deadline():
    """A user's pause stops the clock."""
    row = a_row(waiting_since=NOW - WEEK - HOUR)
    pauses = [NOW - 2 * HOUR]
    assert decide(row, facts(gate=GateState.PAUSED, pauses=pauses))[0] is Do.LEAVE


@pytest.mark.parametrize(("paused_ms", "done"), [(HOUR - 1, Do.GIVE_UP), (HOUR, Do.LEAVE)])
def test_its_deadline_moves_by_the_pauses_when_there_were_any(paused_ms, done):
    """Exactly by as much as was paused after its clock had started."""
    row = a_row(first_claimed_at=NOW - WEEK - HOUR, updated_at=NOW)
    pauses = [NOW - 2 * HOUR, NOW - 2 * HOUR + paused_ms]
    assert decide(row, facts(pauses=pauses))[0] is done


@pytest.mark.parametrize(
    ("pauses", "start", "expected"),
    [
        ([], 0, 0),
        ([10, 30], 0, 20),
        ([10, 30], 20, 10),
        ([10, 30], 30, 0),
        ([10, 30], 99, 0),
        ([10], 0, 90),
        ([10], 40, 60),
        ([10, 30, 50, 60], 0, 30),
        ([10, 30, 50], 20, 60),
        ([10, 130], 0, 90),
        ([130, 150], 0, 0),
    ],
)
def test_only_what_overlaps_counts_when_pauses_are_summed(pauses, start, expected):
    """The part of start..now, here start..100, that lay within a pause; an odd one lasts until now."""
    assert paused(pauses, start, 100) == expected


@given(st.lists(st.integers(0, 1000), max_size=8), st.integers(0, 1000), st.integers(0, 1000))
def test_a_pause_is_never_longer_than_the_time_itself_when_summed(instants, start, now):
    """However the instants lie (clocks differ), 0 <= paused <= now - start."""
    assert 0 <= paused(sorted(instants), start, max(start, now)) <= max(0, now - start)


@pytest.mark.parametrize(("not_before", "done"), [(NOW + 1, Do.LEAVE), (NOW, Do.SILENT)])
def test_nothing_is_sent_when_it_is_not_due(not_before, done):
    """A second message would only be hidden again."""
    row = waiting(not_before=not_before)
    assert decide(row, facts(scattered_at=LONG_AGO))[0] is done


def test_nothing_is_sent_when_the_task_is_still_being_scattered():
    """Whoever scatters sends."""
    assert decide(waiting(), facts(scattered_at=None, looks=Looks(NOW - DAY, NOW, 0), opened_at=NOW))[0] is Do.LEAVE


@pytest.mark.parametrize(
    ("opened_at", "scattered_at", "sent_at", "done"),
    [
        (NOW - 10, NOW - 20, None, Do.RESEND),
        (NOW - 10, NOW - 10, None, Do.LEAVE),
        (NOW - 10, NOW - 5, None, Do.LEAVE),
        (NOW - 10, NOW - 20, NOW - 11, Do.RESEND),
        (NOW - 10, NOW - 20, NOW - 10, Do.LEAVE),
        (None, NOW - 20, None, Do.LEAVE),
    ],
)
def test_it_is_sent_again_when_its_last_send_is_older_than_the_opening(opened_at, scattered_at, sent_at, done):
    """A worker acknowledged its message at the shut gate; what was sent after the opening needs no second one."""
    row = a_row(sent_at=sent_at, updated_at=NOW)
    assert decide(row, facts(opened_at=opened_at, scattered_at=scattered_at))[0] is done


@pytest.mark.parametrize(
    ("heard_ago", "empty_ago", "done"),
    [
        (90 * SECOND, 60 * SECOND, Do.RESEND),
        (60 * SECOND, 90 * SECOND, Do.RESEND),
        (59 * SECOND, 90 * SECOND, Do.LEAVE),
        (90 * SECOND, 59 * SECOND, Do.LEAVE),
        (5 * SECOND, 5 * HOUR, Do.LEAVE),
    ],
)
@pytest.mark.parametrize("by", ["scattered_at", "sent_at", "updated_at"])
def test_it_is_sent_again_when_the_queue_was_empty_for_a_minute_since_it_was_last_heard_of(
    heard_ago, empty_ago, done, by
):
    """Heard of is the latest of the scatter, the row's update and its re-send; a message may come and go unseen."""
    long_ago = {"scattered_at": NOW - HOUR, "sent_at": NOW - HOUR, "updated_at": NOW - HOUR}
    heard = long_ago | {by: NOW - heard_ago}
    scattered_at = heard.pop("scattered_at")
    known = facts(scattered_at=scattered_at, looks=Looks(NOW - empty_ago, NOW, 0), stall_window=2 * HOUR)
    assert decide(a_row(**heard), known)[0] is done


@pytest.mark.parametrize(
    ("sends", "window"),
    [
        (0, 10 * MINUTE),
        (1, 20 * MINUTE),
        (2, 40 * MINUTE),
        (3, 80 * MINUTE),
        (4, 160 * MINUTE),
        (5, 4 * HOUR),
        (6, 4 * HOUR),
        (500, 4 * HOUR),
    ],
)
def test_the_window_doubles_up_to_four_hours_when_it_is_sent_again_and_again(sends, window):
    """A lost message costs minutes, a message that merely waits costs a handful of duplicates a day."""
    row = a_row(sends=sends, sent_at=NOW - window, updated_at=NOW - 30 * DAY)
    known = facts(scattered_at=NOW - 30 * DAY)
    assert decide(row, known)[0] is Do.LEAVE
    row.sent_at -= 1
    assert decide(row, known)[0] is Do.SILENT


@pytest.mark.parametrize(
    ("looks", "moved_ago", "sent"),
    [
        ((5, NOW - MINUTE), SECOND, []),
        ((9, NOW - MINUTE), SECOND, []),
        ((3, NOW - MINUTE), SECOND, [4, 0]),
        ((0, NOW - MINUTE), SECOND, [4, 0, 2]),
        ((0, NOW - HOUR), SECOND, []),
        (None, SECOND, []),
        (None, 11 * MINUTE, [4]),
        ((99, NOW - MINUTE), 11 * MINUTE, [4]),
        ((99, NOW - MINUTE), 10 * MINUTE, []),
    ],
)
def test_no_more_silent_rows_are_sent_again_than_the_queue_lacks_messages(looks, moved_ago, sent):
    """The longest silent first. Others' messages hide what is missing: then one row of a task in which nothing moves.

    Mutations caught: all that are silent; a look from before the rows were sent; one of a task that moves.
    """
    rows = [a_row("pending", row=row, sent_at=NOW - 40 * MINUTE + row) for row in range(3)]
    rows += [a_row("extracting", row=3, sent_at=NOW - 40 * MINUTE), a_row("pending", row=4, sent_at=NOW - HOUR)]
    for row in rows:
        row.updated_at = NOW - HOUR
    silent = [rows[0], rows[2], rows[4]]
    known = facts(looks=looks and Looks(looks[1], NOW, looks[0]), moved_at=NOW - moved_ago, scattered_at=NOW - DAY)
    assert [row.row for row in unheard(rows, silent, known)] == sent


@pytest.mark.parametrize(("parked_at", "done"), [(None, Do.LEAVE), (NOW - 6, Do.LEAVE), (NOW - 4, Do.RESEND)])
def test_it_is_sent_again_when_its_message_was_let_go_since_it_was_sent(parked_at, done):
    row = a_row(sent_at=NOW - 5, updated_at=NOW, parked_at=parked_at)
    assert decide(row, facts(scattered_at=NOW - 20))[0] is done
    closed = ProviderGate(gate="provider/openai/p1", state="shut", since=NOW - SECOND, shut_until=NOW + SECOND)
    assert decide(row, facts(scattered_at=NOW - 20, provider=closed))[0] is Do.LEAVE


def test_it_is_left_alone_when_its_message_is_under_way():
    """The ordinary case costs no write and no send."""
    assert decide(a_row(updated_at=NOW - 9 * MINUTE), facts(scattered_at=NOW - 9 * MINUTE))[0] is Do.LEAVE


@given(
    st.sampled_from(RowStatus),
    st.sampled_from(GateState),
    st.integers(0, 6),
    st.one_of(st.none(), st.integers(NOW - 9 * DAY, NOW + DAY)),
    st.one_of(st.none(), st.integers(NOW - 9 * DAY, NOW + DAY)),
    st.booleans(),
)
def test_only_pending_and_extracting_rows_are_ever_acted_on(status, gate, tries, lease, waited, scattered):
    """Whatever the facts, what is decided is allowed from where the row stands."""
    row = a_row(status, tries=tries, lease_until=lease, waiting_since=waited, updated_at=NOW - 9 * DAY)
    known = facts(gate=gate, scattered_at=NOW - 9 * DAY if scattered else None, looks=Looks(NOW - DAY, NOW, 0))
    done, why = decide(row, known)
    allowed = {
        RowStatus.PENDING: {Do.GIVE_UP, Do.CANCEL, Do.RESEND, Do.STAMP, Do.LEAVE},
        RowStatus.EXTRACTING: {Do.EXPIRE, Do.LEAVE},
    }
    assert done in allowed.get(status, {Do.LEAVE})
    assert why


# ---------------------------------------------------------------------------------------------------- a provider's gate


def shut(until=NOW, **told):
    return facts(
        provider=ProviderGate(gate="provider/openai/p1", state="shut", since=NOW - HOUR, shut_until=until, **told)
    )


def test_the_row_that_tries_a_provider_is_one_that_never_was_refused_when_there_is_one():
    """Mutation caught: the first row, whose paper may be what the provider refuses."""
    rows = [a_row("pending", row=0, refused=0), a_row("pending", row=1), a_row("pending", row=2)]
    assert [row.row for row in probing(rows, shut(NOW - PROBE_WAIT_MS))] == [1]
    assert [row.row for row in probing(rows[:1], shut(NOW - PROBE_WAIT_MS))] == [0]


@pytest.mark.parametrize(
    ("until", "asked_at", "sent"),
    [
        (NOW - PROBE_WAIT_MS, None, 1),
        (NOW - PROBE_WAIT_MS + 1, None, 0),
        (NOW, NOW, 1),
        (NOW, NOW - MINUTE, 0),
        (NOW + 1, NOW - MINUTE, 0),
    ],
)
def test_a_row_is_sent_at_once_when_somebody_asked_and_else_after_those_that_were_hidden(until, asked_at, sent):
    assert len(probing([a_row("pending")], shut(until, asked_at=asked_at))) == sent
