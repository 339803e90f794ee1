"""The file of a clean workbook: gzip of JSON Lines, in pieces of which each can be read by itself.

The first piece says what there is: the sheets, their columns, and how long each following piece is. The others are some rows
each. So a page of rows is read without the rest, and what knows nothing of this reads all of it as one gzip file. It has one
member, because browsers unpack no second one: its pieces are deflated apart, and each ends at a whole byte.
"""

import json
import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from sheets.tables import Table

CELLS = 6_000  # of one piece: some 30 KB
HEAD = 8  # bytes before the file that say how long its first piece is, as the process that reads hands it over
LEVEL = 4
RAW = -zlib.MAX_WBITS
BEGIN, LAST = b"\x1f\x8b\x08" + bytes(6) + b"\xff", b"\x03\x00"
"""Of every gzip file: its header, without a name or a time, and the empty block behind all others."""


class File(NamedTuple):
    content: bytes
    head: int  # bytes of its first piece

    def to_bytes(self) -> bytes:
        return self.head.to_bytes(HEAD, "big") + self.content


def write(tables: Sequence["Table"]) -> File:
    about, texts, pieces = [], [], []
    for table in tables:
        step = max(1, CELLS // max(1, len(table.columns)))
        its = [_lines(table.rows[at : at + step]) for at in range(0, len(table.rows), step)]
        made = [_deflated(text) for text in its]
        about.append({**table.about, "step": step, "pieces": [len(piece) for piece in made]})
        texts += its
        pieces += made
    first = _lines([{"sheets": about}])
    head = BEGIN + _deflated(first)
    crc, size = zlib.crc32(first), len(first)
    for text in texts:
        crc, size = zlib.crc32(text, crc), size + len(text)
    end = LAST + crc.to_bytes(4, "little") + (size % 2**32).to_bytes(4, "little")
    return File(b"".join((head, *pieces, end)), len(head))


def sheets(content: bytes) -> list[dict[str, Any]]:
    """What the first piece says."""
    found: list[dict[str, Any]] = _inflated(content[len(BEGIN) :])[0]["sheets"]
    return found


class Span(NamedTuple):
    """Where some rows lie: bytes of the file, and how many rows of these are too many at the beginning."""

    start: int
    end: int
    skip: int
    many: int

    def rows(self, content: bytes) -> list[list[Any]]:
        return _inflated(content)[self.skip :][: self.many]


def span(head: int, about: Sequence[dict[str, Any]], number: int, first: int, count: int) -> Span:
    """Of up to so many rows of one sheet, from this one on."""
    sheet = about[number]
    count = max(0, min(count, sheet["rows"] - first))
    from_piece, to_piece = first // sheet["step"], -(-(first + count) // sheet["step"])
    before = [size for each in about[:number] for size in each["pieces"]] + sheet["pieces"][:from_piece]
    start = head + sum(before)
    return Span(start, start + sum(sheet["pieces"][from_piece:to_piece]), first - from_piece * sheet["step"], count)


def _lines(lines: Sequence[Any]) -> bytes:
    text = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)
    return text.encode("utf-8", "replace")


def _deflated(text: bytes) -> bytes:
    packing = zlib.compressobj(LEVEL, zlib.DEFLATED, RAW)
    return packing.compress(text) + packing.flush(zlib.Z_FULL_FLUSH)


def _inflated(content: bytes) -> list[Any]:
    return [json.loads(line) for line in zlib.decompressobj(RAW).decompress(content).split(b"\n") if line]
