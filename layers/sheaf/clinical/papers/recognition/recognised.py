"""What a MinerU server read, as a paper, without words on pictures. Raises Permanent: no text, or too much."""

import io
import json
import lzma
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator

from clinical.papers import Page, Paper, sections
from clinical.papers.cleaning import clean
from clinical.papers.limits import LIMITS, is_too_long
from sheaf.errors import Permanent, Transient
from sheaf.plain_json import Json, JsonObject

ABOVE = ("captions", "table_caption", "image_caption", "chart_caption", "code_caption")
WITHIN = ("text", "table_body", "code_body", "list_items", "content")
BELOW = ("footnotes", "table_footnote", "image_footnote", "chart_footnote", "code_footnote")
DESCRIBED = frozenset(("image", "chart"))
UNPACKED_IN_VAIN = (zipfile.BadZipFile, RuntimeError, OSError, EOFError, ValueError, zlib.error, lzma.LZMAError)
"""What unpacking raises where an archive is none, or locked, cut off, or packed in a way that is not known here."""
PICTURE = re.compile(r"!\[[^\]\n]{0,500}\]\([^()\n]{0,2000}\)")


def paper(listed: Json, markdown: Json, cleaned: Callable[[str], str] = clean) -> Paper:
    """A paper from blocks with their page, where the server gives them; otherwise all on one page. Raises Permanent."""
    found = _pages(listed)
    if not found and isinstance(markdown, str) and markdown.strip():
        found = {0: [markdown]}
    texts = {number: cleaned(PICTURE.sub("", "\n".join(lines))).strip() for number, lines in found.items()}
    if not any(texts.values()):
        raise Permanent("The text recognition server found no text on its pages.", "ocr_empty")
    if any(map(is_too_long, texts.values())) or sum(map(len, texts.values())) > LIMITS.text_bytes:
        raise Permanent("The text recognition server gave more text than any paper holds.", "ocr_too_long")
    pages = tuple(Page(number + 1, texts.get(number, "")) for number in range(max(texts) + 1))
    return Paper("pdf", pages, sections.find(pages), details={"recognised": True})


def from_zip(content: bytes) -> Paper:
    """The content list and the text out of the service's archive, each only as far as a paper can be long."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            found = {name.rpartition("/")[2]: name for name in archive.namelist()}
            listed = next((name for short, name in found.items() if short.endswith("content_list.json")), None)
            markdown = next((name for short, name in found.items() if short.endswith(".md")), None)
            members = _member(archive, listed), _member(archive, markdown)
    except UNPACKED_IN_VAIN as error:
        raise Transient("The text recognition service's result is no archive.", "ocr_unavailable") from error
    return paper(*members)


def _member(archive: zipfile.ZipFile, name: str | None) -> str:
    if name is None:
        return ""
    with archive.open(name) as file:
        return file.read(LIMITS.text_bytes).decode(errors="replace")


def _pages(listed: Json) -> dict[int, list[str]]:
    if isinstance(listed, str):
        try:
            listed = json.loads(listed)
        except (ValueError, RecursionError):
            return {}
    found: dict[int, list[str]] = {}
    for number, block in _blocks(listed):
        lines = list(_lines(block))
        if lines and type(number) is int and 0 <= number < LIMITS.pages:
            found.setdefault(number, []).extend(lines)
    return found


def _blocks(listed: Json) -> Iterator[tuple[Json, JsonObject]]:
    if isinstance(listed, dict):
        for page in _dicts(listed.get("pages")):
            for block in _dicts(page.get("blocks")):
                yield page.get("page_idx"), block
    for block in _dicts(listed):
        yield block.get("page_idx"), block


def _lines(block: JsonObject) -> Iterator[str]:
    for name in (*ABOVE, *(() if block.get("type") in DESCRIBED else WITHIN), *BELOW):
        value = block.get(name)
        for each in value if isinstance(value, list) else [value]:
            words = each.get("content") if isinstance(each, dict) else each
            if isinstance(words, str) and words.strip():
                yield words


def _dicts(value: Json) -> list[JsonObject]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
