"""Units that stand after a number, each in one spelling, so that mg is never taken for g, nor mg for mg/kg. Pure.

Texts come folded (`quantities.folded`): in small letters, with "mu" for µ.
"""

import re

SPELLINGS = {
    "kg": "kg kgs kilogram kilograms 千克 公斤",
    "g": "g gm gram grams 克",
    "mg": "mg milligram milligrams 毫克",
    "ug": "ug mug mcg microgram micrograms 微克",
    "ng": "ng nanogram nanograms 纳克",
    "pg": "pg picogram picograms",
    "l": "l litre litres liter liters 升",
    "dl": "dl",
    "ml": "ml cc millilitre millilitres milliliter milliliters 毫升",
    "ul": "ul mul microlitre microlitres microliter microliters 微升",
    "mol": "mol",
    "mmol": "mmol",
    "umol": "umol mumol",
    "nmol": "nmol",
    "pmol": "pmol",
    "meq": "meq",
    "mosm": "mosm mosmol",
    "iu": "iu",
    "u": "u unit units",
    "mu": "miu mu",
    "km": "km",
    "m": "m metre metres meter meters 米",
    "m2": "m2 m^2",
    "cm": "cm centimetre centimetres centimeter centimeters 厘米",
    "mm": "mm millimetre millimetres millimeter millimeters 毫米",
    "um": "um mum",
    "nm": "nm",
    "mmhg": "mmhg",
    "kpa": "kpa",
    "cmh2o": "cmh2o",
    "gy": "gy",
    "cgy": "cgy",
    "kcal": "kcal",
    "kj": "kj",
    "hz": "hz",
    "khz": "khz",
    "mhz": "mhz",
    "ma": "ma",
    "mv": "mv",
    "w": "w",
    "%": "% percent pct",
    "‰": "‰",
    "ms": "ms msec",
    "s": "s sec secs second seconds 秒",
    "min": "min mins minute minutes 分钟",
    "h": "h hr hrs hour hours 小时",
    "day": "d day days 天 日",
    "week": "wk wks week weeks 周 星期",
    "month": "mo mos month months 个月 月",
    "year": "y yr yrs year years 年 岁",
}
CANONICAL = {spelling: unit for unit, spellings in SPELLINGS.items() for spelling in spellings.split()}
TIMES = {"ms", "s", "min", "h", "day", "week", "month", "year"}
WORDS = "|".join(sorted(map(re.escape, CANONICAL), key=len, reverse=True))
ENDS = r"(?:(?<=[^a-z0-9])|(?![a-z0-9]))"
"""A unit in Latin letters ends where a word does; one in Chinese needs no end."""
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
    """Whether a percent sign or word stands free of any one number, as over a column."""
    return SHARE.search(text) is not None
