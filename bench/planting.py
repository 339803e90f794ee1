"""True quotes, spoilt in layout only, and false ones: made from the sample papers by chance with a seed. Pure.

A false quote is never in the paper by accident: where its words, without layout, are on a page, another one is made.
"""

import random
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sheaf.papers import Page, Paper

SAMPLES = Path(__file__).parent.parent / "samples"
PAGE = 3_000
OFTEN = 0.4
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])|\n\s*\n")
LIGATURES = {"ffi": "ﬃ", "ffl": "ﬄ", "fi": "ﬁ", "fl": "ﬂ", "ff": "ﬀ"}
DASHES = "‐‑‒–−"
SPACES = (" ", "  ", "\n", "\u00a0", "\u2009", "\t")
OPPOSITES = {
    "increased": "decreased", "decreased": "increased", "higher": "lower", "lower": "higher", "more": "less",
    "less": "more", "before": "after", "after": "before", "significant": "insignificant", "with": "without",
    "included": "excluded", "significantly": "insignificantly", "male": "female", "patients": "controls",
    "longer": "shorter", "reduced": "raised", "was": "was not", "were": "were not", "mg": "g", "kg": "g",
    "minutes": "hours", "min": "h", "hours": "days", "days": "weeks", "months": "years", "and": "or",
}  # fmt: skip


@dataclass(frozen=True)
class Case:
    """One quote, and the value that it is to support."""

    paper: Paper
    quote: str
    kind: str
    value: int | float | None = None
    page: int | None = None


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
    """Sentences that lie on one page, without its head and foot."""
    found = []
    for page in paper.pages:
        body = page.text.partition("\n")[2].rpartition("\n")[0]
        for part in SENTENCE.split(body)[1:-1]:
            text = part.strip()
            if 40 <= len(text) <= 400 and text[0].isupper():  # noqa: PLR2004 - a sentence
                found.append((text, page.number))
    return found


def plain(text: str) -> str:
    """Letters and figures only, for an oracle that shares nothing with what it judges."""
    return "".join(letter for letter in unicodedata.normalize("NFKC", text).casefold() if letter.isalnum())


def _is_there(quote: str, paper: Paper) -> bool:
    return plain(quote) in plain(" ".join(page.text for page in paper.pages))


# ------------------------------------------------------------------------------------------------ true quotes


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


MANGLES: dict[str, Callable[[str, random.Random], str]] = {
    "as it is": lambda text, _: text,
    "spaces": _respaced,
    "line ends": _split,
    "lost spaces": _joined,
    "ligatures": _ligated,
    "dashes": _dashed,
    "quotation marks": _quoted,
    "all": lambda text, chance: _respaced(_split(_dashed(_ligated(text, chance), chance), chance), chance),
}


def genuine(count: int, seed: int) -> Iterator[Case]:
    chance = random.Random(seed)  # noqa: S311 - no secret
    for number in range(count):
        paper = chance.choice(papers())
        text, page = chance.choice(sentences(paper))
        kind = list(MANGLES)[number % len(MANGLES)]
        yield Case(paper, MANGLES[kind](text, chance), kind, page=page)


# ------------------------------------------------------------------------------------------------ false quotes

NUMBER = re.compile(r"(?<![\w.,/-])\d+(?:\.\d+)?(?![\w,/-]|\.\d)")


def _altered_digit(text: str, chance: random.Random) -> str | None:
    digits = [found.start() for found in re.finditer(r"\d", text)]
    if not digits:
        return None
    at = chance.choice(digits)
    return text[:at] + chance.choice([each for each in "0123456789" if each != text[at]]) + text[at + 1 :]


def _moved_point(text: str, chance: random.Random) -> str | None:
    found = list(re.finditer(r"(\d)\.(\d)", text))
    if not found:
        return None
    one = chance.choice(found)
    return (
        text[: one.start()]
        + chance.choice((f"{one[1]}{one[2]}", f".{one[1]}{one[2]}", f"{one[1]}{one[2]}."))
        + text[one.end() :]
    )


def _dropped_not(text: str, _chance: random.Random) -> str | None:
    spoilt = re.sub(r"\b(?:not|no|No|never|without)\b ?", "", text, count=1)
    return spoilt if spoilt != text else None


def _opposite(text: str, chance: random.Random) -> str | None:
    there = [found for found in re.finditer(r"[A-Za-z]+", text) if found.group() in OPPOSITES]
    if not there:
        return None
    one = chance.choice(there)
    return text[: one.start()] + OPPOSITES[one.group()] + text[one.end() :]


