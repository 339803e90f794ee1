"""Why a part of Powertools is not used, where a test can say it. docs/adr/0044."""

import time

import boto3
import pytest
from aws_lambda_powertools.utilities.idempotency import DynamoDBPersistenceLayer, IdempotencyConfig
from moto import mock_aws

REQUEST = {"id": "one"}


@pytest.fixture
def layers():
    """Two processes with the same request; the first may work for a millisecond."""
    with mock_aws():
        client = boto3.client("dynamodb")
        client.create_table(
            TableName="seen",
            BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
            KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
        )
        made = [DynamoDBPersistenceLayer(table_name="seen", boto3_client=client) for _ in range(2)]
        for layer in made:
            layer.configure(IdempotencyConfig(), "handler")
        yield made


def test_idempotency_keeps_the_late_one_s_result_when_another_has_taken_over(layers):
    """Ours refuses it: tests/integration/test_lost_leases.py. When this fails, the decision may be looked at again."""
    late, second = layers
    late.save_inprogress(REQUEST, remaining_time_in_millis=1)
    time.sleep(0.01)
    second.save_inprogress(REQUEST, remaining_time_in_millis=60_000)
    second.save_success(REQUEST, {"by": "second"})
    late.save_success(REQUEST, {"by": "late"})
    assert '"late"' in second.get_record(REQUEST).response_data
