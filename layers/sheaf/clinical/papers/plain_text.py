"""Plain text as a paper: a form feed ends a page, and the words are left as they are."""

import codecs
import re
import unicodedata
from collections.abc import Callable
from contextlib import suppress

from clinical.papers import Page, Paper, sections
from clinical.papers.advice import EMPTY, ONE
from clinical.papers.cleaning import clean
from clinical.papers.language import is_everyday
from clinical.papers.limits import Limits
from sheaf.apart.reader_errors import Unreadable

CONTROLS = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\ufffe\uffff]")  # stands in no text: the bytes were taken wrongly
CHINESE = 0.3  # of what is not ASCII in a Chinese text, at least so much is Chinese; of other text read as such, less
WESTERN = 0.7  # of the letters of a Western European text, at least so much has no mark
READABLE = 0.85
UTF8 = 'Save it as plain text in UTF-8 (in Word: "Save as", "Plain text", "Unicode (UTF-8)") and upload that.'


def read(content: bytes, limits: Limits) -> Paper:
    """Raises Unreadable for what cannot be text, or is too long."""
    text = _decoded(content)
    if len(content) > limits.text_bytes:
        raise Unreadable("This text is longer than any paper is.", ONE)
    text = clean(text)
    if not text.strip():
        raise Unreadable("There is no text in this file.", EMPTY)
    pages = text.rstrip("\f\n").split("\f")
    if len(pages) > limits.pages:
        raise Unreadable(f"This text has {len(pages):,} pages; up to {limits.pages:,} are read.", ONE)
    numbered = tuple(Page(number, page) for number, page in enumerate(pages, 1))
    return Paper("text", numbered, sections.find(numbered))


def prepare(_content: bytes) -> None:
    for name in FITS:
        codecs.lookup(name)


def _is_chinese(text: str) -> bool:
    """Other text can be read as Chinese too, but then as characters that hardly anybody writes: "M黮ler" for a name."""
    foreign = [char for char in text if not char.isascii()]
    chinese = [char for char in foreign if "\u4e00" <= char <= "\u9fff"]
    return len(chinese) > CHINESE * len(foreign) and is_everyday(chinese) and _is_readable(text)


def _is_western(text: str) -> bool:
    """Of Russian, Greek or Arabic that is read so, nearly every letter has a mark."""
    letters = [char for char in text if char.isalpha()]
    return sum(map(str.isascii, letters)) >= WESTERN * len(letters) and _is_readable(text)


def _is_readable(text: str) -> bool:
    good = sum(char.isalnum() or char.isspace() or unicodedata.category(char)[0] == "P" for char in text)
    return good > READABLE * len(text) and not CONTROLS.search(text)


FITS: dict[str, Callable[[str], bool]] = {
    "utf-16": bool, "utf-8-sig": lambda text: "\x00" not in text, "gb18030": _is_chinese, "cp1252": _is_western,
}  # fmt: skip
"""Encodings in the order in which they are tried, and whether what they make of a file is text."""


def _decoded(content: bytes) -> str:
    marked, *others = FITS
    for encoding in [marked] if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else others:
        with suppress(UnicodeDecodeError):
            text = content.decode(encoding)
            if FITS[encoding](text):
                return text
    raise Unreadable("The characters of this text file cannot be made out.", UTF8)
