"""Telling the world that a task has closed: at least once, with an id to know a repetition by."""

import json

from sheaf.errors import Unavailable
from sheaf.items import Task
from sheaf.outside.needs import TimedTables
from sheaf.outside.store import call
from sheaf.protocol import lifecycle


def closed(world: TimedTables, task: Task) -> None:
    """An event on the account's default bus, then the record that it was sent. Raises Unavailable."""
    detail = {
        "noticeId": f"{task.task}/closed",
        "taskId": task.task.partition("/")[2],
        "projectId": task.task.partition("/")[0],
        "status": task.status,
        "totalCount": task.total,
        "completedCount": task.completed,
        "errorCount": task.error,
        "cancelledCount": task.cancelled,
    }
    entry = {"Source": "sheaf", "DetailType": "Task closed", "Detail": json.dumps(detail)}
    if call(world, "events", "put_events", Entries=[entry]).get("FailedEntryCount"):
        raise Unavailable("events.put_events: the notice was not taken")
    lifecycle.record_notified(world, task, world.now())
