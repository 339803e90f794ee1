"""The text of a PDF, page by page, by PDFium. One document at a time in a process: PDFium knows no threads.

PDFium is loaded at the first PDF, so that who reads none needs none.
"""

import re
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from sheaf.papers import Page, Paper, sections
from sheaf.papers.errors import NeedsOcr, Unreadable
from sheaf.papers.limits import Limits
from sheaf.papers.mending import mend

ENOUGH = 200
"""Characters that a page of a paper has at least, on average; a scan has none or a stamp."""
HARDLY_ANY = 50
LETTERS = 0.5
"""Of what is not white space; below that it is no language, but glyphs that were not given their characters."""
TAIL = 4_096
WRONG_PASSWORD, UNKNOWN_SECURITY = 4, 5
AGAIN = "Open it in a PDF viewer; if it opens, save it anew there or print it to PDF, and upload that."
DOWNLOAD = "Download it again from the publisher and upload that copy."
UNLOCK = "Save a copy without the password (open it, then print to PDF) and upload that."


def read(content: bytes, limits: Limits) -> Paper:
    """Raises Unreadable, and NeedsOcr where the pages are pictures."""
    _whole(content)
    raw, told = _raw(content, limits)
    pages = mend(raw)
    _legible(pages)
    numbered = tuple(Page(number, text) for number, text in enumerate(pages, 1))
    return Paper("pdf", numbered, sections.find(numbered), _honest(told, pages))


def _whole(content: bytes) -> None:
    """PDFium repairs a file that was cut off by leaving out what is missing; a paper without its end is none."""
    tail = content.rstrip(b"\x00 \r\n\t")[-TAIL:]
    if b"%%EOF" not in tail and b"startxref" not in tail:
        raise Unreadable("The end of this PDF is missing: it was cut off on its way.", DOWNLOAD)


def _raw(content: bytes, limits: Limits) -> tuple[list[str], dict[str, str]]:
    import pypdfium2  # noqa: PLC0415 - compiled: only the process that reads a PDF has to have it

    try:
        with closing(pypdfium2.PdfDocument(content)) as document:
            _few_enough(len(document), limits)
            return list(_pages(document, limits)), document.get_metadata_dict()
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) in {WRONG_PASSWORD, UNKNOWN_SECURITY}:
            raise Unreadable("This PDF is locked with a password.", UNLOCK) from error
        raise Unreadable("This PDF is damaged: it cannot be opened.", AGAIN) from error


def _few_enough(count: int, limits: Limits) -> None:
    if count == 0:
        raise Unreadable("This PDF has no pages.", AGAIN)
    if count > limits.pages:
        advice = "Upload the paper itself, without the volume or the supplement around it."
        raise Unreadable(f"This PDF has {count:,} pages; up to {limits.pages:,} are read.", advice)


def _pages(document: Any, limits: Limits) -> Iterator[str]:
    left = limits.text_bytes
    for number in range(len(document)):
        with closing(document[number]) as page, closing(page.get_textpage()) as text:
            left -= text.count_chars()
            if left < 0:
                raise Unreadable("This PDF holds more text than any paper does.", AGAIN)
            yield text.get_text_range()


def _legible(pages: list[str]) -> None:
    """Raises NeedsOcr where there is hardly any text, or what there is is no language."""
    written = "".join("".join(pages).split())
    empty = sum(len(page) < HARDLY_ANY for page in pages)
    letters = sum(map(str.isalpha, written))
    if len(written) < ENOUGH * len(pages) or 2 * empty > len(pages) or letters < LETTERS * len(written):
        raise NeedsOcr(len(pages))


def _honest(told: dict[str, str], pages: list[str]) -> dict[str, Any]:
    """The file's own title, where the paper's first pages say the same; many files are called "1251637.dvi" inside."""
    title = " ".join(told.get("Title", "").split())
    found = len(title) > 10 and _bare(title) in _bare(" ".join(pages[:2]))  # noqa: PLR2004 - shorter is no title
    return {"title": title} if found else {}


def _bare(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).lower()
