"""What becomes of a row when its work fails: for a while, for good, by a throttle, by a defect, or for want of time."""

import math

import pytest

from sheaf.models import Gate
from tests.support.calls import aws_error
from tests.support.items import HOUR, MAX_TRIES, NOW, SECOND

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
    assert calls.operations == ["BatchGetItem", "UpdateItem", "GetObject", "PutObject", "UpdateItem"]
    row = bench.row()
    assert (row.status, row.attempt, row.tries, row.summary) == ("completed", 1, 1, {"act": "ok"})
    assert row.data_key == f"tasks/p1/{task}/rows/0-1.json" == calls.made[3][2]["Key"]
    status, body = bench.http("GET", f"/asl/extraction/tasks/{task}/results")
    assert (status, body["results"][0]["extractedData"]["attempt"]) == (200, 1)


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


@pytest.mark.parametrize("chance", [0.0, 0.5, 0.999])
@pytest.mark.parametrize(
    ("acts", "least", "most"),
    [
        (["transient"], 2.5, 5),
        (["transient", "transient"], 5, 10),
        (["transient", "transient", "transient"], 10, 20),
        (["throttle:7"], 7, 10.5),
        (["throttle:400"], 400, 600),
        (["throttle:7", "throttle:7"], 7, 10.5),
        (["throttle:7", "transient"], 2.5, 5),
        (["defect"], 2.5, 5),
    ],
)
def test_a_row_waits_within_bounds_when_it_fails(bench, acts, least, most, chance):
    """Jitter spreads a crowd; what a provider asks for is obeyed at least. The message comes after the row is due."""
    bench.tolerated = (ZeroDivisionError,)
    bench.chance = chance
    bench.probes(*acts)
    bench.deliver("probe")
    for _ in acts[1:]:
        next_time(bench)
    wait = (bench.row().not_before - bench.clock.now) / 1000
    assert wait == pytest.approx(least + (most - least) * chance, abs=0.01)
    assert hidden(bench) == math.ceil(wait + 0.5 + 2 * chance)


def test_the_wait_is_never_longer_than_five_minutes_when_there_are_many_tries(bench):
    """Mutation caught: an unbounded doubling, which makes the twentieth try wait a month."""
    bench.probes("transient")
    task = bench.row()
    task.tries, task.attempt = 20, 20
    bench.put(task)
    world = bench.worker_world("probe")
    kind = world.settings.kinds["probe"]
    world.settings.kinds["probe"] = type(kind)(**(vars(kind) | {"max_tries": 99}))
    bench.deliver("probe")
    assert bench.row().not_before - bench.clock.now == 300 * 750


def test_a_message_that_would_be_hidden_too_long_is_hidden_as_long_as_may_be(bench):
    """SQS hides for twelve hours at most; it then comes early and is hidden again."""
    bench.probes("throttle:90000")
    bench.deliver("probe")
    assert hidden(bench) == 12 * 3600 - 600
    next_time(bench)
    assert bench.row().status == "pending"
    assert hidden(bench) > 12 * 3600 - 601
    assert len(bench.probe_calls()) == 1


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


def test_a_throttled_row_is_pending_then_claimed_again_and_completed(bench):
    """429 -> pending -> claimed -> completed: two attempts, one try."""
    bench.probes("throttle:3", "ok")
    bench.deliver("probe")
    row = bench.row()
    assert (row.status, row.attempt, row.tries) == ("pending", 1, 0)
    next_time(bench)
    row = bench.row()
    assert (row.status, row.attempt, row.tries) == ("completed", 2, 1)


def test_a_row_is_never_ended_by_a_throttle_when_there_are_fifty(bench):
    """And its tries are all left for real failures afterwards; not even when the sweep looks on each time."""
    task = bench.probes(*["throttle:60"] * 50, "transient", "transient", "transient", "ok")
    bench.deliver("probe")
    for number in range(49):
        next_time(bench)
        assert (bench.row().status, bench.row().tries, bench.row().attempt) == ("pending", 0, number + 2)
        bench.sweep_once()
    for _ in range(4):
        next_time(bench)
    row = bench.row()
    assert (row.status, row.attempt, row.tries) == ("completed", 54, 4)
    assert len(bench.probe_calls()) == 54
    assert bench.task(task).error == 0


def test_a_throttle_ends_no_row_when_it_comes_at_the_last_try(bench):
    """Three failures, then throttles: the fourth try stays to be had."""
    bench.probes("transient", "transient", "transient", "throttle:1", "throttle:1", "ok")
    bench.deliver("probe")
    for _ in range(5):
        next_time(bench)
    row = bench.row()
    assert (row.status, row.attempt, row.tries) == ("completed", 6, 4)


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
        if operation == "PutObject":
            left.append(bench.row().lease_until - bench.clock.now)

    with bench.calls.watch() as calls:
        calls.on_call = look
        bench.deliver("probe")
    (probed,) = bench.probe_calls()
    assert probed["seconds_left"] == PROBE_SECONDS - 20
    assert left[0] / 1000 - probed["seconds_left"] == 80


@pytest.mark.parametrize("acts", [["permanent"], ["defect"], ["throttle:3600"], ["transient"], ["hang"]])
def test_the_other_rows_are_not_held_up_when_one_document(bench, acts):
    """Failed, broken, throttled or hanging: its neighbours are completed in the same delivery."""
    bench.tolerated = (ZeroDivisionError,)
    task = bench.open([bench.probe("ok"), bench.probe(*acts), bench.probe("ok")], kind="probe")
    bench.deliver("probe")
    assert [bench.rows(task)[0].status, bench.rows(task)[2].status] == ["completed", "completed"]


