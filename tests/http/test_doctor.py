"""Why a task does not move, in a word, a sentence and what to do; and what is wrong with the rest, in one answer."""

import string
from typing import Any

import pytest

from sheaf.api import doctor, queue_looks
from sheaf.api.doctor import ROWS_SHOWN, SHARDS_MOST, TASKS_MOST
from sheaf.api.forecast import STILL_MS, WORDS
from sheaf.schemas import instant as shown_instant
from tests.http.front import TASKS, Front
from tests.support.calls import aws_error
from tests.support.items import MINUTE, NOW, SECOND, a_row, a_task

DOCTOR = "/asl/extraction/doctor"
KEYS = {"asOf", "sweep", "kinds", "lastDay", "notMoving", "failedRows"}
STANDING = {"gate": "open", "counted_at": NOW, "count_every": 10 * MINUTE}


def standing(bench, **more: Any) -> None:
    """The task t1 of nine rows, of which nothing is at work and nothing has ended for a minute."""
    bench.put(a_task(**{"total": 9, **STANDING, "created_at": NOW - STILL_MS, **more}))


def hidden(bench, many: int) -> None:
    for _ in range(many):
        bench.message("{}").visible_at = NOW + MINUTE


def why(front, task: str = "t1") -> dict[str, Any]:
    found: dict[str, Any] = front.task(task)["notMoving"]
    return found


@pytest.mark.parametrize(
    ("waiting", "taken", "state", "reason"),
    [
        (1, 0, "Disabled", "mapping_disabled"),
        (1, 5, "Disabling", "mapping_disabled"),
        (1, 0, "Enabled", "queue_not_consumed"),
        (1, 2, "Enabled", "concurrency_taken"),
        (1, 1, "Enabled", "not_started"),
        (0, 1, "Disabled", "messages_hidden"),
        (0, 0, "Disabled", "messages_lost"),
    ],
)
def test_its_queue_says_why_when_a_task_stands_still(bench, front, waiting, taken, state, reason):
    """The mapping hands out two at once. Mutation caught: two reasons in the other order, `>` for `>=`."""
    standing(bench)
    hidden(bench, taken)
    for _ in range(waiting):
        bench.message("{}")
    bench.mapping_state = state
    found = why(front)
    assert (found["reason"], found["since"]) == (reason, shown_instant(NOW - STILL_MS))
    assert found["detail"] == WORDS["notMoving"][reason][0].format(kind="probe")
    assert found["advice"] == WORDS["notMoving"][reason][1].format(kind="probe")


@pytest.mark.parametrize(
    "more",
    [
        {"created_at": NOW - STILL_MS + 1},
        {"extracting": 1},
        {"completed": 1, "moved_at": NOW - STILL_MS + 1},
        {"pauses": [NOW - 2 * MINUTE, NOW - SECOND]},
        {"gate": "paused", "pauses": [NOW - MINUTE]},
        {"gate": "cancelled"},
        {
            "waiting_for": {
                "for": "provider",
                "provider": "openai",
                "since": 1,
                "until": 2,
                "reason": "account",
                "rows": 9,
            }
        },
        {"status": "completed", "completed": 9},
        {"completed": 9, "moved_at": NOW - STILL_MS},
        {"counted_at": NOW - 60 * MINUTE},
    ],
)
def test_no_queue_is_asked_when_a_task_moves_or_what_keeps_it_is_known(bench, front, more):
    """What costs a call a look must cost none a poll. Mutation caught: any part of the condition taken away."""
    standing(bench, **more)
    with bench.calls.watch() as calls:
        front.task("t1")
    assert {"GetQueueAttributes", "GetEventSourceMapping"}.isdisjoint(calls.operations)


