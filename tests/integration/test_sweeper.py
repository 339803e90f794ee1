"""One sweeper at a time, woken by nudges and by the clock: none of them lost, none of them wasted, none of them needed."""

from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

import aggregator
from sheaf.aggregator import sweeper_lease, tick
from sheaf.items import SweeperLease, sweeper_of
from sheaf.outside import wiring
from sheaf.settings import AggregatorSettings
from tests.support.bench import T0
from tests.support.calls import Killed, aws_error
from tests.support.items import HOUR, MINUTE, SECOND, a_task

LEASE: dict[str, Any] = {"holder": "another", "lease_until": T0 + sweeper_lease.LEASE_MS, "ends_at": T0 + 9 * MINUTE}


def with_a_lagging_index(bench, calls):
    """The index of active tasks shows a task three seconds after it opened."""

    def look(client, operation, arguments):
        reply = bench.calls.answer(client, operation, arguments)
        if arguments.get("IndexName") == "by_active":
            with bench.calls.unwatched():
                opened = {task.task: task.created_at for task in bench.tasks()}
            seen = [item for item in reply["Items"] if opened[item["task"]["S"]] <= bench.clock.now - 3 * SECOND]
            reply |= {"Items": seen, "Count": len(seen)}
        return reply

    calls.instead["Query"] = calls.instead["Scan"] = look


def swept(bench, task):
    return bench.task(task).counted_at is not None


def test_fifty_nudges_are_one_sweeper_when_they_come_while_it_sweeps(bench):
    """Each of the fifty leaves word and goes, at the price of a read and a write; the holder sweeps all fifty-one tasks."""
    first = bench.probes("ok")
    tasks: list[str] = []
    costs, answers = [], []

    def fifty(_number, operation, _arguments):
        if operation == "Query" and not tasks:
            for number in range(50):
                tasks.append(f"n{number}")
                bench.put(a_task(task=f"p1/n{number}", dispatch_until=T0 + MINUTE, scattered_at=None))
                with bench.calls.nested() as made:
                    answers.append(bench.sweep(f"p1/n{number}"))
                costs.append(made)

    with bench.calls.watch() as calls:
        calls.on_call = fifty
        bench.sweep(f"p1/{first}", seconds=17)
    assert answers == ["another is sweeping"] * 50
    assert costs == [["GetItem", "UpdateItem"]] * 50
    assert all(swept(bench, task) for task in [first, *tasks])


def test_a_lease_stays_small_when_word_is_left_of_more_tasks_than_there_are_slots(bench):
    """Mutation caught: the names themselves, of which there are as many as tasks: an item may have 400 KB."""
    bench.put(SweeperLease(gate="sweeper/0", **LEASE))
    tasks = {f"p1/task{number:016}" for number in range(3_000)}
    assert sweeper_lease.nudge(bench.sweep_world, "0", tasks, T0)
    assert len(bench.gate("sweeper/0").wanted) == sweeper_lease.SLOTS
    assert {sweeper_lease.slot(task) for task in tasks} == bench.gate("sweeper/0").wanted


@pytest.mark.parametrize("seconds", [16, 20])
def test_no_nudge_is_lost_when_it_comes_at_any_call_of_a_sweeper_that_is_about_to_leave(bench, seconds):
    """◆ Between its pass and its leaving above all: either it sweeps once more or the nudge becomes a sweeper itself.

    The index lags, so that only the nudge can tell. Mutations caught: leaving without looking at `wanted`; leaving before
    the index can have shown what was asked for.
    """
    n, last = 0, None
    while last is None or len(last) > n:
        told: list[str] = []
        bench.probes("ok")
        bench.deliver("probe")
        bench.pass_time(seconds=4)

        def nudge(number, _operation, _arguments, n=n, told=told):
            if number == n:
                told.append(bench.probes("ok"))
                bench.sweep(f"p1/{told[0]}", seconds=seconds)

        with bench.calls.watch() as calls:
            with_a_lagging_index(bench, calls)
            calls.on_call = nudge
            bench.sweep(seconds=seconds)
            last = list(calls.operations)
        if told and not swept(bench, told[0]):
            # Out of time before the index could show it: the next tick finds it.
            bench.pass_time(minutes=1)
            bench.sweep(seconds=seconds)
            assert seconds == 16, f"lost before call {n}: {last[n:]}"
        assert not told or swept(bench, told[0]), f"lost before call {n}: {last[n:]}"
        n += 1
    assert n > 4


