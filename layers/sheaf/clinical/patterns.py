"""What papers say, as regular expressions that stand in TOML files. Pure.

Neither a line's end counts nor its two spaces or more of indent, nor capitals outside `(?-i:...)`; `{PART}` is shared.
"""

import re
import sys
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache, cached_property, reduce
from operator import or_
from pathlib import Path
from re import _compiler, _parser  # type: ignore[attr-defined]
from typing import Any, cast

from clinical.word_index import Indexed, Words, needed

LINE = re.compile(r"\n|^ {2,}", re.M)
PART = re.compile(r"\{([A-Z_]+)\}")
LETTER = re.compile(r"(\\.|\(\?P)|.", re.S)  # of a pattern; and what is none, and stays as it is


class Pattern:
    """A regular expression that is compiled when a text is met that it may match; capitals do not matter to it."""

    def __init__(self, text: str) -> None:
        self.pattern = text
        self.is_ascii = text.isascii()

    @cached_property
    def _is_small(self) -> bool:
        """Whether it finds the same in small letters: no part of it asks for capitals, and none of its letters has three forms."""
        odd = (letter for letter in self.pattern if not letter.isascii() and letter.lower() != letter.upper())
        return "(?-i" not in self.pattern and not any(odd)

    @cached_property
    def _tree(self) -> Any:
        small = LETTER.sub(lambda each: each[1] or each[0].lower(), self.pattern) if self._is_small else self.pattern
        return _parser.parse(small)

    @cached_property
    def needed(self) -> tuple[Words, ...]:
        return needed(self._tree)

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        return cast("re.Pattern[str]", _compiler.compile(self._tree, re.I))

    @cached_property
    def _of_small(self) -> re.Pattern[str] | None:
        """For a text in small letters, in which it finds the same place in half the time."""
        return cast("re.Pattern[str]", _compiler.compile(self._tree)) if self._is_small else None

    def may_be_in(self, text: str) -> bool:
        if not isinstance(text, Indexed):
            return True
        found = text.known_by.known.get(self)
        if found is None:
            found = text.known_by.known[self] = text.known_by.having(self.needed)
        return found & text.bit != 0

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        if not self.may_be_in(text):
            return None
        if not isinstance(text, Indexed) or self._of_small is None:
            return self.compiled.search(text, start, end)
        found = self._of_small.search(text.low, start, end)
        return self.compiled.match(text, found.start(), end) if found else None

    def finditer(self, text: str, start: int = 0, end: int = sys.maxsize) -> Iterator[re.Match[str]]:
        if not self.may_be_in(text):
            return iter(())
        if not isinstance(text, Indexed) or self._of_small is None:
            return self.compiled.finditer(text, start, end)
        places = (found.start() for found in self._of_small.finditer(text.low, start, end))
        return filter(None, (self.compiled.match(text, place, end) for place in places))

    def findall(self, text: str) -> list[Any]:
        return self.compiled.findall(text) if self.may_be_in(text) else []

    def match(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        return self.compiled.match(text, start, end) if self.may_be_in(text) else None

    def fullmatch(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        return self.compiled.fullmatch(text, start, end) if self.may_be_in(text) else None

    def split(self, text: str, maxsplit: int = 0) -> list[str | Any]:
        return self.compiled.split(text, maxsplit)

    def sub(self, instead: str | Callable[[re.Match[str]], str], text: str) -> str:
        return self.compiled.sub(instead, text)


def one_may_be_in(patterns: Collection[Pattern], text: str) -> bool:
    if not isinstance(text, Indexed):
        return True
    found = text.known_by.known.get(patterns)
    if found is None:
        found = reduce(or_, (text.known_by.having(each.needed) for each in patterns), 0)
        text.known_by.known[patterns] = found
    return found & text.bit != 0


class Patterns:
    """Those of one module: each is an attribute; where a name stands for more than one, they are `several`."""

    def __init__(self, texts: Mapping[str, str | list[str]], parts: Mapping[str, str]) -> None:
        self.several: dict[str, tuple[Pattern, ...]] = {}
        for name, text in texts.items():
            if isinstance(text, str):
                setattr(self, name, made(text, parts))
            else:
                self.several[name] = tuple(made(each, parts) for each in text)

    def __getattr__(self, name: str) -> Pattern:
        """Asked only for what is not in the file."""
        raise AttributeError(name)


def words_of(module: str, parts: Mapping[str, str] | None = None) -> Patterns:
    """Those of the module whose file this is: its table in `words.toml` of its room. `parts` are other rooms' own."""
    path = Path(module)
    room = written(path.with_name("words.toml"))
    return Patterns(room[path.stem], {**(parts or {}), **room.get("PARTS", {})})


@cache
def written(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text("utf-8"))


def made(text: str, parts: Mapping[str, str]) -> Pattern:
    return _pattern(whole(text, parts))


@cache
def _pattern(text: str) -> Pattern:
    return Pattern(text)


def whole(text: str, parts: Mapping[str, str]) -> str:
    return PART.sub(lambda part: whole(parts[part[1]], parts), LINE.sub("", text))
