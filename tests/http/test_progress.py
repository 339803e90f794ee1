"""How far a task is: five counts that add up at every moment, how old they are, and when it may be done."""

from datetime import datetime
from typing import Any

import pytest

from sheaf.api.task_table import LIVE_COUNT_ROWS
from sheaf.items import Task
from tests.http import front as fronts
from tests.http.front import TASKS
from tests.support.items import HOUR, MINUTE, NOW, SECOND, a_row, a_task

COUNTS = ("pendingCount", "extractingCount", "completedCount", "errorCount", "cancelledCount")


def instant(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp() * 1000)


def counted(shown) -> list[int]:
    return [shown[name] for name in COUNTS]


def looked(bench, front, task_id: str = "t1"):
    """What is shown, and the AWS calls that it took."""
    with bench.calls.watch() as calls:
        shown = front.task(task_id)
    return shown, list(calls.made)


def fresh(**told: Any) -> Task:
    """A task that was counted a moment ago and will be again in a second."""
    return a_task(**{"counted_at": NOW, "count_every": SECOND, "created_at": NOW - 60 * SECOND, **told})


# ---------------------------------------------------------------------------------------------------- adding up


def test_the_counts_add_up_when_they_are_looked_at_after_every_single_step(bench, front):
    """Deliveries one by one with sweeps and waits between them; rounded down, and 100 only with the close."""
    acts = ["ok", "ok", "ok", "permanent", "transient", "throttle:1", "ok"]
    task_id = front.started([bench.probe(act, "ok") for act in acts])
    seen = []
    for step in range(60):
        shown = front.task(task_id)
        seen.append(shown)
        statuses = bench.statuses(task_id)
        ended = sum(shown[name] for name in COUNTS[2:])
        assert sum(counted(shown)) == shown["totalCount"] == 7
        assert min(counted(shown)) >= 0
        assert shown["percent"] == (100 if shown["status"] == "completed" else min(99, ended * 100 // 7))
        if not shown["stale"] and instant(shown["asOf"]) == bench.clock.now:
            assert counted(shown)[2:] == [statuses.count(word) for word in ("completed", "error", "cancelled")]
        if shown["status"] == "completed":
            break
        bench.deliver("probe", limit=1)
        if step % 3 == 2:
            bench.sweep_once()
        bench.pass_time(seconds=7)
    assert [shown["asOf"] for shown in seen] == sorted(shown["asOf"] for shown in seen)
    assert (seen[-1]["status"], counted(seen[-1])) == ("completed", [0, 0, 6, 1, 0])
    assert [shown["percent"] for shown in seen] == sorted(shown["percent"] for shown in seen)
    assert len({shown["percent"] for shown in seen}) > 5


def test_a_row_that_is_being_worked_on_is_shown_as_such(bench, front):
    """Looked at from inside the worker's own call."""
    task_id = front.started([bench.probe(), bench.probe()])
    shown: list[dict[str, Any]] = []
    with bench.calls.watch() as calls:
        calls.on_call = lambda _n, operation, args: (
            shown.append(front.task(task_id)) if operation == "PutItem" and not shown else None
        )
        bench.deliver("probe", limit=1)
    assert counted(shown[0]) == [1, 1, 0, 0, 0]


def test_percent_is_99_when_every_row_has_ended_and_the_task_has_not_closed(bench, front):
    """The table is final when the task says so, not when somebody has counted to the end."""
    task_id = front.started([bench.probe() for _ in range(3)])
    bench.deliver("probe")
    shown = front.task(task_id)
    assert (shown["status"], shown["percent"], shown["completedCount"]) == ("processing", 99, 3)
    bench.sweep_once()
    shown = front.task(task_id)
    assert (shown["status"], shown["percent"]) == ("completed", 100)


def test_percent_is_rounded_down_when_it_does_not_come_out_even(bench, front):
    bench.put(fresh(total=1_000, completed=666, error=2, cancelled=1, extracting=100))
    assert front.task("t1")["percent"] == 66


# ---------------------------------------------------------------------------------------------------- what it costs


def test_one_consistent_read_is_made_when_the_last_count_is_fresh(bench, front):
    """However many rows there are: this is what is polled."""
    bench.put(fresh(total=10_000, completed=5_000, extracting=10))
    for age in (0, 2, 4):
        bench.clock.now = NOW + age * SECOND
        shown, calls = looked(bench, front)
        assert [(service, operation) for service, operation, _ in calls] == [("dynamodb", "GetItem")]
        assert calls[0][2]["ConsistentRead"] is True
        assert (shown["stale"], instant(shown["asOf"])) == (False, NOW)


@pytest.mark.parametrize("every", [1, 10, 60])
def test_rows_are_counted_now_when_the_last_count_is_older_than_three_intervals(bench, front, every):
    """And not shown as stale then: the sweep may be late, the reader is not."""
    fronts.lay_down(
        bench,
        fresh(total=3, count_every=every * SECOND),
        [a_row("completed", row=0), a_row("extracting", row=1), a_row(row=2)],
    )
    bench.clock.now = NOW + 3 * every * SECOND
    assert counted(looked(bench, front)[0]) == [3, 0, 0, 0, 0]
    bench.clock.now += 2 * SECOND
    shown, calls = looked(bench, front)
    assert counted(shown) == [1, 1, 1, 0, 0]
    assert (shown["stale"], instant(shown["asOf"])) == (False, bench.clock.now)
    assert [operation for _, operation, _ in calls] == ["GetItem", "Query"]
    assert calls[1][2]["ConsistentRead"] is True


def test_only_open_shards_are_counted_when_others_are_sealed(bench, front):
    """What was sealed cannot change, so it is not read again."""
    sealed = {"shards": "5", "sum": [200, 50, 250]}
    fronts.lay_down(bench, fresh(total=750, sealed=sealed), [a_row("error", shard="p1/t1/0001", row=300)])
    bench.pass_time(minutes=5)
    shown, calls = looked(bench, front)
    assert counted(shown) == [249, 0, 200, 51, 250]
    assert [operation for _, operation, _ in calls] == ["GetItem", "Query"]


def test_rows_are_counted_now_when_the_task_has_a_thousand(bench, front):
    fronts.lay_down(bench, a_task(total=LIVE_COUNT_ROWS), [a_row("completed", row=0), a_row("error", row=1)])
    shown, calls = looked(bench, front)
    assert counted(shown) == [998, 0, 1, 1, 0]
    assert len(calls) == 5
    assert shown["stale"] is False


def test_the_last_count_is_shown_as_stale_when_there_are_more_rows_than_can_be_counted_at_once(bench, front):
    """Told apart from a fresh one, and as cheap."""
    bench.put(fresh(total=LIVE_COUNT_ROWS + 1, completed=400))
    bench.pass_time(minutes=5)
    shown, calls = looked(bench, front)
    assert (shown["stale"], instant(shown["asOf"])) == (True, NOW)
    assert counted(shown) == [601, 0, 400, 0, 0]
    assert len(calls) == 1


def test_a_closed_task_costs_one_read_when_it_is_looked_at_for_ever(bench, front):
    """Its counts are final: not stale after ten years, and never counted again."""
    task_id = front.started([bench.probe(), bench.probe("permanent")])
    bench.settle("probe")
    first = front.task(task_id)
    bench.pass_time(hours=24 * 3650)
    shown, calls = looked(bench, front, task_id)
    assert shown == first
    assert (shown["stale"], shown["percent"], counted(shown)) == (False, 100, [0, 0, 1, 1, 0])
    assert [operation for _, operation, _ in calls] == ["GetItem"]


def test_the_counts_of_a_task_just_opened_are_known_when_it_is_looked_at_before_any_sweep(bench, front):
    """Rows that were an error from the start are counted as such."""
    ready, parsing = bench.probe(), bench.probe()
    fronts.change_entry(bench, parsing, state="parsing")
    shown = front.task(front.started([ready, parsing], onNotReady="error"))
    assert (counted(shown), shown["stale"], shown["percent"]) == ([1, 0, 0, 1, 0], False, 50)


# ---------------------------------------------------------------------------------------------------- ETag


def tag(answer) -> str:
    return str(answer.headers["ETag"])


def again(front, task_id: str, known: str):
    return front.get(f"{TASKS}/{task_id}", headers={"if-none-match": known})


def test_304_is_answered_when_the_caller_has_the_task_already(bench, front):
    """Also in a list of tags, also weakly compared; and the tag comes with it."""
    bench.put(fresh(total=10))
    known = tag(front.get(f"{TASKS}/t1"))
    for told in (known, f'"other", {known}', f'"x",{known} , "y"', known.removeprefix("W/")):
        answer = again(front, "t1", told)
        assert (answer.status, answer.text, tag(answer)) == (304, "", known), told
    for told in ('"other"', "", known[:-2] + '"', known.replace('"', ""), f'{known[:-1]}0"'):
        assert again(front, "t1", told).status == 200, told


def test_the_task_is_answered_anew_when_anything_of_it_changed(bench, front):
    """Each change of what is shown is a change of the tag; the same state has the same tag."""
    changes: list[dict[str, Any]] = [
        {},
        {"completed": 1},
        {"completed": 1, "extracting": 1},
        {"gate": "paused"},
        {"gate": "cancelled"},
    ]
    tags = []
    for changed in changes:
        bench.put(fresh(total=10, **changed))
        tags.append(tag(front.get(f"{TASKS}/t1")))
        assert again(front, "t1", tags[-1]).status == 304
    assert len(set(tags)) == len(changes)
    bench.put(fresh(total=10))
    assert tag(front.get(f"{TASKS}/t1")) == tags[0]


def test_304_is_answered_when_only_the_instant_of_the_count_is_newer(bench, front):
    """A sweep that counted the same is no news; that the tag is weak says that the answers may differ in that."""
    bench.put(fresh(total=10, completed=1))
    known = tag(front.get(f"{TASKS}/t1"))
    bench.put(fresh(total=10, completed=1, counted_at=NOW + SECOND))
    assert again(front, "t1", known).status == 304
    assert known.startswith('W/"')


def test_another_tasks_tag_is_none_of_this_one_when_both_have_come_as_far(bench, front):
    bench.put(fresh(total=10))
    bench.put(fresh(total=10, task="p1/t2"))
    assert again(front, "t2", tag(front.get(f"{TASKS}/t1"))).status == 200


# ---------------------------------------------------------------------------------------------------- the end


def worked_on(bench, task_id: str, rows: int) -> None:
    """A sweeper that stays for a minute and a half, while a row ends each second until so many have."""
    started, done = bench.clock.now, [0]

    def work(_number, operation, arguments):
        if operation == "Query" and arguments["TableName"] == "ResultsTable":
            due = min(rows, 1 + (bench.clock.now - started) // 1000) - done[0]
            done[0] += bench.deliver("probe", limit=due) if due > 0 else 0

    with bench.calls.watch() as calls:
        calls.on_call = work
        bench.sweep(f"p1/{task_id}", seconds=15 + rows)


def test_the_finish_is_estimated_when_the_pace_is_known(bench, front):
    """32 rows, 16 of them done at one a second: as long again from now, give or take a quarter."""
    task_id = front.started([bench.probe() for _ in range(32)])
    assert front.task(task_id)["estimatedFinish"] is None
    worked_on(bench, task_id, 16)
    shown = front.task(task_id)
    done = shown["completedCount"]
    assert 14 <= done <= 17
    left = (instant(shown["estimatedFinish"]["p50"]) - bench.clock.now) / 1000
    assert abs(left - (32 - done)) < (32 - done) / 4
    assert instant(shown["estimatedFinish"]["p90"]) >= instant(shown["estimatedFinish"]["p50"])
    assert shown["notMoving"] is None


def test_the_finish_is_not_estimated_when_hardly_anything_was_measured(bench, front):
    """Four rows say nothing; no number is better than a wrong one."""
    task_id = front.started([bench.probe() for _ in range(24)])
    worked_on(bench, task_id, 4)
    assert front.task(task_id)["completedCount"] == 4
    assert front.task(task_id)["estimatedFinish"] is None


@pytest.mark.parametrize("verb", ["pause", "cancel"])
def test_the_finish_is_not_estimated_when_the_task_was_stopped_a_moment_ago(bench, front, verb):
    """Not even before the next sweep: nobody knows when it will go on."""
    task_id = front.started([bench.probe() for _ in range(24)])
    worked_on(bench, task_id, 10)
    assert front.task(task_id)["estimatedFinish"] is not None
    assert front.verb(verb, task_id).body["estimatedFinish"] is None
    assert front.task(task_id)["estimatedFinish"] is None


def test_the_finish_is_not_estimated_when_the_estimate_has_passed(bench, front):
    """The aggregator was away: what it said an hour ago is known to be wrong."""
    task_id = front.started([bench.probe() for _ in range(24)])
    worked_on(bench, task_id, 10)
    bench.pass_time(hours=1)
    assert front.task(task_id)["estimatedFinish"] is None


def test_the_finish_is_not_estimated_when_the_task_has_closed(bench, front):
    task_id = front.started([bench.probe() for _ in range(12)])
    worked_on(bench, task_id, 8)
    bench.settle("probe")
    shown = front.task(task_id)
    assert shown["estimatedFinish"] is None
    assert instant(shown["completedAt"]) >= instant(shown["createdAt"])


# ---------------------------------------------------------------------------------------------------- standing still


def test_a_reason_is_told_and_no_instant_when_nothing_ends_for_longer_than_rows_take(bench, front):
    """Ten of thirty messages are lost: until the sweep sends them again nobody can say when. Mutation caught: an
    estimate that goes on because the sweep does."""
    task_id = front.started([bench.probe() for _ in range(30)])
    worked_on(bench, task_id, 20)
    assert front.task(task_id)["estimatedFinish"] is not None
    bench.held.clear()
    ended_at = bench.task(task_id).moved_at
    for _ in range(20):
        bench.pass_time(seconds=2)
        bench.sweep_once()
        shown = front.task(task_id)
        if shown["notMoving"]:
            break
    told = shown["notMoving"]
    assert (shown["estimatedFinish"], told["reason"], instant(told["since"])) == (None, "nothing_ended", ended_at)
    assert told["detail"].endswith(" s.")
    assert bench.clock.now - ended_at < 12 * SECOND
    bench.settle("probe")
    assert front.task(task_id)["notMoving"] is None


GATHERING = {"status": "gathering", "total": None, "counted_at": None, "dispatch_until": NOW}
WAITS = {"for": "provider", "provider": "openai", "since": NOW - 9, "until": NOW, "reason": "account", "rows": 9}


@pytest.mark.parametrize(
    ("told", "reason", "since"),
    [
        ({"counted_at": None, "created_at": NOW}, "not_started", NOW),
        (GATHERING | {"created_at": NOW - 2 * MINUTE - 1}, "gathering", NOW - 2 * MINUTE - 1),
        (GATHERING | {"created_at": NOW - 2 * MINUTE}, None, None),
        (
            GATHERING | {"created_at": NOW - 9 * MINUTE, "dispatch_until": NOW - 3 * MINUTE},
            "not_swept",
            NOW - 9 * MINUTE,
        ),
        ({"gate": "paused", "pauses": [NOW - SECOND]}, "paused", NOW - SECOND),
        ({"gate": "budget", "pauses": [NOW - SECOND]}, "budget", NOW - SECOND),
        (
            {"waiting_for": WAITS},
            "provider",
            NOW - 9,
        ),
        ({"completed": 1, "moved_at": NOW - 9 * SECOND, "slow_after": 8 * SECOND}, "nothing_ended", NOW - 9 * SECOND),
        ({"completed": 1, "moved_at": NOW - 9 * SECOND, "slow_after": 9 * SECOND}, None, None),
        ({"extracting": 1}, None, None),
        ({"gate": "cancelled"}, None, None),
        ({"status": "completed", "completed": 9}, None, None),
    ],
)
def test_the_word_says_why_when_a_task_does_not_move(bench, front, told, reason, since):
    bench.put(fresh(**{"total": 9, "finish_at": NOW + HOUR, "finish_by": NOW + HOUR, **told}))
    shown = front.task("t1")
    found = shown["notMoving"]
    assert (found and found["reason"], found and instant(found["since"])) == (reason, since)
    assert found is None or (found["detail"], shown["estimatedFinish"]) == (found["detail"], None)


@pytest.mark.parametrize("total", [3, LIVE_COUNT_ROWS + 1])
def test_a_task_is_stale_when_nobody_has_looked_after_it_for_minutes(bench, front, total):
    """Counted by the reader or not: what is lost is not sent again, and it will not close. Mutation caught: `stale: false`
    because the counts are of now."""
    bench.put(fresh(total=total, completed=1, moved_at=NOW, finish_at=NOW + HOUR, finish_by=NOW + HOUR))
    bench.pass_time(minutes=2, seconds=5)
    shown = front.task("t1")
    assert (shown["stale"], shown["estimatedFinish"], shown["notMoving"]["reason"]) == (True, None, "not_swept")
    assert instant(shown["notMoving"]["since"]) == NOW
