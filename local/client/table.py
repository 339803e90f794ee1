"""Results as a table for a terminal, 120 columns wide. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from textwrap import shorten, wrap
from typing import Any

HEAD = ("study", "randomised", "arms", "masking", "primary outcome", "follow-up")
FIELDS = ("n_randomised", "arms", "masking", "primary_outcomes", "follow_up")
WIDTHS = (16, 12, 26, 13, 28, 15)
LONGEST = 70
"""Characters of a cell without its page: three lines of it."""


def render(results: Sequence[Mapping[str, Any]]) -> str:
    """Some lines a paper: found values with their page, of the others what is known; then its fields by state."""
    lines = [*_lines(HEAD), *_lines(["-" * width for width in WIDTHS])]
    for result in results:
        lines += [*_lines(_cells(result)), f"  {_known(result)}", ""]
    return "\n".join(lines).rstrip()


def counts(cells: Mapping[str, int]) -> str:
    """The states that something is in, and how much."""
    return ", ".join(f"{count} {_plain(state)}" for state, count in cells.items() if count)


def _lines(cells: Sequence[str]) -> Iterator[str]:
    columns = [wrap(cell, width) for cell, width in zip(cells, WIDTHS, strict=True)]
    for line in zip_longest(*columns, fillvalue=""):
        told = "  ".join(cell.ljust(width) for cell, width in zip(line, WIDTHS, strict=True))
        yield told.replace("\u00a0", " ").rstrip()


def _cells(result: Mapping[str, Any]) -> tuple[str, ...]:
    fields = (result["extractedData"] or {}).get("fields", {})
    study = (result["summary"] or {}).get("study") or result["snapshotFilename"]
    return (str(study), *(_shown(fields[name]) if name in fields else "" for name in FIELDS))


def _known(result: Mapping[str, Any]) -> str:
    if result["status"] != "completed":
        return f"{result['status']}: {result['errorMessage']} ({result['errorClass']})"
    doubts = "; ".join(_plain(doubt).replace(":", " ") for doubt in result["extractedData"]["doubts"])
    return counts(result["summary"]["cells"]) + (f". Does not add up: {doubts}" if doubts else "")


def _shown(value: Mapping[str, Any]) -> str:
    """A found value with its page, the two of a contradiction with theirs; of a list what is found."""
    if value["state"] == "contradictory":
        return " or ".join(_shown(told) for told in value["evidence"])
    if value["state"] != "found":
        return _plain(value["state"])
    told = value["value"]
    entries = [entry for entry in told if entry["state"] == "found"] if isinstance(told, list) else [value]
    words = shorten("; ".join(_words(entry) for entry in entries), LONGEST, placeholder=" …")
    pages = sorted({entry["page"] for entry in entries})
    return f"{words} (p.\u00a0{', '.join(map(str, pages))})"


def _words(value: Mapping[str, Any]) -> str:
    """In one line; of an entry of a table its first part, and the paper's own sentence as such."""
    told = value["value"]
    words = str(next(iter(told.values()))) if isinstance(told, Mapping) else str(told)
    return f"“{words}”" if value.get("quotation") else words


def _plain(word: str) -> str:
    return "not confirmed" if word == "unsupported" else word.replace("_", " ")
