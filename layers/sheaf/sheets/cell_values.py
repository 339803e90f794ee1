"""What single cells say: missing, a number, yes or no, a date. Pure."""

import re
from datetime import date, datetime, time, timedelta
from math import inf, isinf
from typing import TypeAlias

Cell: TypeAlias = str | float | bool | date | time | timedelta | None  # as a reader of files gives it
Kept: TypeAlias = str | float | bool | None  # as JSON has it
WORDS = """na n/a n.a. #n/a nan null missing unknown nd - -- — – － − . .. ? / \\ 未查 未测 未做 未检 未填 缺失 空
#div/0! #value! #ref! #name? #num! #null!"""
MISSING = frozenset(WORDS.split())
DASHES = frozenset(("-", "--", "—", "–", "－", "−", "/", "?"))
"""Not missing in a column where plus signs stand: there a dash is a finding."""
PLUS = re.compile(r"[(（]?[+＋±]{1,4}[)）]?")
YES, NO = frozenset(("yes", "y", "true", "是")), frozenset(("no", "n", "false", "否"))
WIDE: dict[int, int | str] = {**{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}, 0x3000: " ", 0x2212: "-"}
NUMBER = re.compile(r"(?=[+-]?\.?\d)[+-]?(\d{1,3}(?:,\d{3})+|\d*)(?:\.\d+(?:[eE][+-]?\d{1,3})?|[eE][+-]\d{1,3})?", re.A)
"""1E5 is none: whatever writes numbers writes 1E+05 or 1.0E5, and this is a code."""
DATE = re.compile(r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[ T](\d{1,2}):(\d{2})(?::(\d{2})(?:\.0+)?)?)?")
CENSORED = re.compile(r"\s*[<>≤≥＜＞~≈]\s*\d")
ZERO_FIRST = re.compile(r"0\d+")
DIGITS_MAX = 15  # a longer number is not the same any more as a float


def number(text: str) -> float | None:
    """None for what is no number; digits of another width, a comma between thousands and a percent sign are read."""
    plain = text.strip() if text.isascii() else text.translate(WIDE).strip()
    share = plain.endswith("%")
    plain = plain.removesuffix("%").rstrip()
    shape = NUMBER.fullmatch(plain)
    if not shape or ZERO_FIRST.fullmatch(plain):
        return None
    whole = shape[1].replace(",", "")
    found = float(plain.replace(",", "")) if len(whole) <= DIGITS_MAX else inf
    if isinf(found):
        return None
    return round(found / 100, 12) if share else found


def moment(text: str) -> str | None:
    """A date, or a date and time of day, as ISO 8601 writes it."""
    found = DATE.fullmatch(text)
    if not found:
        return None
    parts = [int(part) for part in found.groups() if part is not None]
    try:
        return iso(datetime(*parts) if len(parts) > 3 else date(*parts))  # type: ignore[arg-type] # noqa: DTZ001, PLR2004 - sheets know no zones
    except ValueError:
        return None


def iso(value: date | datetime | time | timedelta) -> str:
    if isinstance(value, timedelta):
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    return value.isoformat()


def plain(value: Cell) -> Kept:
    """A cell as JSON has it."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 10**DIGITS_MAX:
        return int(value)
    return iso(value) if isinstance(value, date | time | timedelta) else value
