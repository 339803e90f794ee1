"""A deployed stack in this process, on moto."""

from collections.abc import Iterator

import botocore.client
import pytest
from moto import mock_aws

from sheaf import wiring
from tests.support import template
from tests.support.bench import Bench


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch, tmp_path) -> Iterator[Bench]:
    """The real template's stack with the probe laid over it, and nothing in it."""
    with mock_aws():
        made = Bench(template.probed())
        monkeypatch.setattr(botocore.client.BaseClient, "_make_api_call", _passing(made))
        monkeypatch.setenv("PROBE_LOG", str(tmp_path / "probe.log"))
        yield made
        wiring.worlds.clear()


def _passing(made: Bench):
    def call(client, operation, arguments):
        if operation == "ChangeMessageVisibility":
            made.calls.made.append(("sqs", operation, arguments))
            return made.hide(arguments["ReceiptHandle"], arguments["VisibilityTimeout"]) or {}
        return made.calls(client, operation, arguments)

    return call
