"""A project's webhook, as its editors set it up, look at it and try it."""

from typing import Annotated, Any, Literal, NotRequired, TypedDict, cast

from sheaf.api import bodies, tasks
from sheaf.api.access import Caller, Role
from sheaf.errors import Conflict, InvalidRequest, NotFound, Unavailable
from sheaf.notices import addresses, tell, webhook_items
from sheaf.notices.tell import Notice
from sheaf.notices.webhook_items import Webhook
from sheaf.outside.needs import ApiWorld
from sheaf.outside.store import Refused, Written
from sheaf.outside.wiring import World
from sheaf.protocol.lifecycle import CLOSED
from sheaf.schemas import Instant, Said, instant
from sheaf.settings import ApiSettings

URL = Said(pattern="^https://[!-~]+$", maxLength=1000, title="an https address")


class NewWebhookBody(TypedDict):
    url: Annotated[str, URL]
    newSecret: NotRequired[Annotated[bool, Said(description="The one before it signs too for a day.")]]


class DeliveryView(TypedDict):
    noticeId: str
    at: Instant
    state: Literal["delivered", "waiting", "given_up"]
    outcome: Annotated[str, Said(description="What the receiver answered, in words for people.")]


class WebhookView(TypedDict):
    url: str
    secret: Annotated[
        str | None, Said(description="What signs, as whsec_…: in the answer that made it, and never again.")
    ]
    changedAt: Instant
    lastDelivery: DeliveryView | None
    undelivered: Annotated[list[str], Said(description="Tasks whose notice was given up; at most 100.")]


def find(world: ApiWorld, caller: Caller) -> Webhook:
    """Raises NotFound, Forbidden."""
    caller.must_be(Role.EDITOR)
    found = webhook_items.find(world, caller.project)
    if found is None:
        raise NotFound("The project has no webhook.")
    return found


def put(world: World[ApiSettings], caller: Caller, body: str | None) -> WebhookView:
    """Set it up or change it. Raises Forbidden, InvalidRequest, Unavailable."""
    caller.must_be(Role.EDITOR)
    wish = bodies.fields_of(body, NewWebhookBody)
    try:
        addresses.reach(world, wish["url"])
    except Unavailable as error:
        raise InvalidRequest("url", "has a name that leads nowhere.") from error
    seen, new = webhook_items.stored(world, caller.project), wish.get("newSecret", False)
    made, secret = webhook_items.set_up(world, caller.project, seen, wish["url"], caller.user, new_secret=new)
    return shown(_written(made), secret)


def remove(world: ApiWorld, caller: Caller) -> None:
    """Raises Forbidden, NotFound, Unavailable."""
    _written(webhook_items.remove(world, caller.project, find(world, caller), caller.user))


def test(world: ApiWorld, caller: Caller) -> Webhook:
    """Have a notice sent that says so: the last delivery will be it. Raises Forbidden, NotFound."""
    found, now = find(world, caller), world.now()
    name = f"{caller.project}/{world.token()}/test"
    tell.send(world, Notice(name, now, tell.TEST, instant(now), {"projectId": caller.project}))
    return found


def replay(world: ApiWorld, caller: Caller, task_id: str) -> Webhook:
    """Send the notice of a task's close again, under its id. Raises Forbidden, NotFound, Conflict."""
    found, task = find(world, caller), tasks.find(world, caller, task_id)
    if task.status not in CLOSED:
        raise Conflict("task-open", "The task is still running; the webhook is told when it has closed.")
    tell.send(world, tell.of_close(task, world.now()))
    return found


def _written(made: Written[Webhook]) -> Webhook:
    if isinstance(made, Refused):
        raise Unavailable("webhook: another change came first")
    return made


def shown(hook: Webhook, secret: str | None = None) -> WebhookView:
    it = cast("dict[str, Any] | None", hook.last)
    last = DeliveryView(noticeId=it["id"], at=instant(it["at"]), state=it["state"], outcome=it["words"]) if it else None
    url, changed, lost = str(hook.receiver), instant(hook.changed_at), sorted(hook.undelivered or ())
    return WebhookView(url=url, secret=secret, changedAt=changed, lastDelivery=last, undelivered=lost)
