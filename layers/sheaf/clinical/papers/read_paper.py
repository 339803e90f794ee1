"""Papers, each read in a process of its own (`sheaf.apart`)."""

from clinical.papers import Paper
from clinical.papers.advice import AGAIN
from clinical.papers.file_types import HEAD
from clinical.papers.limits import LIMITS, Limits
from sheaf.apart import isolation, wall
from sheaf.apart.reader_errors import ReaderBroken

READER = "clinical.papers.reader"
AS_PDF = "If it is one paper, upload it as PDF; if it is a collection, upload each paper for itself."


def read_apart(
    content: bytes, filename: str, limits: Limits = LIMITS, *, walled: str = wall.WHERE_POSSIBLE, reader: str = READER
) -> Paper:
    """The paper in these bytes; its `source` is the caller's to add. Raises Unreadable, NeedsOcr, ReaderBroken."""
    advice = AGAIN if b"%PDF-" in content[:HEAD] else AS_PDF
    found = isolation.read_apart(content, filename, limits, reader=reader, advice=advice, walled=walled)
    try:
        return Paper.from_json(found)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ReaderBroken(isolation.STRANGE) from error


def has_wall() -> bool:
    """Whether this machine lets a wall be put up round a reader."""
    try:
        read_apart(b"Is there a wall?", "", walled=wall.REQUIRED)
    except ReaderBroken:
        return False
    return True
