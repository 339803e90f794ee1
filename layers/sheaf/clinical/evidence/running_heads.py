"""Running heads, feet and page numbers: what may stand between the two halves of a sentence that a page break cuts. Pure."""

import re
from collections import Counter

LINES = 6
"""At a page's top and bottom: as many lines as a head or a foot can be."""
NUMBER_ONLY = re.compile(r"\A\W*+(?:page\W*+)?\d{1,5}(?:(?:[^\w/]*+/|\W*+of)\W*+\d{1,5})?\W*+", re.I)


def bodies(pages: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """For each page's text, where it begins and ends without its head and foot: lines that recur, or only number it."""
    recurring = _recurring(pages)
    return tuple(_body(text, recurring) for text in pages)


def _key(line: str) -> str:
    """A line without its digits: "12 Smith et al." is on every page."""
    return re.sub(r"[\d\s]+", "", line).casefold()


def _lines(text: str) -> list[tuple[int, int]]:
    """Where each line that is not empty begins and ends."""
    return [found.span() for found in re.finditer(r"[^\n]*\S[^\n]*", text)]


def _recurring(pages: tuple[str, ...]) -> set[str]:
    seen: Counter[str] = Counter()
    for text in pages:
        lines = _lines(text)
        edge = {*lines[:LINES], *lines[-LINES:]}
        seen.update({_key(text[start:end]) for start, end in edge})
    return {key for key, times in seen.items() if times > 1 and key}


def _body(text: str, recurring: set[str]) -> tuple[int, int]:
    lines = _lines(text)
    extra = [NUMBER_ONLY.fullmatch(text[a:b]) is not None or _key(text[a:b]) in recurring for a, b in lines]
    first, last = 0, len(lines)
    while first < min(LINES, len(lines)) and extra[first]:
        first += 1
    while last > max(first, len(lines) - LINES) and extra[last - 1]:
        last -= 1
    return (lines[first][0], lines[last - 1][1]) if first < last else (0, len(text))