def _swapped(text: str, chance: random.Random) -> str | None:
    words = text.split()
    at = chance.randrange(len(words) - 1)
    if plain(words[at] + words[at + 1]) == plain(words[at + 1] + words[at]) or "" in map(plain, words[at : at + 2]):
        return None
    words[at], words[at + 1] = words[at + 1], words[at]
    return " ".join(words)


def _dropped_word(text: str, chance: random.Random) -> str | None:
    words = text.split()
    if len(words) < 3:  # noqa: PLR2004 - a first, a last and one to drop
        return None
    del words[chance.randrange(1, len(words) - 1)]
    return " ".join(words)


def _of_another(_text: str, chance: random.Random, paper: Paper) -> str | None:
    other = chance.choice([each for each in papers() if each is not paper])
    return chance.choice(sentences(other))[0]


def _stitched(_text: str, chance: random.Random, paper: Paper) -> str | None:
    first, second = (chance.choice(sentences(paper))[0].split() for _ in range(2))
    return " ".join(first[: len(first) // 2] + second[len(second) // 2 :])


def _sign(text: str, chance: random.Random) -> str | None:
    signs = {"<": ">", ">": "<", "=": "<", "±": "-", "%": " mg", "≥": "≤", "≤": "≥"}
    there = list(re.finditer(r"[<>=±%≥≤]", text))
    if not there:
        return None
    one = chance.choice(there)
    return text[: one.start()] + signs[one.group()] + text[one.end() :]


QUOTES: dict[str, Callable[[str, random.Random, Paper], str | None]] = {
    "altered digit": lambda text, chance, _: _altered_digit(text, chance),
    "moved point": lambda text, chance, _: _moved_point(text, chance),
    "dropped not": lambda text, chance, _: _dropped_not(text, chance),
    "opposite word or unit": lambda text, chance, _: _opposite(text, chance),
    "swapped words": lambda text, chance, _: _swapped(text, chance),
    "dropped word": lambda text, chance, _: _dropped_word(text, chance),
    "other sign": lambda text, chance, _: _sign(text, chance),
    "of another paper": _of_another,
    "stitched": _stitched,
}
VALUES = ("altered value", "wrong page")


def planted(count: int, seed: int) -> Iterator[Case]:
    """False quotes, true quotes with an altered number for a value, and true quotes said to be on another page."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    kinds = [*QUOTES, *VALUES]
    made = 0
    while made < count:
        paper = chance.choice(papers())
        text, page = chance.choice(sentences(paper))
        kind = kinds[made % len(kinds)]
        case = (
            _value_case(kind, paper, text, page, chance) if kind in VALUES else _quote_case(kind, paper, text, chance)
        )
        if case:
            made += 1
            yield case


def _quote_case(kind: str, paper: Paper, text: str, chance: random.Random) -> Case | None:
    quote = QUOTES[kind](text, chance, paper)
    if quote is None or quote == text or (_is_there(quote, paper) and kind not in {"moved point", "other sign"}):
        return None
    return Case(paper, quote, kind)


def _value_case(kind: str, paper: Paper, text: str, page: int, chance: random.Random) -> Case | None:
    if kind == "wrong page":
        others = [each.number for each in paper.pages if plain(text) not in plain(each.text)]
        return Case(paper, text, kind, page=chance.choice(others)) if others else None
    numbers = NUMBER.findall(text)
    if not numbers:
        return None
    number = chance.choice(numbers)
    altered = _altered_digit(number, chance) if chance.random() < 0.5 else _shifted(number, chance)  # noqa: PLR2004
    value = float(altered or 0)
    if any(float(said) == value for said in re.findall(r"\d+(?:\.\d+)?", text)) or _is_spelled(value, text):
        return None
    return Case(paper, text, kind, int(value) if value == int(value) else value, page)


ONES = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen
""".split()  # noqa: SIM905 - read best as they are counted
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()  # noqa: SIM905 - read best as they are counted


def _spelled(number: int) -> str:
    """A number below a thousand, in words."""
    hundreds, rest = divmod(number, 100)
    below = ONES[rest] if rest < len(ONES) else f"{TENS[rest // 10 - 2]} {ONES[rest % 10] if rest % 10 else ''}".strip()
    return f"{ONES[hundreds]} hundred {below if rest else ''}".strip() if hundreds else below


def _is_spelled(value: float, text: str) -> bool:
    """Whether the text says this number in words: then it is no false one."""
    if value != int(value) or not 0 <= value < 1000:  # noqa: PLR2004 - as far as words go here
        return False
    words = re.sub(r"[^a-z]+(?:and )?", " ", text.lower())
    return f" {_spelled(int(value))} " in f" {words} "


def _shifted(number: str, chance: random.Random) -> str:
    return str(float(number) * chance.choice((10, 100, 0.1, 0.01)))
