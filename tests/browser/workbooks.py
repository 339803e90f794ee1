"""Workbooks as the API tells of them: a session each, its sheets, versions and saves. For the stand-in."""

import gzip
import json
from typing import Any

STEPS = ["uploading", "waiting", "reading", "cleaning", "saving"]


def column(index: int, name: str, type_: str, **more: Any) -> dict[str, Any]:
    return {
        "index": index, "header": name, "name": name, "unit": None, "type": type_, "missing": 0, "missingTokens": {},
        "invalid": 0, "invalidExamples": [], "distinct": None, "top": [], "min": None, "max": None, "mean": None, "warnings": [], **more,
    }  # fmt: skip


def trial(rows: int = 12) -> tuple[dict[str, Any], list[list[Any]]]:
    """A small sheet with all that can be the matter with one."""
    columns = [
        column(0, "Patient", "id", header="Patient ID", distinct=rows, warnings=["leading_zeros"]),
        column(1, "Age", "integer", header="Age (years)", unit="years", missing=2, missingTokens={"NA": 1, "": 1}, invalid=1, invalidExamples=["forty"], min=31, max=52, mean=41.5, distinct=10, top=[[31, 1], [32, 1]]),
        column(2, "Sex", "category", header="性别", distinct=2, top=[["F", 7], ["M", 5]], warnings=["mixed_types"]),
        column(3, "Seen", "date", min="2024-01-01", max="2024-01-12", distinct=rows),
        column(4, "Remarks", "text", header="<b onmouseover=alert(1)>Remarks</b>", missing=rows - 4),
    ]  # fmt: skip
    told = ["=1+1", "@SUM(A1)", '<img src=x onerror="document.title=1">', 'said "no", left']
    data: list[list[Any]] = [
        [f"{n:04}", 31 + n, "F" if n % 2 else "M", f"2024-01-{n + 1:02}", told[n] if n < len(told) else None]
        for n in range(rows)
    ]
    data[2][1], data[5][1], data[6][1] = "forty", None, None
    notes = [
        {"code": "blank_rows", "count": 3, "examples": ["14", "15", "16"]},
        {"code": "error_values", "count": 1, "examples": ["#DIV/0! in B9"]},
        {"code": "a_new_one", "count": 2, "examples": []},
    ]
    return sheet("Patients", columns, data, notes=notes, chosen=True), data


def sheet(name: str, columns: list[dict[str, Any]], data: list[list[Any]], **more: Any) -> dict[str, Any]:
    return {
        "name": name, "rows": len(data), "columns": columns, "headerRow": 3, "notes": [], "problem": None, **more,
    }  # fmt: skip


def large(rows: int = 3_339, columns: int = 151) -> tuple[dict[str, Any], list[list[Any]]]:
    """As wide and as long as the seed's."""
    heads = [
        column(n, f"Measure {n}", ["float", "integer", "text", "category"][n % 4], missing=n) for n in range(columns)
    ]
    data = [
        [row + n if n % 4 < 2 else f"r{row}c{n}" if n % 4 == 2 else "AB"[row % 2] for n in range(columns)]
        for row in range(rows)
    ]
    return sheet("Sheet1", heads, data, chosen=True), data


