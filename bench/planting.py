"""True quotes of six plain texts, spoilt in layout only: the quote's, or the page's. Made by chance with a seed. Pure."""

import random
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from clinical.papers import Page, Paper
from clinical.templates import Field

SAMPLES = Path(__file__).parent.parent / "tests" / "data"
PAGE = 3_000
OFTEN = 0.4
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])|\n\s*\n")
LIGATURES = {"ffi": "ﬃ", "ffl": "ﬄ", "fi": "ﬁ", "fl": "ﬂ", "ff": "ﬀ"}
DASHES = "‐‑‒–−"
SELDOM = 0.05
ODD_SPACES = ("\u00a0", "\u2003", "\u2007", "\u200a", "\u202f", "\u3000", "\r\n", "   ")
SYMBOLS = {
    "α": "\uf061", "β": "\uf062", "μ": "\uf06d", "±": "\uf0b1", "≥": "\uf0b3", "≤": "\uf0a3", "−": "\uf02d", "×": "\uf0b4",
}  # fmt: skip
SPACES = (" ", "  ", "\n", "\u00a0", "\u2009", "\t")


@dataclass(frozen=True)
class Case:
    """One quote, and the value that it is to support."""

    paper: Paper
    quote: str
    kind: str
    value: int | float | str | bool | None = None
    page: int | None = None
    field: Field | None = None
    """What the value is of, where a plain number would not do."""


@cache
def papers() -> tuple[Paper, ...]:
    return tuple(_paged(path.read_text(encoding="utf-8")) for path in sorted(SAMPLES.glob("*-20*.txt")))


def _paged(text: str) -> Paper:
    """A sample as if it were printed: pages that break between words, lines of eighty, a running head and a foot."""
    pages, number = [], 0
    words = re.findall(r"\S+\s*", text)
    while words:
        number += 1
        body, size = [], 0
        while words and size < PAGE:
            body.append(words.pop(0))
            size += len(body[-1])
        pages.append(Page(number, f"Journal of Samples 2017, 4:12\n{''.join(body).rstrip()}\nPage {number} of 9"))
    return Paper("pdf", tuple(pages))


def sentences(paper: Paper) -> list[tuple[str, int]]:
    return _sentences(paper.pages)


@cache
def _sentences(pages: tuple[Page, ...]) -> list[tuple[str, int]]:
    """Sentences that lie on one page, without its head and foot."""
    found = []
    for page in pages:
        body = page.text.partition("\n")[2].rpartition("\n")[0]
        for part in SENTENCE.split(body)[1:-1]:
            text = part.strip()
            if 40 <= len(text) <= 400 and text[0].isupper():  # noqa: PLR2004 - a sentence
                found.append((text, page.number))
    return found


def plain(text: str) -> str:
    """Letters and figures only, for an oracle that shares nothing with what it judges."""
    return "".join(letter for letter in unicodedata.normalize("NFKC", text).casefold() if letter.isalnum())


def _respaced(text: str, chance: random.Random) -> str:
    return "".join(chance.choice(SPACES) if letter == " " and chance.random() < OFTEN else letter for letter in text)


def _split(text: str, chance: random.Random) -> str:
    """Words cut at line ends, with and without a hyphen; never a number."""
    words = text.split(" ")
    for at, word in enumerate(words):
        if word.isalpha() and len(word) > 6 and chance.random() < 0.3:  # noqa: PLR2004 - a long word
            cut = chance.randrange(2, len(word) - 2)
            words[at] = word[:cut] + chance.choice(("-\n", "\u00ad", "\u00ad\n", "- ", "\ufffe")) + word[cut:]
    return " ".join(words)


def _joined(text: str, chance: random.Random) -> str:
    """Spaces lost between words; never beside a number."""
    return re.sub(r"(?<=[a-z]) (?=[a-z])", lambda found: "" if chance.random() < 0.3 else found.group(), text)  # noqa: PLR2004


def _ligated(text: str, _chance: random.Random) -> str:
    for letters, ligature in LIGATURES.items():
        text = text.replace(letters, ligature)
    return text


def _dashed(text: str, chance: random.Random) -> str:
    return re.sub(r"-", lambda _: chance.choice(DASHES), text)


def _quoted(text: str, _chance: random.Random) -> str:
    return text.replace("'", "’").replace('"', "”").replace("(", "（").replace(")", "）")


def _odd_spaces(text: str, chance: random.Random) -> str:
    """Spaces of every width, none, and characters without any."""
    spaced = "".join(
        chance.choice(ODD_SPACES) if letter == " " and chance.random() < OFTEN else letter for letter in text
    )
    return "".join(f"{letter}\u200b" if letter.isalpha() and chance.random() < SELDOM else letter for letter in spaced)


