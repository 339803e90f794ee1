"""What the API answers, as lines for a terminal, and its results as a table of 120 columns. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from textwrap import shorten, wrap
from typing import TYPE_CHECKING, Any
from unicodedata import category

from sheaf_client.transport import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sheaf_client.shapes import Cells, Doctor, Document, Estimate, Result, Task

CLOCK_SECONDS = 60
FIELDS = ("n_randomised", "arms", "masking", "primary_outcomes", "follow_up")  # columns where there are any
WIDTHS = (16, 12, 26, 13, 28, 15)
BLANK = ("",) * len(WIDTHS)
LONGEST = 70  # characters of a cell without its page: three lines of it


def harmless(words: str) -> str:
    """Lines in which nothing steers a terminal or turns the direction of writing, whoever has put that into a name."""
    return "".join("\ufffd" if category(each) in {"Cc", "Cf"} and each != "\n" else each for each in words)


def progress(task: Task) -> tuple[int, str]:
    if task["totalCount"] is None:
        return 0, task["errorMessage"] or "documents are gathered" if task["status"] != "cancelled" else "no papers"
    done = task["totalCount"] - task["pendingCount"] - task["extractingCount"]
    some = {"at work": task["extractingCount"], "failed": task["errorCount"], "cancelled": task["cancelledCount"]}
    counts = [f"{done} of {task['totalCount']} papers", *(f"{count} {word}" for word, count in some.items() if count)]
    return done, ", ".join(counts)


def why(task: Task) -> str:
    return "{detail} {advice}".format(**task["notMoving"]) if task["notMoving"] else ""


def ended(task: Task) -> str:
    cost = "" if task["costUsd"] is None else f", for {task['costUsd']:.2f} USD"
    return f"Task {task['taskId']} is {task['status']}: {progress(task)[1]}{cost}."


def estimate(expected: Estimate) -> str:
    cost = "nobody knows what that costs" if expected["costUsd"] is None else f"about {expected['costUsd']:.2f} USD"
    return f"{expected['documents']} papers by {expected['engine']}: {cost}."


def paper(filename: str, ended: Document | Refused) -> str:
    if isinstance(ended, Refused):
        return f"refused     {filename}: {ended}"
    why = " ".join(filter(None, (ended["reason"], ended["advice"])))
    return f"{ended['status']:<10}  {filename}  {ended['documentId']}" + (f": {why}" if why else "")


def wrong(seen: Doctor, ahead_seconds: float) -> Iterator[str]:
    if abs(ahead_seconds) > CLOCK_SECONDS:
        yield f"The clock of this machine is off by {ahead_seconds:+.0f} s: set it."
    yield from filter(None, (each["detail"] for each in (seen["sweep"], *seen["kinds"])))
    for task in seen["notMoving"]:
        yield f"Task {task['taskId']}, {task['rows']} rows since {task['since']}: {task['detail']} {task['advice']}"
    for row in seen["failedRows"]:
        yield f"Row {row['resultId']}, {row['errorClass'] or 'failed'}: {row['errorMessage'] or ''} {row['advice']}"


def health(seen: Doctor) -> Iterator[str]:
    for kind in seen["kinds"]:
        yield f"{kind['kind']}: {kind['waiting']} waiting, {kind['hidden']} at work, {kind['deadLetters']} dead letters."
    day = seen["lastDay"]
    classes = "".join(f", {count} {name}" for name, count in day["failedBy"].items())
    yield f"Last 24 hours: {day['tasks']} tasks, {day['closed']} closed; {day['rowsCompleted']} rows done, {day['rowsFailed']} failed{classes}."


def table(results: Sequence[Result]) -> str:
    known = next((list(each["extractedData"]["fields"]) for each in results if each["extractedData"]), FIELDS)
    names = FIELDS if set(FIELDS) & set(known) else known[: len(FIELDS)]
    heads = ["study", *(_plain(name.removeprefix("n_")) for name in names)]
    lines = [*_lines(heads), *_lines(["-" * width for width in WIDTHS])]
    for result in results:
        lines += [*_lines(_cells(result, names)), f"  {_known(result)}", ""]
    return "\n".join(lines).rstrip()


def counts(cells: Cells) -> str:
    return ", ".join(f"{count} {_plain(state)}" for state, count in cells.items() if isinstance(count, int) and count)


def _lines(cells: Sequence[str]) -> Iterator[str]:
    columns = [wrap(cell, width) for cell, width in zip((*cells, *BLANK), WIDTHS, strict=False)]
    for line in zip_longest(*columns, fillvalue=""):
        whole = "  ".join(cell.ljust(width) for cell, width in zip(line, WIDTHS, strict=True))
        yield whole.replace("\u00a0", " ").rstrip()


def _cells(result: Result, names: Sequence[str]) -> tuple[str, ...]:
    fields = result["extractedData"]["fields"] if result["extractedData"] else {}
    study = (result["summary"] and result["summary"]["study"]) or result["snapshotFilename"]
    return (str(study), *(_shown(fields[name]) if name in fields else "" for name in names))


def _known(result: Result) -> str:
    if not result["extractedData"] or not result["summary"]:
        why = f": {result['errorMessage']} ({result['errorClass']})" if result["errorClass"] else ""
        return result["status"] + why
    doubts = "; ".join(_plain(doubt).replace(":", " ") for doubt in result["extractedData"]["doubts"])
    return counts(result["summary"]["cells"]) + (f". Does not add up: {doubts}" if doubts else "")


def _shown(value: Mapping[str, Any]) -> str:
    if value["state"] == "contradictory":
        return " or ".join(_shown(each) for each in value["evidence"])
    if value["state"] != "found":
        return _plain(value["state"])
    found = value["value"]
    entries = [entry for entry in found if entry["state"] == "found"] if isinstance(found, list) else [value]
    words = shorten("; ".join(_words(entry) for entry in entries), LONGEST, placeholder=" …")
    pages = sorted({entry["page"] for entry in entries})
    return f"{words} (p.\u00a0{', '.join(map(str, pages))})"


def _words(value: Mapping[str, Any]) -> str:
    found = value["value"]
    words = str(next(iter(found.values()))) if isinstance(found, Mapping) else str(found)
    return f"“{words}”" if value.get("quotation") else words


def _plain(word: str) -> str:
    return "not confirmed" if word == "unsupported" else word.replace("_", " ")
