"""What papers say, as regular expressions that stand in TOML files. Pure.

A pattern may go on in the next line: neither a line's end counts nor the spaces that it is indented by, two at least. Capitals
are as good as small letters, but within `(?-i:...)`. `{PART}` stands for what several patterns share.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

LINE = re.compile(r"\n|^ {2,}", re.M)
PART = re.compile(r"\{([A-Z_]+)\}")


class Patterns:
    """Those of one module: each is an attribute; where a name stands for more than one, they are `several`."""

    def __init__(self, texts: Mapping[str, str | list[str]], parts: Mapping[str, str]) -> None:
        self.several: dict[str, tuple[re.Pattern[str], ...]] = {}
        for name, text in texts.items():
            if isinstance(text, str):
                setattr(self, name, made(text, parts))
            else:
                self.several[name] = tuple(made(each, parts) for each in text)

    def __getattr__(self, name: str) -> re.Pattern[str]:
        """Asked only for what is not in the file."""
        raise AttributeError(name)


def words_of(module: str, parts: Mapping[str, str] | None = None) -> Patterns:
    """Those of the module whose file this is: its table in `words.toml` of its room. `parts` are other rooms' own."""
    path = Path(module)
    room = written(path.with_name("words.toml"))
    return Patterns(room[path.stem], {**(parts or {}), **room.get("PARTS", {})})


@cache
def written(path: Path) -> dict[str, Any]:
    """A file of patterns, as they are written."""
    return tomllib.loads(path.read_text("utf-8"))


def any_case(pattern: str) -> re.Pattern[str]:
    """A pattern of words, in capitals or not: papers write headings and names of methods in either."""
    return re.compile(pattern, re.I)


def made(text: str, parts: Mapping[str, str]) -> re.Pattern[str]:
    return any_case(whole(text, parts))


def whole(text: str, parts: Mapping[str, str]) -> str:
    """A pattern on one line, with the parts that it names, and those that they name."""
    return PART.sub(lambda part: whole(parts[part[1]], parts), LINE.sub("", text))