def test_it_makes_one_more_pass_when_it_was_nudged_after_its_last(bench):
    """◆ Leaving is refused while somebody is wanted: the nudged task is swept in this run and not in the next."""
    told: list[str] = []
    bench.probes("ok")
    bench.deliver("probe")
    bench.pass_time(seconds=4)

    def nudge(_number, operation, arguments):
        leaving = operation == "UpdateItem" and "REMOVE" in arguments["UpdateExpression"]
        if leaving and not told and arguments["TableName"] == "GatesTable":
            told.append(bench.probes("ok"))
            assert bench.sweep(f"p1/{told[0]}") == "another is sweeping"

    with bench.calls.watch() as calls:
        with_a_lagging_index(bench, calls)
        calls.on_call = nudge
        assert bench.sweep(seconds=20) == "out of time"
    assert swept(bench, told[0])


def test_a_nudged_task_is_read_from_the_table_when_the_index_does_not_show_it_yet(bench):
    """◆ A nudge comes a moment after the write, and the index later: mutation caught: looking in the index only."""
    task = bench.probes("ok")
    bench.deliver("probe")
    with bench.calls.watch() as calls:
        with_a_lagging_index(bench, calls)
        bench.sweep(f"p1/{task}")
    assert bench.task(task).status == "completed"


def test_a_nudge_sweeps_itself_when_nobody_does(bench):
    task = bench.probes("ok")
    assert bench.sweep(f"p1/{task}", seconds=20) == "out of time"
    assert swept(bench, task)


def test_nothing_is_left_behind_when_there_is_nothing_to_do(bench):
    """It returns at once and costs a handful of calls."""
    with bench.calls.watch() as calls:
        assert bench.sweep() == "nothing is due"
    assert calls.operations == ["Scan", "UpdateItem", "Query"]
    assert bench.clock.now == T0
    assert bench.gate("sweeper").came_at == T0


@pytest.mark.parametrize("n", range(12))
def test_the_next_tick_goes_on_when_a_sweeper_died(bench, n):
    """Its lease is over within 15 s; the tick after that finds the tasks, and what the dead one was told."""
    task = bench.probes("ok")
    bench.deliver("probe")
    with bench.calls.watch() as calls:
        calls.cut_after = n
        with suppress(Killed):
            bench.sweep()
    bench.pass_time(minutes=1)
    bench.sweep()
    assert bench.task(task).status == "completed"
    assert bench.task(task).notified_at is not None


def test_the_tick_waits_when_the_sweeper_it_finds_is_about_to_end(bench):
    """So that there is no minute without a sweeper at every change of guard."""
    task = bench.probes("ok")
    bench.deliver("probe")
    bench.put(SweeperLease(gate="sweeper/0", **LEASE | {"ends_at": T0 + 30 * SECOND}))
    assert bench.sweep(seconds=600) == "nothing left to do"
    assert swept(bench, task)


def test_the_tick_waits_when_the_sweeper_it_finds_has_not_been_heard_of(bench):
    """No sign of life for four seconds: it may be dead, and its lease is short."""
    task = bench.probes("ok")
    bench.deliver("probe")
    bench.put(SweeperLease(gate="sweeper/0", **LEASE | {"lease_until": T0 + sweeper_lease.LEASE_MS - 4_001}))
    assert bench.sweep(seconds=600) == "nothing left to do"
    assert swept(bench, task)


def test_the_tick_leaves_when_the_sweeper_it_finds_is_alive_and_has_long_to_go(bench):
    """One call for the lease, after the tick's own, and one look for documents that are due; no waiting."""
    bench.probes("ok")
    bench.put(SweeperLease(gate="sweeper/0", **LEASE))
    with bench.calls.watch() as calls:
        assert bench.sweep(seconds=600) == "another is sweeping"
    assert calls.operations == ["Scan", "BatchGetItem", "UpdateItem", "UpdateItem", "Query"]
    assert bench.clock.now == T0


