"""Whether a quote has a text's words in its order; small words, inflection, spelling and case excused. Pure."""

import re
from calendar import month_abbr, month_name
from collections.abc import Iterator, Sequence
from pathlib import Path

from clinical.evidence.letters import FLAT, fold, is_wide
from clinical.evidence.normal_form import loosened, normal
from clinical.evidence.quantities.number_words import SCALES, SMALL, TENS
from clinical.evidence.quantities.units import CANONICAL

Span = tuple[int, int]
WORD = re.compile(r"[^\W\d_]+(?:[-'/][^\W\d_]+)*|(?<=\d)[^\W\d_]+")
JOINT = re.compile(r"[-'/]")
BROKEN = re.compile(r"(?<=[^\W\d_])[-‐\u00ad\ufffe\x02][^\S\n]*\n\s*(?=[^\W\d_])")
_SMALL = Path(__file__).with_suffix(".txt").read_text("utf-8").split()
LIGHT = {*_SMALL, *SMALL, *TENS, *SCALES, *CANONICAL, *(name.lower() for name in (*month_name, *month_abbr))}
LIGHT_WIDE = set("的了在是和与及或为被由于对之其个")
CAPITALS = re.compile(r"\b[A-Z]{2,6}\b")  # an abbreviation or initials: the quote may have the words that they begin
ENDING = re.compile(r"(?<=[a-z]{3})(?:'s|ies|ied|ing|ed|es|s|y|e)$")
CENTRE = re.compile(r"(?<=t)re(?=s?$)")
COPIED = 20  # letters of a compared text that are no chance where the quote has them all in a row


def says_words(value: str, quote: str) -> bool:
    if next(spans(value, flat(quote)), None) is not None:
        return True
    copied = normal(value, loose=True).text
    return len(copied) >= COPIED and copied in normal(quote, loose=True).text


def flat(text: str) -> str:
    return " ".join(BROKEN.sub("-", text.translate(FLAT)).split())


def spans(value: str, text: str) -> Iterator[Span]:
    """For each place of the first word, up to the last, in a flat text; a value without any is everywhere."""
    there = [(each, start, end) for word, start, end in _words(text) for each in _stems(word)]
    initials = "".join(part[0] for word, *_ in _words(text) for part in JOINT.split(word) if part)
    named = CAPITALS.sub(lambda at: "" if at[0] not in text and at[0].lower() in initials else at[0], value)
    for wanted in _wanted(named):
        if not wanted:
            yield 0, len(text)
        for at, (each, start, end) in enumerate(there):
            last = _follow(wanted[1:], there[at + 1 :], end) if wanted and each == wanted[0] else None
            if last:
                yield start, last


def _follow(wanted: Sequence[str], there: Sequence[tuple[str, int, int]], end: int) -> int | None:
    places = iter(there)
    for word in wanted:
        end = next((last for stem, _, last in places if stem == word), 0)
        if not end:
            return None
    return end


def _wanted(value: str) -> Iterator[list[str]]:
    told = [word for word, *_ in _words(value)]
    apart = [part for word in told for part in JOINT.split(word)]
    for words in (apart, [JOINT.sub("", word) for word in told]) if apart != told else (told,):
        yield [stem(word) for word in words if len(word) > 1 or is_wide(word)]


def _words(text: str) -> Iterator[tuple[str, int, int]]:
    for found in WORD.finditer(text):
        word = "".join(map(fold, found.group()))
        if any(map(is_wide, word)):
            letters = enumerate(found.group(), found.start())
            yield from ((letter, at, at + 1) for at, letter in letters if letter not in LIGHT_WIDE)
        elif word not in LIGHT:
            yield word, *found.span()


def _stems(word: str) -> Iterator[str]:
    yield from map(stem, JOINT.split(word))
    if JOINT.search(word):
        yield stem(JOINT.sub("", word))


def stem(word: str) -> str:
    told = ENDING.sub("", loosened(CENTRE.sub("er", word)))
    return told[:-1] if len(told) > 3 and told[-1] == told[-2] else told  # noqa: PLR2004 - stopped, of stop