def test_the_other_rows_are_not_held_up_when_one_kills_its_worker(bench):
    """The worker dies in mid-work, four times; the row ends as `worker_lost`, the others are done at once."""
    doomed = bench.probe("ok")
    task = bench.open([bench.probe("ok"), doomed, bench.probe("ok")], kind="probe")
    key = bench.rows(task)[1].snapshot_key

    with bench.calls.watch() as calls:
        calls.die_when = lambda operation, arguments: operation == "GetObject" and arguments["Key"] == key
        bench.deliver("probe")
        assert bench.statuses(task) == ["completed", "extracting", "completed"]
        bench.settle("probe")
    row = bench.rows(task)[1]
    assert (row.status, row.error_class, row.tries) == ("error", "worker_lost", MAX_TRIES)
    assert bench.task(task).status == "completed"
    assert bench.runs() == {(task, 0): 1, (task, 2): 1}


def test_a_row_is_not_expired_when_it_waits_for_five_hours(bench):
    """A long queue is no fault: no try, no error, no stamp that would start its deadline but a re-send's."""
    bench.probes("ok")
    for _ in range(5 * 60):
        bench.sweep_once()
        bench.pass_time(seconds=59)
    row = bench.row()
    assert (row.status, row.tries, row.attempt) == ("pending", 0, 0)
    bench.deliver("probe")
    assert bench.row().status == "completed"
    assert len(bench.probe_calls()) == 1


@pytest.mark.parametrize("by", ["redelivery", "the sweep"])
def test_a_lost_worker_costs_one_try_when_its_row_is_taken_over_by(bench, by):
    """The same two numbers either way: attempt 2, tries 2, one more run."""
    task = bench.probes("ok")
    with bench.calls.watch() as calls:
        calls.cut_before = 3
        bench.deliver("probe")
    assert bench.row().status == "extracting"
    bench.pass_time(seconds=91)
    if by == "the sweep":
        bench.sweep_once()
        assert bench.row().status == "pending"
        bench.lose_messages("extract_paper")
    bench.deliver("probe")
    bench.pass_time(seconds=180)
    bench.deliver("probe")
    row = bench.row()
    assert (row.status, row.attempt, row.tries) == ("completed", 2, 2)
    assert bench.runs() == {(task, 0): 2}


def test_the_message_comes_back_by_itself_when_hiding_it_fails(bench):
    """The row is released all the same; the queue's own time-out is the net."""
    bench.probes("transient", "ok")
    with bench.calls.watch() as calls:
        calls.fail("ChangeMessageVisibility", aws_error("ReceiptHandleIsInvalid"))
        bench.deliver("probe")
    assert bench.row().status == "pending"
    assert hidden(bench) == 180
    next_time(bench)
    assert bench.row().status == "completed"


@pytest.mark.parametrize("code", ["ThrottlingException", "InternalServerError", "ServiceUnavailable"])
@pytest.mark.parametrize("operation", ["BatchGetItem", "UpdateItem"])
def test_the_message_is_hidden_and_nothing_is_spent_when_aws_is_busy_before_the_claim(bench, operation, code):
    """20 to 40 seconds; no try is used, nothing is worked on."""
    bench.probes("ok")
    with bench.calls.watch() as calls:
        calls.fail(operation, aws_error(code))
        bench.deliver("probe")
    assert hidden(bench) == 30
    assert (bench.row().status, bench.row().tries, bench.probe_calls()) == ("pending", 0, [])
    next_time(bench)
    assert bench.row().status == "completed"


def test_the_row_is_released_when_storage_does_not_answer_its_worker(bench):
    """A transient failure like any other: one try, and on it goes."""
    bench.probes("ok")
    with bench.calls.watch() as calls:
        calls.fail("GetObject", aws_error("SlowDown", 503))
        bench.deliver("probe")
    row = bench.row()
    assert (row.status, row.tries) == ("pending", 1)
    next_time(bench)
    assert bench.row().status == "completed"


def test_a_pause_keeps_no_try_and_no_deadline_running_when_it_is_long(bench):
    """Paused for eight days with a deadline of seven: it goes on where it was."""
    task = bench.probes("transient", "ok")
    bench.deliver("probe")
    assert bench.http("POST", f"/asl/extraction/tasks/{task}/pause")[0] == 202
    for _ in range(8):
        bench.pass_time(hours=24)
        bench.deliver("probe")
        bench.sweep_once()
    assert (bench.row().status, bench.held) == ("pending", {})
    assert bench.http("POST", f"/asl/extraction/tasks/{task}/resume")[0] == 202
    bench.settle("probe")
    assert (bench.row().status, bench.row().tries) == ("completed", 2)


def test_a_row_is_given_up_when_its_provider_has_been_silent_for_a_week(bench):
    """A provider that never answers ends in the row's deadline, which runs from its first claim."""
    task = bench.probes("throttle:36000")
    bench.settle("probe", rounds=60, step_seconds=4 * 3600)
    row = bench.row()
    assert (row.status, row.error_class, row.tries) == ("error", "deadline", 0)
    assert 7 * 24 * HOUR < bench.clock.now - NOW < 7.5 * 24 * HOUR
    assert bench.task(task).status == "completed"


def test_a_gate_of_another_task_is_not_this_ones(bench):
    bench.put(Gate(gate="task/p1/other", state="paused"))
    bench.probes("ok")
    bench.deliver("probe")
    assert bench.row().status == "completed"
