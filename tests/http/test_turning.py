"""Cancel, pause, resume, retry, delete: what each does in every state, once, twice, and with another under way."""

import pytest

from tests.http.front import BUSY, TASKS, Front, key_of, stored
from tests.support.calls import aws_error

VERBS = ["cancel", "pause", "resume", "retry", "delete"]
Told = tuple[int, str | None]
CLOSED, OPEN, NOTHING, DONE = (409, "task-closed"), (409, "task-open"), (404, "not-found"), (202, None)
ANSWERS: dict[str, list[Told]] = {
    #            cancel  pause   resume  retry                      delete
    "open":      [DONE, DONE, DONE, OPEN, OPEN],
    "paused":    [DONE, DONE, DONE, OPEN, OPEN],
    "resumed":   [DONE, DONE, DONE, OPEN, OPEN],
    "gathering": [DONE, DONE, DONE, OPEN, OPEN],
    "stopping":  [DONE, CLOSED, CLOSED, OPEN, OPEN],
    "completed": [CLOSED, CLOSED, CLOSED, (409, "nothing-to-retry"), (204, None)],
    "failed":    [CLOSED, CLOSED, CLOSED, DONE, (204, None)],
    "cancelled": [CLOSED, CLOSED, CLOSED, DONE, (204, None)],
    "rowless":   [CLOSED, CLOSED, CLOSED, (409, "nothing-to-retry"), (204, None)],
    "deleted":   [NOTHING, NOTHING, NOTHING, NOTHING, NOTHING],
    "unknown":   [NOTHING, NOTHING, NOTHING, NOTHING, NOTHING],
}  # fmt: skip
"""What a request is answered in a state."""


def brought_to(bench, front: Front, state: str) -> str:
    """A task in this state."""
    if state == "unknown":
        return "a" * 20
    if state in {"gathering", "rowless"}:
        return by_reference(bench, front, state)
    acts = {"completed": ["ok", "ok"], "failed": ["ok", "permanent"]}.get(state, ["ok", "permanent"])
    task_id = front.started([bench.probe(act) for act in acts])
    for verb in {
        "paused": ["pause"],
        "resumed": ["pause", "resume"],
        "stopping": ["cancel"],
        "cancelled": ["cancel"],
    }.get(state, []):
        assert front.verb(verb, task_id).status == 202
    if state in {"completed", "failed", "cancelled", "deleted"}:
        bench.settle("probe")
    if state == "deleted":
        assert front.verb("delete", task_id).status == 204
    return task_id


def by_reference(bench, front: Front, state: str) -> str:
    """A task over an empty knowledge base, before anybody has looked there and after."""
    base = front.post("/pkb/knowledge-bases", {"name": "Papers"}).body["knowledgeBaseId"]
    opened = front.post(TASKS, {"templateId": "rct", "kind": "probe", "knowledgeBaseId": base})
    if state == "rowless":
        bench.settle("probe")
    return str(opened.body["taskId"])


@pytest.mark.parametrize(("verb", "state"), [(verb, state) for verb in VERBS for state in ANSWERS])
def test_a_verb_is_done_or_refused_when_a_task_is_in_a_state(bench, front, verb, state):
    """The whole product; what is refused changes nothing."""
    task_id = brought_to(bench, front, state)
    expected, problem = ANSWERS[state][VERBS.index(verb)]
    before = bench.raw(), bench.queued(), list(bench.nudges)
    answer = front.verb(verb, task_id)
    assert answer.status == expected, answer
    if problem:
        assert answer.problem == problem
        assert (bench.raw(), bench.queued(), bench.nudges) == before


