"""Every pattern of the product, and texts of a pattern's own pieces over and over: on them one that goes back takes longest."""

import ast
import builtins
import importlib
import re
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

from clinical.papers import file_types
from clinical.patterns import Pattern, Patterns, written
from clinical.templates import choice_words
from clinical.templates.choice_words import FILE, cues
from sheaf.errors import OutOfTime
from sheaf.outside.wiring import alarm
from tests.support.syntax import CLINICAL, LAYER, PACKAGE, dotted, tree

MAKING = {
    f"re.{verb}" for verb in ("compile", "search", "match", "fullmatch", "sub", "split", "findall", "finditer")
} | {"Pattern"}
CHARACTERS = "a1 ,.-AZ;:(/=%\n_'é中<[)\"s0\u00ad"
"""Of a class that many are in, the first of these stand for it."""
AT_A_PLACE = {file_types.BEFORE_ROOT.pattern}
"""Looked for at one place after the other and never from there on: a comment that is not closed ends the looking."""
PIECES_MAX = 80
LENGTHS = (1_000, 2_000, 4_000)
GROWTH_MAX = 2.5
"""A doubled text takes twice as long, or a little more; four times is a square."""
FLOOR_SECONDS = 0.005
"""For the longest text: less says nothing, and costs nobody anything."""
CAP_SECONDS = 5.0
"""Of the clock on the wall, not of the processor: an exponential one never comes back by itself."""


class _Local(dict[str, Any]):
    """Names that a function gives itself, as some word; the module's own are looked up there."""

    def __init__(self, known: dict[str, Any]) -> None:
        super().__init__()
        self.known = known

    def __missing__(self, name: str) -> Any:
        if name in self.known or hasattr(builtins, name):
            raise KeyError(name)
        return "word"


@cache
def patterns() -> dict[str, "re.Pattern[Any]"]:
    """By where they are: those that modules hold, however deep, and those that are made within functions."""
    found: dict[str, re.Pattern[Any]] = {}
    for path in sorted([*PACKAGE.rglob("*.py"), *CLINICAL.rglob("*.py")]):
        name = ".".join(path.relative_to(LAYER).with_suffix("").parts).removesuffix(".__init__")
        module = vars(importlib.import_module(name))
        for variable, value in module.items():
            found.update(_held(f"{name}.{variable}", value))
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Call) and dotted(node.func) in MAKING:
                found.update(_made(f"{name}:{node.lineno}", node, module))
    for field in sorted(written(FILE).keys() - {"AS_SAID", "PARTS"}):
        found.update(_held(f"{choice_words.__name__}.cues({field})", cues(field)))
    distinct = {(pattern.pattern, pattern.flags): name for name, pattern in reversed(found.items())}
    return {name: found[name] for name in sorted(distinct.values())}


def _held(name: str, value: Any) -> Iterator[tuple[str, "re.Pattern[Any]"]]:
    value = vars(value) if isinstance(value, Patterns) else value
    if isinstance(value, re.Pattern | Pattern):
        yield name, value if isinstance(value, re.Pattern) else re.compile(value.pattern, re.I)
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from _held(f"{name}[{key}]", each)
    elif isinstance(value, tuple | list):
        for at, each in enumerate(value):
            yield from _held(f"{name}[{at}]", each)


def _made(name: str, call: ast.Call, module: dict[str, Any]) -> Iterator[tuple[str, "re.Pattern[Any]"]]:
    """The pattern of a call, where it can be told without running the function: a literal, or one with names in it."""
    last = [ast.unparse(each) for each in call.args[1:]][-1:]
    flags = "re.I" if dotted(call.func) == "Pattern" else next((each for each in last if each.startswith("re.")), "0")
    with suppress(AttributeError, TypeError, KeyError, IndexError, ValueError):
        written = eval(ast.unparse(call.args[0]), module, _Local(module))
        if isinstance(written, str | bytes):
            yield name, re.compile(written, eval(flags))


def texts(pattern: "re.Pattern[Any]") -> list[tuple[str, str]]:
    """What to begin with, and what to repeat: pieces of the pattern alone, and behind all that stands before them."""
    pieces: dict[tuple[str, str], None] = {}
    whole = _sample(parser.parse(pattern.pattern, pattern.flags), "", pieces)
    pieces[("", whole)] = None
    told = [(head, piece) for head, piece in pieces if piece]
    return told[:PIECES_MAX]


