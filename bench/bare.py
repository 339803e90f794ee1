"""The worker that anyone would write first, for comparison: the same five calls as Sheaf's and a sleep, plain boto3.

Is the job still wanted, started, the text, what came of it, ended. It has no claim, no lease and no refusal. `make bench` stages
it as a function of its own.
"""

import json
import os
import time
from typing import Any

import boto3

clients: dict[str, Any] = {}


def lambda_handler(event: dict[str, Any], _context: Any) -> dict[str, Any]:
    for record in event.get("Records", ()):
        _work(json.loads(record["body"]))
    return {"batchItemFailures": []}


def _work(message: dict[str, Any]) -> None:
    dynamodb, s3 = _client("dynamodb"), _client("s3")
    wanted = {"shard": {"S": f"{message['s']}/gate"}, "row": {"N": "0"}}
    if dynamodb.get_item(TableName=os.environ["BARE_TABLE"], Key=wanted)["Item"]["gate"]["S"] != "open":
        return
    _update(dynamodb, message, "extracting", "started_at")
    script = json.loads(s3.get_object(Bucket=os.environ["DATA_BUCKET"], Key=message["key"])["Body"].read())
    time.sleep(script["sleep_ms"] / 1000)
    key = {"shard": {"S": f"{message['s']}/data"}, "row": {"N": str(message["r"])}}
    payload = json.dumps({"row": message["r"]})
    dynamodb.put_item(TableName=os.environ["BARE_TABLE"], Item={**key, "payload": {"S": payload}})
    _update(dynamodb, message, "completed", "ended_at")
    # One line, as any worker would: MiniStack waits 50 ms for the log of an invocation that says nothing.
    print(json.dumps({"row": message["r"], "status": "completed"}))


def _update(dynamodb: Any, message: dict[str, Any], status: str, instant: str) -> None:
    dynamodb.update_item(
        TableName=os.environ["BARE_TABLE"],
        Key={"shard": {"S": message["s"]}, "row": {"N": str(message["r"])}},
        UpdateExpression="SET #s = :s, #i = :i",
        ExpressionAttributeNames={"#s": "status", "#i": instant},
        ExpressionAttributeValues={":s": {"S": status}, ":i": {"N": str(time.time_ns() // 1_000_000)}},
    )


def _client(service: str) -> Any:
    if service not in clients:
        clients[service] = boto3.client(service)  # type: ignore[call-overload]
    return clients[service]