def _compounds(text: str, chance: random.Random) -> str:
    """Hyphens within words: at a line's end, hard, spaced, or gone; in a name before a figure never gone."""
    words = re.sub(r"(?<=[a-z])-(?=[a-z])", lambda _: chance.choice(("-\n", "\u2011", " - ", "- ", "", " ")), text)
    return re.sub(r"(?<=[A-Za-z])-(?=\d)", lambda _: chance.choice(("-\n", "\u2011", "\u2013")), words)


def _grouped(text: str, chance: random.Random) -> str:
    joins = ("", "\u00a0", "\u2009", "\u202f", "'")
    return re.sub(
        r"(?<![\d.,(])(\d{1,3}),(\d{3})(?![\d.,])", lambda found: f"{found[1]}{chance.choice(joins)}{found[2]}", text
    )


def _signs(text: str, chance: random.Random) -> str:
    """Signs with spaces and without, wide ones, and as they are typed."""
    text = text.replace("≥", ">=").replace("≤", "<=").replace("±", chance.choice(("+/-", "+-", " ± ")))
    text = re.sub(r" ?([=<>]) ?", lambda found: chance.choice((found[1], f" {found[1]} ", f"\u2009{found[1]}")), text)
    return re.sub(r"(?<=\d) ?%", lambda _: chance.choice(("%", " %", "\u202f%", "％")), text)


def _case(text: str, chance: random.Random) -> str:
    return chance.choice((text.upper(), text.lower(), text.title()))


def _points(text: str, chance: random.Random) -> str:
    dotted = re.sub(r"(?<=\d)\.(?=\d)", "·", text)
    return chance.choice((dotted, re.sub(r"(?<![\d.])0\.(?=\d)", ".", text)))


def _cited(text: str, chance: random.Random) -> str:
    """Citation marks that the quote leaves out: raised, behind a full stop, or in brackets where the quote has none."""
    raised = re.sub(r"(?<=[a-z]{4}[.,]) (?=[A-Za-z])", lambda _: chance.choice(("¹² ", "³,⁴ ", "⁷⁻⁹ ")), text)
    stopped = re.sub(r"(?<=[a-z]{4}\.) (?=[A-Z])", lambda _: chance.choice(("12 ", "7-9 ", "14,15 ")), text)
    bracketed = re.sub(r"(?<=[a-z]{4})(?=[.,] )", lambda _: chance.choice((" [12]", "[3,4]", " [5–7]")), text)
    return chance.choice((raised, stopped, raised if "[" in text else bracketed))


def _symbols(text: str, _chance: random.Random) -> str:
    return "".join(SYMBOLS.get(letter, letter) for letter in text.replace("µ", "μ"))


def _cells(text: str, chance: random.Random) -> str:
    """As in a table, but for what is between a sign and its number."""
    return re.sub(r"(?<![-−–±=<>]) (?![-−–±=<>%])", lambda _: chance.choice((" ", "\t", " | ", "\n")), text)


MANGLES: dict[str, Callable[[str, random.Random], str]] = {
    "as it is": lambda text, _: text,
    "spaces": _respaced,
    "line ends": _split,
    "lost spaces": _joined,
    "ligatures": _ligated,
    "dashes": _dashed,
    "quotation marks": _quoted,
    "odd spaces": _odd_spaces,
    "compounds": _compounds,
    "thousands": _grouped,
    "signs": _signs,
    "case": _case,
    "points": _points,
    "typed accents": lambda text, _: unicodedata.normalize("NFD", text),
    "all": lambda text, chance: _respaced(_split(_dashed(_ligated(text, chance), chance), chance), chance),
}


PAGES: dict[str, Callable[[str, random.Random], str]] = {
    "page: line ends": _split,
    "page: ligatures": _ligated,
    "page: citations": _cited,
    "page: Symbol font": _symbols,
    "page: cells": _cells,
    "page: thousands": _grouped,
    "page: odd spaces": _odd_spaces,
}
"""What a PDF's reader, and no engine, does: the page is spoilt, the quote is as it was printed."""
KINDS = (*MANGLES, *PAGES)


def genuine(count: int, seed: int) -> Iterator[Case]:
    chance = random.Random(seed)  # noqa: S311 - no secret
    for number in range(count):
        paper = chance.choice(papers())
        text, page = chance.choice(sentences(paper))
        kind = KINDS[number % len(KINDS)]
        if kind in MANGLES:
            yield Case(paper, MANGLES[kind](text, chance), kind, page=page)
        else:
            yield Case(_reprinted(paper, page, text, PAGES[kind](text, chance)), text, kind, page=page)


def _reprinted(paper: Paper, number: int, text: str, instead: str) -> Paper:
    pages = (
        replace(page, text=page.text.replace(text, instead, 1)) if page.number == number else page
        for page in paper.pages
    )
    return replace(paper, pages=tuple(pages))
