"""Messages that nobody can read, that come too late, or that come again while their work is under way."""

import json
from contextlib import contextmanager

import pytest

from sheaf.protocol import row_messages
from tests.support.deployed import eventually

pytestmark = [pytest.mark.emulator, pytest.mark.slow]

POISON = [
    "-",
    "{",
    "null",
    "[" * 5_000,
    json.dumps({"v": 2, "s": "demo/none/0000", "r": 0}),
    json.dumps({"v": 1, "s": "demo/none/0000", "r": 10**400}),
    json.dumps({"v": 1, "s": "demo/none/0000", "r": True}),
    json.dumps({"v": 1, "s": "../demo/none", "r": 0}),
    json.dumps({"v": 1, "s": "demo/none/0000", "r": 0}),
    json.dumps({"v": 1, "s": "\ud800", "r": 0}),
    "x" * 200_000,
]
WORK_MS = 4_000


def _waiting(deployed, queue):
    """How many messages a queue holds, seen or not."""
    names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
    told = deployed.client("sqs").get_queue_attributes(QueueUrl=deployed.physical(queue), AttributeNames=names)
    return sum(int(told["Attributes"][name]) for name in names)


def test_poison_is_taken_from_the_queue_when_it_comes_between_good_messages(deployed):
    """Once each, with a line in the log, and no other row is the worse for it."""
    sqs, queue = deployed.client("sqs"), deployed.physical("ProbeQueue")
    eventually(lambda: _waiting(deployed, "ProbeQueue") == 0, "an empty queue")
    before = deployed.emulator.log.read_text(errors="replace")
    for body in POISON:
        sqs.send_message(QueueUrl=queue, MessageBody=body, MessageGroupId="demo")
    task_id = deployed.open(deployed.probes([{}] * 20))["taskId"]
    for body in POISON:
        sqs.send_message(QueueUrl=queue, MessageBody=body, MessageGroupId="demo")
    assert deployed.closed(task_id)["completedCount"] == 20
    eventually(lambda: _waiting(deployed, "ProbeQueue") == 0, "the end of the poison")
    assert _waiting(deployed, "ProbeDeadLetters") == 0
    assert deployed.call_counts(task_id) == [1] * 20
    eventually(lambda: _said(deployed, before) >= 2 * len(POISON), "a line for each")
    said = deployed.emulator.log.read_text(errors="replace")[len(before) :]
    assert said.count('"message":"row_unknown"') == 2
    assert said.count('"message":"message_unreadable"') == 2 * (len(POISON) - 1)


def _said(deployed, before):
    """How many messages the log has said of since that it is of no row, or cannot be read."""
    said = deployed.emulator.log.read_text(errors="replace")[len(before) :]
    return said.count('"message":"row_unknown"') + said.count('"message":"message_unreadable"')


@contextmanager
def _visibility(deployed, seconds):
    """The queue's messages come back after so long, whatever became of them."""
    sqs, queue = deployed.client("sqs"), deployed.physical("ProbeQueue")
    before = sqs.get_queue_attributes(QueueUrl=queue, AttributeNames=["VisibilityTimeout"])["Attributes"]
    sqs.set_queue_attributes(QueueUrl=queue, Attributes={"VisibilityTimeout": str(seconds)})
    try:
        yield
    finally:
        sqs.set_queue_attributes(QueueUrl=queue, Attributes=before)


def test_each_document_is_worked_on_once_when_its_message_comes_again_in_the_midst_of_the_work(deployed):
    """Visible again after a second, four seconds of work: whoever gets it again finds the row claimed."""
    with _visibility(deployed, 1):
        task_id = deployed.open(deployed.probes([{"sleep_ms": WORK_MS}] * 8))["taskId"]
        assert deployed.closed(task_id)["completedCount"] == 8
    assert deployed.call_counts(task_id) == [1] * 8
    assert [(row.attempt, row.tries) for row in deployed.rows(task_id)] == [(1, 1)] * 8


@pytest.mark.chaos
def test_a_message_is_good_for_nothing_when_it_comes_after_its_row_was_sent_again_and_ended(deployed):
    """Ours are held back; the sweep sends others after the window of a minute; then ours come, and cost no call."""
    sqs, queue = deployed.client("sqs"), deployed.physical("ProbeQueue")
    eventually(lambda: _waiting(deployed, "ProbeQueue") == 0, "an empty queue")
    with deployed.nobody_reads("ProbeFunction"):
        task_id = deployed.open(deployed.probes([{}] * 6))["taskId"]
        wanted = {row_messages.encode(row) for row in deployed.rows(task_id)}
        held = {}

        def hold():
            got = sqs.receive_message(QueueUrl=queue, MaxNumberOfMessages=10, VisibilityTimeout=900)
            held.update({message["Body"]: message["ReceiptHandle"] for message in got.get("Messages", [])})
            return wanted <= held.keys()

        eventually(hold, "its messages")
    assert deployed.closed(task_id)["completedCount"] == 6
    # Done while ours were held, so by others. (Whoever ends a row before the sweep notes its message leaves no count.)
    assert max(row.sends for row in deployed.rows(task_id)) <= 1
    for receipt in held.values():
        sqs.change_message_visibility(QueueUrl=queue, ReceiptHandle=receipt, VisibilityTimeout=0)
    eventually(lambda: _waiting(deployed, "ProbeQueue") == 0, "the end of the late messages")
    assert deployed.call_counts(task_id) == [1] * 6
