"""The model and moto answer the same calls alike; what moto cannot do is written down in `calibration.KNOWN_GAPS`."""

import subprocess
import sys
from typing import Any

import boto3
import pytest
from moto import mock_aws

from tests.simulation import calibration
from tests.simulation.calibration import Call, Model, comparable, outcome
from tests.support.template import Made, load


class Moto:
    """The real boto3 clients on moto, under the model's names."""

    def __init__(self) -> None:
        made = Made(load())
        self.names = {
            **calibration.TABLES,
            "bucket": made.values["DataBucket"],
            "queue": made.values["ExtractPaperQueue"],
        }
        self.clients = {service: boto3.client(service) for service in calibration.SERVICES}

    def call(self, service: str, operation: str, arguments: dict[str, Any]) -> Any:
        return getattr(self.clients[service], operation)(**self._named(arguments))

    def _named(self, arguments: Any) -> Any:
        if isinstance(arguments, list):
            return [self._named(entry) for entry in arguments]
        if not isinstance(arguments, dict):
            return arguments
        named = {
            k: self.names[v] if k in ("TableName", "Bucket", "QueueUrl") else self._named(v)
            for k, v in arguments.items()
        }
        return {self.names.get(k, k) if isinstance(v, dict) and "Keys" in v else k: v for k, v in named.items()}


class Both:
    """Makes each call on both, with each one's own versions and receipts in it, and remembers where they differ."""

    def __init__(self) -> None:
        self.model, self.moto = Model(), Moto()
        self.versions: dict[str, str] = {}
        self.receipts = ("", "")
        self.different: list[Any] = []

    def make(self, call: Call) -> None:
        service, operation, arguments = call
        theirs = dict(arguments)
        if "VersionId" in arguments:
            theirs["VersionId"] = self.versions.get(arguments["VersionId"], arguments["VersionId"])
        ours = dict(arguments)
        if arguments.get("ReceiptHandle") == "<last>":
            ours["ReceiptHandle"], theirs["ReceiptHandle"] = self.receipts
        model = outcome(self.model.call, service, operation, ours)
        moto = outcome(self.moto.call, service, operation, theirs)
        if operation == "put_object":
            self.versions[model[1]["VersionId"]] = moto[1]["VersionId"]
        if operation == "receive_message":
            self.receipts = (model[1]["Messages"][0]["ReceiptHandle"], moto[1]["Messages"][0]["ReceiptHandle"])
            return
        answers = comparable(operation, *model), comparable(operation, *moto)
        if answers[0] != answers[1]:
            self.different.append((call, *answers))


@pytest.fixture
def both():
    with mock_aws():
        yield Both()


def test_model_and_moto_agree_on_the_corners(both):
    calls = calibration.written_calls()

    for call in calls:
        both.make(call)

    assert len(calls) > 150
    assert both.different == []


def test_model_and_moto_agree_on_every_call_of_the_story(both, story):
    for call in story:
        both.make(call)

    assert len(story) > 250
    assert both.different == []


@pytest.fixture
def story():
    """Recorded in a process of its own, because a simulation changes the product's numbers."""
    code = "import pickle, sys; from tests.simulation.__main__ import ROOT, use; use(ROOT); from tests.simulation.calibration import story_calls; sys.stdout.buffer.write(pickle.dumps(story_calls()))"
    import pickle  # noqa: PLC0415

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    return pickle.loads(done.stdout)