@pytest.mark.parametrize(("verb", "state"), [(verb, state) for verb in VERBS for state in ANSWERS])
def test_nothing_more_happens_when_a_verb_is_clicked_twice(bench, front, verb, state):
    """The second click finds what the first one wrote: no second write, no other answer than 'so it is'."""
    task_id = brought_to(bench, front, state)
    first = front.verb(verb, task_id)
    before = bench.raw(), bench.queued()
    second = front.verb(verb, task_id)
    assert (bench.raw(), bench.queued()) == before
    expected = {(202, "retry"): 200, (204, "delete"): 404}.get((first.status, verb), first.status)
    assert second.status == expected
    if verb == "retry" and first.status == 202:
        assert second.body["taskId"] == first.body["taskId"]
        assert second.headers["Idempotency-Replayed"] == "true"


@pytest.mark.parametrize("verb", ["cancel", "pause", "resume"])
def test_the_task_as_it_is_now_is_answered_when_it_was_turned(bench, front, verb):
    """And the aggregator hears of it at once."""
    task_id = brought_to(bench, front, "paused" if verb == "resume" else "open")
    bench.nudges.clear()
    answer = front.verb(verb, task_id)
    assert answer.body == front.task(task_id) | {"asOf": answer.body["asOf"], "stale": answer.body["stale"]}
    assert (answer.body["paused"], answer.body["cancelRequested"]) == (verb == "pause", verb == "cancel")
    assert bench.nudges == [{"source": "api", "task": key_of(task_id)}]


# ---------------------------------------------------------------------------------------------------- what they do


def test_nothing_is_started_when_a_task_is_paused_and_everything_when_it_goes_on(bench, front):
    task_id = front.started([bench.probe(), bench.probe(), bench.probe()])
    bench.deliver("probe", limit=1)
    front.verb("pause", task_id)
    for _ in range(5):
        bench.deliver("probe")
        bench.sweep_once()
        bench.pass_time(minutes=30)
    assert bench.statuses(task_id).count("pending") == 2
    shown = front.task(task_id)
    assert (shown["paused"], shown["status"], shown["completedCount"]) == (True, "processing", 1)
    front.verb("resume", task_id)
    bench.settle("probe")
    assert bench.statuses(task_id) == ["completed"] * 3
    assert set(bench.runs().values()) == {1}


def test_what_waits_is_cancelled_and_what_is_done_is_kept_when_a_task_is_cancelled(bench, front):
    task_id = front.started([bench.probe(), bench.probe(), bench.probe()])
    bench.deliver("probe", limit=1)
    front.verb("cancel", task_id)
    bench.settle("probe")
    assert sorted(bench.statuses(task_id)) == ["cancelled", "cancelled", "completed"]
    shown = front.task(task_id)
    assert (shown["status"], shown["percent"], shown["cancelledCount"], shown["completedCount"]) == (
        "cancelled",
        100,
        2,
        1,
    )
    assert len(bench.probe_calls()) == 1


def test_work_that_is_running_is_finished_and_kept_when_its_task_is_cancelled(bench, front):
    """Cancelled from within the worker's own call; the row that was already paid for is not thrown away."""
    task_id = front.started([bench.probe(), bench.probe()])
    told = []
    with bench.calls.watch() as calls:
        calls.on_call = lambda _n, operation, _a: (
            told.append(front.verb("cancel", task_id).status) if operation == "PutItem" else None
        )
        bench.deliver("probe", limit=1)
    bench.settle("probe")
    assert told == [202]
    assert sorted(bench.statuses(task_id)) == ["cancelled", "completed"]


def test_a_task_is_completed_when_everything_was_done_before_the_cancel_was_heard(bench, front):
    """Cancelled is what has a cancelled row, not what somebody once clicked."""
    task_id = front.started([bench.probe()])
    bench.deliver("probe")
    front.verb("cancel", task_id)
    bench.settle("probe")
    assert front.task(task_id)["status"] == "completed"


def test_cancel_wins_when_a_task_is_paused(bench, front):
    """A paused task need not be resumed to be stopped, and cannot be resumed after that."""
    task_id = front.started([bench.probe(), bench.probe()])
    front.verb("pause", task_id)
    front.verb("cancel", task_id)
    assert front.verb("resume", task_id).problem == "task-closed"
    bench.settle("probe")
    assert bench.statuses(task_id) == ["cancelled", "cancelled"]


