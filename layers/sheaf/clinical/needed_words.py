"""The words that a pattern cannot match without, read from the tree that Python makes of it: one of each set. Pure."""

from collections.abc import Iterator
from re import _constants as codes  # type: ignore[attr-defined]
from typing import Any

Words = frozenset[str]
DIGIT = r"\d"  # stands among words for any digit
LETTERS_MIN = 2  # of letters that stand in nearly every sentence; a Chinese one may be a word
COMMON = " .,:;()-"  # signs that stand in nearly every sentence
SETS_MAX, WORDS_MAX = 2, 100
REPEATS = {codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT}
WITHIN = {codes.SUBPATTERN: 3, codes.ASSERT: 1, codes.ATOMIC_GROUP: slice(None)}


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
