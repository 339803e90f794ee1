"""Results as a table for a terminal, 120 columns wide. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from textwrap import shorten, wrap
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sheaf_client.shapes import Cells, Result

FIELDS = ("n_randomised", "arms", "masking", "primary_outcomes", "follow_up")
"""Columns where a template has them; of another the first five."""
WIDTHS = (16, 12, 26, 13, 28, 15)
LONGEST = 70
"""Characters of a cell without its page: three lines of it."""


def render(results: Sequence[Result]) -> str:
    """Some lines a paper: found values with their page, of the others what is known; then its fields by state."""
    names = _columns(results)
    heads = ["study", *(_plain(name.removeprefix("n_")) for name in names)]
    lines = [*_lines(heads), *_lines(["-" * width for width in WIDTHS])]
    for result in results:
        lines += [*_lines(_cells(result, names)), f"  {_known(result)}", ""]
    return "\n".join(lines).rstrip()


def _columns(results: Sequence[Result]) -> Sequence[str]:
    known = next((list(each["extractedData"]["fields"]) for each in results if each["extractedData"]), FIELDS)
    return FIELDS if set(FIELDS) & set(known) else known[: len(FIELDS)]


def counts(cells: Cells) -> str:
    """The states that something is in, and how much."""
    return ", ".join(f"{count} {_plain(state)}" for state, count in cells.items() if isinstance(count, int) and count)


def _lines(cells: Sequence[str]) -> Iterator[str]:
    columns = [
        wrap(cell, width) for cell, width in zip([*cells, *[""] * (len(WIDTHS) - len(cells))], WIDTHS, strict=True)
    ]
    for line in zip_longest(*columns, fillvalue=""):
        whole = "  ".join(cell.ljust(width) for cell, width in zip(line, WIDTHS, strict=True))
        yield whole.replace("\u00a0", " ").rstrip()


def _cells(result: Result, names: Sequence[str]) -> tuple[str, ...]:
    fields = result["extractedData"]["fields"] if result["extractedData"] else {}
    study = (result["summary"] and result["summary"]["study"]) or result["snapshotFilename"]
    return (str(study), *(_shown(fields[name]) if name in fields else "" for name in names))


def _known(result: Result) -> str:
    if not result["extractedData"] or not result["summary"]:
        return result["status"] + (
            f": {result['errorMessage']} ({result['errorClass']})" if result["errorClass"] else ""
        )
    doubts = "; ".join(_plain(doubt).replace(":", " ") for doubt in result["extractedData"]["doubts"])
    return counts(result["summary"]["cells"]) + (f". Does not add up: {doubts}" if doubts else "")


def _shown(value: Mapping[str, Any]) -> str:
    """A found value with its page, the two of a contradiction with theirs; of a list what is found."""
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
    """In one line; of an entry of a table its first part, and the paper's own sentence as such."""
    found = value["value"]
    words = str(next(iter(found.values()))) if isinstance(found, Mapping) else str(found)
    return f"“{words}”" if value.get("quotation") else words


def _plain(word: str) -> str:
    return "not confirmed" if word == "unsupported" else word.replace("_", " ")
