"""`submit.*`: one POST of 100 documents: its AWS requests, and its time against the same requests by a bare script."""

import json
import secrets
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from bench.place import Place, place
from bench.report import RUNS, Line, median, paired
from sheaf.items import shard_key
from sheaf.outside.wiring import PARALLEL

DOCUMENTS = 100
PAIRS = 20
MESSAGES = 10


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
        self.manifest = at.client("s3").get_object(Bucket=at.bucket, Key=template.manifest_key)["Body"].read()
        self.library = [{"entry": {"S": f"{at.project}/document/{name}"}} for name in at.documents(DOCUMENTS)]
        for service in ("dynamodb", "sqs", "s3", "lambda"):
            at.client(service)

    def submit(self) -> None:
        at, task = self.at, f"bare/{secrets.token_hex(10)}"
        dynamodb, tasks, rows = at.client("dynamodb"), at.name("TasksTable"), at.name("ResultsTable")
        dynamodb.batch_get_item(RequestItems={at.name("LibraryTable"): {"Keys": self.library, "ConsistentRead": True}})
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
