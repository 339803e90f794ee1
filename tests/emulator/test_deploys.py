"""Deploys over a running task: good ones lose nothing, and a broken one ends no row that a good one after it can do."""

import json
import random
import re
from collections import Counter

import pytest
from botocore.exceptions import ClientError

from tests.support.deployed import Deployed, eventually
from tests.support.trouble import Trouble, account

pytestmark = [pytest.mark.emulator, pytest.mark.slow]

WORK_MS = 3_000
DOCUMENTS = 100
RECEIVES = 3


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """A stack that nobody else uses: it is deployed to, again and again."""
    made = Deployed(tmp_path_factory.mktemp("stack"), "sheaf-deploys")
    try:
        yield made
    finally:
        made.remove()


def _new_version(own, number):
    """The worker's code says its number from now on; the layer is another one, the template has one resource more."""
    with own.source("functions/probe/probe.py") as probe:
        probe.text = re.sub(
            r'"act": act, ("version": \d+, )?', f'"act": act, "version": {number}, ', probe.text, count=1
        )
    with own.source("layers/sheaf/sheaf/notices/tell.py") as notices:
        notices.text += f"\n# {number}\n"
    with own.source("template.yaml") as source:
        changed = json.loads(source.text)
        changed["Outputs"]["Version"] = {"Value": f"version {number}"}
        changed["Resources"][f"Topic{number}"] = {"Type": "AWS::SNS::Topic"}
        source.text = json.dumps(changed)
    own.deploy(StallWindowSeconds=str(60 + number))


def _some_more_calls(trouble):
    known = len(trouble.stack.calls(trouble.task_id))
    eventually(lambda: len(trouble.stack.calls(trouble.task_id)) >= known + 5, "work under way", within=300)


def test_nothing_is_lost_when_code_and_template_change_twice_over_a_running_task(own):
    """Each row ends as its script says. Only work that was under way when its process was replaced is done again."""
    documents = own.probes([{"sleep_ms": WORK_MS}] * DOCUMENTS)
    trouble = Trouble(own, own.open(documents)["taskId"], random.Random(0))
    for number in (1, 2):
        _some_more_calls(trouble)
        _new_version(own, number)
        trouble.note(f"deployed version {number}")
        trouble.note_dead()
    task = own.closed(trouble.task_id, within=480)
    rows, calls = own.rows(trouble.task_id), own.calls(trouble.task_id)
    assert (task["status"], task["completedCount"], task["errorCount"]) == ("completed", DOCUMENTS, 0)
    for row in rows:
        account(["ok"], row, [call for call in calls if call["row"] == row.row], trouble)
    # All three versions were at work, or nothing was deployed over anything.
    assert set(Counter(call.get("version", 0) for call in calls)) == {0, 1, 2}, trouble.told
    assert own.stack.outputs["Version"] == "version 2"
    assert own.told("AggregatorFunction")["STALL_WINDOW_SECONDS"] == "62"


def test_a_worker_writes_its_provider_s_gate_when_an_engine_is_configured_and_not_before(own):
    """The right comes with the engine's parameter. (To which key it is held, only AWS enforces.)"""

    def write():
        own.as_role("ExtractPaperFunctionRole")("dynamodb").update_item(
            TableName=own.physical("GatesTable"),
            Key={"gate": {"S": "provider/openai"}},
            UpdateExpression="SET since = :now",
            ExpressionAttributeValues={":now": {"N": "1"}},
        )

    with pytest.raises(ClientError, match="AccessDenied"):
        write()
    own.deploy(OpenaiModel="a-model", OpenaiUrl="http://127.0.0.1:9")
    write()


@pytest.mark.chaos
def test_nothing_ends_in_error_when_a_broken_deploy_floods_the_dead_letters_and_a_good_one_follows(own):
    """A kind of work that cannot be imported: no message is ever finished, and no row is ended or loses a try."""
    sqs, queue = own.client("sqs"), own.physical("ProbeQueue")
    named = ["VisibilityTimeout", "RedrivePolicy"]
    usual = sqs.get_queue_attributes(QueueUrl=queue, AttributeNames=named)["Attributes"]
    hasty = json.dumps({**json.loads(usual["RedrivePolicy"]), "maxReceiveCount": RECEIVES})
    with own.source("functions/probe/probe.py") as probe:
        good, probe.text = probe.text, "import no_such_module\n" + probe.text
    own.deploy()
    sqs.set_queue_attributes(QueueUrl=queue, Attributes={"VisibilityTimeout": "2", "RedrivePolicy": hasty})
    task_id = own.open(own.probes([{}] * 25))["taskId"]
    dead, depth = own.physical("ProbeDeadLetters"), "ApproximateNumberOfMessages"
    eventually(
        lambda: int(sqs.get_queue_attributes(QueueUrl=dead, AttributeNames=[depth])["Attributes"][depth]) >= 25,
        "the death of every message",
        within=300,
    )
    flooded = own.rows(task_id)
    assert [(row.status, row.attempt, row.tries) for row in flooded] == [("pending", 0, 0)] * 25
    assert own.calls(task_id) == []
    assert own.see(task_id)["status"] == "processing"

    with own.source("functions/probe/probe.py") as probe:
        probe.text = good
    own.deploy()
    sqs.set_queue_attributes(QueueUrl=queue, Attributes=usual)
    task = own.closed(task_id, within=600)
    assert (task["status"], task["completedCount"], task["errorCount"]) == ("completed", 25, 0)
    assert own.call_counts(task_id) == [1] * 25
    assert [(row.attempt, row.tries) for row in own.rows(task_id)] == [(1, 1)] * 25
