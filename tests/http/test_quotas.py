"""What one project may have under way at once: 429 that says how much, what to do and when to ask again."""

import pytest

from tests.http import front as fronts
from tests.http.front import Front, stored


def probes(bench, count: int) -> list[str]:
    return [bench.probe() for _ in range(count)]


def test_a_task_is_refused_when_as_many_are_open_as_may_be(bench, front):
    """Nothing is written, and it is good as soon as one has closed."""
    fronts.limit(bench, open_tasks_per_project=2)
    documents = probes(bench, 1)
    assert [front.start(documents).status for _ in range(2)] == [202, 202]
    before = stored(bench)
    refused = front.start(documents)
    assert (refused.status, refused.problem) == (429, "too-much")
    assert int(refused.headers["Retry-After"]) > 0
    assert "2 tasks are open" in refused.body["detail"]
    assert stored(bench) == before
    bench.settle("probe")
    assert front.start(documents).status == 202


@pytest.mark.parametrize(
    ("under_way", "asked", "status"), [(0, 10, 202), (0, 11, 429), (6, 4, 202), (6, 5, 429), (10, 1, 429)]
)
def test_a_task_is_refused_when_more_documents_would_be_under_way_than_may_be(bench, front, under_way, asked, status):
    """Counted over all open tasks, this one included."""
    fronts.limit(bench, documents_per_project=10)
    if under_way:
        front.started(probes(bench, under_way))
    answer = front.start(probes(bench, asked))
    assert answer.status == status
    if status == 429:
        assert f"{under_way} documents are under way" in answer.body["detail"]
        assert f"with {asked} more" in answer.body["detail"]


def test_a_repetition_is_answered_when_the_quota_is_used_up(bench, front):
    """By itself: it opens nothing."""
    fronts.limit(bench, open_tasks_per_project=1, documents_per_project=1)
    documents = probes(bench, 1)
    task_id = front.started(documents, key="k")
    assert front.start(documents).status == 429
    repeated = front.start(documents, key="k")
    assert (repeated.status, repeated.body["taskId"]) == (200, task_id)


def test_another_project_is_not_refused_when_one_has_used_up_its_quota(bench, front):
    """Nor one whose name begins alike."""
    fronts.limit(bench, open_tasks_per_project=1)
    front.started(probes(bench, 1))
    assert front.start(probes(bench, 1)).status == 429
    for name in ("p2", "p", "p11", "p1-b"):
        neighbour = Front(bench, name)
        assert neighbour.start([bench.paper('{"acts": ["ok"]}', project=name)]).status == 202, name


@pytest.mark.parametrize("quota", ["open_tasks_per_project", "documents_per_project"])
def test_a_retry_is_refused_when_the_quota_is_used_up(bench, front, quota):
    """It opens a task like any other."""
    task_id = front.started([bench.probe("permanent"), bench.probe("permanent")])
    bench.settle("probe")
    front.started(probes(bench, 1))
    fronts.limit(bench, **{quota: {"open_tasks_per_project": 1, "documents_per_project": 2}[quota]})
    refused = front.verb("retry", task_id)
    assert (refused.status, refused.problem) == (429, "too-much")
    bench.settle("probe")
    assert front.verb("retry", task_id).status == 202


def test_closed_and_deleted_tasks_do_not_count_when_the_quota_is_checked(bench, front):
    fronts.limit(bench, open_tasks_per_project=1)
    for _ in range(3):
        task_id = front.started(probes(bench, 1))
        bench.settle("probe")
    front.verb("delete", task_id)
    assert front.start(probes(bench, 1)).status == 202


def test_paused_tasks_count_when_the_quota_is_checked(bench, front):
    """Otherwise pausing would be the way around it."""
    fronts.limit(bench, open_tasks_per_project=1)
    front.verb("pause", front.started(probes(bench, 1)))
    assert front.start(probes(bench, 1)).status == 429


def test_a_limit_of_rows_at_work_is_refused_when_it_is_more_than_the_deployment_has(bench, front):
    """With the task and for a task that runs, before anything is written."""
    fronts.limit(bench, rows_at_work_per_task=9)
    documents = probes(bench, 1)
    task_id = front.started(documents, mostAtWork=9)
    before = stored(bench)
    for answer in (front.start(documents, mostAtWork=10), front.verb("limit", task_id, {"mostAtWork": 10})):
        assert (answer.status, answer.body["field"]) == (400, "mostAtWork")
        assert "more than 9" in answer.body["detail"]
    assert stored(bench) == before


def test_the_limits_are_told_when_a_caller_asks_who_it_is(bench, front):
    """As this deployment has them, so that nobody must run into them."""
    fronts.limit(bench, open_tasks_per_project=7, documents_per_project=8, rows_at_work_per_task=9)
    told = {
        "documentsPerTask": 10_000,
        "documentsPerTaskByReference": 100_000,
        "rowsAtWorkPerTask": 9,
        "openTasksPerProject": 7,
        "documentsUnderWayPerProject": 8,
    }
    assert told.items() <= front.get("/me").body["limits"].items()


def test_a_reading_is_refused_when_the_project_has_had_a_days_worth(bench, front):
    """And allowed the next day. Mutation caught: a count that nobody sets back."""
    fronts.limit(bench, rereads_per_project_and_day=2)
    document = bench.probe()

    def again():
        fronts.change_entry(bench, document, state="unreadable", key_version="v1")
        return front.post(f"/pkb/documents/{document}/reread")

    assert [again().status for _ in range(3)] == [202, 202, 429]
    assert "read again 2 times today" in again().body["detail"]
    bench.pass_time(hours=24)
    assert again().status == 202
