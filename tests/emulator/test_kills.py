"""The API and the aggregator, killed in the midst of what they do. Neither was nearly done, and nothing is lost or done twice."""

import hashlib
import json
import random
import secrets
from concurrent.futures import ThreadPoolExecutor

import pytest

from clinical.library import file_names
from clinical.library.document_lifecycle import State
from sheaf.items import shard_key, task_key
from sheaf.protocol import scatter
from tests.support.deployed import PROJECT, TASKS, eventually
from tests.support.shelf import a_document
from tests.support.trouble import Trouble

pytestmark = [pytest.mark.emulator, pytest.mark.slow]

DOCUMENTS = 600
PENDING = 300
FORGOTTEN = 60
KILLS_TRIED = 5
# The API's hold on the scatter is over after 60 s, a tick of the schedule later somebody knows of it.
WITHIN_SECONDS = 480
UPLOADING = {"state": State.UPLOADING, "attempt": 0, "tries": 0, "active": "1", "due_at": 1, "upload_until": 1 << 42}
"""A document that waits for its file, and that the sweep is to look at first of all."""


def _written(deployed, task_id):
    """How many rows of the first shard there are."""
    counted = deployed.client("dynamodb").query(
        TableName=deployed.physical("ResultsTable"),
        KeyConditionExpression="#s = :shard",
        ExpressionAttributeNames={"#s": "shard"},
        ExpressionAttributeValues={":shard": {"S": shard_key(task_key(PROJECT, task_id), 0)}},
        ConsistentRead=True,
        Select="COUNT",
    )
    return counted["Count"]


def _killed_in_mid_scatter(deployed, key):
    """A task with some of its rows, and the request that the API died of. None where the API was too quick for us."""
    request = {"templateId": "rct", "documentIds": deployed.probes([{}] * DOCUMENTS), "kind": "probe"}
    task_id = scatter.task_id(PROJECT, f"key {key}")
    trouble = Trouble(deployed, task_id, random.Random(0))

    def ask():
        return deployed.ask("POST", TASKS, request, headers={"Idempotency-Key": key})

    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(ask)
        eventually(lambda: asked.done() or _written(deployed, task_id), "its first rows", every=0.002)
        assert trouble.kill_all("ApiFunction")
        answer = asked.result()
    left = deployed.task(task_id)
    return (task_id, left, ask) if answer.status >= 500 and left.scattered_at is None else None


def test_every_document_is_worked_on_once_when_the_api_is_killed_in_mid_scatter(deployed):
    """The task is open, some of its rows are there; the aggregator finishes it, and the caller asks again."""
    task_id, left, ask = _one_of(_killed_in_mid_scatter(deployed, secrets.token_hex(8)) for _ in range(KILLS_TRIED))
    assert (left.status, left.unsent) == ("processing", {0})
    assert left.dispatch_until is not None

    again = ask()
    assert (again.status, again.body["taskId"], again.body["totalCount"]) == (200, task_id, DOCUMENTS)
    task = deployed.closed(task_id, within=WITHIN_SECONDS)
    assert (task["status"], task["completedCount"], task["errorCount"]) == ("completed", DOCUMENTS, 0)
    assert deployed.call_counts(task_id) == [1] * DOCUMENTS
    assert [(row.attempt, row.tries) for row in deployed.rows(task_id)] == [(1, 1)] * DOCUMENTS
    assert task_id not in deployed.active()


def _one_of(attempts):
    """The first that came at the right moment: on a fast machine another process may be done before it is killed."""
    found = next((found for found in attempts if found is not None), None)
    assert found is not None, f"{KILLS_TRIED} times it was done before it was killed"
    return found


def _tick(deployed):
    """The schedule's, as it comes every minute; so that the test need not wait for it."""
    name, event = deployed.physical("AggregatorFunction"), {"source": "schedule"}
    deployed.client("lambda").invoke(FunctionName=name, InvocationType="Event", Payload=json.dumps(event))


def _stands(deployed, task_id):
    return [row.status for row in deployed.rows(task_id)]


def _status(deployed, task_id, row):
    """One row's, by the smallest of reads."""
    key = {"shard": {"S": shard_key(task_key(PROJECT, task_id), 0)}, "row": {"N": str(row)}}
    found = deployed.client("dynamodb").get_item(
        TableName=deployed.physical("ResultsTable"), Key=key, ConsistentRead=True
    )
    return found["Item"]["status"]["S"]


