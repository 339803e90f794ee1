"""A worker that is late: its lease went over while it worked, another has the row, and what it writes counts for nothing.

A pause of the whole process, as of a frozen sandbox: the clock jumps in the middle of one of its calls, and meanwhile
the sweep and another worker do what they do.
"""

from typing import Any

import pytest

from sheaf.protocol import payloads
from tests.support.items import MAX_TRIES

ENDINGS = {"complete": "ok", "fail": "permanent", "release": "transient", "throttled release": "throttle:5"}


def late(bench, act, meanwhile, *, at="UpdateItem", then="ok"):
    """Attempt 1 plays `act` and stands still just before its write; `meanwhile` happens two minutes later.

    Gives what became of its message, in seconds hidden or None when acknowledged, and the row as it was before its
    late write.
    """
    bench.probes(act, then)
    bench.queued()
    (held,) = bench.held.values()
    before: list[Any] = []
    seen: list[str] = []

    def pause(_number, operation, _arguments):
        seen.append(operation)
        if operation == at and seen.count(operation) == (2 if at == "UpdateItem" else 1) and not before:
            bench.pass_time(minutes=2)
            before.append(None)
            meanwhile()
            before[0] = bench.raw()

    with bench.calls.watch() as calls:
        calls.on_call = pause
        bench.invoke_worker(held)
    assert before, "the pause happened"
    left = held.record["messageId"] in bench.held
    return ((held.visible_at - bench.clock.now) / 1000 if left else None), before[0]


def taken_over(bench):
    """Another worker gets a second message of the row and finishes it."""

    def meanwhile():
        assert bench.hand(bench.row()) is None
        assert (bench.row().status, bench.row().attempt) == ("completed", 2)

    return meanwhile


def being_worked_on(bench):
    """Another worker has claimed the row and is still at it."""

    def meanwhile():
        row = bench.row()
        row.token, row.attempt, row.tries = "another's", 2, 2
        row.lease_until = bench.clock.now + 90_000
        bench.put(row)

    return meanwhile


def expired(bench):
    """The sweep has given the row back."""

    def meanwhile():
        bench.sweep_once()
        assert bench.row().status == "pending"

    return meanwhile


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_next_claims_result_stands_when_a_late_worker_wants_to(bench, ending):
    """Complete, fail or release: refused, and the finished row is byte for byte as the second worker left it."""
    message, before = late(bench, ENDINGS[ending], taken_over(bench))
    assert bench.raw() == before
    row = bench.row()
    assert (row.status, row.attempt, row.data_key) == ("completed", 2, payloads.BESIDE)
    if ending in {"complete", "fail"}:
        assert message is None, "acknowledged: the row has its end"


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_next_claim_goes_on_undisturbed_when_a_late_worker_wants_to(bench, ending):
    """A release of a lost claim would hand the row to a third worker while the second is at work."""
    message, before = late(bench, ENDINGS[ending], being_worked_on(bench))
    assert bench.raw() == before
    assert bench.row().token == "another's"
    if "release" in ending:
        assert message > 0, "a refused release hides the message as well"


@pytest.mark.parametrize("ending", ["complete", "fail"])
def test_the_row_stays_to_be_done_when_the_sweep_has_given_a_late_workers_row_back(bench, ending):
    """Its message is under way again; what the late one found is found once more, under a claim that is its last."""
    message, before = late(bench, ENDINGS[ending], expired(bench))
    assert bench.raw() == before
    assert message is None
    bench.deliver("probe")
    row = bench.row()
    assert (row.status, row.attempt, row.tries) == ("completed", 2, 2)


def test_the_payload_of_a_late_worker_overwrites_nothing_when_it_is_written(bench):
    """Payloads are named by attempt: mutation caught: one name a row, which swaps the table's data under its row."""
    late(bench, "ok", taken_over(bench), at="PutItem")
    assert [item.row for item in bench.payloads()] == [1, 2]
    task_id = bench.row().task.partition("/")[2]
    _, body = bench.http("GET", f"/asl/extraction/tasks/{task_id}/results")
    assert body["results"][0]["extractedData"]["attempt"] == 2


def test_the_row_is_completed_when_its_worker_is_late_but_nobody_took_it(bench):
    """The claim is still the row's last: its work is good, and doing it again would be waste."""
    late(bench, "ok", lambda: None)
    row = bench.row()
    assert (row.status, row.attempt, len(bench.probe_calls())) == ("completed", 1, 1)


@pytest.mark.parametrize("ending", ENDINGS)
def test_no_row_is_ever_tried_more_often_than_allowed_when_workers_are_late(bench, ending):
    """Late writes give no try back: tries <= max, and the task closes."""
    task = bench.probes(ENDINGS[ending], "ok")

    def pause(number, operation, _arguments):
        if operation == "UpdateItem" and number % 5 == 4:
            bench.pass_time(minutes=3)

    with bench.calls.watch() as calls:
        calls.on_call = pause
        for _ in range(6):
            bench.deliver("probe")
            bench.sweep_once()
    bench.settle("probe")
    assert bench.row().tries <= MAX_TRIES
    assert bench.task(task).status == "completed"
