"""The local stack's DynamoDB answers as MiniStack's own does, only sooner."""

import json

import pytest
from ministack.services import dynamodb

from local.ministack import host

KEY = {"shard": {"S": "a"}, "row": {"N": "1"}}
ROW = {**KEY, "tries": {"N": "1"}, "tags": {"L": [{"M": {"a": {"S": "b"}}}]}, "bytes": {"B": "eA=="}}
ASKED = [
    ("#t < :n AND attribute_not_exists(lost)", "SET #t = #t + :n REMOVE lost"),
    ("#t > :n", "SET #t = :n"),
    ("#t >", "SET #t = :n"),
    ("((#t = :n))", "SET #t = :n"),
    ("#t < :n", "SET tags[0].a = :n, #t = if_not_exists(lost, :n)"),
    ("attribute_exists(#t)", "ADD tags :n"),
]


def _answers(condition, change):
    """Three requests of the same text with other values, and what is stored then: from a table of its own."""
    try:
        keys = {"shard": ("S", "HASH"), "row": ("N", "RANGE")}
        types = [{"AttributeName": name, "AttributeType": kind} for name, (kind, _) in keys.items()]
        schema = [{"AttributeName": name, "KeyType": place} for name, (_, place) in keys.items()]
        made = {"BillingMode": "PAY_PER_REQUEST", "AttributeDefinitions": types, "KeySchema": schema}
        assert dynamodb._create_table({"TableName": "rows", **made})[0] == 200
        dynamodb._put_item({"TableName": "rows", "Item": json.loads(json.dumps(ROW))})
        return [*(_changed(condition, change, number) for number in (5, 7, 0)), _stored()]
    finally:
        dynamodb.reset()


def _changed(condition, change, number):
    said = {"ConditionExpression": condition, "UpdateExpression": change, "ExpressionAttributeNames": {"#t": "tries"}}
    values = {"ExpressionAttributeValues": {":n": {"N": str(number)}}}
    told = {"ReturnValues": "ALL_NEW", "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
    status, _, body = dynamodb._update_item({"TableName": "rows", "Key": KEY, **said, **values, **told})
    return status, json.loads(body)


def _stored():
    return json.loads(dynamodb._get_item({"TableName": "rows", "Key": KEY})[2])


@pytest.mark.parametrize(("condition", "change"), ASKED)
def test_the_same_is_answered_and_stored_when_it_is_hastened(monkeypatch, condition, change):
    plain = _answers(condition, change)
    for name, better in host.hastened(dynamodb).items():
        monkeypatch.setattr(dynamodb, name, better)
    assert _answers(condition, change) == plain