def _killed_in_mid_sweep(deployed):
    """A task that was being cancelled, as the aggregator left it. None where it was done, or had not begun."""
    task_id = deployed.open(deployed.probes([{"sleep_ms": 500}] * PENDING))["taskId"]
    trouble = Trouble(deployed, task_id, random.Random(0))
    assert deployed.ask("POST", f"{TASKS}/{task_id}/pause").status == 202
    eventually(lambda: "extracting" not in _stands(deployed, task_id), "the end of what was under way")
    first = _stands(deployed, task_id).index("pending")
    assert deployed.ask("POST", f"{TASKS}/{task_id}/cancel").status == 202
    eventually(lambda: _status(deployed, task_id, first) == "cancelled", "the first cancelled row", every=0.002)
    assert trouble.kill_all("AggregatorFunction")
    before = deployed.rows(task_id)
    return (task_id, before) if {"cancelled", "pending"} <= {row.status for row in before} else None


def test_the_next_sweeper_goes_on_when_the_aggregator_is_killed_in_mid_sweep(deployed):
    """It was cancelling three hundred rows, and had done some of them."""
    task_id, before = _one_of(_killed_in_mid_sweep(deployed) for _ in range(KILLS_TRIED))

    _tick(deployed)
    task = deployed.closed(task_id, within=WITHIN_SECONDS)
    rows, calls = deployed.rows(task_id), deployed.call_counts(task_id)
    assert task["status"] == "cancelled"
    assert [row.status for row in rows] == ["completed" if made else "cancelled" for made in calls]
    assert set(calls) <= {0, 1}
    assert (task["completedCount"], task["cancelledCount"]) == (sum(calls), PENDING - sum(calls))
    # What the dead one had written stayed as it was; the others came from another, later.
    written = {number: row.updated_at for number, row in enumerate(before) if row.status == "cancelled"}
    assert {number: rows[number].updated_at for number in written} == written
    later = [row.updated_at for row in rows if row.status == "cancelled" and row.row not in written]
    assert min(later) > max(written.values())


def _forgotten(deployed, base):
    """Uploads of which no notice told: their files are there, and the sweep is to look now."""
    s3, bucket = deployed.client("s3"), deployed.physical("DataBucket")
    told = s3.get_bucket_notification_configuration(Bucket=bucket)
    told.pop("ResponseMetadata")
    s3.put_bucket_notification_configuration(Bucket=bucket, NotificationConfiguration={})
    made = []
    try:
        for number in range(FORGOTTEN):
            content = f"{base}: the text of file {number}.".encode()
            sha256 = hashlib.sha256(content).hexdigest()
            name = file_names.document_id(PROJECT, base, sha256)
            key = file_names.file_key(PROJECT, name, sha256, ".txt")
            s3.put_object(Bucket=bucket, Key=key, Body=content, ContentType="text/plain")
            made.append(a_document(PROJECT, base, name, **UPLOADING, key=key, sha256=sha256, size=len(content)))
    finally:
        s3.put_bucket_notification_configuration(Bucket=bucket, NotificationConfiguration=told)
    for item in made:
        deployed.client("dynamodb").put_item(TableName=deployed.physical("LibraryTable"), Item=item.serialize())
    return [item.document for item in made]


def _killed_among_documents(deployed):
    """Documents of which the aggregator had seen to some when it died. None where it had seen to all of them."""
    found = _forgotten(deployed, secrets.token_hex(8))
    trouble = Trouble(deployed, "", random.Random(0))
    _tick(deployed)
    # The first that it saw to: a message was sent for it, and it is put off, or its intake has it already.
    eventually(lambda: _under_way(deployed, UPLOADING["due_at"]) < FORGOTTEN, "the first message", every=0.002)
    assert trouble.kill_all("AggregatorFunction")
    return found if _under_way(deployed, UPLOADING["due_at"]) else None


def _under_way(deployed, due_at):
    """How many documents somebody is still to see to, up to an instant."""
    counted = deployed.client("dynamodb").query(
        TableName=deployed.physical("LibraryTable"),
        IndexName="by_due",
        KeyConditionExpression="active = :one AND due_at <= :due",
        ExpressionAttributeValues={":one": {"S": "1"}, ":due": {"N": str(due_at)}},
        Select="COUNT",
    )
    return counted["Count"]


def test_every_document_is_read_once_when_the_aggregator_is_killed_while_it_looks_for_forgotten_uploads(deployed):
    """Some had their message by then, some had none: the next tick sees to those, and a second message costs nothing."""
    found = _one_of(_killed_among_documents(deployed) for _ in range(KILLS_TRIED))
    _tick(deployed)

    def ended():
        seen = [deployed.document(each) for each in found]
        return seen if all(item.active is None for item in seen) else None

    documents = eventually(ended, "the end of every document", within=WITHIN_SECONDS)
    assert [item.state for item in documents] == [State.READY] * FORGOTTEN
    assert [(item.attempt, item.tries) for item in documents] == [(1, 1)] * FORGOTTEN
