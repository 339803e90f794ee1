"""Whoever calls AWS in a simulation, and with whichever client, is heard, and makes no call that AWS would not read."""

import copy

import boto3
import botocore.auth
import botocore.signers
import pytest
from botocore.client import BaseClient
from botocore.exceptions import ParamValidationError

from tests.simulation import clients, forms
from tests.simulation.kernel import T0, Kernel, Process

HIDE = {"QueueUrl": "queue", "ReceiptHandle": "r", "VisibilityTimeout": 60}
KEY = {"TableName": "gates", "Key": {"gate": {"S": "g"}}}
FORM = {
    "Bucket": "bucket", "Key": "documents/a", "Fields": {"Content-Type": "text/plain"},
    "Conditions": [{"Content-Type": "text/plain"}, ["content-length-range", 3, 3]], "ExpiresIn": 60,
}  # fmt: skip


class Caller(Process):
    """A process that notes its calls; its clock is five seconds fast."""

    made: list[tuple[str, str, object]]

    def call(self, service, operation, arguments):
        self.made.append((service, operation, arguments))
        return {"heard": operation}

    def clock(self):
        return self.kernel.now + 5_000


@pytest.fixture
def alone(monkeypatch):
    """What a simulation installs for good, for one test."""
    for owner, name in (
        (BaseClient, "_make_api_call"), (botocore.auth, "get_current_datetime"), (botocore.signers, "get_current_datetime"), (boto3, "DEFAULT_SESSION"),
    ):  # fmt: skip
        monkeypatch.setattr(owner, name, getattr(owner, name))
    clients.prepare.cache_clear()
    clients.install()
    yield
    clients.prepare.cache_clear()


def in_a_process(act):
    """What a process did that does this: what it got or what it raised, and its calls."""
    out = []
    kernel = Kernel()
    caller = Caller(kernel, "caller-1", lambda _: act(), lambda *ended: out.append(ended))
    caller.made = []
    caller.start()
    ((_, outcome, result),) = out
    return outcome, result, caller.made


@pytest.mark.usefixtures("alone")
def test_a_call_is_its_process_s_when_the_client_is_one_of_its_own():
    outcome = in_a_process(lambda: boto3.client("sqs").change_message_visibility(**HIDE))
    call = ("sqs", "change_message_visibility", HIDE)
    assert outcome == ("ok", {"heard": "change_message_visibility"}, [call])


@pytest.mark.usefixtures("alone")
def test_no_call_is_made_when_nobody_runs():
    Kernel()
    with pytest.raises(clients.Nobody):
        boto3.client("dynamodb").get_item(**KEY)


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize(
    ("service", "operation", "arguments"),
    [
        ("dynamodb", "get_item", {**KEY, "ConsistentReads": True}),
        ("dynamodb", "get_item", {"TableName": "gates"}),
        ("dynamodb", "get_item", {**KEY, "TableName": ""}),
        ("dynamodb", "get_item", {**KEY, "Key": {"row": {"N": 1}}}),
        ("sqs", "change_message_visibility", {**HIDE, "VisibilityTimeout": 60.0}),
        ("sqs", "change_message_visibility", {**HIDE, "VisibilityTimeout": "60"}),
        ("lambda", "invoke", {"FunctionName": "aggregator", "Payload": {"task": "t"}}),
    ],
)
def test_a_call_is_refused_before_it_is_made_when_an_argument_is_wrong(service, operation, arguments):
    in_a_process(
        lambda: (boto3.client("dynamodb").get_item(**KEY), boto3.client("sqs").change_message_visibility(**HIDE))
    )
    outcome, error, made = in_a_process(lambda: getattr(boto3.client(service), operation)(**arguments))
    assert (outcome, type(error), made) == ("error", ParamValidationError, [])


@pytest.mark.usefixtures("alone")
def test_a_form_is_signed_by_the_clock_of_its_process():
    sign = lambda: boto3.client("s3").generate_presigned_post(**copy.deepcopy(FORM))  # noqa: E731
    (first, form, made), again = in_a_process(sign), in_a_process(sign)
    assert (first, made) == ("ok", [])
    assert again[1] == form
    fields = form["fields"]
    assert forms.takes(form, b"abc", T0 + 64_000, hashes=False)
    assert not forms.takes(form, b"abc", T0 + 65_000, hashes=False)
    assert not forms.takes(form, b"abcd", T0, hashes=False)
    assert not forms.takes({**form, "fields": {**fields, "Content-Type": "text/html"}}, b"abc", T0, hashes=False)
    assert not forms.takes({**form, "fields": {**fields, "key": "documents/b"}}, b"abc", T0, hashes=False)
