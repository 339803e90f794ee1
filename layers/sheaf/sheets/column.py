"""One column: what it holds, which of its cells are missing or do not fit, and its values as they are kept. Pure.

A cell that does not fit its column's type stays the text that it was; nothing is guessed.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime
from math import isfinite
from typing import TypeVar, cast

from sheets import cell_values
from sheets.cell_values import DASHES, DIGITS_MAX, MISSING, NO, PLUS, YES, Cell, Kept
from sheets.column_view import ColumnView, Spread, Type

UNIT = re.compile(r"(.+?)\s*[(（\[]\s*([^()（）\[\]]{1,20})\s*[)）\]]", re.S)
ID_NAME = re.compile(r"(?:^|[^a-z])(?:id|no|nr|code|key)(?:$|[^a-z])|编号|编码|序号|病案号|住院号|登记号|身份证", re.I)
DATE_NAME = re.compile(r"date|日期|时间|day of", re.I)
MOSTLY = 0.7  # so many of the values there have to fit a type for the column to have it
CATEGORIES_MAX, OFTEN = 50, 0.5
SERIAL = (20_000, 60_000)  # days since 1900 of which a column that is called a date may consist: 1954 to 2064
EXAMPLES, TOP = 5, 20
WORDS_MAX = 40  # ways to write yes and no in one column
TYPED = {"integer", "float", "percent", "date", "datetime"}
MARKS: dict[str, Callable[[str], object]] = {
    "leading_zeros": cell_values.ZERO_FIRST.fullmatch,
    "censored": cell_values.CENSORED.match,
}
Kind = tuple[Type, Mapping[Cell, Kept], set[str]]
"""The type, what each distinct value that fits it is kept as, and what has to be said of it."""
T = TypeVar("T")
ByCell = dict[Cell, T]


def describe(index: int, header: str, values: Sequence[Cell], *, is_percent: bool) -> tuple[ColumnView, list[Kept]]:
    """A column's description, and its values as they are kept. Only what is distinct is looked at: most columns have little of it."""
    if {bool} < (types := set(map(type, values))) and types & {int, float}:
        # To Python 1 is True.
        values = [str(value).upper() if isinstance(value, bool) else value for value in values]
    counts = Counter(values)
    if any(map(_is_endless, counts)):
        # JSON has no such numbers.
        values = [str(value) if _is_endless(value) else value for value in values]
        counts = Counter(values)
    missing, texts = _texts(counts)
    there: ByCell[int] = {value: times for value, times in counts.items() if value is not None and value not in missing}
    kind, fits, marks = _kind(header, there, texts, is_percent=is_percent)
    others = {value: texts.get(cast("str", value)) or cell_values.plain(value) for value in there if value not in fits}
    if kind == "percent":
        # A number without a sign among shares would be a hundred times too large.
        others = {value: str(kept) for value, kept in others.items()}
    kept: ByCell[Kept] = {**dict.fromkeys(missing), None: None, **others, **fits}
    wrong = [value for value in others if kind in TYPED]
    tokens = Counter[str]()
    for value, text in missing.items():
        tokens[text] += counts[value] if text else 0
    clean = " ".join(header.split())
    named = UNIT.fullmatch(clean)
    return {
        "index": index,
        "header": header,
        "name": named[1] if named else clean,
        "unit": named[2] if named else None,
        "type": kind,
        "missing": len(values) - sum(there.values()),
        "missingTokens": {text: times for text, times in tokens.most_common() if times},
        "invalid": sum(there[value] for value in wrong),
        "invalidExamples": [str(cell_values.plain(value))[:80] for value in wrong[:EXAMPLES]],
        **_distribution(kind, there, kept, fits if kind in TYPED else {}),
        "warnings": sorted(marks | ({"mixed_types"} if wrong else set())),
    }, [kept[value] for value in values]


def recount(before: ColumnView, values: Sequence[Kept]) -> ColumnView:
    """The same column with other clean values. It keeps its type and what its values are: what is clean is not read again."""
    counts: Counter[Cell] = Counter(values)
    missing = counts.pop(None, 0)
    same: ByCell[Kept] = {value: cast("Kept", value) for value in counts}
    has_parts = any(isinstance(value, float) and value != int(value) for value in counts)
    kind: Type = "float" if before["type"] == "integer" and has_parts else before["type"]
    fits = {value: kept for value, kept in same.items() if kind in TYPED and _is_of(kind, value)}
    wrong = [value for value in counts if kind in TYPED and value not in fits]
    warnings = {*before["warnings"]} - {"mixed_types"} | ({"mixed_types"} if wrong else set())
    return {
        **before,
        "type": kind,
        "missing": missing,
        "missingTokens": before["missingTokens"] if missing == before["missing"] else {},
        "invalid": sum(counts[value] for value in wrong),
        "invalidExamples": [str(value)[:80] for value in wrong[:EXAMPLES]],
        **_distribution(kind, counts, same, fits),
        "warnings": sorted(warnings),
    }


def _is_of(kind: Type, value: Cell) -> bool:
    if kind in {"date", "datetime"}:
        with suppress(ValueError):
            return isinstance(value, str) and bool(datetime.fromisoformat(value))
        return False
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_endless(value: Cell) -> bool:
    return isinstance(value, float) and not isfinite(value)


def _texts(counts: Counter[Cell]) -> tuple[dict[str, str], dict[str, str]]:
    """The distinct texts, trimmed: those that say that a value is missing, and all others."""
    trimmed = {value: value.strip() for value in counts if isinstance(value, str)}
    dashes = DASHES if not DASHES.isdisjoint(trimmed.values()) and any(map(PLUS.fullmatch, trimmed.values())) else set()
    tokens = MISSING - dashes
    missing = {value: text for value, text in trimmed.items() if not text or text.casefold() in tokens}
    return missing, {value: text for value, text in trimmed.items() if value not in missing}


