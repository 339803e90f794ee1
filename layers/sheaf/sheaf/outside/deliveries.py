"""What becomes of a queue's message: it is done with, or it is hidden until it may go on."""

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias, TypedDict

from botocore.exceptions import ClientError

from sheaf.errors import Transient, Unavailable
from sheaf.logs import say
from sheaf.outside.needs import BatchTables
from sheaf.outside.store import call

BatchReply: TypeAlias = dict[str, list[dict[str, str]]]
BUSY_SECONDS = 20
HIDE_MAX_SECONDS = 12 * 3600 - 600


class Record(TypedDict):
    body: str
    receiptHandle: str
    messageId: str
    attributes: dict[str, str]


class Event(TypedDict, total=False):
    Records: list[Record]
    source: str


class Message(NamedTuple):
    body: str
    receipt: str
    message_id: str
    receives: int


class Acknowledge(NamedTuple):
    event: str | None = None
    about: Mapping[str, Any] = MappingProxyType({})


class HideUntil(NamedTuple):
    """The message stays in the queue, out of sight until this instant."""

    instant: int


Answer = Acknowledge | HideUntil


class Defect(Exception):
    """Work broke off by a defect of ours, its cause: that is raised when the message has had its answer."""

    def __init__(self, answer: Answer) -> None:
        super().__init__("the work stopped at a defect")
        self.answer = answer


def broken_off(give_back: Callable[[Transient], Answer]) -> Defect:
    """What to raise where work broke off. What was claimed is given back, if that can be written now."""
    answer: Answer = Acknowledge()
    with suppress(Unavailable):
        why = "The work stopped at a defect of ours; the log of this time says which."
        answer = give_back(Transient(why, "defect"))
    return Defect(answer)


def batch(world: BatchTables, event: Event, handle: Callable[[Message], Answer], queue: str) -> BatchReply:
    """The reply to an SQS event source with ReportBatchItemFailures: what has to wait is named, so that it stays."""
    answers = [(each, _answered(world, each, handle, queue)) for each in map(_message, event["Records"])]
    stay = [{"itemIdentifier": each.message_id} for each, answer in answers if isinstance(answer, HideUntil)]
    return {"batchItemFailures": stay}


def _message(record: Record) -> Message:
    receives = int(record["attributes"]["ApproximateReceiveCount"])
    return Message(record["body"], record["receiptHandle"], record["messageId"], receives)


def _answered(world: BatchTables, message: Message, handle: Callable[[Message], Answer], queue: str) -> Answer:
    defect: BaseException | None = None
    try:
        answer = handle(message)
    except Unavailable as error:
        say("aws_unavailable", message_id=message.message_id, reason=str(error))
        answer = HideUntil(world.now() + int(BUSY_SECONDS * 1000 * (1 + world.chance())))
    except Defect as stopped:
        answer, defect = stopped.answer, stopped.__cause__
    if isinstance(answer, HideUntil):
        _hide(world, message, queue, answer.instant)
    if defect is not None:
        raise defect
    return answer


def _hide(world: BatchTables, message: Message, queue: str, instant: int) -> None:
    """Half a second to two and a half longer than it must. If hiding fails, the message comes back by itself."""
    seconds = (instant - world.now()) / 1000 + 0.5 + 2 * world.chance()
    timeout = max(1, min(math.ceil(seconds), HIDE_MAX_SECONDS))
    hidden = {"ReceiptHandle": message.receipt, "VisibilityTimeout": timeout}
    try:
        call(world, "sqs", "change_message_visibility", QueueUrl=queue, **hidden)
    except (ClientError, Unavailable) as error:
        say("hide_failed", message_id=message.message_id, receives=message.receives, reason=type(error).__name__)
