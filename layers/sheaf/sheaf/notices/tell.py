"""Telling the world that a task has closed: at least once, with an id to know a repetition by."""

import json
from typing import NamedTuple

from sheaf.errors import Unavailable
from sheaf.items import Task
from sheaf.notices import webhook_items
from sheaf.outside.needs import BatchAws
from sheaf.outside.store import call
from sheaf.plain_json import JsonObject
from sheaf.protocol import lifecycle, row_messages
from sheaf.schemas import instant
from sheaf.settings import AggregatorSettings, ApiSettings

TEST = "webhook.test"


class Notice(NamedTuple):
    """What a receiver is sent; from `at` on it is tried."""

    id: str
    at: int
    type: str
    timestamp: str
    data: JsonObject

    @property
    def project(self) -> str:
        return self.id.partition("/")[0]

    @property
    def task(self) -> str | None:
        """Whose close it tells of; None for a test."""
        return None if self.type == TEST else self.id.split("/")[1]


def of_close(task: Task, now: int) -> Notice:
    data: JsonObject = {
        "taskId": task.id,
        "projectId": task.project,
        "status": task.status,
        "totalCount": task.total,
        "completedCount": task.completed,
        "errorCount": task.error,
        "cancelledCount": task.cancelled,
    }
    return Notice(f"{task.task}/closed", now, "task.closed", instant(task.completed_at), data)


def closed(world: BatchAws[AggregatorSettings], task: Task) -> None:
    """An event on the account's default bus, a message for the project's webhook, then the record of both. Raises Unavailable."""
    notice = of_close(task, world.now())
    # The account's deployments share one bus: by its table a rule knows its own.
    is_export = "/" in (task.listed_in or "")
    detail = {"noticeId": notice.id, "tasksTable": world.settings.tasks_table, "isExport": is_export, **notice.data}
    entry = {"Source": "sheaf", "DetailType": "Task closed", "Detail": json.dumps(detail)}
    if call(world, "events", "put_events", Entries=[entry]).get("FailedEntryCount"):
        raise Unavailable("events.put_events: the notice was not taken")
    if not is_export and webhook_items.find(world, task.project):
        send(world, notice)
    lifecycle.record_notified(world, task, world.now())


def send(world: BatchAws[ApiSettings] | BatchAws[AggregatorSettings], notice: Notice) -> None:
    """Have it delivered. Raises Unavailable."""
    row_messages.post(world, world.settings.notice_queue, [(notice.project, json.dumps(notice))])


def read(body: str) -> Notice | None:
    try:
        return Notice(*json.loads(body))
    except (ValueError, TypeError):
        return None