def test_the_tick_leaves_when_waiting_would_take_all_of_its_own_time(bench):
    bench.probes("ok")
    bench.put(SweeperLease(gate="sweeper/0", **LEASE | {"ends_at": T0 + 30 * SECOND}))
    assert bench.sweep(seconds=20) == "another is sweeping"
    assert bench.clock.now < T0 + 6 * SECOND


def test_it_stops_when_another_has_taken_its_lease(bench):
    """It was paused for so long that it counted as dead; going on would be waste."""
    bench.probes("ok")

    def steal(_number, operation, _arguments):
        if operation == "Query":
            bench.put(SweeperLease(gate="sweeper/0", **LEASE))

    with bench.calls.watch() as calls:
        calls.on_call = steal
        assert bench.sweep() == "another took over"
    assert bench.gate("sweeper/0").holder == "another"


def test_it_ends_before_its_own_deadline_and_gives_its_lease_up_when_there_is_more_to_do(bench):
    """Fifteen seconds before Lambda would stop it in mid-write."""
    bench.probes("ok")
    assert bench.sweep(seconds=95) == "out of time"
    assert T0 + 79 * SECOND <= bench.clock.now <= T0 + 81 * SECOND
    assert bench.gate("sweeper/0").holder is None


def poisoned(bench):
    """A task that cannot be swept: its kind is deployed no more."""
    return bench.put(a_task(kind="gone", task="p1/poison", manifest_key="gone"))


def test_the_other_tasks_are_swept_when_one_cannot_be_and_the_run_fails(bench):
    """Whatever goes wrong with one task keeps none waiting, and is heard of: the invocation fails at its end."""
    poisoned(bench)
    tasks = [bench.probes("ok") for _ in range(3)]
    bench.deliver("probe")
    with pytest.raises(ExceptionGroup) as raised:
        bench.sweep()
    assert [type(error) for error in raised.value.exceptions] == [KeyError]
    assert [bench.task(task).status for task in tasks] == ["completed"] * 3
    assert bench.gate("sweeper/0").holder is None


def test_a_poisoned_task_is_tried_once_a_run_when_it_stays_so(bench):
    """And not every second: mutation caught: leaving it due."""
    poisoned(bench)
    bench.probes("ok")
    with bench.calls.watch() as calls, pytest.raises(ExceptionGroup) as raised:
        bench.sweep(seconds=35)
    assert len(raised.value.exceptions) == 1
    assert calls.operations.count("Query") > 15, "the other one was looked at all the time"


def test_the_other_tasks_are_swept_when_aws_is_busy_for_one(bench):
    """It is postponed by a second and no error: mutation caught: taking `Unavailable` for a defect."""
    tasks = [bench.probes("ok") for _ in range(3)]
    bench.deliver("probe")
    with bench.calls.watch() as calls:
        calls.fail("GetItem", aws_error("ThrottlingException"))
        bench.sweep()
    assert [bench.task(task).status for task in tasks] == ["completed"] * 3


def passes(bench, seconds):
    """How often each call was made in a run of so many seconds of sweeping."""
    with bench.calls.watch() as calls:
        bench.sweep(seconds=seconds + 15)
    return [operation for operation in calls.operations if operation == "Query"], len(calls.operations)


def test_few_rows_are_looked_at_about_every_second_when_they_move(bench):
    """A small task's progress is seen as it happens."""
    bench.probes("ok")
    queries, _ = passes(bench, 10)
    assert len(queries) >= 8


def test_a_waiting_task_is_looked_at_less_and_less_when_nothing_moves(bench):
    """A twentieth of the time since anything changed, and a minute at most: a task that waits for days stays cheap."""
    task = bench.probes("ok")
    bench.sweep_once()
    bench.pass_time(hours=5)
    bench.sweep_once()
    bench.pass_time(seconds=31)  # its message was sent again just now
    with bench.calls.watch() as calls:
        ended = bench.sweep(seconds=600)
    assert ended == "nothing to do soon"
    assert len(calls.operations) < 20
    assert bench.task(task).count_every == MINUTE