def _kind(header: str, there: ByCell[int], texts: dict[str, str], *, is_percent: bool) -> Kind:
    if not there:
        return "empty", {}, set()
    yes_no: ByCell[Kept] = {it: _yes_no(it, texts) for it in there} if len(there) <= WORDS_MAX else {None: None}
    if None not in yes_no.values():
        return "boolean", yes_no, set()
    marks = {mark for mark, is_meant in MARKS.items() if any(map(is_meant, texts.values()))}
    enough = MOSTLY * sum(there.values())
    moments = {value: found for value in there if (found := _moment(value, texts)) is not None}
    if sum(there[value] for value in moments) >= enough:
        return _dated(moments, marks)
    numbers = {value: read for value in there if (read := _number(value, texts)) is not None}
    if sum(there[value] for value in numbers) >= enough and not ("leading_zeros" in marks and _are_codes(texts)):
        kind, fits, marks = _numeric(header, numbers, texts, there, marks, is_percent=is_percent)
    else:
        kind, fits, marks = _worded(header, there, texts, marks)
    is_constant = len(there) == 1 < sum(there.values()) and kind != "percent"
    return "constant" if is_constant else kind, fits, marks


def _are_codes(texts: dict[str, str]) -> bool:
    """All digits, and as many in each: 010 is then as little a number as 009."""
    return len({len(text) if text.isdecimal() else 0 for text in texts.values() if text[:1].isdecimal()}) == 1


def _dated(moments: dict[Cell, str], marks: set[str]) -> Kind:
    timed = any("T" in found and not found.endswith("T00:00:00") for found in moments.values())
    return ("datetime", moments, marks) if timed else ("date", {value: it[:10] for value, it in moments.items()}, marks)


def _worded(header: str, there: Mapping[Cell, int], texts: dict[str, str], marks: set[str]) -> Kind:
    total = sum(there.values())
    if len(there) == total > 1 and (ID_NAME.search(header) or "leading_zeros" in marks):
        return "id", {}, marks
    folded = {text.casefold() for text in texts.values()}
    few = len(folded) <= min(CATEGORIES_MAX, max(2, OFTEN * total))
    spelled = few and len(folded) < len(set(texts.values()))
    return ("category" if few else "text"), {}, marks | ({"spellings"} if spelled else set())


def _numeric(
    header: str, numbers: ByCell[float], texts: dict[str, str], there: ByCell[int], marks: set[str], *, is_percent: bool
) -> Kind:
    written = [texts[value] for value in numbers if isinstance(value, str)]
    marks |= {"thousands"} if any("," in text for text in written) else set()
    signed = {value for value in numbers if isinstance(value, str) and texts[value].endswith(("%", "％"))}
    marks |= {"percent_signs"} if signed else set()
    shares = signed | {value for value in numbers if is_percent and not isinstance(value, str)}
    # 58% beside 60 is not meant as 0.58: whichever are fewer do not fit.
    if shares and (is_percent or 2 * len(shares) > len(numbers)):
        return "percent", {value: numbers[value] for value in shares}, marks
    numbers = {value: found for value, found in numbers.items() if value not in signed}
    if not all(found == int(found) and abs(found) < 10**DIGITS_MAX for found in numbers.values()):
        return "float", numbers, marks
    whole = {value: int(found) for value, found in numbers.items()}
    low, high = SERIAL
    if DATE_NAME.search(header) and all(low <= found <= high for found in whole.values()):
        marks.add("serial_dates")
    if ID_NAME.search(header) and len(there) == sum(there.values()) == len(whole) > 1:
        return "id", whole, marks
    return "integer", whole, marks


def _yes_no(value: Cell, texts: dict[str, str]) -> bool | None:
    if isinstance(value, bool):
        return value
    word = texts.get(value, "").casefold() if isinstance(value, str) else ""
    return True if word in YES else False if word in NO else None


def _number(value: Cell, texts: dict[str, str]) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return value
    return cell_values.number(texts[value]) if isinstance(value, str) else None


def _moment(value: Cell, texts: dict[str, str]) -> str | None:
    if isinstance(value, datetime | date):
        return cell_values.iso(value)
    return cell_values.moment(texts[value]) if isinstance(value, str) else None


def _distribution(kind: str, there: Mapping[Cell, int], kept: Mapping[Cell, Kept], fits: Mapping[Cell, Kept]) -> Spread:
    """How its values are spread. Spellings that differ in capitals alone are one value, told as it is written most often."""
    spelled: dict[Kept, list[tuple[int, Kept]]] = {}
    for value, times in there.items():
        text = kept[value]
        spelled.setdefault(text.casefold() if isinstance(text, str) else text, []).append((times, text))
    shows_top = kind in {"category", "boolean", "constant"} or (len(spelled) <= TOP and kind not in {"id", "text"})
    often = sorted(spelled.values(), key=lambda each: -sum(times for times, _ in each))[: TOP if shows_top else 0]
    numbers = kind in {"integer", "float", "percent"}
    total = sum(cast("float", found) * there[value] for value, found in fits.items()) if numbers else 0
    return {
        "distinct": len(spelled),
        "top": [[max(each)[1] if len(each) > 1 else each[0][1], sum(times for times, _ in each)] for each in often],
        "min": min(cast("list[float]", [*fits.values()]), default=None),
        "max": max(cast("list[float]", [*fits.values()]), default=None),
        "mean": round(total / sum(there[value] for value in fits), 6) if numbers and fits and isfinite(total) else None,
    }
