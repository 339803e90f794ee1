"""The text of a PDF by PDFium, loaded at the first. One document at a time: PDFium knows no threads."""

import codecs
import math
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from importlib import import_module
from typing import Any

from clinical.papers import Page, Paper, sections
from clinical.papers.advice import AGAIN
from clinical.papers.cleaning import clean
from clinical.papers.language import is_language
from clinical.papers.limits import Limits
from clinical.papers.pdf import titles
from clinical.papers.pdf.text_repair import mend
from sheaf.apart.reader_errors import NeedsOcr, Unreadable

ENOUGH = 200  # characters that a page of a paper has at least, on average; a scan has none or a stamp
HARDLY_ANY = 50
STAMP_MAX = 800  # characters that a library's stamp and a running head have together at most, on a page
DIGITS = re.compile(r"\d+")
OBJECT = re.compile(rb"\d\s{1,9}obj\b")
SAMPLES = 9  # characters of a page whose direction is looked at
DRAWN_BY_ADOBE = 2  # PDFium's number for a form whose pages only Adobe's own reader makes, as it is opened
WRONG_PASSWORD, UNKNOWN_SECURITY = 4, 5
PRINT = "Open it in Adobe's reader, print it to PDF and upload that."
DOWNLOAD = "Download it again from the publisher and upload that copy."
ALONE = "Upload the paper itself, without the volume or the supplement around it."
UNLOCK = "Save a copy without the password (open it, then print to PDF) and upload that."


def read(content: bytes, limits: Limits) -> Paper:
    """Raises Unreadable, and NeedsOcr where the pages are pictures."""
    content = content[max(content.find(b"%PDF-"), 0) :]
    # PDFium repairs a file that was cut off by leaving out what is missing; a paper without its end is none. Behind the
    # last mark of an end may stand anything that is no object: servers and mail gateways add to files.
    end = max(content.rfind(b"%%EOF"), content.rfind(b"startxref"))
    if end < 0 or OBJECT.search(content, end):
        raise Unreadable("The end of this PDF is missing: it was cut off on its way.", DOWNLOAD)
    raw, about, lines = _raw(content, limits)
    pages = mend(raw)
    full = sum(map(len, pages)) > (ENOUGH + STAMP_MAX) * len(pages)
    own = ["".join(page.split()) for page in (pages if full else _without_stamps(pages))]
    written = "".join(own)
    empty = sum(len(page) < HARDLY_ANY for page in own)
    if len(written) < ENOUGH * len(pages) or 2 * empty > len(pages) or not is_language(written):
        raise NeedsOcr("The pages of this PDF are pictures; they hold hardly any text.")
    numbered = tuple(Page(number, text) for number, text in enumerate(pages, 1))
    title = _honest(about, pages) or titles.find(lines, pages)
    return Paper("pdf", numbered, sections.find(numbered), {"title": title} if title else {})


def prepare(_content: bytes) -> None:
    import_module("pypdfium2")
    codecs.lookup("utf-16-le")


def _raw(content: bytes, limits: Limits) -> tuple[list[str], dict[str, str], list[titles.Line]]:
    import pypdfium2  # noqa: PLC0415 - compiled: only the process that reads a PDF has to have it

    try:
        with closing(pypdfium2.PdfDocument(content)) as document:
            if len(document) == 0:
                raise Unreadable("This PDF has no pages.", AGAIN)
            if len(document) > limits.pages:
                raise Unreadable(f"This PDF has {len(document):,} pages; up to {limits.pages:,} are read.", ALONE)
            if document.get_formtype() == DRAWN_BY_ADOBE:
                raise Unreadable("This PDF is a form (XFA); its pages say nothing but which program draws them.", PRINT)
            lines: list[titles.Line] = []
            return list(_pages(document, limits, lines)), document.get_metadata_dict(), lines
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) in {WRONG_PASSWORD, UNKNOWN_SECURITY}:
            raise Unreadable("This PDF is locked with a password.", UNLOCK) from error
        raise Unreadable("This PDF is damaged: it cannot be opened.", AGAIN) from error


def _pages(document: Any, limits: Limits, lines: list[titles.Line]) -> Iterator[str]:
    left = limits.text_bytes
    for number in range(len(document)):
        with closing(document[number]) as page, closing(_text_of(page)) as text:
            left -= text.count_chars()
            if left < 0:
                raise Unreadable("This PDF holds more text than any paper does.", AGAIN)
            letters = text.get_text_range()
            if number == 0:
                lines += titles.lines(text, letters)
            yield letters


def _text_of(page: Any) -> Any:
    """The page's text. Where its lines would be shown running downwards, PDFium gives them in reverse: turned upright first."""
    from pypdfium2 import raw  # noqa: PLC0415 - as above

    text = page.get_textpage()
    step = max(text.count_chars() // SAMPLES, 1)
    angles = [raw.FPDFText_GetCharAngle(text, at) for at in range(step // 2, step * SAMPLES, step)]
    downwards = (1 - page.get_rotation() // 90) % 4
    if 2 * sum(round(angle / math.pi * 2) % 4 == downwards for angle in angles) <= SAMPLES:
        return text
    text.close()
    page.set_rotation(-90 * downwards % 360)
    return page.get_textpage()


def _without_stamps(pages: list[str]) -> list[str]:
    """The pages without what stands on most of them alike but for its figures: a scan is none the less one for such lines."""
    lines = [list(zip(page.split("\n"), DIGITS.sub("0", page).split("\n"), strict=True)) for page in pages]
    times = Counter(same for page in lines for same in {same for _, same in page})
    often = {same for same, found in times.items() if found > max(1, len(pages) / 2)}
    stamps = [sum(len(line) for line, same in page if same in often) for page in lines]
    # All of a page's lines, where those are more than a stamp and a head.
    return [
        "\n".join(line for line, same in page if same not in often or stamped > STAMP_MAX)
        for page, stamped in zip(lines, stamps, strict=True)
    ]


def _honest(about: dict[str, str], pages: list[str]) -> str | None:
    """The file's own title, where the paper's first pages say the same; many files are called "1251637.dvi" inside."""
    title = " ".join(clean(about.get("Title", "")).split())
    found = len(title) > 10 and titles.bare(title) in titles.bare(" ".join(pages[:2]))  # noqa: PLR2004 - shorter is no title
    return title if found else None
