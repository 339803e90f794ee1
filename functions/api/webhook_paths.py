"""Paths of a project's webhook, and of the notices that it gets."""

import front
import task_paths
from routes import CONFLICT, Routes
from sheaf.api import webhooks
from sheaf.api.webhooks import NewWebhookBody, WebhookView

WEBHOOK = "/api/v1/asl/webhook"

routes = Routes()


@routes.operation("GET", WEBHOOK, "The project's webhook, and how its last delivery went.", refuses=("404",))
def get_webhook() -> WebhookView:
    return webhooks.shown(webhooks.find(front.world(), front.caller()))


@routes.operation("PUT", WEBHOOK, "Who is told when a task closes.", body=NewWebhookBody)
def put_webhook() -> WebhookView:
    return webhooks.put(front.world(), front.caller(), front.body(front.SMALL_BODY))


@routes.operation("DELETE", WEBHOOK, "Tell nobody any more.", status=204, refuses=("404",))
def delete_webhook() -> None:
    webhooks.remove(front.world(), front.caller())


@routes.operation("POST", f"{WEBHOOK}/test", "Send it a notice that is a test.", status=202, refuses=("404",))
def test_webhook() -> WebhookView:
    return webhooks.shown(webhooks.test(front.world(), front.caller()))


@routes.operation(
    "POST", f"{task_paths.ONE}/notice", "Tell the webhook of its close again.", status=202, refuses=CONFLICT
)
def replay_notice(task_id: str) -> WebhookView:
    return webhooks.shown(webhooks.replay(front.world(), front.caller(), task_id))
