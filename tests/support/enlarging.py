"""A big closed task out of a small one: its rows and their payloads over and over, stored as the product stores them."""

import secrets
from collections.abc import Iterator
from itertools import cycle, islice
from typing import Any

from sheaf.items import Row, Task, shard_key, task_key
from sheaf.protocol.payloads import ATTEMPTS
from tests.support.deployed import Deployed

BATCH_WRITE = 25


def enlarge(deployed: Deployed, task_id: str, project: str, rows: int) -> str:
    """The id of a closed task with so many rows, each with the data of a row of this one."""
    small = deployed.task(task_id, project)
    big = Task.from_raw_data(small.serialize())
    big.task = task_key(project, f"big{secrets.token_hex(8)}")
    big.total = big.completed = rows
    deployed.client("dynamodb").put_item(TableName=deployed.physical("TasksTable"), Item=big.serialize())
    puts = list(_copies(deployed.rows(task_id, project), _payloads(deployed, small), big))
    for at in range(0, len(puts), BATCH_WRITE):
        asked = {deployed.physical("ResultsTable"): puts[at : at + BATCH_WRITE]}
        left = deployed.client("dynamodb").batch_write_item(RequestItems=asked)
        assert not left.get("UnprocessedItems"), "the table was not filled"
    return big.id


def _payloads(deployed: Deployed, small: Task) -> dict[str, dict[str, Any]]:
    """What lies beside the rows of a task of one shard, by the claim that each is of."""
    found = deployed.client("dynamodb").query(
        TableName=deployed.physical("ResultsTable"),
        KeyConditionExpression="#s = :s",
        ExpressionAttributeNames={"#s": "shard"},
        ExpressionAttributeValues={":s": {"S": f"{shard_key(small.task, 0)}/data"}},
    )
    return {item["claim"]["S"]: item for item in found["Items"]}


def _copies(rows: list[Row], payloads: dict[str, dict[str, Any]], big: Task) -> Iterator[dict[str, Any]]:
    for number, row in enumerate(islice(cycle(rows), big.total)):
        row.shard = shard_key(big.task, number // big.shard_rows)
        row.row = number
        yield {"PutRequest": {"Item": row.serialize()}}
        place = {"shard": {"S": f"{row.shard}/data"}, "row": {"N": str(number * ATTEMPTS + row.attempt)}}
        yield {"PutRequest": {"Item": payloads[str(row.token)] | place}}
