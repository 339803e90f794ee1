"""moto's shortcuts (tests/support/quick_moto.py) change nothing that can be seen."""

import pytest
from botocore.exceptions import ClientError
from moto.core import serialize

from tests.support.bench import stack
from tests.support.clients import client

ITEM = {
    "task": {"S": "p1/t"},
    "number": {"N": "1.50"},
    "flag": {"BOOL": False},
    "nothing": {"NULL": True},
    "bytes": {"B": b"\x00\xff"},
    "words": {"SS": ["a", "b"]},
    "numbers": {"NS": ["1", "2"]},
    "parts": {"BS": [b"\x00"]},
    "list": {"L": [{"S": ""}, {"M": {"deep": {"L": []}}}, {"B": b"x"}]},
    "map": {"M": {"empty": {"M": {}}, "text": {"S": "é中"}}},
}
PLACE = {"TableName": "TasksTable", "Key": {"task": ITEM["task"]}}


def told() -> list[object]:
    """All the ways in which an item is answered."""
    aws = client("dynamodb")
    kept = {"TableName": "TasksTable", "Item": ITEM}
    with pytest.raises(ClientError) as refused:
        aws.put_item(
            **kept, ConditionExpression="attribute_not_exists(task)", ReturnValuesOnConditionCheckFailure="ALL_OLD"
        )
    changed = aws.update_item(
        **PLACE,
        UpdateExpression="SET #n = if_not_exists(gone, :one) REMOVE words, #m.#t ADD numbers :more",
        ExpressionAttributeNames={"#n": "number", "#m": "map", "#t": "text"},
        ExpressionAttributeValues={":one": {"N": "1"}, ":more": {"NS": ["3"]}},
        ReturnValues="ALL_NEW",
    )
    found = aws.get_item(**PLACE), aws.scan(TableName="TasksTable")
    aws.put_item(**kept)
    return [
        dict(refused.value.response)["Item"],
        changed["Attributes"],
        *(each.get("Item", each.get("Items")) for each in found),
    ]


def test_an_item_of_every_type_is_answered_as_moto_answers_it(bench, monkeypatch):
    client("dynamodb").put_item(TableName="TasksTable", Item=ITEM)
    ours = told()
    monkeypatch.delitem(serialize.SERVICE_SPECIFIC_SERIALIZERS, "dynamodb")
    assert ours == told()
    assert ours[0] == ITEM


def test_a_transaction_is_undone_when_its_last_write_is_refused(bench):
    """Mutation caught: remembering a table as it is after the first write."""
    aws = client("dynamodb")
    aws.put_item(TableName="TasksTable", Item=ITEM)
    new = [{"Put": {"TableName": "TasksTable", "Item": {"task": {"S": f"p1/{number}"}}}} for number in range(3)]
    condition = {"ConditionExpression": "attribute_not_exists(task)"}
    with pytest.raises(aws.exceptions.TransactionCanceledException):
        aws.transact_write_items(TransactItems=[*new, {"Put": {"TableName": "TasksTable", "Item": ITEM, **condition}}])
    assert aws.scan(TableName="TasksTable")["Items"] == [ITEM]


def test_a_stack_is_empty_when_another_was_there_before_it(tmp_path):
    """Mutation caught: laying down what was kept itself, and not a copy."""
    for _ in range(2):
        with stack(tmp_path / "log") as bench:
            assert bench.made.values["MaxReceives"] != "1"
            assert bench.raw() == {"TasksTable": [], "ResultsTable": [], "GatesTable": []}
            assert client("s3").list_object_versions(Bucket="databucket").get("Versions", []) == []
            bench.probes("ok")
            bench.made.values["MaxReceives"] = "1"
            assert bench.rows(bench.tasks()[0].id)