def test_a_queue_is_asked_once_in_a_while_when_many_ask_after_its_tasks(bench, front):
    """A poll a second of ten standing tasks is two calls in fifteen seconds; Lambda answers fifteen in a second to all."""
    for number in range(10):
        standing(bench, task=f"p1/t{number}")
    bench.message("{}")
    with bench.calls.watch() as calls:
        for _ in range(5):
            front.get(TASKS)
            front.task("t3")
    assert [each for each in calls.operations if each.startswith("Get") and each != "GetItem"] == [
        "GetQueueAttributes",
        "GetEventSourceMapping",
    ]
    bench.mapping_state = "Disabled"
    bench.pass_time(seconds=queue_looks.LOOK_EVERY_MS // SECOND)
    assert why(front, "t3")["reason"] == "mapping_disabled"


@pytest.mark.parametrize("operation", ["GetQueueAttributes", "GetEventSourceMapping"])
@pytest.mark.parametrize("code", ["ThrottlingException", "AccessDeniedException"])
def test_a_task_is_shown_when_its_queue_cannot_be_asked(bench, front, operation, code):
    """A sentence is no reason for a 503."""
    standing(bench)
    bench.message("{}")
    with bench.calls.watch() as calls:
        calls.fail(operation, aws_error(code), times=99)
        assert why(front)["reason"] == "not_started"


def test_a_pause_says_whose_it_is_until_it_ends(bench, front):
    task = front.started([bench.probe()])
    assert front.verb("pause", task).status == 202
    assert why(front, task)["detail"] == f"Paused by {bench.task(task).paused_by}."
    assert bench.task(task).paused_by == bench.task(task).created_by
    front.verb("resume", task)
    assert bench.task(task).paused_by is None


def test_a_wait_for_a_provider_says_until_when(bench, front):
    until = NOW + 9 * MINUTE
    waits = {"for": "provider", "provider": "openai", "since": NOW, "until": until, "reason": "account", "rows": 9}
    standing(bench, provider="openai", waiting_for=waits)
    assert why(front)["detail"] == f"Waiting for openai until {shown_instant(until)}; then it is tried again."


def test_every_reason_has_a_sentence_and_advice_when_it_is_filled_in():
    known = {"kind", "by", "provider", "until", "pace"}
    for reason, texts in WORDS["notMoving"].items():
        assert len(texts) == 2, reason
        for text in texts:
            assert {name for _, name, *_ in string.Formatter().parse(text) if name} <= known, reason
            assert text.endswith("."), reason


# ---------------------------------------------------------------------------------------------------- the doctor


def test_the_doctor_says_that_all_is_well_when_it_is(bench, front):
    task = front.started([bench.probe(), bench.probe()])
    bench.settle("probe")
    found = front.get(DOCTOR).body
    assert found.keys() == KEYS
    assert (found["sweep"]["detail"], found["notMoving"], found["failedRows"]) == (None, [], [])
    assert found["lastDay"] == {"tasks": 1, "closed": 1, "rowsCompleted": 2, "rowsFailed": 0, "failedBy": {}}
    assert {kind["kind"] for kind in found["kinds"]} == {"extract_paper", "export_table", "clean_sheet", "probe"}
    assert all(
        kind == {"kind": kind["kind"], "waiting": 0, "hidden": 0, "deadLetters": 0, "detail": None}
        for kind in found["kinds"]
    )
    assert front.task(task)["status"] == "completed"


def test_the_doctor_says_the_same_sentence_as_the_task_when_one_does_not_move(bench, front):
    standing(bench)
    bench.message("{}")
    bench.mapping_state = "Disabled"
    found = front.get(DOCTOR).body
    assert found["notMoving"] == [{"taskId": "t1", "kind": "probe", "rows": 9, **why(front)}]
    probe = next(kind for kind in found["kinds"] if kind["kind"] == "probe")
    assert (probe["waiting"], probe["detail"]) == (1, f"{why(front)['detail']} {why(front)['advice']}")


def test_the_doctor_names_failed_rows_with_advice_when_there_are_some(bench, front):
    task = front.started([bench.probe("permanent"), bench.probe(), bench.probe("permanent")])
    bench.settle("probe")
    found = front.get(DOCTOR).body
    assert found["lastDay"]["failedBy"] == {"permanent": 2}
    assert [row["resultId"] for row in found["failedRows"]] == [f"{task}-0", f"{task}-2"]
    assert {row["advice"] for row in found["failedRows"]} == {WORDS["failed"][""]}
    assert all(row["errorMessage"] and row["documentId"] and row["taskId"] == task for row in found["failedRows"])


def test_the_doctor_says_that_sweeps_are_missing_when_none_has_come_for_minutes(bench, front):
    assert front.get(DOCTOR).body["sweep"] == {"lastAt": None, "detail": WORDS["noSweep"]}
    bench.sweep()
    swept = front.get(DOCTOR).body["sweep"]
    assert (swept["detail"], swept["lastAt"] is None) == (None, False)
    bench.pass_time(minutes=4)
    assert front.get(DOCTOR).body["sweep"] == {"lastAt": swept["lastAt"], "detail": WORDS["noSweep"]}


def test_the_doctor_counts_dead_letters_when_messages_died(bench, front):
    bench.died = 3
    for kind in front.get(DOCTOR).body["kinds"]:
        assert (kind["deadLetters"], kind["detail"]) == (3, WORDS["deadLetters"])


def test_the_doctor_looks_at_the_last_day_alone_when_it_counts(bench, front):
    """But at whatever does not move, however old. Mutation caught: yesterday's failures named again and again."""
    old = {"status": "completed", "total": 1, "error": 1, "completed_at": NOW}
    bench.put(a_task(task="p1/old", **old, created_at=NOW - doctor.DAY_MS))
    bench.put(a_row("error", shard="p1/old/0000"))
    standing(bench, created_at=NOW - 2 * doctor.DAY_MS)
    found = front.get(DOCTOR).body
    assert (found["lastDay"]["tasks"], found["failedRows"]) == (0, [])
    assert [each["taskId"] for each in found["notMoving"]] == ["t1"]


def test_the_doctor_tells_nothing_of_another_project_when_it_is_asked(bench, front):
    """Numbers of shared queues are all that two projects have in common."""
    other = Front(bench, "p2")
    other.started([bench.paper("{}", project="p2", read=b'{"acts": ["permanent"]}')])
    bench.settle("probe")
    found = front.get(DOCTOR).body
    assert (found["lastDay"]["tasks"], found["notMoving"], found["failedRows"]) == (0, [], [])


def test_a_viewer_may_ask_the_doctor(front):
    assert front.get(DOCTOR, groups="[p1:viewer]").status == 200


def test_the_doctor_costs_the_same_when_there_is_more_than_it_looks_at(bench, front, monkeypatch):
    """Mutation caught: any bound taken away."""
    for name, bound in (("TASKS_MOST", 2), ("SHARDS_MOST", 2), ("ROWS_SHOWN", 1)):
        monkeypatch.setattr(doctor, name, bound)
    for number in range(4):
        closed = {"status": "completed", "total": 3, "shard_rows": 1, "error": 3, "completed_at": NOW}
        bench.put(a_task(task=f"p1/t{number}", **closed, created_at=NOW - number))
        for row in range(3):
            bench.put(a_row("error", shard=f"p1/t{number}/{row:04d}", row=row))
    with bench.calls.watch() as calls:
        found = front.get(DOCTOR).body
    assert (found["lastDay"]["tasks"], found["lastDay"]["failedBy"]) == (2, {"permanent": 2})
    assert [row["resultId"] for row in found["failedRows"]] == ["t0-0"]
    assert calls.operations.count("Query") == 1 + 2
    assert (TASKS_MOST, SHARDS_MOST, ROWS_SHOWN) == (200, 8, 50)
