"""What single cells say: missing, a number, yes or no, a date. Pure."""

import re
import unicodedata
from datetime import date, datetime, time, timedelta
from typing import TypeAlias

Cell: TypeAlias = str | float | bool | date | time | timedelta | None
"""As a reader of files gives it."""
Kept: TypeAlias = str | float | bool | None
"""As JSON has it."""
WORDS = """na n/a n.a. #n/a nan null missing unknown nd - -- — – . .. ? / \\ 未查 未测 未做 未检 未填 缺失 空"""
MISSING = frozenset(WORDS.split())
ALWAYS = MISSING - {"-", "--", "—", "–", "/", "?"}
"""Missing also in a column where a dash, as in − and +, says something."""
YES, NO = frozenset(("yes", "y", "true", "是")), frozenset(("no", "n", "false", "否"))
ERRORS = frozenset(("#div/0!", "#value!", "#ref!", "#name?", "#num!", "#null!"))
NUMBER = re.compile(r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:[eE][+-]?\d{1,3})?")
DATE = re.compile(r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}))?)?")
CENSORED = re.compile(r"\s*[<>≤≥＜＞~≈]\s*\d")
ZERO_FIRST = re.compile(r"0\d+")


def number(text: str) -> float | None:
    """None for what is no number; digits of another width, a comma between thousands and a percent sign are read."""
    plain = unicodedata.normalize("NFKC", text).strip() if not text.isascii() else text.strip()
    share = plain.endswith("%")
    plain = plain.removesuffix("%").rstrip()
    if not plain or not NUMBER.fullmatch(plain) or not any(letter.isdigit() for letter in plain):
        return None
    if ZERO_FIRST.fullmatch(plain):
        return None
    found = float(plain.replace(",", ""))
    if found in {float("inf"), float("-inf")}:
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
        return str(value)
    return value.isoformat()


def plain(value: Cell) -> Kept:
    """A cell as JSON has it."""
    return iso(value) if isinstance(value, date | time | timedelta) else value
