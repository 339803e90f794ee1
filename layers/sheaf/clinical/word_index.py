"""A paper's sentences by their letters, to try a pattern where its words stand: too often, never too seldom. Pure.

The words that a pattern cannot match without are read from the tree that Python makes of it: one of each set.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache, cached_property, reduce
from operator import or_
from re import _constants as codes  # type: ignore[attr-defined]
from typing import Any

Words = frozenset[str]
DIGIT = r"\d"  # stands among words for any digit
LETTERS_MIN = 2  # of letters that stand in nearly every sentence; a Chinese one may be a word
COMMON = " .,:;()-"  # signs that stand in nearly every sentence
SETS_MAX, WORDS_MAX = 2, 100
REPEATS = {codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT}
WITHIN = {codes.SUBPATTERN: 3, codes.ASSERT: 1, codes.ATOMIC_GROUP: slice(None)}
DIGITS = re.compile(DIGIT)
GRAM = 3  # letters in a row by which sentences are known, which are bits of a number: many are told apart at once


class Indexed(str):
    """A sentence's text that knows its index, and itself in small letters."""

    __slots__ = ("bit", "known_by", "low")
    known_by: "Index"
    low: str
    bit: int


def part(text: str, start: int, end: int | None) -> str:
    """A piece of a text: it has no word that the whole has not."""
    if not isinstance(text, Indexed):
        return text[start:end]
    made = Indexed(text[start:end])
    made.known_by, made.bit, made.low = text.known_by, text.bit, text.low[start:end]
    return made


class Index:
    """The sentences of one paper. All are there before the first is asked about."""

    def __init__(self) -> None:
        self._texts: list[tuple[int, str]] = []
        self.known: dict[object, int] = {}  # by a word, by words or by a pattern that was asked about

    def of(self, text: str) -> Indexed:
        made = Indexed(text)
        made.known_by, made.bit, made.low = self, 1 << len(self._texts), folded(text)
        self._texts.append((made.bit, made.low))
        return made

    def having(self, needed: tuple[Words, ...]) -> int:
        found = -1
        for words in needed:
            found = found and found & self.having_any(words)
        return found

    def having_any(self, words: Iterable[str]) -> int:
        if words not in self.known:
            self.known[words] = reduce(or_, map(self._having, words), 0)
        return self.known[words]

    def _having(self, word: str) -> int:
        if word not in self.known:
            self.known[word] = self._by_grams(word) if len(word) >= GRAM else self._by_text(word)
        return self.known[word]

    def _by_text(self, word: str) -> int:
        if word == DIGIT:
            return sum(bit for bit, text in self._texts if DIGITS.search(text))
        return sum(bit for bit, text in (self._texts if word.isascii() else self._foreign) if word in text)

    def _by_grams(self, word: str) -> int:
        found = -1
        for gram in grams(word):
            found &= self._grams.get(gram, 0)
        return found

    @cached_property
    def _foreign(self) -> list[tuple[int, str]]:
        return [(bit, text) for bit, text in self._texts if not text.isascii()]

    @cached_property
    def _grams(self) -> dict[str, int]:
        words: dict[str, int] = {}
        for bit, text in self._texts:
            for word in {*text.split()}:
                words[word] = words.get(word, 0) | bit
        found: dict[str, int] = {}
        for word, those in words.items():
            padded = f" {word} "
            for at in range(len(word)):
                gram = padded[at : at + GRAM]
                found[gram] = found.get(gram, 0) | those
        return found


@cache
def grams(word: str) -> tuple[str, ...]:
    """Those of a word that is looked for, by which it is known; none has its space in the middle."""
    places = {*range(0, len(word) - GRAM, GRAM), len(word) - GRAM}
    return tuple(word[at : at + GRAM] for at in places if word[at + 1] != " ")


def needed(tree: Any) -> tuple[Words, ...]:
    """The sets that tell most; none where no word is sure."""
    return tuple(sorted(_telling(tree), key=_worth, reverse=True)[:SETS_MAX])


def _telling(tree: Any) -> set[Words]:
    return {words for words in _sets(tree) if len(words) <= WORDS_MAX and all(map(_tells, words))}


def _tells(word: str) -> bool:
    return len(word.strip(COMMON)) >= (LETTERS_MIN if word.isascii() and word.isalpha() else 1)


def _worth(words: Words) -> tuple[int, int, list[str]]:
    return min(map(len, words)), -len(words), sorted(words)


def _sets(tree: Any) -> Iterator[Words]:
    word = ""
    for code, given in tree:
        letter = _plain(given) if code is codes.LITERAL else ""
        word += letter
        if not letter and code is not codes.AT:
            yield frozenset((word,))
            yield from _of_part(code, given)
            word = ""
    yield frozenset((word,))


def _plain(number: int) -> str:
    """A letter as `folded` has it; "" for one that has capitals and is not of ASCII, and for other white space than a space."""
    letter = folded(chr(number))
    is_white = letter.isspace() and letter != " "
    return letter if not is_white and (letter.isascii() or letter == letter.upper()) else ""


def _of_part(code: Any, given: Any) -> Iterator[Words]:
    if code is codes.IN and given == [(codes.CATEGORY, codes.CATEGORY_DIGIT)]:
        yield frozenset((DIGIT,))
    elif code in WITHIN:
        yield from _sets(given[WITHIN[code]])
    elif code in REPEATS and given[0]:
        yield from _sets(given[2])
    elif code is codes.BRANCH:
        ways = [max(_telling(way), key=_worth, default=Words()) for way in given[1]]
        yield Words().union(*ways) if all(ways) else Words(("",))


def folded(text: str) -> str:
    """A text in small letters, one for each letter; also those that a pattern without capitals takes for an "i" or an "s"."""
    return text.replace("İ", "i").lower().replace("ı", "i").replace("ſ", "s")