def test_many_rows_are_looked_at_seldom_when_nothing_is_known_of_their_pace(bench):
    """Ten thousand rows, forty shards: a recount every ten seconds, so that counting never outruns the work."""
    told = {"total": 10_000, "dispatch_until": T0 + 10**9, "scattered_at": None}
    bench.put(a_task(**told))
    with bench.calls.watch() as calls:
        bench.sweep(seconds=45)
    shards = [
        arguments for _, operation, arguments in calls.made if operation == "Query" and "IndexName" not in arguments
    ]
    assert len(shards) in {3 * 40, 4 * 40}


def test_a_new_task_is_found_in_the_index_within_seconds_when_its_nudge_never_came(bench):
    """Every ten seconds, while a sweeper runs for another task."""
    bench.probes("ok")
    late: list[str] = []

    def opens(_number, _operation, _arguments):
        if not late and bench.clock.now > T0 + 5 * SECOND:
            late.append(bench.probes("ok"))

    with bench.calls.watch() as calls:
        calls.on_call = opens
        bench.sweep(seconds=35)
    assert swept(bench, late[0])


def test_its_rows_are_not_read_again_when_the_last_sweeper_said_it_can_wait(bench):
    """A long task's sweepers go home between passes; each tick costs one small read, not a recount."""
    bench.put(a_task(total=10_000, scattered_at=T0, counted_at=T0, count_every=5 * MINUTE))
    with bench.calls.watch() as calls:
        assert bench.sweep(seconds=30) == "nothing is due"
    queries = [arguments for _, operation, arguments in calls.made if operation == "Query"]
    assert all("IndexName" in arguments for arguments in queries)


def test_its_rows_are_read_when_the_last_sweeper_said_it_can_wait_and_somebody_nudges(bench):
    """Mutation caught: leaving a nudged task until its next count."""
    task = bench.probes("ok", count=3)
    bench.sweep_once()
    item = bench.task(task)
    item.count_every = 5 * MINUTE
    bench.put(item)
    with bench.calls.watch() as calls:
        bench.sweep(f"p1/{task}", seconds=20)
    assert any("IndexName" not in arguments for _, operation, arguments in calls.made if operation == "Query")


def test_the_close_follows_within_two_seconds_when_rows_were_sent_again_after_minutes(bench):
    """Ten of thirty messages were lost; nine minutes later the sweep sends them again, and two seconds later they end.

    Mutation caught: waiting in proportion to the time since the last end, whatever has happened since.
    """
    task = bench.probes("ok", count=30)
    bench.deliver("probe", limit=20)
    lost = list(bench.held)
    bench.held.clear()
    bench.sweep_once()
    ends: list[int] = []

    def work(_number, operation, arguments):
        """Whatever was sent again, two seconds after it came."""
        rows = [row for row in bench.all_rows() if row.sent_at and row.status == "pending"]
        if rows and not ends and bench.clock.now >= max(row.sent_at for row in rows) + 2 * SECOND:
            ends.append(bench.clock.now)
            bench.deliver("probe")

    for _ in range(20):
        with bench.calls.watch() as calls:
            calls.on_call = work
            bench.sweep(seconds=75)
        bench.pass_time(seconds=1)
    assert len(lost) == 10
    ended = max(row.updated_at for row in bench.all_rows())
    assert bench.task(task).status == "completed"
    assert ended - min(row.updated_at for row in bench.all_rows()) > MINUTE
    assert bench.task(task).completed_at - ended <= 2 * SECOND


# ---------------------------------------------------------------------------------------------------- what waiting costs


def lease_writes(bench, seconds: int) -> tuple[int, list[float]]:
    """How often a sweeper writes its lease in so many seconds, and how long it sleeps each time."""
    slept: list[float] = []

    def sleep(wait: float) -> None:
        slept.append(wait)
        bench.clock.sleep(wait)

    bench.worlds["AggregatorFunction"] = wiring.worlds[AggregatorSettings] = replace(bench.sweep_world, sleep=sleep)
    with bench.calls.watch() as calls:
        bench.sweep(seconds=seconds)
    written = [told["Key"] for _, operation, told in calls.made if operation == "UpdateItem"]
    return sum(key.get("gate", {}).get("S") == "sweeper/0" for key in written), slept


