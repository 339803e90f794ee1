"""The text of a PDF made searchable: broken words joined, odd characters plain, nothing added or sorted. Pure."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from clinical.papers.cleaning import clean
from clinical.papers.page_lines import NUMBER_ONLY, opens_aside
from clinical.patterns import words_of

PAGE = "\f"
WORDS = words_of(__file__)
CUT_HERE = "\ufffe"
EDGES = ".,;:!?()[]{}\"'“”‘’*"
SPLIT_OFTEN = 8  # words like "signifi cant", and more than whole ones: then the file's ligatures carry a space
NEAR = 200  # characters of a line that are looked at behind its end; longer words and addresses do not occur
SHORT = 0.8
*_LISTS, _SHOWN, _MEANT = Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines()
WHOLE, BEFORE_HYPHEN, BEHIND_HYPHEN = (frozenset(line.split()) for line in _LISTS)  # last: where the paper is silent
RADICALS = dict(zip(_SHOWN, _MEANT, strict=True))  # of fonts' radicals, those that Unicode does not make whole again
HALF_MIN = 4  # letters of halves that are both words of the paper


def mend(pages: Sequence[str]) -> list[str]:
    """The same pages, readable; as many as were given."""
    text = PAGE.join(page.replace("\r\n", "\n").replace("\r", "\n").replace(PAGE, "\n") for page in pages)
    text = WORDS.SPACES.sub(" ", text)
    text = CUT_HERE.join(map(clean, text.split(CUT_HERE)))
    text = WORDS.SHAPES.sub(lambda match: RADICALS.get(match[0]) or unicodedata.normalize("NFKC", match[0]), text)
    text = re.sub("  +", " ", text)
    text = text.replace(" \n", "\n").replace(f" {PAGE}", PAGE)
    text = WORDS.RAISED.sub(lambda match: " " if match[0].endswith(" ") else "", text)
    text = _joined(text)
    text = _ligatures_closed(text.replace("\u2010", "-").replace("\u2011", "-"))
    text = WORDS.WRAPPED.sub(_in_address, text)
    return [_paragraphs(page.strip()) for page in text.split(PAGE)]


def _joined(text: str) -> str:
    cuts = list(WORDS.CUT.finditer(text))
    if not cuts:
        return text
    # How often each word is there. The marks around it are taken off once, and not each time that it occurs.
    words: Counter[str] = Counter()
    for word, times in Counter(text.lower().split()).items():
        words[word.strip(EDGES)] += times
    parts: list[str] = []
    at = 0
    for cut in cuts:
        if cut.start() < at:
            continue
        parts.append(text[at : cut.start()])
        at = cut.end()
        left, right = WORDS.LAST.search("".join(parts[-4:])[-NEAR:]), WORDS.REST.match(text, at)
        # A foot or a table below is no rest of a word.
        below = text[at : at + NEAR].lstrip("\n").replace(PAGE, "\n").partition("\n")[0]
        if left and right and not (opens_aside(below) or NUMBER_ONLY.fullmatch(below)):
            parts.append(f"{'-' if _keeps_hyphen(left[0], right[1], words) else ''}{right[1]}")
            at = right.end()
            parts.append("" if WORDS.CUT.match(text, at) else "\n")
        else:
            parts.append(cut[0].strip("\ufffe\xad"))
    return "".join([*parts, text[at:]])


def _keeps_hyphen(left: str, right: str, words: Counter[str]) -> bool:
    second = re.match(r"[^\W\d_]*", right)
    end = second[0] if second else ""
    if not end or not left[-1].isalpha() or end[0].isupper():
        return True
    first = re.sub(r"\A.*[\d_]", "", left).lower()
    end = end.lower()
    together, apart = words[first + end], words[f"{first}-{end}"]
    if together or apart:
        return apart > together
    if first in BEFORE_HYPHEN:
        return end in BEHIND_HYPHEN or words[end] > 0
    return min(words[first], words[end]) > 1 and min(len(first), len(end)) >= HALF_MIN


def _ligatures_closed(text: str) -> str:
    """Without the space that some publishers' fonts have behind each ligature: "signifi cant"."""
    found = [match.end() for match in WORDS.LIGATURE.finditer(text) if not _ends_whole(text, match.end() - 1)]
    if len(found) < SPLIT_OFTEN or len(found) <= len(WORDS.UNSPLIT.findall(text)):
        return text
    starts = [0, *found]
    return "".join(text[start : end - 1] for start, end in pairwise(starts)) + text[found[-1] :]


def _ends_whole(text: str, end: int) -> bool:
    word = WORDS.LAST.search(text, max(0, end - NEAR), end)
    return word is not None and word[0].lower() in WHOLE


def _in_address(match: re.Match[str]) -> str:
    last = match.string[max(0, match.start() + 1 - NEAR) : match.start() + 1].split()[-1]
    return match[0][0] if "/" in last and WORDS.ADDRESS.search(last) else match[0]


def _paragraphs(page: str) -> str:
    """A blank line where a paragraph ends: behind a line that ends a sentence before the column does."""
    lines = page.split("\n")
    kept = lines[:1]
    for before, line in pairwise(lines):
        full = len(kept[-2]) if len(kept) > 1 else 0
        if len(before) < SHORT * full and line[:1] and not line[0].islower() and WORDS.END.search(before):
            kept.append("")
        kept.append(line)
    return "\n".join(kept)
