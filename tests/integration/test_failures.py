"""What becomes of a row when its work fails: for a while, for good, by a throttle, by a defect, or for want of time."""

import math
import sys
import zlib

import pytest

from sheaf.items import Payload
from sheaf.protocol import payloads
from tests.support.calls import aws_error
from tests.support.items import MAX_TRIES, NOW, SECOND

PROBE_SECONDS = 30


LEASE_MS = (PROBE_SECONDS + 60) * SECOND


def hidden(bench):
    """For how many seconds the only message is out of sight."""
    (held,) = bench.held.values()
    return (held.visible_at - bench.clock.now) / 1000


def next_time(bench):
    """Let the only message come back, and deliver it."""
    bench.pass_time(seconds=hidden(bench))
    assert bench.deliver("probe") == 1


def test_a_row_is_completed_and_its_payload_is_there_when_the_work_succeeds(bench):
    """The payload is written before the row points at it, under a key that holds the attempt."""
    task = bench.probes("ok")
    with bench.calls.watch() as calls:
        bench.deliver("probe")
    assert calls.operations == ["GetItem", "UpdateItem", "GetObject", "PutItem", "UpdateItem"]
    row = bench.row()
    assert (row.status, row.attempt, row.tries, row.summary) == ("completed", 1, 1, {"act": "ok"})
    assert row.data_key == payloads.BESIDE
    assert [(item.shard, item.row, item.claim) for item in bench.payloads()] == [(f"{row.shard}/data", 1, row.token)]
    status, body = bench.http("GET", f"/asl/extraction/tasks/{task}/results")
    assert (status, body["results"][0]["extractedData"]["attempt"]) == (200, 1)


@pytest.mark.parametrize(("large", "objects"), [(80_000, 0), (120_000, 1)])
def test_a_payload_is_an_object_when_it_is_larger_than_an_item_should_be(bench, large, objects):
    """Both are read alike."""
    task = bench.open([bench.probe(large=large)], kind="probe")
    with bench.calls.watch() as calls:
        bench.deliver("probe")
    assert (calls.operations.count("PutObject"), len(bench.payloads())) == (objects, 1 - objects)
    assert (bench.row().data_key == f"tasks/p1/{task}/rows/0-1.packed") == bool(objects)
    _, body = bench.http("GET", f"/asl/extraction/tasks/{task}/results")
    assert len(body["results"][0]["extractedData"]["echo"]) == 2 * large


def test_a_row_waits_for_another_attempt_when_its_payloads_place_is_taken(bench):
    """A lost row that was made anew counts from the beginning. Mutation caught: what lies there is taken for one's own."""
    task = bench.probes("ok")
    left = Payload(f"p1/{task}/0000/data", 1, claim="another's", packed=zlib.compress(b"{}"))
    bench.put(left)
    bench.deliver("probe")
    assert (bench.row().status, bench.row().attempt) == ("pending", 1)
    next_time(bench)
    assert (bench.row().status, bench.row().attempt) == ("completed", 2)
    assert bench.payloads()[0].claim == "another's"
    _, body = bench.http("GET", f"/asl/extraction/tasks/{task}/results")
    assert body["results"][0]["extractedData"]["attempt"] == 2


@pytest.mark.parametrize("fate", ["written", "not written"])
def test_a_row_is_completed_when_the_answer_about_its_payload_is_lost(bench, fate):
    """Twice by the same claim is once: an SDK that asks again finds its own."""
    bench.probes("ok")

    def twice(dynamodb, operation, arguments):
        if fate == "written":
            bench.calls.answer(dynamodb, operation, arguments)
        return bench.calls.answer(dynamodb, operation, arguments)

    with bench.calls.watch() as calls:
        calls.instead["PutItem"] = twice
        bench.deliver("probe")
    assert (bench.row().status, bench.row().attempt, len(bench.payloads())) == ("completed", 1, 1)


def test_a_lease_lasts_as_long_as_the_function_may_and_a_minute_longer_when_it_is_claimed(bench):
    """From the Lambda itself, so that no lease ends while its worker lives."""
    bench.probes("ok")
    seen = []

    def look(_number, operation, _arguments):
        if operation == "GetObject":
            seen.append(bench.row().lease_until)

    with bench.calls.watch() as calls:
        calls.on_call = look
        bench.deliver("probe")
    assert seen == [NOW + LEASE_MS]


