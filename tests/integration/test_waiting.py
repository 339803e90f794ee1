"""How long a row and its message wait after a failure, a throttle, or a busy AWS: within bounds, and never in vain."""

import math

import pytest

from tests.support.calls import aws_error
from tests.support.items import HOUR, NOW, a_task


def hidden(bench):
    """For how many seconds the only message is out of sight."""
    (held,) = bench.held.values()
    return (held.visible_at - bench.clock.now) / 1000


def next_time(bench):
    """Let the only message come back, and deliver it."""
    bench.pass_time(seconds=hidden(bench))
    assert bench.deliver("probe") == 1


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
    world.settings.kinds["probe"] = kind._replace(max_tries=99)
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


def test_a_row_is_not_expired_when_it_waits_for_five_hours(bench):
    """A long queue is no fault: no try, no error, no stamp that would start its deadline but a re-send's."""
    bench.probes("ok")
    for _ in range(5 * 6):
        bench.sweep_once()
        bench.pass_time(minutes=10)
    row = bench.row()
    assert (row.status, row.tries, row.attempt) == ("pending", 0, 0)
    bench.deliver("probe")
    assert bench.row().status == "completed"
    assert len(bench.probe_calls()) == 1


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
@pytest.mark.parametrize("operation", ["GetItem", "UpdateItem"])
def test_the_message_is_hidden_and_nothing_is_spent_when_aws_is_busy_before_the_claim(bench, operation, code):
    """20 to 43 seconds; no try is used, nothing is worked on."""
    bench.probes("ok")
    with bench.calls.watch() as calls:
        calls.fail(operation, aws_error(code))
        bench.deliver("probe")
    assert hidden(bench) == 32
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
    bench.put(a_task(task="p1/other", gate="paused"))
    bench.probes("ok")
    bench.deliver("probe")
    assert bench.row().status == "completed"
