"""What is stored, read and laid down without any product code."""

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

from clinical.library.library_items import Document, KnowledgeBase
from sheaf.items import GateItem, Payload, Row, Task, task_key
from tests.support.calls import Calls
from tests.support.clients import client
from tests.support.items import gate_model

PROJECT = "p1"
Raw = dict[str, list[dict[str, Any]]]


class Tables:
    """The items of all tables; reading them is no call of the process under test."""

    def __init__(self, calls: Calls) -> None:
        self.calls = calls

    def put(self, item: Row | Payload | Task | GateItem | Document | KnowledgeBase) -> Any:
        """Lay an item down as it is: no product code, no condition."""
        tables = {
            "results": "ResultsTable",
            "tasks": "TasksTable",
            "gates": "GatesTable",
            "library": "LibraryTable",
            "reviews": "ReviewsTable",
        }
        table = tables[item.setting.partition("_")[0]]
        with self.calls.unwatched():
            client("dynamodb").put_item(TableName=table, Item=item.serialize())
        return item

    def task(self, task_id: str, project: str = PROJECT) -> Task:
        return next(task for task in self.tasks() if task.task == task_key(project, task_id))

    def tasks(self) -> list[Task]:
        return [Task.from_raw_data(item) for item in self._scan("TasksTable") if "status" in item]

    def all_rows(self) -> list[Row]:
        rows = (Row.from_raw_data(item) for item in self._scan("ResultsTable") if "status" in item)
        return sorted(rows, key=lambda row: (row.shard, row.row))

    def payloads(self) -> list[Payload]:
        """What lies beside rows."""
        return [Payload.from_raw_data(item) for item in self._scan("ResultsTable") if "packed" in item]

    def get_row(self, shard: str, number: int = 0) -> Row | None:
        return next((row for row in self.all_rows() if (row.shard, row.row) == (shard, number)), None)

    def rows(self, task_id: str, project: str = PROJECT) -> list[Row]:
        return [row for row in self.all_rows() if row.task == task_key(project, task_id)]

    def row(self) -> Row:
        """The only row there is."""
        (row,) = self.all_rows()
        return row

    def statuses(self, task_id: str) -> list[str]:
        return [row.status for row in self.rows(task_id)]

    def document(self, name: str, project: str = PROJECT) -> Document:
        """A document as it is stored, its tombstone too."""
        entry = f"{project}/document/{name}"
        return next(Document.from_raw_data(i) for i in self._scan("LibraryTable") if i["entry"]["S"] == entry)

    def gate(self, key: str) -> Any:
        """A gate as the model of its kind; None where there is none."""
        found = (item for item in self._scan("GatesTable") if item["gate"]["S"] == key)
        return next((gate_model(key).from_raw_data(item) for item in found), None)

    def raw(self) -> Raw:
        """Every item of every table, to compare before and after."""
        return {name: sorted(self._scan(name), key=repr) for name in ("TasksTable", "ResultsTable", "GatesTable")}

    def runs(self) -> Counter[tuple[str, int]]:
        """How often the probe worked on each row of each task."""
        return Counter((call["task"].partition("/")[2], call["row"]) for call in self.probe_calls())

    def probe_calls(self) -> list[dict[str, Any]]:
        log = Path(os.environ["PROBE_LOG"])
        return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []

    def _scan(self, table: str) -> list[dict[str, Any]]:
        with self.calls.unwatched():
            pages = client("dynamodb").get_paginator("scan").paginate(TableName=table)
            return [item for page in pages for item in page["Items"]]
