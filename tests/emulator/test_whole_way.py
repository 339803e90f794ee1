"""From a request over HTTP to a finished table, on the deployed stack: every wire of it at once."""

import json
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any
from urllib.parse import urljoin

import pytest

from local.settings import ROOT
from sheaf.outside import objects
from sheaf.protocol import manifest
from sheaf.settings import AggregatorSettings
from tests.support.deployed import TASKS, eventually

pytestmark = pytest.mark.emulator

# What each document does to its worker; then calls, tries and the end that must come of it.
SCRIPTS = [
    (["ok"], 1, 1, "completed"),
    (["ok"], 1, 1, "completed"),
    (["ok"], 1, 1, "completed"),
    (["throttle:1", "ok"], 2, 1, "completed"),
    # More often than there are tries: throttling uses none.
    (["throttle:1"] * 5 + ["ok"], 6, 1, "completed"),
    (["transient", "ok"], 2, 2, "completed"),
    (["transient", "transient", "ok"], 3, 3, "completed"),
    (["permanent"], 1, 1, "error"),
    (["transient", "permanent"], 2, 2, "error"),
    (["defect", "ok"], 2, 2, "completed"),
    # Stopped by the worker itself, twenty seconds before the function's limit.
    (["hang", "ok"], 2, 2, "completed"),
    (["throttle:1", "transient", "ok"], 3, 2, "completed"),
]
CALLS = [calls for _, calls, _, _ in SCRIPTS]
ENDS = [end for _, _, _, end in SCRIPTS]
PAPERS = ("wu-2015.txt", "joo-2015.txt")