@pytest.mark.parametrize("first", ["pause", "resume"])
def test_cancel_wins_when_it_comes_in_the_middle_of_another_turn(bench, front, first):
    """Between any two calls of the other: no late gate is left open or paused."""
    task_id = brought_to(bench, front, "open" if first == "pause" else "paused")
    with bench.calls.watch() as calls:
        front.verb(first, task_id)
    for number in range(len(calls.operations)):
        task_id = brought_to(bench, front, "open" if first == "pause" else "paused")
        with bench.calls.watch() as calls:
            calls.on_call = lambda at, _op, _args, number=number, task_id=task_id: (
                front.verb("cancel", task_id) if at == number else None
            )
            front.verb(first, task_id)
        assert bench.task(task_id).gate == "cancelled", number


@pytest.mark.parametrize("verb", ["cancel", "pause"])
def test_the_turn_is_accepted_when_the_aggregator_cannot_be_told(bench, front, verb):
    """The schedule tells it within a minute; also where the function is gone altogether."""
    for code in (BUSY, "ResourceNotFoundException"):
        task_id = front.started([bench.probe()])
        with bench.calls.watch() as calls:
            calls.fail("Invoke", aws_error(code))
            assert front.verb(verb, task_id).status == 202


@pytest.mark.parametrize("verb", ["cancel", "pause", "resume", "delete"])
def test_the_caller_is_told_to_come_back_when_aws_is_busy(bench, front, verb):
    """Nothing has changed, and the same click is good a moment later."""
    task_id = brought_to(bench, front, {"delete": "completed", "resume": "paused"}.get(verb, "open"))
    before = stored(bench)
    with bench.calls.watch() as calls:
        calls.fail("UpdateItem", aws_error(BUSY), times=100)
        answer = front.verb(verb, task_id)
    assert (answer.status, answer.problem) == (503, "try-again")
    assert stored(bench) == before
    assert front.verb(verb, task_id).status in {202, 204}


@pytest.mark.parametrize("verb", ["cancel", "pause", "resume", "delete"])
def test_the_verb_is_done_once_when_the_reply_to_any_of_its_calls_is_lost(bench, front, verb):
    """A write that finds its own success is no conflict and no second pause."""
    before = {"delete": "completed", "resume": "paused"}.get(verb, "open")
    task_id = brought_to(bench, front, before)
    with bench.calls.watch() as calls:
        front.verb(verb, task_id)
    once = len(bench.task(task_id).pauses)
    for number in range(len(calls.operations)):
        task_id = brought_to(bench, front, before)
        with bench.calls.watch() as calls:
            calls.lose_reply_of = number
            assert front.verb(verb, task_id).status in {202, 204}, number
        assert len(bench.task(task_id).pauses) == once


@pytest.mark.parametrize("verb", ["cancel", "pause", "resume"])
def test_the_refusal_says_how_it_is_now_when_the_task_closes_in_the_middle(bench, front, verb):
    """Found open a moment ago and closed by the time of the write: the words must be of now."""
    task_id = brought_to(bench, front, "resumed" if verb == "resume" else "open")
    bench.deliver("probe")
    swept: list[bool] = []

    def sweep(_number, operation, _arguments):
        if operation == "UpdateItem" and not swept:
            swept.append(True)
            bench.settle("probe")

    with bench.calls.watch() as calls:
        calls.on_call = sweep
        answer = front.verb(verb, task_id)
    assert (answer.status, answer.problem) == (409, "task-closed")
    assert "completed" in answer.body["detail"]
    assert "processing" not in answer.body["detail"]


def test_a_verb_is_harmless_when_its_method_is_another(bench, front):
    """A link that a browser fetches ahead must not stop a task."""
    task_id = front.started([bench.probe()])
    before = stored(bench)
    for verb in ("cancel", "pause", "resume", "retry"):
        for method in ("GET", "PUT", "DELETE", "HEAD"):
            assert front.send(method, f"{TASKS}/{task_id}/{verb}").status == 405
    assert stored(bench) == before
