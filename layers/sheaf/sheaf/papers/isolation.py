"""Placeholder until the readers are merged: plain text only."""

from dataclasses import dataclass

from sheaf.papers import Page, Paper
from sheaf.papers.errors import Unreadable


@dataclass(frozen=True)
class Limits:
    """What one reading may use."""


def read_apart(content: bytes, _filename: str, _limits: Limits = Limits()) -> Paper:
    """The paper. Raises Unreadable."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable("This is not UTF-8 text.", "Upload a PDF, an XML or a text file.") from error
    if "\x00" in text or not text.strip():
        raise Unreadable("There is no text in this file.", "Upload another.")
    pages = tuple(Page(number, page) for number, page in enumerate(text.split("\f"), 1))
    return Paper("text", pages)