@pytest.fixture(scope="module")
def notices(deployed):
    """A queue that is sent what the default event bus says of closed tasks; the messages come as a list."""
    sqs, events = deployed.client("sqs"), deployed.client("events")
    queue = sqs.create_queue(QueueName="notices")["QueueUrl"]
    arn = sqs.get_queue_attributes(QueueUrl=queue, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    pattern = {"source": ["sheaf"], "detail-type": ["Task closed"]}
    events.put_rule(Name="closed-tasks", EventPattern=json.dumps(pattern))
    events.put_targets(Rule="closed-tasks", Targets=[{"Id": "queue", "Arn": arn}])
    heard: list[dict[str, Any]] = []

    def of(task_id):
        for message in sqs.receive_message(QueueUrl=queue, MaxNumberOfMessages=10).get("Messages", []):
            heard.append(json.loads(message["Body"])["detail"])
            sqs.delete_message(QueueUrl=queue, ReceiptHandle=message["ReceiptHandle"])
        return [notice for notice in heard if notice["taskId"] == task_id]

    yield of
    events.remove_targets(Rule="closed-tasks", Ids=["queue"])
    events.delete_rule(Name="closed-tasks")
    sqs.delete_queue(QueueUrl=queue)


@pytest.fixture(scope="module")
def opened(deployed, notices):
    """Both tasks, opened one after the other: the request, the probe's and the papers' answer."""
    documents = deployed.probes([{"acts": acts} for acts, _, _, _ in SCRIPTS])
    request = {"templateId": "rct", "documentIds": documents, "kind": "probe"}
    first = deployed.ask("POST", TASKS, request, headers={"Idempotency-Key": "whole-way"})
    papers = deployed.papers([(ROOT / "tests" / "data" / name).read_bytes() for name in PAPERS], base="samples")
    return request, first, deployed.open(papers, kind="extract_paper")


@pytest.fixture(scope="module")
def closed(deployed, opened):
    """The probe's task, closed."""
    return deployed.closed(opened[1].body["taskId"])


def test_counts_are_exact_when_the_task_has_closed(deployed, opened, closed):
    """And they add up, and say a hundred percent."""
    assert opened[1].status == 202
    assert opened[1].headers["location"].endswith(closed["taskId"])
    assert closed["status"] == "completed"
    shown = {
        name: closed[f"{name}Count"] for name in ("total", "pending", "extracting", "completed", "error", "cancelled")
    }
    assert shown == {"total": 12, "pending": 0, "extracting": 0, "completed": 10, "error": 2, "cancelled": 0}
    assert (closed["percent"], closed["stale"]) == (100, False)


def test_the_probe_works_exactly_as_often_as_asked_when_documents_misbehave(deployed, closed):
    """Counted by the probe itself: no call too many and none missing."""
    calls = deployed.calls(closed["taskId"])
    assert deployed.call_counts(closed["taskId"]) == CALLS
    assert max(Counter((call["row"], call["attempt"]) for call in calls).values()) == 1


def test_rows_hold_their_attempts_and_tries_when_the_task_has_closed(deployed, closed):
    """An attempt for every claim; a try only where the provider did not ask to slow down."""
    rows = deployed.rows(closed["taskId"])
    assert [(row.status, row.attempt, row.tries) for row in rows] == [
        (end, calls, tries) for _, calls, tries, end in SCRIPTS
    ]
    assert all(row.lease_until is None for row in rows)


def test_the_table_shows_every_document_once_when_the_task_has_closed(deployed, opened, closed):
    """In the order of the request, with the data of the attempt that succeeded or the reason why none did."""
    table = deployed.table(closed["taskId"])
    assert [row["documentId"] for row in table] == opened[0]["documentIds"]
    assert [(row["status"], row["attempts"]) for row in table] == list(zip(ENDS, CALLS, strict=True))
    assert [row["extractedData"]["attempt"] for row in table if row["status"] == "completed"] == [
        calls for calls, end in zip(CALLS, ENDS, strict=True) if end == "completed"
    ]
    refused = deployed.table(closed["taskId"], status="error")
    assert {(row["errorClass"], row["errorMessage"]) for row in refused} == {
        ("permanent", "The probe was told to fail for good.")
    }
    assert [row["row"] for row in refused] == [7, 8]


def test_the_notice_reaches_the_event_bus_when_the_task_has_closed(deployed, notices, closed):
    """With the final counts, and then the task leaves the index of active tasks."""
    (notice,) = eventually(lambda: notices(closed["taskId"]), "the notice")
    task = eventually(lambda: (found := deployed.task(closed["taskId"])).notified_at and found, "the record of it")
    assert notice == {
        "noticeId": f"demo/{closed['taskId']}/closed",
        "taskId": closed["taskId"],
        "projectId": "demo",
        "status": "completed",
        "totalCount": 12,
        "completedCount": 10,
        "errorCount": 2,
        "cancelledCount": 0,
        "tasksTable": deployed.physical("TasksTable"),
        "isExport": False,
    }
    assert task.active is None
    assert closed["taskId"] not in deployed.active()


def test_the_same_task_is_answered_when_the_request_is_repeated(deployed, opened, closed):
    """Also long after it closed, without a row or a call more."""
    again = deployed.ask("POST", TASKS, opened[0], headers={"Idempotency-Key": "whole-way"})
    assert (again.status, again.headers["idempotency-replayed"]) == (200, "true")
    assert again.body == deployed.see(closed["taskId"])
    assert deployed.call_counts(closed["taskId"]) == CALLS


def test_the_new_task_is_found_at_its_location_when_the_stage_has_a_path_of_its_own(deployed, opened):
    place = urljoin(f"{deployed.api}{TASKS}", opened[1].headers["location"])
    assert deployed.api not in {"", "/api/v1"}
    answer = deployed.ask("GET", place.removeprefix(deployed.api))
    assert (answer.status, answer.body["taskId"]) == (200, opened[1].body["taskId"])


def test_a_repeated_key_is_refused_when_the_request_differs(deployed, opened, closed):
    """With the stable type of the problem, and nothing opened."""
    other = {**opened[0], "documentIds": opened[0]["documentIds"][:3]}
    answer = deployed.ask("POST", TASKS, other, headers={"Idempotency-Key": "whole-way"})
    assert answer.status == 409
    assert answer.headers["content-type"].startswith("application/problem+json")
    assert answer.body["type"] == "urn:sheaf:problem:idempotency-key-reused"


def test_papers_become_rows_of_data_when_the_kind_is_extract_paper(deployed, opened):
    """Real text through the real worker: the DOI that the paper gives, with the sentence it stands in."""
    task = deployed.closed(opened[2]["taskId"])
    table = deployed.table(task["taskId"])
    assert [row["status"] for row in table] == ["completed", "completed"]
    for name, row in zip(PAPERS, table, strict=True):
        (doi,) = re.findall(r"^DOI: (\S+)$", (ROOT / "tests" / "data" / name).read_text(), re.M)
        found = row["extractedData"]["fields"]["doi"]
        assert (found["value"], found["state"]) == (doi, "found")
        assert doi in found["quote"]


def test_one_task_is_opened_when_ten_identical_requests_come_at_once(deployed):
    """One 202, nine replays of it, one row and one call a document."""
    documents = deployed.probes([{"sleep_ms": 20}] * 7)
    request = {"templateId": "rct", "documentIds": documents, "kind": "probe"}
    together = Barrier(10)
    deployed.token("editor")

    def post(_number):
        together.wait()
        return deployed.ask("POST", TASKS, request, headers={"Idempotency-Key": "ten-at-once"})

    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(post, range(10)))
    assert Counter(answer.status for answer in answers) == {202: 1, 200: 9}
    assert sum("idempotency-replayed" in answer.headers for answer in answers) == 9
    (task_id,) = {answer.body["taskId"] for answer in answers}
    task = deployed.closed(task_id)
    assert (task["totalCount"], task["completedCount"]) == (7, 7)
    assert [row.document for row in deployed.rows(task_id)] == documents
    assert deployed.call_counts(task_id) == [1] * 7


def test_the_manifest_is_still_found_when_its_older_versions_have_expired(deployed, opened, closed):
    """Each repetition writes it again, and the bucket's lifecycle ends what is not current: a task needs it for ever."""
    deployed.ask("POST", TASKS, opened[0], headers={"Idempotency-Key": "whole-way"})
    task, s3 = deployed.task(closed["taskId"]), deployed.client("s3")
    bucket = deployed.physical("DataBucket")
    found = s3.list_object_versions(Bucket=bucket, Prefix=f"tasks/{task.task}/manifest-")["Versions"]
    expired = [version for version in found if not version["IsLatest"]]
    for version in expired:
        s3.delete_object(Bucket=bucket, Key=version["Key"], VersionId=version["VersionId"])
    assert expired
    world = deployed.world(AggregatorSettings, "AggregatorFunction", "AggregatorFunctionRole")
    contents = [objects.get(world, key) for key in manifest.keys(task)]
    assert [frozen.name for frozen in manifest.rows(task, contents)] == opened[0]["documentIds"]
