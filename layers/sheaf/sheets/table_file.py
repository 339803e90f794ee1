"""The file of a clean workbook: gzip of JSON Lines, in pieces of which each can be read by itself.

The first piece says what there is: the sheets, their columns, and how long each following piece is. The others are some rows
each. So a page of rows is read without the rest, and what knows nothing of this reads all of it as one gzip file.
"""

import gzip
import json
from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from sheets.tables import Table

CELLS = 6_000
"""Of one piece: some 30 KB."""
LEVEL = 4


class File(NamedTuple):
    content: bytes
    head: int
    """Bytes of its first piece."""


def write(tables: Sequence["Table"]) -> File:
    about, pieces = [], []
    for table in tables:
        step = max(1, CELLS // max(1, len(table.columns)))
        made = [_packed(table.rows[at : at + step]) for at in range(0, len(table.rows), step)]
        about.append({**table.about, "step": step, "pieces": [len(piece) for piece in made]})
        pieces += made
    head = _packed([{"sheets": about}])
    return File(b"".join((head, *pieces)), len(head))


def sheets(content: bytes) -> list[dict[str, Any]]:
    """What the first piece says."""
    found: list[dict[str, Any]] = _unpacked(content)[0]["sheets"]
    return found


class Span(NamedTuple):
    """Where some rows lie: bytes of the file, and how many rows of these are too many at the beginning."""

    start: int
    end: int
    skip: int
    many: int

    def rows(self, content: bytes) -> list[list[Any]]:
        return _unpacked(content)[self.skip :][: self.many]


def span(head: int, about: Sequence[dict[str, Any]], number: int, first: int, count: int) -> Span:
    """Of up to so many rows of one sheet, from this one on."""
    sheet = about[number]
    count = max(0, min(count, sheet["rows"] - first))
    from_piece, to_piece = first // sheet["step"], -(-(first + count) // sheet["step"])
    before = [size for each in about[:number] for size in each["pieces"]] + sheet["pieces"][:from_piece]
    start = head + sum(before)
    return Span(start, start + sum(sheet["pieces"][from_piece:to_piece]), first - from_piece * sheet["step"], count)


def _packed(lines: Sequence[Any]) -> bytes:
    text = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)
    return gzip.compress(text.encode("utf-8", "replace"), LEVEL, mtime=0)


def _unpacked(content: bytes) -> list[Any]:
    with gzip.GzipFile(fileobj=BytesIO(content)) as file:
        return [json.loads(line) for line in file]
