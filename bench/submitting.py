"""`submit.*`, `scatter.*`: a POST of so many documents, until its answer and until its last message is out.

Of 100 documents also its AWS requests, and its time against the same requests by a bare script.
"""

import json
import secrets
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

from bench.closing import BIG_RUNS
from bench.place import TASKS, Place, place
from bench.report import RUNS, Line, median, paired
from clinical.library.library_items import KnowledgeBase, base_key, bases_list
from sheaf.items import Task, shard_key
from sheaf.outside.wiring import PARALLEL
from sheaf.protocol import manifest
from sheaf.protocol.scatter import WAVE
from tests.support.shelf import a_document

DOCUMENTS = 100
PAIRS = 20
MESSAGES = 10
PARTS = ("document", "knowledge_base", "state", "reason", "filename", "usable")
"""What the API asks for of a document."""


def requests_per_100() -> Line:
    """The function's requests as a proxy in front of the emulator sees them, and the POST itself."""
    at = place()
    counts: list[float] = []
    with at.recorded("ApiFunction") as recording:
        at.closed(at.post(at.documents(DOCUMENTS)))
        for _ in range(RUNS):
            since = time.time()
            task_id = at.post(at.documents(DOCUMENTS))
            counts.append(1 + len(recording.operations(since)))
            at.closed(task_id)
    return median(counts, "requests")


def overhead() -> Line:
    """Nothing listens to the queues while a pair is taken, so that only the submitting is timed."""
    at = place()
    bare = _Bare(at)
    at.listen("ProbeFunction", enabled=False)
    pairs = []
    try:
        for turn in range(PAIRS + 2):
            ours, task_id = _timed(lambda: at.post(at.documents(DOCUMENTS)))
            theirs, _ = _timed(bare.submit)
            at.listen("ProbeFunction", enabled=True)
            at.closed(str(task_id), every=0.25)
            at.listen("ProbeFunction", enabled=False)
            if turn > 1:  # two to warm up
                pairs.append((ours, theirs))
    finally:
        at.listen("ProbeFunction", enabled=True)
    return paired(pairs, "s")


def seconds(count: int) -> Line:
    """From the request to its answer, by HTTP."""
    return median([answered for answered, _ in _opened(count)], "s")


def scattered(count: int) -> Line:
    """From the answer to the last message, in the same requests."""
    return median([sent for _, sent in _opened(count)], "s")


@cache
def _opened(count: int) -> list[tuple[float, float]]:
    """Of some tasks of so many documents: seconds to the answer, and from it until all is sent. Nothing else runs meanwhile."""
    at, found = place(), []
    at.listen("ProbeFunction", enabled=False)
    for run in range(1 + (BIG_RUNS if count > WAVE else RUNS)):
        answered, task_id = _timed(lambda: at.post(at.documents(count)))
        answered_at = time.time()
        task = at.wait_for(lambda: _if_scattered(at.task(str(task_id))), every=0.2)  # noqa: B023 - called at once
        if run:  # one to warm up
            found.append((answered, max(0.0, (task.scattered_at or 0) / 1000 - answered_at)))
        _put_away(at, str(task_id))
    at.listen("ProbeFunction", enabled=True)
    return found


def by_reference(count: int) -> Line:
    """The same of a whole knowledge base. Only its list is laid down, of whose entries none is read before the answer."""
    at, base, times = place(), "k" + secrets.token_hex(9), []
    laid = [(number, f"bench{base}{number}") for number in range(count)]
    puts = [{"PutRequest": {"Item": _listed(at, base, *each)}} for each in laid]
    puts.append({"PutRequest": {"Item": _shelf(at, base)}})
    with ThreadPoolExecutor(PARALLEL) as pool:
        write = at.client("dynamodb").batch_write_item
        chunks = [{at.name("LibraryTable"): puts[start : start + 25]} for start in range(0, len(puts), 25)]
        assert not any(reply["UnprocessedItems"] for reply in pool.map(lambda chunk: write(RequestItems=chunk), chunks))
    for run in range(1 + RUNS):
        body = {"templateId": "rct", "kind": "probe", "knowledgeBaseId": base}
        answered, (status, task) = _timed(lambda: at.ask("POST", TASKS, body))  # noqa: B023 - called at once
        assert (status, task["status"]) == (202, "gathering"), task
        _put_away(at, task["taskId"])
        if run:  # one to warm up
            times.append(answered)
    return median(times, "s")


def _listed(at: Place, base: str, number: int, name: str) -> dict[str, Any]:
    return a_document(at.project, base, name, state="unreadable", created_at=number).serialize()


