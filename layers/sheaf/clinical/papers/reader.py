"""Bytes in, a paper out, by what the bytes are and never by what the file is called."""

from importlib import import_module
from itertools import islice
from typing import Any

from clinical.papers import Paper, file_types
from clinical.papers.limits import LIMITS, MB, Limits, is_too_long
from sheaf.apart.reader_errors import Unreadable

MODULES = {"pdf": "pdf.pdf_text", "jats": "jats.article", "text": "plain_text"}
LETTERS_MIN = 4  # letters and figures: fewer are a slip, as the file of another program or an empty page with a number


def read(content: bytes, filename: str, limits: Limits = LIMITS) -> Paper:
    """The paper in these bytes; its `source` is the caller's to add. Raises Unreadable and NeedsOcr.

    In this process, without a limit on memory or time: for files that somebody vouches for. `isolation.read_apart`
    is for all others.
    """
    if len(content) > limits.file_bytes:
        reason = f"This file has {len(content) // MB} MB; up to {limits.file_bytes // MB} MB are read."
        raise Unreadable(reason, "Upload a copy with smaller pictures.")
    paper: Paper = _reads(content, filename).read(content, limits)
    letters = (character for page in paper.pages for character in page.text if character.isalnum())
    if len(list(islice(letters, LETTERS_MIN))) < LETTERS_MIN:
        raise Unreadable("There is hardly any text in this file.", "Look whether it is the file that you mean.")
    if any(is_too_long(page.text, limits) for page in paper.pages):
        raise Unreadable("A page of this file holds more text than any paper's does.", "Upload one paper a file.")
    return paper


def prepare(content: bytes, filename: str) -> None:
    """Import what reading these bytes takes, because behind the reader's wall nothing can be. Raises Unreadable."""
    _reads(content, filename).prepare(content)


def _reads(content: bytes, filename: str) -> Any:
    return import_module(f"clinical.papers.{MODULES[file_types.kind(content, filename)]}")
