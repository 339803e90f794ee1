"""Results as a table for a terminal. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

HEAD = ("file", "status", "year", "DOI", "registration")
WIDEST = 60


def render(results: Sequence[Mapping[str, Any]]) -> str:
    """One line a paper. A value that the paper does not report is a dash; one that is in doubt a question mark."""
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
    values = (_shown(fields.get(name)) for name in ("year", "doi", "registration_ids"))
    return (str(result["snapshotFilename"]), str(result["status"]), *values)


def _shown(field: Mapping[str, Any] | None) -> str:
    if not field or field["state"] == "not_reported":
        return "-"
    if field["state"] == "unclear":
        return "?"
    value = field["value"]
    return (", ".join(map(str, value)) if isinstance(value, list) else str(value))[:WIDEST]
