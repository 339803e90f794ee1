"""Cursors: where the next page of a list or of a table starts, as a caller is told it and brings it back. Pure."""

import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from sheaf import ids
from sheaf.errors import InvalidRequest
from sheaf.schemas import Said

PLACE = re.compile(rf"[0-9]{{1,14}}-{ids.NAME.pattern}")
"""Where a page of a list starts: what was made at this instant under this id."""
NUMBER = re.compile(r"[0-9]{1,9}")
"""Where a page of a table starts: a row's number."""

Cursor = Annotated[str, Said(pattern=f"^{PLACE.pattern}$")]
RowCursor = Annotated[str, Said(pattern=f"^{NUMBER.pattern}$")]
View = Literal["latest"]


def row(text: str | None) -> int:
    """The row that a page of a table starts with. Raises InvalidRequest."""
    return int(_ours(text, NUMBER)) if text is not None else 0


def cursor(after: Mapping[str, Any] | None, key: str) -> str | None:
    """For a caller: where an index's next page starts; `key` names the attribute that ends with the id."""
    return f"{after['created_at']['N']}-{after[key]['S'].rpartition('/')[2]}" if after else None


def start(text: str | None, key: Callable[[str], Mapping[str, Any]], **listed: str) -> dict[str, Any] | None:
    """Where a page of an index starts; the list is the caller's own, whatever the cursor says. Raises InvalidRequest."""
    if text is None:
        return None
    instant, _, name = _ours(text, PLACE).partition("-")
    texts = {part: {"S": value} for part, value in {**key(name), **listed}.items()}
    return {**texts, "created_at": {"N": str(int(instant))}}


def _ours(text: str, pattern: re.Pattern[str]) -> str:
    if not pattern.fullmatch(text):
        raise InvalidRequest("cursor", "is not one that this API gave.")
    return text
