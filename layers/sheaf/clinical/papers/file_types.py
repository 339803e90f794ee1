"""What a file is, told by its first bytes. Pure. What is known but not read is named, with what to do instead."""

import codecs
import json
import re
from pathlib import Path, PurePosixPath

from clinical.papers.advice import EMPTY, NO_ARTICLE
from sheaf.apart.reader_errors import Unreadable

HEAD = 4_096
XML_HEAD = 65_536  # how far an XML's first element is looked for: publishers put comments and declarations before it
PDF_WITHIN = 1_024  # how far on a PDF may start; viewers allow as much. Further on if its end is there too
MARKS = {
    codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be",
    b"<\x00": "utf-16-le", b"\x00<": "utf-16-be",
}  # fmt: skip
DOCTYPE = r"<!DOCTYPE\s++(?:\w+:)?([\w.-]++)"
# Taken one after the other, so that a file made of the beginnings of comments costs no more than its length.
BEFORE_ROOT = re.compile(rf"\s+|<\?.*?\?>|<!--.*?-->|{DOCTYPE}[^>\[]*+(?:\[.*?\]\s*+)?>", re.S | re.I)
ROOT = re.compile(r"<(?:\w+:)?([^\W\d][\w.-]*)")
DECLARED = re.compile(DOCTYPE, re.I)
ARTICLES = frozenset(("article", "pmc-articleset", "articles", "response", "book", "book-part"))
AS_PDF = "Save it as PDF and upload that."
_OTHERS: list[list[str]] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
OTHERS = [(mark.encode("latin-1"), name, advice) for mark, name, advice in _OTHERS]  # bytes, what it is, what to do


def kind(content: bytes, filename: str = "") -> str:
    """pdf, jats or text. Raises Unreadable for what is none of them; the name only words the reason."""
    if not content.strip(b"\x00 \r\n\t\f"):
        raise Unreadable("This file is empty.", EMPTY)
    head = content[:HEAD]
    _refuse_others(head)
    if b"%PDF-" in head[:PDF_WITHIN] or (b"%PDF-" in head and b"startxref" in content):
        return "pdf"
    root = _root(content[:XML_HEAD])
    if root is None:
        return _text_or_binary(head, filename)
    if root in ARTICLES:
        return "jats"
    if root in {"html", "head", "body"}:
        advice = "Use the page's link to the PDF, or print the page to PDF."
        raise Unreadable("This is a web page, not the paper itself.", advice)
    raise Unreadable(*NO_ARTICLE)


def _refuse_others(head: bytes) -> None:
    for mark, name, advice in OTHERS:
        if head.startswith(mark):
            raise Unreadable(f"This is {name}, which is not read.", advice)


def _root(head: bytes) -> str | None:
    encoding = next((name for mark, name in MARKS.items() if head.startswith(mark)), "utf-8")
    text = head.decode(encoding, "replace").lstrip("\ufeff").lstrip()
    if not text.startswith("<"):
        return None
    at, declared = 0, "xml" if text.startswith("<?xml") else None
    while before := BEFORE_ROOT.match(text, at):
        at, declared = before.end(), before[1] or declared
    found = ROOT.match(text, at) or DECLARED.match(text, at)
    return found[1].lower() if found else declared and declared.lower()


def _text_or_binary(head: bytes, filename: str) -> str:
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or b"\x00" not in head:
        return "text"
    if PurePosixPath(filename).suffix.lower() == ".pdf":
        advice = "Download it again from the publisher and upload that copy."
        raise Unreadable("This file is called a PDF but is none.", advice)
    raise Unreadable("This file is no PDF, no article in XML and no plain text.", AS_PDF)
