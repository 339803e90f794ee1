"""Results as a table for a terminal. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

COLUMNS = {
    "year": "year",
    "randomised": "n_randomised",
    "arms": "arms",
    "masking": "masking",
    "primary outcome": "primary_outcomes",
    "follow-up": "follow_up",
}
HEAD = ("study", "status", *COLUMNS)
WIDEST = 34


def render(results: Sequence[Mapping[str, Any]]) -> str:
    """One line a paper: found values with their page, and of the others what is known of them."""
    lines = [HEAD, *(_cells(result) for result in results)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEAD))]
    shown = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    shown.insert(1, "  ".join("-" * width for width in widths))
    reasons = [
        f"{result['snapshotFilename']}: {result['errorMessage']} ({result['errorClass']})"
        for result in results
        if result["status"] == "error"
    ]
    return "\n".join(shown + (["", *reasons] if reasons else []))


def _cells(result: Mapping[str, Any]) -> tuple[str, ...]:
    fields = (result["extractedData"] or {}).get("fields", {})
    study = (result["summary"] or {}).get("study") or result["snapshotFilename"]
    return (str(study), str(result["status"]), *(_shown(fields.get(name)) for name in COLUMNS.values()))


def _shown(field: Mapping[str, Any] | None) -> str:
    if not field:
        return ""
    if field["state"] != "found":
        return str(field["state"]).replace("_", " ")
    told = _words(field["value"])
    cut = told if len(told) <= WIDEST else f"{told[: WIDEST - 1]}…"
    return f"{cut} (p. {field['page']})"


def _words(value: Any) -> str:
    """A value in one line; of an entry of a list its first part."""
    if isinstance(value, list):
        return "; ".join(_words(entry["value"]) for entry in value if entry["state"] == "found")
    return str(next(iter(value.values()))) if isinstance(value, Mapping) else str(value)
