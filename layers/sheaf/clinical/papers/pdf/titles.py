"""A PDF's title by its type: the first page's lines that are clearly larger. None where two blocks could be it."""

import ctypes
import re
from collections.abc import Iterator, Sequence
from itertools import dropwhile, groupby
from statistics import median
from typing import Any, NamedTuple

from clinical.papers.pdf.text_repair import mend
from clinical.patterns import words_of

WORDS = words_of(__file__)
CLEARLY = 1.15  # larger than the page's usual line by so much
ALIKE = 0.08  # heights of lines of one block differ by less, after rounding by PDFium
WORDS_MIN, LETTERS_MIN, CHINESE_MIN, LENGTH_MAX = 4, 20, 8, 400
LOOKED_AT = 2  # pages on which a journal's running head is looked for
A_NAME = 6  # words of a block that may be a journal's name, where a longer block stands beside it
LINES_MAX, SIGNS_MAX = 400, 100_000  # what is looked at of a page; more is no paper's first
SIGN = re.compile(r"\w")
NAME_MAX = 8  # words of a name or notice that is passed over; with more, it may be a title that has such a word in it
BETWEEN, PERSON_MAX = re.compile(r",|;|&|\band\b"), 4
CHINESE = re.compile("[\u4e00-\u9fff]")


class Line(NamedTuple):
    text: str
    height: float


def lines(text: Any, page: str) -> list[Line]:
    from pypdfium2 import raw  # noqa: PLC0415 - compiled: only the process that reads a PDF has to have it

    box = raw.FS_RECTF()

    def height(at: int) -> float:
        index = raw.FPDFText_GetCharIndexFromTextIndex(text, at)
        found = index >= 0 and raw.FPDFText_GetLooseCharBox(text, index, ctypes.byref(box))
        return abs(box.top - box.bottom) if found else 0.0

    found, start = [], 0
    for line in page.split("\n", LINES_MAX)[:LINES_MAX]:
        if line.strip():
            found.append(Line(line[: LENGTH_MAX + 1], max(height(start + at) for at in _looks(line))))
        start += len(line) + 1
    return found


def _looks(line: str) -> Iterator[int]:
    """Where in a line its height is looked at: a space has none, and a raised character less than its line."""
    for about in (len(line) // 4, len(line) * 3 // 4):
        found = SIGN.search(line, about) or SIGN.search(line)
        yield found.start() if found else about


def find(lines: Sequence[Line], pages: Sequence[str]) -> str | None:
    usual = median(line.height for line in lines) if lines else 0.0
    pages = [page[:SIGNS_MAX] for page in pages[:LOOKED_AT]]
    blocks = [block for block in _blocks(lines) if block.height > CLEARLY * usual and _is_long_enough(block.text)]
    likely = [block for block in blocks if not _is_other(block.text, pages)]
    best = max(likely, key=lambda block: block.height, default=None)
    if best is None or any(_rivals(best, other) for other in likely if other is not best):
        return None
    # As the mended text has these words, and with the mark that they end with.
    start, end = next(_spans(bare(mend([best.text])[0]), pages[0]), (0, 0))
    closed = WORDS.CLOSING.match(pages[0], end)
    return " ".join(pages[0][start : closed.end() if closed else end].split()) if end else None


def _rivals(best: Line, other: Line) -> bool:
    short = len(best.text.split()) <= A_NAME < len(other.text.split())
    return short or other.height > best.height * (1 - ALIKE)


def _blocks(lines: Sequence[Line]) -> Iterator[Line]:
    sizes: list[float] = []
    lines = [line for line in lines if any(map(str.isalpha, line.text))]
    for line in lines:
        near = sizes and abs(line.height - sizes[-1]) <= ALIKE * sizes[-1]
        sizes.append(sizes[-1] if near else line.height)
    for size, block in groupby(zip(lines, sizes, strict=True), key=lambda each: each[1]):
        texts = dropwhile(WORDS.KIND.fullmatch, (line.text.strip() for line, _ in block))
        yield Line("\n".join(texts), size)


def _is_other(text: str, pages: Sequence[str]) -> bool:
    parts = [part.split() for part in BETWEEN.split(text) if part.strip()]
    named = all(len(part) <= PERSON_MAX and part[0][0].isupper() and part[-1][0].isupper() for part in parts)
    is_byline = len(WORDS.NUMBERED.findall(text)) > 1 or ("," in text and named)
    if is_byline or (len(text.split()) <= NAME_MAX and WORDS.NAMES.search(text)):
        return True
    wanted = bare(mend([text])[0])
    return any(WORDS.CITED.match(page, end) for page in pages for _, end in _spans(wanted, page))


def _spans(wanted: str, page: str) -> Iterator[tuple[int, int]]:
    signs = bare(page)
    at = signs.find(wanted) if wanted else -1
    places = [place for place, sign in enumerate(page) if sign.isalnum()] if at >= 0 else []
    while at >= 0:
        yield places[at], places[at + len(wanted) - 1] + 1
        at = signs.find(wanted, at + len(wanted))


def bare(text: str) -> str:
    """Letters and figures alone, in small letters where that keeps their number."""
    signs = "".join(filter(str.isalnum, text))
    small = signs.lower()
    return small if len(small) == len(signs) else signs


def _is_long_enough(text: str) -> bool:
    is_english = len(text.split()) >= WORDS_MIN and sum(map(str.isalpha, text)) >= LETTERS_MIN
    return len(text) <= LENGTH_MAX and (is_english or len(CHINESE.findall(text)) >= CHINESE_MIN)