def _sample(parsed: Iterable[Any], head: str, pieces: dict[tuple[str, str], None]) -> str:
    """A short text that this part of a pattern matches. On the way its pieces are taken down."""
    out = ""
    for code, told in parsed:
        piece = _piece(code, told, head + out, pieces)
        pieces[("", piece)] = None
        out += piece
    return out


def _piece(code: Any, told: Any, head: str, pieces: dict[tuple[str, str], None]) -> str:  # noqa: PLR0911 - one for each code
    match code:
        case codes.LITERAL:
            return chr(told)
        case codes.NOT_LITERAL | codes.ANY:
            return "b"
        case codes.IN:
            members = _members(told)
            pieces.update(dict.fromkeys((start, each) for each in members for start in ("", head)))
            return members[0]
        case codes.BRANCH:
            return next(filter(None, [_sample(branch, head, pieces) for branch in told[1]]), "")
        case codes.MAX_REPEAT | codes.MIN_REPEAT | codes.POSSESSIVE_REPEAT:
            least, _, inner = told
            body = _sample(inner, head, pieces)
            pieces.update(dict.fromkeys([(head, body), ("", head[-40:] + body)]))
            return body * max(int(least), 1)
        case codes.SUBPATTERN | codes.ATOMIC_GROUP:
            return _sample(told[-1] if code is codes.SUBPATTERN else told, head, pieces)
        case codes.ASSERT | codes.ASSERT_NOT:
            _sample(told[1], head, pieces)
    return ""


def _members(told: list[Any]) -> list[str]:
    """Characters of a class; of one that leaves some out, those that it does not."""
    written = [
        chr(each[1] if each[0] is codes.LITERAL else each[1][0])
        for each in told
        if each[0] in {codes.LITERAL, codes.RANGE}
    ]
    common = [each for each in CHARACTERS if _is_in(told, each)]
    return [*common[:4], *(each for each in written[:2] if _is_in(told, each))] or ["\u4e00"]


def _is_in(told: list[Any], character: str) -> bool:
    inside = False
    for code, each in told:
        if code is codes.CATEGORY:
            kind, yes = str(each).removeprefix("CATEGORY_").removeprefix("NOT_"), "NOT_" not in str(each)
            says = {"DIGIT": str.isdigit, "SPACE": str.isspace, "WORD": lambda one: one.isalnum() or one == "_"}[kind]
            inside |= says(character) == yes
        elif code is codes.RANGE:
            inside |= each[0] <= ord(character) <= each[1]
        elif code is codes.LITERAL:
            inside |= ord(character) == each
    return inside != (told[0][0] is codes.NEGATE)


def seconds(pattern: "re.Pattern[Any]", text: str) -> float:
    """Processor time to find all; no more than the cap."""
    told: Any = text.encode(errors="replace") if isinstance(pattern.pattern, bytes) else text
    before = time.process_time()
    try:
        with alarm(CAP_SECONDS):
            for _ in [pattern.match(told)] if pattern.pattern in AT_A_PLACE else pattern.finditer(told):
                pass
    except OutOfTime:
        return CAP_SECONDS
    return time.process_time() - before


def pumped(head: str, piece: str, tail: str, length: int) -> str:
    return head + piece * (length // len(piece)) + tail


def grows(pattern: "re.Pattern[Any]", head: str, piece: str, tail: str) -> list[float]:
    """How much longer each doubled text takes, where that is too much each time; measured again before it is said."""
    short, middle, long = (pumped(head, piece, tail, length) for length in LENGTHS)
    took = seconds(pattern, long)
    if took >= CAP_SECONDS:
        return [CAP_SECONDS]
    if took < FLOOR_SECONDS or took < GROWTH_MAX * seconds(pattern, middle):
        return []
    first, second, third = (min(seconds(pattern, text) for _ in range(3)) for text in (short, middle, long))
    growth = [second / first, third / second]
    return growth if min(growth) > GROWTH_MAX else []
