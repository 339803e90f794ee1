"""The API and the aggregator, killed in the midst of what they do. Neither was nearly done, and nothing is lost or done twice."""

import random
import secrets
from concurrent.futures import ThreadPoolExecutor

import pytest

from sheaf import scatter
from sheaf.models import shard_key, task_key
from tests.support.deployed import PROJECT, TASKS, eventually
from tests.support.trouble import Trouble

pytestmark = [pytest.mark.emulator, pytest.mark.slow]

DOCUMENTS = 600
PENDING = 300
# The API's hold on the scatter is over after 66 s, a tick of the schedule later somebody knows of it.
WITHIN_SECONDS = 300


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


def test_every_document_is_worked_on_once_when_the_api_is_killed_in_mid_scatter(deployed):
    """The task is open, some of its rows are there; the aggregator finishes it, and the caller asks again."""
    documents = deployed.probes([{}] * DOCUMENTS)
    key = secrets.token_hex(8)
    task_id = scatter.task_id(PROJECT, f"key {key}")
    trouble = Trouble(deployed, task_id, random.Random(0))
    request = {"templateId": "rct", "documentIds": documents, "kind": "probe"}

    def ask():
        return deployed.ask("POST", TASKS, request, headers={"Idempotency-Key": key})

    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(ask)
        eventually(lambda: _written(deployed, task_id), "its first rows", every=0.005)
        assert trouble.kill_all("ApiFunction")
        answer = asked.result()
    assert answer.status >= 500
    left = deployed.task(task_id)
    assert (left.status, left.scattered_at, left.scatter_cursor) == ("processing", None, 0)
    assert left.dispatch_until is not None

    again = ask()
    assert (again.status, again.body["taskId"], again.body["totalCount"]) == (200, task_id, DOCUMENTS)
    task = deployed.closed(task_id, within=WITHIN_SECONDS)
    assert (task["status"], task["completedCount"], task["errorCount"]) == ("completed", DOCUMENTS, 0)
    assert deployed.call_counts(task_id) == [1] * DOCUMENTS
    assert [(row.attempt, row.tries) for row in deployed.rows(task_id)] == [(1, 1)] * DOCUMENTS
    assert task_id not in deployed.active()


def _stands(deployed, task_id):
    return [row.status for row in deployed.rows(task_id)]


def test_the_next_sweeper_goes_on_when_the_aggregator_is_killed_in_mid_sweep(deployed):
    """It was cancelling three hundred rows, and had done some of them."""
    documents = deployed.probes([{"sleep_ms": 500}] * PENDING)
    task_id = deployed.open(documents)["taskId"]
    trouble = Trouble(deployed, task_id, random.Random(0))
    assert deployed.ask("POST", f"{TASKS}/{task_id}/pause").status == 202
    eventually(lambda: "extracting" not in _stands(deployed, task_id), "the end of what was under way")
    assert deployed.ask("POST", f"{TASKS}/{task_id}/cancel").status == 202
    eventually(lambda: "cancelled" in _stands(deployed, task_id), "the first cancelled row", every=0.005)
    assert trouble.kill_all("AggregatorFunction")
    before = deployed.rows(task_id)
    stands = [row.status for row in before]
    assert "cancelled" in stands, "it was not sweeping yet"
    assert "pending" in stands, "it was done"

    task = deployed.closed(task_id, within=150)
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