def _shelf(at: Place, base: str) -> dict[str, Any]:
    entry, listed_in = str(base_key(at.project, base)["entry"]), bases_list(at.project)
    named = {"name": base, "first_name": base, "knowledge_base": base, "opening": base, "created_at": 0}
    return KnowledgeBase(entry=entry, listed_in=listed_in, **named).serialize()


def _put_away(at: Place, task_id: str) -> None:
    """Closed by hand, and its messages gone: cancelling ten thousand rows takes longer than all that is measured."""
    at.client("dynamodb").update_item(
        TableName=at.name("TasksTable"),
        Key={"task": {"S": f"{at.project}/{task_id}"}},
        UpdateExpression="SET #s = :s, notified_at = created_at, completed_at = created_at REMOVE active",
        ExpressionAttributeNames={"#s": "status"},
        ExpressionAttributeValues={":s": {"S": "cancelled"}},
    )
    at.client("sqs").purge_queue(QueueUrl=at.name("ProbeQueue"))


def _if_scattered(task: Task) -> Task | None:
    return task if task.scattered_at is not None else None


def _timed(work: Any) -> tuple[float, Any]:
    start = time.perf_counter()
    found = work()
    return time.perf_counter() - start, found


class _Bare:
    """The same requests in the same order, with the same threads and items of the same size, by hand."""

    def __init__(self, at: Place) -> None:
        self.at = at
        template = at.closed(at.post(at.documents(DOCUMENTS)))
        self.task = at.raw_task(template.id)
        self.rows = at.items(shard_key(template.task, 0))
        self.manifest = (
            at.client("s3").get_object(Bucket=at.bucket, Key=manifest.key(template.manifest_key, 0))["Body"].read()
        )
        self.library = [{"entry": {"S": f"{at.project}/document/{name}"}} for name in at.documents(DOCUMENTS)]
        for service in ("dynamodb", "sqs", "s3", "lambda"):
            at.client(service)

    def submit(self) -> None:
        at, task = self.at, f"bare/{secrets.token_hex(10)}"
        dynamodb, tasks, rows = at.client("dynamodb"), at.name("TasksTable"), at.name("ResultsTable")
        called = {f"#{number}": name for number, name in enumerate(PARTS)}
        asked = {"ProjectionExpression": ", ".join(called), "ExpressionAttributeNames": called}
        dynamodb.batch_get_item(
            RequestItems={at.name("LibraryTable"): {"Keys": self.library, "ConsistentRead": True, **asked}}
        )
        dynamodb.query(
            TableName=tasks,
            IndexName="by_active",
            KeyConditionExpression="active = :a AND begins_with(task, :p)",
            ExpressionAttributeValues={":a": {"S": "1"}, ":p": {"S": "bare/"}},
        )
        at.client("s3").put_object(Bucket=at.bucket, Key=f"bare/{task}/manifest.json", Body=self.manifest)
        # Closed from the beginning and in no index: the aggregator never sees it.
        item = {name: value for name, value in self.task.items() if name not in {"project", "active"}} | {
            "task": {"S": task}
        }
        dynamodb.put_item(TableName=tasks, Item=item, ConditionExpression="attribute_not_exists(task)")
        puts = [
            {
                "Put": {
                    "TableName": rows,
                    "Item": row | {"shard": {"S": task}},
                    "ConditionExpression": "attribute_not_exists(#s)",
                    "ExpressionAttributeNames": {"#s": "shard"},
                }
            }
            for row in self.rows
        ]
        dynamodb.transact_write_items(TransactItems=puts)
        with ThreadPoolExecutor(PARALLEL) as pool:
            list(pool.map(lambda at: self._send(task, at), range(0, DOCUMENTS, MESSAGES)))
        dynamodb.update_item(
            TableName=tasks,
            Key={"task": {"S": task}},
            UpdateExpression="REMOVE dispatch_until SET scattered_at = :n",
            ConditionExpression="attribute_exists(task)",
            ExpressionAttributeValues={":n": {"N": str(time.time_ns() // 1_000_000)}},
            ReturnValues="ALL_NEW",
        )
        at.client("lambda").invoke(
            FunctionName=at.name("BareFunction"), InvocationType="Event", Payload=json.dumps({"task": task}).encode()
        )

    def _send(self, task: str, first: int) -> None:
        numbers = range(first, first + MESSAGES)
        entries = [
            {"Id": str(n - first), "MessageBody": json.dumps({"v": 1, "s": task, "r": n}), "MessageGroupId": "bare"}
            for n in numbers
        ]
        self.at.client("sqs").send_message_batch(QueueUrl=self.at.name("BareSink"), Entries=entries)
