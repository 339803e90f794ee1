"""The sheets of what people decided, and of how right the engine was; none where nobody has decided anything."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from clinical.export_table.sheets import Book, Sheet, sheet
from clinical.export_table.table import About, Paper
from clinical.review.accuracy import wilson
from sheaf.plain_json import Json

DECIDED = (
    "study", "field", "address", "verb", "value", "was", "quote", "page", "state", "comment", "decidedBy", "when", "how",
)  # fmt: skip
WIDE = {"value", "was", "quote", "comment"}
RIGHT = ("field", "cells", "checkedCells", "by_block", "agreed", "corrected", "wrong", "missed", "right", "low", "high")


class Review:
    def __init__(self, book: Book, labels: Mapping[str, str]) -> None:
        self.book, self.labels = book, labels
        self.history: Sheet | None = None

    def add(self, paper: Paper) -> None:
        for made in paper.decisions:
            self.history = self.history or sheet(self.book, "decisions", DECIDED, wide=WIDE)
            name = made["address"].partition("/")[0]
            when = datetime.fromtimestamp(made["at"] // 1000, UTC)
            more = {"study": paper.name, "field": self.labels.get(name, name), "decidedBy": made["by"], "when": when}
            said = {**made, **more, "value": _plain(made.get("value")), "was": _plain(made["was"]["value"])}
            self.history.add([said.get(column) for column in DECIDED])

    def ended(self, about: About) -> list[Sheet]:
        if self.history is None:
            return []
        right = sheet(self.book, "right", RIGHT, wide={"field"})
        for name, tally in about.tallies.items():
            if tally.checked or tally.missed:
                shares = wilson(tally.agreed, tally.agreed + tally.corrected + tally.wrong) or ()
                right.add([self.labels.get(name, name), *tally, *shares])
        return [self.history, right]


def _plain(value: Json) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value