def test_a_row_ends_in_error_when_its_last_try_fails(bench):
    """Four tries, then `attempts_spent` with the last reason; the message is acknowledged, no fifth run happens."""
    bench.probes("transient")
    bench.deliver("probe")
    for _ in range(MAX_TRIES - 1):
        next_time(bench)
    row = bench.row()
    assert (row.status, row.error_class, row.tries) == ("error", "attempts_spent", MAX_TRIES)
    assert row.error_message == "The probe was told to fail for a while."
    assert bench.held == {}
    assert len(bench.probe_calls()) == MAX_TRIES


def test_a_row_ends_at_its_first_try_when_it_fails_for_good(bench):
    """No further try is spent on what cannot succeed, and its message is gone."""
    bench.probes("permanent")
    bench.deliver("probe")
    row = bench.row()
    assert (row.status, row.error_class, row.attempt) == ("error", "permanent", 1)
    assert row.error_message == "The probe was told to fail for good."
    assert bench.held == {}


def test_a_defect_is_released_hidden_and_raised(bench):
    """Unknown exceptions are never swallowed: the invocation fails, the row waits, the log has the traceback."""
    bench.probes("defect:oops", "ok")
    with pytest.raises(ZeroDivisionError, match="oops"):
        bench.deliver("probe")
    row = bench.row()
    assert (row.status, row.attempt, row.tries) == ("pending", 1, 1)
    assert hidden(bench) == math.ceil(3.75 + 1.5)
    next_time(bench)
    assert bench.row().status == "completed"


def test_a_row_keeps_its_tries_when_what_does_its_work_cannot_be_imported(bench, monkeypatch):
    """A broken deploy is seen before the claim: however often the message comes, the good deploy after it finds all as it was."""
    bench.probes("ok")
    before = bench.row().attribute_values
    with monkeypatch.context() as broken:
        broken.setitem(sys.modules, "probe", None)
        for _ in range(MAX_TRIES + 1):
            with pytest.raises(ModuleNotFoundError):
                bench.deliver("probe")
            bench.pass_time(seconds=hidden(bench))
    assert bench.row().attribute_values == before
    bench.deliver("probe")
    assert (bench.row().status, bench.row().tries) == ("completed", 1)


def test_a_defect_is_raised_when_not_even_its_row_can_be_given_back(bench):
    """AWS being busy at that moment hides no defect; the row's lease runs out, and another worker takes it."""
    bench.probes("defect:oops", "ok")

    def busy_at_the_end(_number, _operation, _arguments):
        if bench.probe_calls():
            calls.fail("UpdateItem", aws_error("ThrottlingException"))

    with bench.calls.watch() as calls:
        calls.on_call = busy_at_the_end
        with pytest.raises(ZeroDivisionError, match="oops"):
            bench.deliver("probe")
    assert bench.row().status == "extracting"
    bench.settle("probe")
    assert bench.row().status == "completed"


def test_a_row_ends_in_error_when_its_last_try_is_a_defect(bench):
    """It says so on the row, and the last one is raised like the first."""
    bench.tolerated = (ZeroDivisionError,)
    bench.probes("defect")
    bench.deliver("probe")
    for _ in range(MAX_TRIES - 1):
        next_time(bench)
    assert (bench.row().status, bench.row().error_class) == ("error", "attempts_spent")
    assert len(bench.raised) == MAX_TRIES
    assert "defect" in bench.row().error_message


def test_the_work_stops_itself_and_the_row_is_released_when_time_runs_out(bench):
    """20 s before the function's limit, well inside the lease; the try is spent, as by any failure."""
    bench.probes("hang", "ok")
    bench.deliver("probe")
    assert bench.clock.now == NOW + (PROBE_SECONDS - 20) * SECOND
    row = bench.row()
    assert (row.status, row.attempt, row.tries) == ("pending", 1, 1)
    next_time(bench)
    assert bench.row().status == "completed"


def test_a_row_that_always_hangs_ends_in_error_when_its_tries_are_spent(bench):
    """It takes four function runs and not four days."""
    task = bench.probes("hang")
    bench.settle("probe")
    assert (bench.row().status, bench.row().error_class) == ("error", "attempts_spent")
    assert "time limit" in bench.row().error_message
    assert bench.task(task).status == "completed"


def test_no_call_can_outlive_the_lease_when_the_work_asks_how_long_it_may_take(bench):
    """◆ now + time left < lease, by the 20 s that the worker stops early and the 60 s of slack."""
    bench.probes("ok")
    left = []

    def look(_number, operation, _arguments):
        if operation == "PutItem":
            left.append(bench.row().lease_until - bench.clock.now)

    with bench.calls.watch() as calls:
        calls.on_call = look
        bench.deliver("probe")
    (probed,) = bench.probe_calls()
    assert probed["seconds_left"] == PROBE_SECONDS - 20
    assert left[0] / 1000 - probed["seconds_left"] == 80
