"""A provider's throttling: it uses up no try and ends no row."""


def hidden(bench):
    """For how many seconds the only message is out of sight."""
    (held,) = bench.held.values()
    return (held.visible_at - bench.clock.now) / 1000


def next_time(bench):
    """Let the only message come back, and deliver it."""
    bench.pass_time(seconds=hidden(bench))
    assert bench.deliver("probe") == 1


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
