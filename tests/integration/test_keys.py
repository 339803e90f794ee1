"""A provider's key: found, missing, changed; and never anywhere but in the request that needs it."""

import json
import logging
from typing import Any

import pytest
from botocore.exceptions import ClientError

from sheaf.errors import AccountRefused, ProviderDown
from sheaf.outside import provider_keys
from sheaf.outside.wiring import client
from tests.support import model_engines
from tests.support.model_engines import gate
from tests.support.provider import serving

KEY = "sk-canary-1"


@pytest.fixture(autouse=True)
def _nothing_kept():
    """What one process read, the next test's has not."""
    provider_keys._kept.clear()
    yield
    provider_keys._kept.clear()


@pytest.fixture
def world(bench):
    return bench.worker_world()


def secret(text, **more):
    made = client("secretsmanager").create_secret(Name="sheaf/key", **({"SecretString": text} if text else more))
    return str(made["ARN"])


def parameter(text, name="/sheaf/key"):
    client("ssm").put_parameter(Name=name, Value=text, Type="SecureString")
    return str(client("ssm").get_parameter(Name=name)["Parameter"]["ARN"])


@pytest.mark.parametrize("stored", [secret, parameter, lambda text: parameter(text, "sheaf-key")])
@pytest.mark.parametrize("text", [KEY, f"{KEY}\n", json.dumps({"key": KEY}), json.dumps({"key": f" {KEY}"}, indent=2)])
def test_a_key_is_read_when_it_is_stored_as_text_or_as_json_in_either_place(world, stored, text):
    assert provider_keys.read(world, stored(text)) == KEY


def test_a_key_that_happens_to_be_json_is_taken_as_it_is(world):
    assert provider_keys.read(world, secret("12345678")) == "12345678"


@pytest.mark.parametrize("arn", ["secretsmanager", "ssm"])
def test_the_account_is_at_fault_and_the_reason_is_said_when_there_is_no_key(world, arn):
    missing = {
        "secretsmanager": "arn:aws:secretsmanager:us-east-1:123456789012:secret:gone-AbCdEf",
        "ssm": "arn:aws:ssm:us-east-1:123456789012:parameter/gone",
    }[arn]
    with pytest.raises(AccountRefused, match=r"cannot be read .*NotFound.*has to mend it"):
        provider_keys.read(world, missing)


@pytest.mark.parametrize(
    "text", [" ", "sk-1\nX-Evil: 1", "sk-clé", '{"apiKey": "sk-canary-1"}', '{"key": ""}', '{"key": "a\\nb"}']
)
def test_the_account_is_at_fault_and_nothing_of_the_secret_is_said_when_it_cannot_be_a_key(world, text):
    with pytest.raises(AccountRefused, match="has to mend it") as raised:
        provider_keys.read(world, parameter(text) if text.strip() else secret(text))
    assert "sk-" not in str(raised.value)


def test_the_account_is_at_fault_when_the_secret_is_no_text(world):
    with pytest.raises(AccountRefused):
        provider_keys.read(world, secret(None, SecretBinary=b"\x00\x01"))


@pytest.mark.parametrize(
    ("code", "status", "wanted"),
    [
        ("AccessDeniedException", 400, AccountRefused),
        ("DecryptionFailure", 400, AccountRefused),
        ("ThrottlingException", 400, ProviderDown),
        ("InternalServiceError", 500, ProviderDown),
    ],
)
def test_the_fault_is_the_account_s_or_a_passing_one_when_the_store_refuses(bench, world, code, status, wanted):
    told: Any = {"Error": {"Code": code, "Message": "no"}, "ResponseMetadata": {"HTTPStatusCode": status}}
    arn = secret(KEY)
    with bench.calls.watch() as calls:
        calls.fail("GetSecretValue", ClientError(told, "GetSecretValue"))
        with pytest.raises(wanted):
            provider_keys.read(world, arn)
    assert provider_keys.read(world, arn) == KEY, "a failure is not kept"


def test_a_key_is_read_once_in_fifteen_minutes_when_it_is_used_often(bench, world):
    arn = secret(KEY)
    with bench.calls.watch() as calls:
        assert [provider_keys.read(world, arn) for _ in range(5)] == [KEY] * 5
        assert calls.operations == ["GetSecretValue"]
    client("secretsmanager").put_secret_value(SecretId=arn, SecretString="sk-2")
    bench.pass_time(minutes=14)
    assert provider_keys.read(world, arn) == KEY
    bench.pass_time(minutes=2)
    assert provider_keys.read(world, arn) == "sk-2"


# ---------------------------------------------------------------------------------------------------- the whole way


@pytest.fixture
def provider():
    with serving() as made:
        yield made


def configured(bench, provider, arn):
    model_engines.configure(bench, provider, key=arn)
    status, task = bench.post([bench.paper("A paper.")], kind="extract_paper", engine="openai")
    assert status == 202, task


def test_the_new_key_is_used_at_the_next_probe_when_the_old_one_was_refused(bench, provider):
    """A rotation: minutes, not the quarter of an hour that a key is kept; and no try is lost over it."""
    arn = secret(KEY)
    configured(bench, provider, arn)
    provider.play("status:401::{}", "ok")
    bench.deliver()
    client("secretsmanager").put_secret_value(SecretId=arn, SecretString="sk-2")
    bench.pass_time(minutes=4)
    bench.deliver()
    assert [call.headers["authorization"] for call in provider.calls] == [f"Bearer {KEY}", "Bearer sk-2"]
    row = bench.row()
    assert (row.status, row.tries) == ("completed", 1)


def test_nobody_is_asked_and_rows_wait_when_the_key_is_missing_until_it_is_there(bench, provider):
    arn = "arn:aws:ssm:us-east-1:123456789012:parameter/sheaf/later"
    configured(bench, provider, arn)
    for _ in range(2):
        bench.deliver()
        bench.pass_time(minutes=1)
    row = bench.row()
    assert (row.status, row.tries, len(provider.calls)) == ("pending", 0, 0)
    assert gate(bench, "openai").reason == "account"
    parameter(KEY, "/sheaf/later")
    bench.settle()
    assert bench.row().status == "completed"
    assert provider.calls[0].headers["authorization"] == f"Bearer {KEY}"


def test_the_key_is_in_no_row_object_or_log_when_the_work_is_done(bench, provider, caplog):
    configured(bench, provider, secret(KEY))
    provider.play("status:401::{}", "status:401::{}", "missing:doi", "status:500::{}", "ok")
    bench.settle()
    assert bench.row().status == "completed"
    s3, bucket = bench.api_world.client("s3"), bench.api_world.settings.data_bucket
    objects = [item["Key"] for item in s3.list_objects_v2(Bucket=bucket)["Contents"]]
    stored = b"".join(s3.get_object(Bucket=bucket, Key=key)["Body"].read() for key in objects)
    tables = "".join(
        str(client("dynamodb").scan(TableName=name)["Items"]) for name in client("dynamodb").list_tables()["TableNames"]
    )
    assert KEY.encode() not in stored
    assert KEY not in tables
    told = "".join(logging.getLogger("sheaf").handlers[0].format(record) for record in caplog.records)
    assert "provider_shut" in told, "the log is looked at"
    assert KEY not in told
