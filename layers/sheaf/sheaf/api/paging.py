"""Cursors: where the next page of a list or of a table starts, as a caller is told it and brings it back. Pure."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from sheaf import ids
from sheaf.schemas import Said

GIVEN = "The nextCursor of the page before."
OURS = "one that this API gave"
Cursor = Annotated[str, Said(pattern=rf"^[0-9]{{1,14}}-{ids.NAME.pattern}$", description=GIVEN, title=OURS)]
"""Where a page of a list starts: what was made at this instant under this id."""
RowCursor = Annotated[str, Said(pattern="^[0-9]{1,9}$", description=GIVEN, title=OURS)]
"""Where a page of a table starts: a row's number."""


def cursor(after: Mapping[str, Any] | None, key: str) -> str | None:
    """For a caller: where an index's next page starts; `key` names the attribute that ends with the id."""
    return f"{after['created_at']['N']}-{after[key]['S'].rpartition('/')[2]}" if after else None


def start(text: str | None, key: Callable[[str], Mapping[str, Any]], **listed: str) -> dict[str, Any] | None:
    """Where a page of an index starts; the list is the caller's own, whatever the cursor says."""
    if text is None:
        return None
    instant, _, name = text.partition("-")
    texts = {part: {"S": value} for part, value in {**key(name), **listed}.items()}
    return {**texts, "created_at": {"N": str(int(instant))}}
