"""Decisions on cells as the API keeps them: one in force at each address, all of them in a history. For the stand-in."""

from typing import Any

VERBS = {"agree", "correct", "absent"}
ME = "u"


class Decisions:
    """By row: what is in force, and what was decided, newest first."""

    def __init__(self, now: str) -> None:
        self.now = now
        self.cells: dict[str, dict[str, dict[str, Any]]] = {}
        self.history: dict[str, list[dict[str, Any]]] = {}
        self.replaced: dict[str, dict[str, Any] | None] = {}
        """By decision, what held before it."""
        self.posted: list[dict[str, Any]] = []
        self.says: dict[str, Any] = {"state": "found"}
        """What code finds of a quote that a person has chosen."""
        self.right: dict[str, Any] = {"cells": 0, "checked": 0, "byBlock": 0, "fields": {}}

    def review(self, row: str) -> dict[str, Any] | None:
        cells = self.cells.get(row)
        return (
            None
            if cells is None
            else {"checked": sum(each["verb"] in VERBS for each in cells.values()), "cells": cells}
        )

    def decide(self, row: str, body: dict[str, Any], by: str = ME, name: str | None = None) -> tuple[int, Any]:
        """All of a request or nothing of it."""
        self.posted.append(body)
        cells, past = self.cells.setdefault(row, {}), self.history.setdefault(row, [])
        known = {each["id"] for each in past}
        new = [each for each in body["decisions"] if each["id"] not in known]
        conflicts = [each for each in new if cells.get(each["address"], {}).get("id") != each["before"]]
        if conflicts:
            told = [
                {"address": each["address"], "yours": each, "theirs": cells.get(each["address"])} for each in conflicts
            ]
            problem = {"type": "urn:sheaf:problem:decided-meanwhile", "detail": "Somebody decided.", "conflicts": told}
            return 409, problem
        for each in new:
            self._one(
                cells,
                past,
                each | {"by": by, "name": name, "at": self.now, "how": body.get("how", "one"), "taskId": "t1"},
            )
        return 200, {"review": self.review(row), "decisions": new, "checked": {}}

    def _one(self, cells: dict[str, Any], past: list[dict[str, Any]], made: dict[str, Any]) -> None:
        address, before = made["address"], made.pop("before")
        past.insert(0, {**made, "before": before, "was": {"state": "found", "value": "the engine's"}})
        stored = {name: value for name, value in made.items() if name != "address"}
        there = cells.get(address)
        self.replaced[made["id"]] = dict(there) if there else None
        if made["verb"] == "comment" and address in cells:
            cells[address] |= {"id": made["id"], "comment": made["comment"]}
        elif made["verb"] == "undo":
            cells.pop(address, None)
            if back := self.replaced.get(before):
                cells[address] = back
        else:
            kept = {"comment": there["comment"]} if there and "comment" in there else {}
            cells[address] = kept | stored | (self.says if made.get("quote") else {})
