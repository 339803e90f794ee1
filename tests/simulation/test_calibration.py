"""The model, moto and the emulator answer the same calls alike; where one does not is in `calibration.KNOWN_GAPS`."""

import socket
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import boto3
import pytest
from botocore.validate import ParamValidator
from moto import mock_aws

from local.ministack import emulator
from tests.simulation import calibration
from tests.simulation.calibration import KNOWN_GAPS, Call, Model, comparable, outcome
from tests.support.clients import client
from tests.support.stack_file import Made, load


class Aws:
    """The real boto3 clients on moto or on the emulator, under the model's names."""

    def __init__(self, clients: Callable[[str], Any]) -> None:
        made = Made(load(), clients)
        self.names = {
            **calibration.TABLES,
            "bucket": made.values["DataBucket"],
            "queue": made.values["ExtractPaperQueue"],
        }
        self.clients = {service: clients(service) for service in calibration.SERVICES}

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

    def __init__(self, clients: Callable[[str], Any]) -> None:
        self.model, self.other = Model(), Aws(clients)
        self.versions: dict[str, str] = {}
        self.receipts = ("", "")
        self.different: list[Any] = []
        self.misshapen: list[Any] = []

    def make(self, call: Call) -> None:
        service, operation, arguments = call
        theirs = dict(arguments)
        if "VersionId" in arguments:
            theirs["VersionId"] = self.versions.get(arguments["VersionId"], arguments["VersionId"])
        ours = dict(arguments)
        if arguments.get("ReceiptHandle") == "<last>":
            ours["ReceiptHandle"], theirs["ReceiptHandle"] = self.receipts
        model = outcome(self.model.call, service, operation, ours)
        other = outcome(self.other.call, service, operation, theirs)
        if operation == "put_object":
            self.versions[model[1]["VersionId"]] = other[1]["VersionId"]
        if operation == "receive_message":
            self.receipts = (model[1]["Messages"][0]["ReceiptHandle"], other[1]["Messages"][0]["ReceiptHandle"])
            return
        answers = comparable(operation, *model), comparable(operation, *other)
        if answers[0] != answers[1]:
            self.different.append((call, *answers))
        if model[0] == "ok":
            self.misshapen += [(call, line) for line in misshapen(self.other.clients[service], operation, model[1])]


def misshapen(client: Any, operation: str, reply: Any) -> list[str]:
    """What of a reply is not named or typed as in the service's model. The model of AWS need not say all that AWS says."""
    shape = client.meta.service_model.operation_model(client.meta.method_to_api_mapping[operation]).output_shape
    report = ParamValidator().validate(reply, shape) if shape else None
    lines = report.generate_report().splitlines() if report else []
    return [line for line in lines if not line.startswith("Missing required")]


def explained(who: str, different: list[Any]) -> tuple[set[str], list[Any]]:
    """Which known gaps the differences show, and the differences that no known gap explains."""
    seen: set[str] = set()
    rest = []
    for call, ours, theirs in different:
        names = {gap.name for gap in KNOWN_GAPS[who] if gap.shows(call[1], call[2], ours, theirs)}
        seen |= names
        rest += [] if names else [(call, ours, theirs)]
    return seen, rest


@pytest.fixture(params=["moto", pytest.param("emulator", marks=pytest.mark.emulator)])
def who(request):
    return request.param


@pytest.fixture
def both(who, tmp_path):
    if who == "moto":
        with mock_aws():
            yield Both(client)
        return
    with socket.socket() as probe:
        probe.bind((emulator.HOST, 0))
        port = probe.getsockname()[1]
    started = emulator.start(tmp_path / "emulator", port=port, say=lambda _: None)
    try:
        yield Both(partial(boto3.client, endpoint_url=started.endpoint))
    finally:
        emulator.stop(started.folder)


def test_the_model_and_the_other_agree_on_the_corners(who, both):
    calls = calibration.written_calls()
    for call in calls:
        both.make(call)
    seen, rest = explained(who, both.different)
    assert len(calls) > 150
    assert rest == []
    assert both.misshapen == []
    assert seen == {gap.name for gap in KNOWN_GAPS[who]}


def test_the_model_and_the_other_agree_on_every_call_of_the_story(who, both, story):
    for call in story:
        both.make(call)
    assert len(story) > 250
    assert explained(who, both.different)[1] == []
    assert both.misshapen == []


@pytest.fixture
def story():
    """Recorded in a process of its own, because a simulation changes the product's numbers."""
    code = "import pickle, sys; from tests.simulation.processes import ROOT, use; use(ROOT); from tests.simulation.calibration import story_calls; sys.stdout.buffer.write(pickle.dumps(story_calls()))"
    import pickle  # noqa: PLC0415

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    return pickle.loads(done.stdout)