@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize("late", [0, 5 * MINUTE])
def test_a_sweeper_that_waits_writes_once_a_second_and_never_sleeps_backwards(bench, rows, late):
    """Also where a task is overdue: its lease is the clock of others, not a race."""
    task = bench.probes("ok", count=rows)
    bench.deliver("probe", limit=rows - 1)
    bench.pass_time(seconds=late / SECOND)
    written, slept = lease_writes(bench, 95)
    assert bench.task(task).status == "processing"
    assert written <= 95 + 5
    assert all(0.05 <= wait <= 1 for wait in slept)


# ---------------------------------------------------------------------------------------------------- several sweepers


@pytest.fixture
def several(bench):
    """Tasks that opened when there were four sweepers, and then three: one task of each part of the index at least."""
    tasks = []
    for sweepers in (4, 3):
        values = replace(bench.api_world.settings, sweepers=sweepers)
        wiring.worlds[type(values)] = bench.worlds["ApiFunction"] = replace(bench.api_world, settings=values)
        tasks += [bench.probes("ok") for _ in range(12)]
    assert {bench.task(task).active for task in tasks} == {"0", "1", "2", "3"}
    return tasks


def deliver_nudges(bench):
    """What the API and the tick asked for, in an order of their own; gives whom for."""
    asked, bench.nudges = bench.nudges, []
    for event in asked:
        aggregator.lambda_handler(event, bench.context(95))
    return [event for event in asked if event["source"] == tick.SOURCE]


def test_every_task_is_swept_when_it_opened_under_another_number_of_sweepers(bench, several):
    """The tick finds them all, sweeps one part itself and wakes the others, once each. Mutation caught: sweeping by a hash of now."""
    bench.nudges.clear()
    bench.deliver("probe")
    bench.sweep()
    woken = deliver_nudges(bench)
    assert len({bench.task(event["task"].partition("/")[2]).opening for event in woken}) == 3
    assert {bench.task(task).status for task in several} == {"completed"}


def test_one_part_alone_is_swept_when_somebody_nudges_for_a_task_of_it(bench, several):
    """Each sweeper has its own lease: mutation caught: one for all."""
    bench.deliver("probe")
    bench.put(SweeperLease(gate="sweeper/1", **LEASE))
    of = {number: [task for task in several if bench.task(task).active == number] for number in "0123"}
    assert bench.sweep(f"p1/{of['1'][0]}") == "another is sweeping"
    assert bench.sweep(f"p1/{of['2'][0]}") == "nothing left to do"
    closed = {task for task in several if bench.task(task).status == "completed"}
    assert closed == set(of["2"])


def test_a_live_sweeper_is_left_alone_and_a_dead_one_s_part_taken_when_the_tick_comes(bench, several):
    """One lease has long to go, one is over: the tick that is for it takes over."""
    bench.nudges.clear()
    bench.deliver("probe")
    bench.put(SweeperLease(gate="sweeper/0", **LEASE | {"lease_until": T0 + HOUR, "ends_at": T0 + 2 * HOUR}))
    bench.put(SweeperLease(gate="sweeper/3", **LEASE | {"lease_until": T0 - 1}))
    bench.sweep()
    deliver_nudges(bench)
    still_open = {bench.task(task).active for task in several if bench.task(task).status == "processing"}
    assert still_open == {"0"}


def test_no_sweeper_is_woken_when_its_tasks_wait_for_longer_than_until_the_next_tick(bench):
    """A task of hours costs the tick one read and no invocation."""
    bench.put(a_task(task="p1/long", active="7", counted_at=T0, count_every=2 * MINUTE))
    bench.put(a_task(task="p1/soon", active="8", counted_at=T0, count_every=MINUTE - 1))
    bench.put(a_task(task="p1/now", active="9"))
    bench.sweep(seconds=16)
    assert [event["task"] for event in bench.nudges] in (["p1/soon"], ["p1/now"])
    assert bench.gate("sweeper/7") is None


def test_the_tasks_of_a_project_are_one_sweepers_when_they_ask_a_model():
    """It adds up what they may cost; those that cost nothing are spread."""
    tasks = [f"p1/task{number}" for number in range(100)]
    assert len({sweeper_of(task, "openai", 8) for task in tasks}) == 1
    assert {sweeper_of(task, None, 8) for task in tasks} == set("01234567")
