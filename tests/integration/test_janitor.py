"""The janitor deletes what nothing points at and is older than a day, and nothing else."""

import pytest

from sheaf.items import Payload
from tests.support.bench import TASKS
from tests.support.clients import client
from tests.support.items import DAY, HOUR

BUCKET = "databucket"


def stored(bench):
    """The keys of all task objects, one for each version, and of all payloads that lie beside rows."""
    versions = client("s3").list_object_versions(Bucket=BUCKET, Prefix="tasks/").get("Versions", [])
    return sorted([item["Key"] for item in versions] + [f"{item.shard}#{item.row}" for item in bench.payloads()])


def put(key):
    """An object of this moment, by moto's own clock."""
    client("s3").put_object(Bucket=BUCKET, Key=key, Body=b"{}")


def age(bench, milliseconds):
    """Let every object be as old as this, and every closed task have closed half as long ago."""
    newest = max(
        item["LastModified"] for item in client("s3").list_object_versions(Bucket=BUCKET, Prefix="tasks/")["Versions"]
    )
    bench.clock.now = int(newest.timestamp() * 1000) + milliseconds
    for task in bench.tasks():
        if task.completed_at is not None:
            task.completed_at = bench.clock.now - int(milliseconds * 0.9)
            bench.put(task)


def closed(bench, *acts):
    task = bench.open([bench.probe(*acts or ["ok"])], kind="probe")
    bench.settle("probe")
    return bench.task(task)


def test_what_nothing_points_at_goes_when_it_is_older_than_a_day(bench):
    """◆ A late worker's payload, a losing request's manifest, the leavings of a request that never opened its task."""
    task = closed(bench)
    kept = stored(bench)
    put(f"tasks/{task.task}/rows/0-9.json")
    put(f"tasks/{task.task}/manifest-other.json")
    put("tasks/p1/never-opened/manifest-x.json")
    age(bench, 3 * DAY)
    assert bench.tidy() == 3
    assert stored(bench) == kept
    _, body = bench.http("GET", f"{TASKS}/{task.id}/results")
    assert body["results"][0]["extractedData"]["attempt"] == 1


@pytest.mark.parametrize("old", [HOUR, DAY - HOUR])
def test_what_nothing_points_at_stays_when_it_is_younger_than_a_day(bench, old):
    """◆ A request that is under way has its manifest written and its task not yet."""
    closed(bench)
    put("tasks/p1/being-opened/manifest-x.json")
    kept = stored(bench)
    age(bench, old)
    assert bench.tidy() == 0
    assert stored(bench) == kept


def test_what_is_pointed_at_stays_when_it_is_years_old(bench):
    """◆ Manifest and payloads of a closed task are its table, also those that are too large for an item."""
    closed(bench)
    bench.open([bench.probe(large=120_000)], kind="probe", key="large")
    bench.settle("probe")
    kept = stored(bench)
    for days in (2, 5, 9, 1000):
        age(bench, days * DAY)
        assert bench.tidy() == 0
    assert stored(bench) == kept
    assert len(kept) == 4


def test_an_open_task_is_left_alone_when_its_payloads_are_old(bench):
    """A worker of it may be about to point at what nothing points at yet."""
    task = bench.open([bench.probe("throttle:1")], kind="probe")
    put(f"tasks/p1/{task}/rows/0-9.json")
    bench.put(Payload(f"p1/{task}/0000/data", 9, claim="another's", packed=b"x"))
    kept = stored(bench)
    age(bench, 30 * DAY)
    assert bench.tidy() == 0
    assert stored(bench) == kept


def test_the_payload_of_a_worker_that_died_goes_when_its_row_was_done_again(bench):
    """Written, never pointed at: the row's second attempt has one of its own."""
    task = bench.probes("ok")
    with bench.calls.watch() as calls:
        calls.cut_after = 3
        bench.deliver("probe")
    bench.settle("probe")
    assert [item.row for item in bench.payloads()] == [1, 2]
    age(bench, 3 * DAY)
    assert bench.tidy() == 1
    assert [item.claim for item in bench.payloads()] == [bench.rows(task)[0].token]
    assert len(stored(bench)) == 2


def test_it_stops_in_time_when_there_is_more_than_it_can_do(bench):
    """It starts anywhere, so that what is left today comes first on some other day."""
    for number in range(6):
        put(f"tasks/p1/n{number}/manifest-x.json")
    age(bench, 3 * DAY)

    def slow(_number, operation, _arguments):
        bench.pass_time(seconds=250 * (operation == "DeleteObject"))

    with bench.calls.watch() as calls:
        calls.on_call = slow
        assert bench.tidy() == 4
    bench.chance = 0.999
    assert bench.tidy() == 2
    assert stored(bench) == []


def test_pages_are_read_to_the_end_when_there_are_many_objects(bench):
    for number in range(5):
        put(f"tasks/p1/n{number}/manifest-x.json")
    age(bench, 3 * DAY)

    def two_at_a_time(s3, operation, arguments):
        return bench.calls.answer(s3, operation, {**arguments, "MaxKeys": 2})

    with bench.calls.watch() as calls:
        calls.instead["ListObjectsV2"] = two_at_a_time
        assert bench.tidy() == 5


def test_documents_are_never_touched(bench):
    """A task may pin any of their versions."""
    closed(bench)
    before = client("s3").list_object_versions(Bucket=BUCKET, Prefix="documents/")["Versions"]
    age(bench, 99 * DAY)
    bench.tidy()
    assert client("s3").list_object_versions(Bucket=BUCKET, Prefix="documents/")["Versions"] == before


def test_a_deleted_tasks_rows_and_objects_go_and_its_tombstone_stays(bench):
    """◆ The record of its idempotency key outlives it."""
    task = closed(bench)
    other = closed(bench)
    assert bench.http("DELETE", f"{TASKS}/{task.id}")[0] == 204
    bench.tidy()
    assert {row.task for row in bench.all_rows()} == {other.task}
    left = {key.removeprefix("tasks/").split("/")[1] for key in stored(bench) if not key.endswith("/erased")}
    assert left == {other.id}
    assert {item.task for item in bench.tasks()} == {task.task, other.task}
