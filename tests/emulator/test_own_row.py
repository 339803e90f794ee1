"""`make invoke` of a worker's message: there is work to be seen, because nobody else does it meanwhile."""

import json
import time

import pytest

from local.sam_local import own_row
from local.sam_local.containers import listing
from local.settings import ROOT
from sheaf.protocol import row_messages
from tests.support.deployed import eventually

pytestmark = [pytest.mark.emulator, pytest.mark.slow]

EVENTS = ROOT / "events"


def test_a_workers_message_names_a_waiting_row_until_it_was_sent(deployed):
    said: list[str] = []

    def rows(address):
        return deployed.rows(address.task.partition("/")[2])

    with own_row.given(deployed.stack, own_row.WORKER, EVENTS / "worker-message.json", said.append) as event:
        address = row_messages.decode(json.loads(event.read_text())["Records"][0]["body"])
        assert address is not None
        time.sleep(1)
        assert [row.status for row in rows(address)] == ["pending"]
    eventually(lambda: [row.status for row in rows(address)] == ["completed"], "its end, with the workers awake again")
    assert all(address.task.partition("/")[2] in line for line in said)


def test_any_other_event_is_sent_as_it_is(deployed):
    with own_row.given(deployed.stack, "ApiFunction", EVENTS / "api-health.json", print) as event:
        assert event == EVENTS / "api-health.json"


def test_every_event_is_listed_with_the_command_that_sends_it():
    assert {line.partition("EVENT=events/")[2] for line in listing().splitlines() if "EVENT=" in line} == {
        file.name for file in EVENTS.iterdir()
    }
