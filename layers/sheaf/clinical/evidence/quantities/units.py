"""Units after a number, each in one spelling: mg is never g, nor mg/kg. Texts come `quantities.folded`. Pure."""

import re
from pathlib import Path

_LINES = Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines()
CANONICAL = {word: line.split()[0] for line in _LINES for word in line.split()}  # by each spelling, the first of a line
TIMES = {"ms", "s", "min", "h", "day", "week", "month", "year"}
WORDS = "|".join(sorted(map(re.escape, CANONICAL), key=len, reverse=True))
ENDS = r"(?:(?<=[^a-z0-9])|(?![a-z0-9]))"  # a unit in Latin letters ends where a word does; one in Chinese needs no end
UNIT = re.compile(rf"\s?-?\s?({WORDS}){ENDS}")
PER = re.compile(rf"\s?(?:/|\bper\b)\s?({WORDS}){ENDS}|\s?[·.]?\s?({WORDS})\s?\^?-1(?!\d)")
STROKE = re.compile(rf"/\s?({WORDS}){ENDS}")
WORD = re.compile(r"[^\W\d_]{2,}|[%‰]|[千公毫微升克米秒分小天日周星个月年岁]+")
SHARE = re.compile(r"(?<![\d ])%|(?<!\d) %|(?<!\d)(?<!\d )\bpercent|\bpercentages?\b|百分")


def unit_at(text: str, place: int) -> str | None:
    """The unit that a number has which ends here: with what it is per, except per a time, which is how often."""
    found = UNIT.match(text, place)
    if not found:
        return None
    unit, per = CANONICAL[found[1]], PER.match(text, found.end())
    while per:
        below = CANONICAL[per[1] or per[2]]
        unit = unit if below in TIMES else f"{unit}/{below}"
        per = PER.match(text, per.end())
    return unit


def named(text: str) -> frozenset[str]:
    """Every unit that the text names anywhere, also away from a number: the head of a table's column."""
    strokes = {CANONICAL[unit] for unit in STROKE.findall(text)}
    return frozenset(strokes | {CANONICAL[word] for word in WORD.findall(text) if word in CANONICAL} - {"%"})


def speaks_of_shares(text: str) -> bool:
    return SHARE.search(text) is not None
