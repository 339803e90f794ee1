"""A close reaches the function of notices through its queue, and what came of it the project's editors, on the deployed stack."""

import pytest

from sheaf.notices.webhook_items import Webhook
from tests.support.deployed import eventually

pytestmark = pytest.mark.emulator

WEBHOOK = "/asl/webhook"


def test_an_editor_is_refused_and_the_function_refuses_too_when_a_webhook_leads_to_this_machine(deployed):
    """The wall stands at both ends: an address that was set up past the API is looked at again, and the notice waits."""
    inside = "https://localhost/"
    refused = deployed.ask("PUT", WEBHOOK, {"url": inside})
    assert (refused.status, refused.body["reason"]) == (400, "leads to an address that is not on the public network.")
    hook = Webhook("demo/webhook", opening="o", changed_at=0, receiver=inside, secret="whsec_c2VjcmV0")
    tables = deployed.client("dynamodb")
    tables.put_item(TableName=deployed.physical("LibraryTable"), Item=hook.serialize())
    task = deployed.open(deployed.probes([{"acts": ["ok"]}]), kind="probe")["taskId"]
    deployed.closed(task)
    last = eventually(lambda: deployed.ask("GET", WEBHOOK).body["lastDelivery"], "a delivery")
    assert (last["noticeId"], last["state"]) == (f"demo/{task}/closed", "waiting")
    assert last["outcome"] == "Its address leads to an address that is not on the public network."
    assert deployed.ask("DELETE", WEBHOOK).status == 204
    assert deployed.ask("GET", WEBHOOK).status == 404
