"""Cursors: where the next page of a list or of a table starts, as a caller is told it and brings it back. Pure."""

import re
from collections.abc import Callable

from sheaf import ids
from sheaf.errors import InvalidRequest
from sheaf.store import Key

PLACE = re.compile(rf"[0-9]{{1,14}}-{ids.NAME.pattern}")
"""Where a page of a list starts: what was made at this instant under this id."""
NUMBER = re.compile(r"[0-9]{1,9}")
"""Where a page of a table starts: a row's number."""


def row(text: str | None) -> int:
    """The row that a page of a table starts with. Raises InvalidRequest."""
    return int(_ours(text, NUMBER)) if text is not None else 0


def cursor(after: dict[str, dict[str, str]] | None, key: str) -> str | None:
    """For a caller: where an index's next page starts; `key` names the attribute that ends with the id."""
    return f"{after['created_at']['N']}-{after[key]['S'].rpartition('/')[2]}" if after else None


def start(text: str | None, key: Callable[[str], Key], **listed: str) -> dict[str, dict[str, str]] | None:
    """Where a page of an index starts; the list is the caller's own, whatever the cursor says. Raises InvalidRequest."""
    if text is None:
        return None
    instant, _, name = _ours(text, PLACE).partition("-")
    texts = {part: {"S": str(value)} for part, value in {**key(name), **listed}.items()}
    return {**texts, "created_at": {"N": str(int(instant))}}


def _ours(text: str, pattern: re.Pattern[str]) -> str:
    if not pattern.fullmatch(text):
        raise InvalidRequest("cursor", "is not one that this API gave.")
    return text