class Workbooks:
    """Tests put sessions in, or let the page announce them: then each look at one takes it a step on."""

    def __init__(self, now: str, origin: str) -> None:
        self.now, self.origin = now, origin
        self.sessions: dict[str, dict[str, Any]] = {}
        self.sheets: dict[str, list[tuple[dict[str, Any], list[list[Any]]]]] = {}
        self.steps: dict[str, list[dict[str, Any]]] = {}
        """What the next looks find; the last one stays."""
        self.saves: list[dict[str, Any]] = []
        self.announced: list[dict[str, Any]] = []
        self.refuse_save: tuple[int, dict[str, Any]] | None = None
        self.then: list[dict[str, Any]] = [{"step": step} for step in STEPS[1:]] + [{"status": "ready", "step": None}]
        """What a workbook that is dropped goes through."""

    def put(self, name: str = "trial.xlsx", *sheets: Any, status: str = "ready", **more: Any) -> str:
        identity = f"s{len(self.sessions) + 1}"
        self.sessions[identity] = {
            "sessionId": identity, "filename": name, "size": 412_000, "createdAt": self.now, "createdBy": "u",
            "expiresAt": "2026-12-18T09:00:00.000Z", "version": 1, "status": status, **more,
        }  # fmt: skip
        self.sheets[identity] = list(sheets or [trial()])
        return identity

    def look(self, identity: str) -> dict[str, Any]:
        found = self.sessions[identity]
        now: dict[str, Any] = {"step": None, "errorMessage": None, "save": None}
        if steps := self.steps.get(identity):
            now |= steps.pop(0) if len(steps) > 1 else steps[0]
        found |= {key: now[key] for key in ("status", "version") if key in now}
        return {"sessionId": identity, "status": found["status"], "version": found["version"], **now}

    def packed(self, identity: str) -> bytes:
        parts = self.sheets[identity]
        lines = [{"sheets": [told for told, _ in parts]}, *(row for _, data in parts for row in data)]
        return gzip.compress("".join(json.dumps(line) + "\n" for line in lines).encode())

    def answer(self, method: str, rest: list[str], query: dict[str, str], request: Any) -> tuple[int, Any]:  # noqa: PLR0911 - a table
        if not rest:
            return (
                (200, {"sessions": list(reversed(self.sessions.values()))})
                if method == "GET"
                else self._announce(request)
            )
        found = self.sessions.get(rest[0])
        if found is None:
            return 404, {"type": "urn:sheaf:problem:not-found", "detail": "There is no such session."}
        match [method, *rest[1:]]:
            case ["GET"]:
                shown = [told for told, _ in self.sheets[rest[0]]] if found["status"] == "ready" else None
                return 200, found | {"sheets": shown}
            case ["GET", "status"]:
                return 200, self.look(rest[0])
            case ["GET", "preview"]:
                at, offset = int(query["sheet"]), int(query["offset"])
                told, data = self.sheets[rest[0]][at]
                rows = data[offset : offset + int(query["rows"])]
                names = [each["name"] for each in told["columns"]]
                return 200, {
                    "version": found["version"],
                    "sheet": at,
                    "offset": offset,
                    "total": len(data),
                    "columns": names,
                    "rows": rows,
                }
            case ["GET", "data"]:
                link = {"contentType": "application/gzip", "expiresAt": self.now}
                return 200, {
                    "version": found["version"],
                    "clean": link | {"url": f"{self.origin}/bucket/clean.jsonl.gz", "filename": "clean.jsonl.gz"},
                    "original": link
                    | {"url": f"{self.origin}/bucket/{found['filename']}", "filename": found["filename"]},
                }
            case ["PUT", "data"]:
                return self._save(rest[0], json.loads(request.post_data))
            case ["DELETE"]:
                del self.sessions[rest[0]]
                return 204, None
        return 404, {"type": "urn:sheaf:problem:not-found", "detail": "There is nothing at this address."}

    def _announce(self, request: Any) -> tuple[int, Any]:
        asked = json.loads(request.post_data)
        self.announced.append(asked)
        identity = self.put(asked["filename"], status="processing", size=asked["size"])
        self.steps[identity] = [dict(each) for each in self.then]
        return 201, {
            "session": self.sessions[identity],
            "upload": {"url": f"{self.origin}/bucket/", "fields": {"key": "k"}},
        }

    def _save(self, identity: str, asked: dict[str, Any]) -> tuple[int, Any]:
        found = self.sessions[identity]
        self.saves.append(asked)
        if self.refuse_save:
            return self.refuse_save
        if asked["version"] != found["version"]:
            return 409, {"type": "urn:sheaf:problem:stale-version", "detail": "Another version is shown now."}
        told, data = self.sheets[identity][asked["sheet"]]
        for cell in asked["cells"]:
            data[cell["row"]][cell["column"]] = cell["value"]
        kept = [row for at, row in enumerate(data) if at not in set(asked["removedRows"])]
        self.sheets[identity][asked["sheet"]] = ({**told, "rows": len(kept)}, kept)
        version = found["version"] + 1
        saving = {"version": version, "status": "processing", "step": "saving", "errorMessage": None}
        self.steps[identity] = [{"status": "ready", "save": saving}, {"version": version, "save": None}]
        return 202, {
            "sessionId": identity,
            "status": "ready",
            "step": None,
            "version": version - 1,
            "errorMessage": None,
            "save": saving,
        }
