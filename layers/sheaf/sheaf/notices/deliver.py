"""One message of the notices' queue: one signed request to the project's webhook, and what becomes of the message."""

import base64
import hashlib
import hmac
import json

from sheaf.errors import InvalidRequest, OutOfTime, TimedOut, Unavailable
from sheaf.logs import say
from sheaf.notices import addresses, tell, webhook_items
from sheaf.notices.tell import Notice
from sheaf.notices.webhook_items import DELIVERED, GIVEN_UP, WAITING, Webhook
from sheaf.outside.deliveries import Acknowledge, Answer, HideUntil, Message
from sheaf.outside.wiring import World
from sheaf.settings import NoticeSettings

HOUR_MS = 3600 * 1000
WAIT_MS, FOURFOLD, LONGEST_MS = 30_000, 4, 6 * HOUR_MS
SECONDS = 10
ANSWER_MAX = 1_024
TAKEN = range(200, 300)
GONE = 410


def handle(world: World[NoticeSettings], message: Message) -> Answer:
    """Tell the receiver, if there is one. Raises Unavailable."""
    notice = tell.read(message.body)
    hook = webhook_items.find(world, notice.project) if notice else None
    if notice is None or hook is None:
        return Acknowledge()
    status, words = _post(world, hook, notice)
    now = world.now()
    state = DELIVERED if status in TAKEN else WAITING
    was_last = now >= notice.at + world.settings.notice_hours * HOUR_MS
    if state == WAITING and (was_last or status == GONE or notice.task is None):
        state = GIVEN_UP
    last = {"id": notice.id, "at": now, "state": state, "words": words}
    webhook_items.note(world, notice.project, hook, last, notice.task)
    say("notice", task=notice.id.rpartition("/")[0], status=state, reason=words, receives=message.receives)
    if state != WAITING:
        return Acknowledge()
    return HideUntil(now + min(WAIT_MS * FOURFOLD ** (message.receives - 1), LONGEST_MS))


def _post(world: World[NoticeSettings], hook: Webhook, notice: Notice) -> tuple[int, str]:
    link = f"{world.settings.page_at}/#/{notice.project}" + (f"/tasks/{notice.task}/results" if notice.task else "")
    said = {"type": notice.type, "timestamp": notice.timestamp, "data": {**notice.data, "link": link}}
    body, now = json.dumps(said).encode(), world.now()
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Sheaf",
        "webhook-id": notice.id,
        "webhook-timestamp": str(now // 1000),
        "webhook-signature": " ".join(sign(each, notice.id, now // 1000, body) for each in hook.secrets(now)),
    }
    try:
        # Whatever takes the time: a name, a handshake that drips, an answer.
        with world.time_limit(SECONDS):
            address = addresses.reach(world, str(hook.receiver))
            answered = world.ask_at(address)("POST", str(hook.receiver), body, headers, SECONDS, ANSWER_MAX)
    except InvalidRequest as error:
        return 0, f"Its address {error.reason}"
    except (TimedOut, OutOfTime):
        return 0, f"It did not answer within {SECONDS} seconds."
    except Unavailable:
        return 0, "It could not be reached."
    return answered.status, f"It answered {answered.status}."


def sign(secret: str, notice_id: str, seconds: int, body: bytes) -> str:
    """As Standard Webhooks has it."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.digest(key, f"{notice_id}.{seconds}.".encode() + body, hashlib.sha256)
    return f"v1,{base64.b64encode(digest).decode()}"
